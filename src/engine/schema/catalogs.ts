// Keeps the catalogs that have been read, and forgets one when its rows change.
//
// Readers and writers see different states, the acknowledged one and the one with writers
// that wait for the log, so each has catalogs of its own.
import type { Key } from '../base/bytes.ts';
import { type MaybePromise, andThen } from '../base/maybe.ts';
import type { Txn } from '../txn/txn.ts';
import type { Scope } from '../value/ref.ts';
import { type Catalog, catalogSpans, loadCatalog } from './catalog.ts';

export class Catalogs {
  private readonly kept = new Map<Scope, { readonly catalog: Catalog; readonly touches: (key: Key) => boolean }>();

  /** The catalog as the transaction sees it; reading it counts as having read all schema rows. */
  get(txn: Txn, scope: Scope, path: readonly string[]): MaybePromise<Catalog> {
    const spans = catalogSpans(scope);
    for (const span of spans) txn.reads.add(span);
    const known = this.kept.get(scope);
    if (known !== undefined) return known.catalog;
    return andThen(loadCatalog(txn, scope, path), (catalog) => {
      this.kept.set(scope, { catalog, touches: (key) => spans.some(({ from, to }) => key >= from && key < to) });
      return catalog;
    });
  }

  /** Forgets the catalogs that rows with these keys belong to. */
  forget(keys: Iterable<Key>): void {
    if (this.kept.size === 0) return;
    for (const key of keys) {
      if (!key.startsWith('V')) continue;
      for (const [scope, { touches }] of this.kept) if (touches(key)) this.kept.delete(scope);
    }
  }

  clear(): void {
    this.kept.clear();
  }
}

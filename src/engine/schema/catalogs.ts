// Keeps the catalogs that have been read, and forgets one when its rows change.
import type { Key, Span } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { Txn } from '../txn/txn.ts';
import type { Scope } from '../value/ref.ts';
import { type Catalog, catalogSpans, loadCatalog } from './catalog.ts';

export class Catalogs {
  private readonly kept = new Map<Scope, Catalog>();
  private readonly spans = new Map<Scope, readonly Span[]>();
  /** Time of the last commit that changed any of the databases' schemas. */
  private changed: Ts = 0;

  /** The catalog as the transaction sees it; reading it counts as having read all schema rows. */
  get(txn: Txn, scope: Scope, path: readonly string[]): MaybePromise<Catalog> {
    const spans = this.spansOf(scope);
    for (const span of spans) txn.reads.add(span);
    // What is kept is the acknowledged state: not for readers of the past or of pending schema.
    if (txn.snapshot < this.changed || hasRows(txn, spans)) return loadCatalog(txn, scope, path);
    const known = this.kept.get(scope);
    if (known !== undefined) return known;
    return andThen(loadCatalog(txn, scope, path), (catalog) => {
      if (txn.snapshot >= this.changed) this.kept.set(scope, catalog);
      return catalog;
    });
  }

  /** Forgets the catalogs that a commit's rows belong to. */
  forget(commit: { readonly ts: Ts; readonly rows: readonly { readonly key: Key }[] }): void {
    for (const [scope, spans] of this.spans) {
      if (!commit.rows.some(({ key }) => spans.some(({ from, to }) => key >= from && key < to))) continue;
      this.kept.delete(scope);
      this.changed = commit.ts;
    }
  }

  clear(): void {
    this.kept.clear();
    this.changed = 0;
  }

  private spansOf(scope: Scope): readonly Span[] {
    const known = this.spans.get(scope) ?? catalogSpans(scope);
    this.spans.set(scope, known);
    return known;
  }
}

/** Whether a transaction sees schema rows that are not acknowledged. They are in memory, so looking does not wait. */
function hasRows({ pending }: Txn, spans: readonly Span[]): boolean {
  return pending !== null && spans.some((span) => pending.scan(span, false).next() !== null);
}

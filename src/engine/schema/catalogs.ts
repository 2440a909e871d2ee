// Keeps the catalogs that have been read, and forgets one when its rows change.
import type { Key, Span } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { collectionPrefix } from '../kv/keyspace.ts';
import type { Txn } from '../txn/txn.ts';
import { FIRST_COLLECTION, type Scope } from '../value/ref.ts';
import { type Catalog, catalogSpans, loadCatalog, schemaScope } from './catalog.ts';

/** With more databases than this, those that were read first are read again when they are asked for. */
const MOST = 100;

/** A catalog as it was at a commit, and since then; the rows it was read from. */
interface Kept {
  readonly catalog: Catalog;
  readonly since: Ts;
  readonly spans: readonly Span[];
}

export class Catalogs {
  /** Another map once all were forgotten: what is read at that moment goes into the former. */
  private kept = new Map<Scope, Kept>();

  /** @param lastCommit time of the last acknowledged commit: kept catalogs are as of then */
  constructor(private readonly lastCommit: () => Ts) {}

  /** The catalog as the transaction sees it; reading it counts as having read all schema rows. */
  get(txn: Txn, scope: Scope, path: readonly string[]): MaybePromise<Catalog> {
    const { kept } = this;
    const known = kept.get(scope);
    const spans = known?.spans ?? catalogSpans(scope);
    txn.reads.add(...spans);
    // Whoever reads at an earlier commit, or sees schema that is not acknowledged yet, sees another catalog. So does
    // everybody once a database above has another name or place, which the rows of this one do not tell.
    if (known !== undefined && txn.snapshot >= known.since && isSamePath(known.catalog.path, path) && !hasRows(txn, scope)) return known.catalog;
    return andThen(loadCatalog(txn, scope, path), (catalog) => {
      // While it was read, commits may have come, or another database.
      const since = this.lastCommit();
      if (txn.snapshot < since || hasRows(txn, scope)) return catalog;
      kept.delete(scope);
      const [first = scope] = kept.keys();
      if (kept.size >= MOST) kept.delete(first);
      kept.set(scope, { catalog, since, spans });
      return catalog;
    });
  }

  /** Forgets the catalogs that a commit's rows belong to. */
  forget({ rows }: { readonly rows: readonly { readonly key: Key }[] }): void {
    if (this.kept.size === 0) return;
    for (const { key } of rows) {
      const scope = key.startsWith('V') ? schemaScope(key) : null;
      if (scope !== null) this.kept.delete(scope);
    }
  }

  clear(): void {
    this.kept = new Map();
  }
}

const isSamePath = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((name, at) => name === b[at]);

/** Whether a transaction sees native documents, and so perhaps schema, that are not acknowledged. They are in memory, so looking does not wait. */
function hasRows({ pending }: Txn, scope: Scope): boolean {
  return pending !== null && pending.scan({ from: collectionPrefix(scope, 0), to: collectionPrefix(scope, FIRST_COLLECTION) }).next() !== null;
}

// Protected mode: a database, and those below it that do not say otherwise, keep what their
// collections hold (reference: data/documents.md §5).
import { databaseOf } from '../auth/home.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { schemaInvalid } from '../errors/schema-failures.ts';
import type { EvalContext } from '../form/context.ts';
import type { Txn } from '../txn/txn.ts';
import { NATIVE, type Ref, ROOT_SCOPE, type Scope } from '../value/ref.ts';
import type { Obj } from '../value/value.ts';

/** Refuses changes by which a collection of a protected database would lose something. The root is never protected. @param after `null` where it is deleted @throws FqlError `schema validation failed` at `at` */
export function requireHarmless(ref: Ref, before: Obj, after: Obj | null, { txn, catalog }: EvalContext, at: Path): MaybePromise<void> {
  const isGuarded = ref.collection === NATIVE.collections || (ref.collection === NATIVE.indexes && after === null);
  if (!isGuarded || ref.isNativeCollection) return;
  const harms = after === null ? [ref.collection === NATIVE.indexes ? 'Cannot cause deletion of backing index' : 'Cannot delete collection'] : lossesOf(before, after);
  return andThen(harms.length > 0 && isProtected(catalog.scope, txn), (forbidden) => {
    if (forbidden) throw schemaInvalid(at, harms.map((harm) => `${harm}: destructive change forbidden because database is in protected mode.`));
  });
}

/** What a collection would lose: history, or documents. */
function lossesOf(before: Obj, after: Obj): string[] {
  const days = (fields: Obj, name: string): bigint | null => (fields.get(name) as bigint | undefined) ?? null;
  const [history, newHistory] = [days(before, 'history_days'), days(after, 'history_days')];
  const [ttl, newTtl] = [days(before, 'ttl_days'), days(after, 'ttl_days')];
  return [
    ...(history !== null && newHistory === null ? ['Cannot remove `history_days` field'] : []),
    ...(history !== null && newHistory !== null && newHistory < history ? ['Cannot decrease `history_days` field'] : []),
    // `remove` is the original's word, though it is adding the field that deletes documents.
    ...(ttl === null && newTtl !== null ? ['Cannot remove `ttl_days` field'] : []),
    ...(ttl !== null && newTtl !== null && newTtl < ttl ? ['Cannot decrease `ttl_days` field'] : []),
  ];
}

function isProtected(scope: Scope, txn: Txn): MaybePromise<boolean> {
  if (scope === ROOT_SCOPE) return false;
  return andThen(databaseOf(scope, txn), (database) => {
    if (database === null) return false;
    const says = database.fields.get('protected');
    return typeof says === 'boolean' ? says : isProtected(database.ref.scope, txn);
  });
}

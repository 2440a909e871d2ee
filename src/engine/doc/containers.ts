// A container database holds databases, and what administers them, but no data (reference:
// data/documents.md §2, §5).
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { databaseOf } from '../auth/home.ts';
import { isAdministration } from '../auth/rules.ts';
import type { EvalContext } from '../form/context.ts';
import { ROOT_SCOPE } from '../value/ref.ts';

/** Whether documents of the collection have no place in the query's database. */
export function isKeptOut(collection: number, { txn, catalog: { scope } }: EvalContext): MaybePromise<boolean> {
  if (scope === ROOT_SCOPE || isAdministration(collection)) return false;
  return andThen(databaseOf(scope, txn), (database) => database?.fields.get('container') === true);
}

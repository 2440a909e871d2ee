// Ids of the documents of native collections (reference: data/documents.md §1). Loaded with what writes them.
import { prefixSpan } from '../base/bytes.ts';
import { andThen, fold, type MaybePromise } from '../base/maybe.ts';
import { homesOf, presentFields } from '../auth/home.ts';
import { badRequest } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { homePrefix } from '../kv/keyspace.ts';
import type { Txn } from '../txn/txn.ts';
import { FIRST_COLLECTION, NATIVE, Ref, ROOT_SCOPE, type Scope } from '../value/ref.ts';
import { newRef } from './new-ref.ts';
import { FOUND_BY_ID } from './stage.ts';

/** First and last id of user collections and indexes, which are numbered in turn. */
const RANGES = new Map<number, readonly [first: bigint, last: bigint]>([
  [NATIVE.collections, [BigInt(FIRST_COLLECTION), 32_767n]],
  [NATIVE.indexes, [32_768n, 2n ** 31n]],
]);

/** The ref of a new document: of what is numbered in turn the one after the highest that was ever given. @throws HttpError `bad request` when there is none left */
export function newNativeRef(collection: number, ctx: EvalContext): MaybePromise<Ref> {
  const { txn, catalog } = ctx;
  const range = RANGES.get(collection);
  if (range === undefined) return newRef(collection, ctx, FOUND_BY_ID.has(collection) ? ({ id }) => hadHome(id, txn) : undefined);
  const [first, last] = range;
  const id = catalog.highestId(collection) + 1n;
  const next = id < first ? first : id;
  if (next > last) throw badRequest('Maximum sequential ID reached.');
  return new Ref(collection, next, catalog.scope);
}

/**
 * Whether an id cannot be chosen although no document has it. Documents that are found by their id alone may
 * not have that of a database; a new database may not have one that any of them ever had, as the contents of a
 * former database would come back.
 */
export function isIdTaken({ collection, id }: Ref, txn: Txn): MaybePromise<boolean> {
  if (!FOUND_BY_ID.has(collection)) return false;
  if (id === ROOT_SCOPE) return true;
  return collection === NATIVE.databases ? hadHome(id, txn) : isDatabase(id, txn);
}

/** Whether there is a database with this id. */
function isDatabase(id: bigint, txn: Txn): MaybePromise<boolean> {
  return andThen(homesOf(id, txn), (homes) =>
    fold<Scope, boolean>(homes, false, (found, home) => found || andThen(presentFields(new Ref(NATIVE.databases, id, home), txn), (fields) => fields !== null)),
  );
}

/** Whether there was ever a document with this id, of those that are found by their id alone. */
function hadHome(id: bigint, txn: Txn): MaybePromise<boolean> {
  return andThen(txn.current(prefixSpan(homePrefix(id))).next(), (row) => row !== null);
}

// Ids of what is numbered in turn (reference: data/documents.md §1).
import { badRequest } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { FIRST_COLLECTION, NATIVE, Ref } from '../value/ref.ts';

/** First and last id of user collections and indexes. */
const RANGES = {
  [NATIVE.collections]: { first: BigInt(FIRST_COLLECTION), last: 32_767n },
  [NATIVE.indexes]: { first: 32_768n, last: 2n ** 31n },
} as const;

/** The ref after the highest that was ever given. @throws HttpError `bad request` when there is none left */
export function nextSchemaRef(collection: keyof typeof RANGES, { catalog }: EvalContext): Ref {
  const { first, last } = RANGES[collection];
  const id = catalog.highestId(collection) + 1n;
  const next = id < first ? first : id;
  if (next > last) throw badRequest('Maximum sequential ID reached.');
  return new Ref(collection, next, catalog.scope);
}

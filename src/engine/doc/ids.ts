import type { EvalContext } from '../form/context.ts';
import { FIRST_COLLECTION, NATIVE } from '../value/ref.ts';

/** First and last id of user collections and indexes (reference: data/documents.md §1). */
const RANGES: Readonly<Record<number, { readonly first: bigint; readonly last: bigint }>> = {
  [NATIVE.collections]: { first: BigInt(FIRST_COLLECTION), last: 32_767n },
  [NATIVE.indexes]: { first: 32_768n, last: 2n ** 31n },
};

/** The id after the highest that was ever given; `null` when there is none left. */
export function nextSchemaId(collection: number, ctx: EvalContext): bigint | null {
  const range = RANGES[collection];
  if (range === undefined) return null;
  const id = ctx.catalog.highestId(collection) + 1n;
  const next = id < range.first ? range.first : id;
  return next > range.last ? null : next;
}

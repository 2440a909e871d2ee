// How far back history is kept (reference: data/documents.md §3, data/history.md §5). Older
// versions may be gone; reads below the edge are refused whether they are or not.
import type { Ts } from '../base/platform.ts';
import { badRequest } from '../errors/codes.ts';
import { FIRST_COLLECTION, NATIVE } from '../value/ref.ts';
import { DAY, Time } from '../value/time.ts';
import type { Catalog } from './catalog.ts';
import type { CollectionDefinition, IndexDefinition } from './definitions.ts';

/** How much more is kept, for queries that run while the edge moves on. As long as SPARED (txn/sorting.ts): upkeep counts on that. */
const GRACE: Ts = 15 * 60 * 1_000_000;

/** Native collections whose history is not kept; that of the others stays for ever. */
const FORGETFUL: ReadonlySet<number> = new Set([NATIVE.keys, NATIVE.tokens, NATIVE.credentials]);

/** The earliest time at which documents of a collection may be read; `-Infinity` where all history is kept. */
export function earliestTime(collection: number, catalog: Catalog, now: Ts): Ts {
  if (collection < FIRST_COLLECTION) return FORGETFUL.has(collection) ? Math.max(0, now - GRACE) : -Infinity;
  const { historyDays = null, historyFloor = 0 } = catalog.collection(collection) ?? {};
  const edge = Math.max(edgeOf(historyDays, now), historyFloor);
  return edge <= 0 ? -Infinity : Math.max(0, edge - GRACE);
}

/** The time before which nothing is kept, if `days` are. */
export const edgeOf = (days: number | null, now: Ts): Ts => (days === null ? -Infinity : now - days * DAY);

/** The same for the entries of an index: those of all its sources must be kept. */
export const earliestOfIndex = (index: IndexDefinition, catalog: Catalog, now: Ts): Ts =>
  Math.max(...sourcesOf(index, catalog).map((number) => earliestTime(number, catalog, now)));

/** From when on entries of an index are needed: for the source whose history is kept longest, as what is taken out of that brings back those of the version before. */
export function keptOfIndex(index: IndexDefinition, catalog: Catalog, now: Ts): Ts {
  const numbers = sourcesOf(index, catalog).filter((number) => number < FIRST_COLLECTION || catalog.hasCollection(number));
  return numbers.length === 0 ? -Infinity : Math.min(...numbers.map((number) => earliestTime(number, catalog, now)));
}

const sourcesOf = ({ sources }: IndexDefinition, catalog: Catalog): number[] =>
  sources.flatMap(({ collections }) => (collections === 'all' ? catalog.all<CollectionDefinition>('collection').map(({ number }) => number) : collections));

/** @throws HttpError `bad request` when a time to read at lies before what is kept */
export function requireKept(time: Ts, earliest: Ts): void {
  if (time >= earliest) return;
  throw badRequest(`Requested timestamp ${textOf(time)} less than minimum allowed timestamp ${textOf(earliest)}.`);
}

const textOf = (time: Ts): string => Time.fromMicros(time).toString();

import type { EventOrder } from '../txn/moment.ts';

/** How the entries of a set are ordered; sets are compatible when they agree. */
export interface Shape {
  /** For each covered value, whether it is sorted from the greatest down. */
  readonly descending: readonly boolean[];
  /** Read backwards (`reverse`). */
  readonly reversed: boolean;
  /** Of a set of events: their order at one instant. */
  readonly events: EventOrder | null;
  readonly collation: 'natural' | 'legacy';
  /** Each group has only one entry, whichever document it comes from: its place is that of the group. */
  readonly grouped: boolean;
  /** Its entries cover different numbers of values: a group may lie within another one, and is no place. */
  readonly mixed?: boolean;
  /** What its entries look like is known only when they are read. */
  readonly open: boolean;
}

export const REFS_ONLY: Shape = { descending: [], reversed: false, events: null, collation: 'natural', grouped: false, open: false };

// Sets as something to read. A set is a sorted run of entries; entries of one index, or of
// several that agree on their order, are compared by their keys alone.
import type { Key } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { type DocEvent, type Ref, SetValue, type Value } from '../value/value.ts';

export interface Entry {
  /** Place in the set: the covered values, then the ref, as bytes. */
  readonly key: Key;
  /** How much of the key is values; 0 when the set covers none. */
  readonly split: number;
  readonly values: readonly Value[];
  readonly ref: Ref;
  /** Entries of an event set are events. */
  readonly event?: DocEvent;
  /** The sets that gave this entry, when that was asked for. */
  readonly sources?: readonly SetOp[];
}

/** A position among entries. */
export interface EntryCursor {
  next(): MaybePromise<Entry | null>;
  /** Leaps forward: ascending, to the first key ≥ `key`; descending, to the last key < `key`. */
  seek(key: Key): void;
}

/** Which entries to read: keys from `from` up to but not including `to`, in either direction. */
export interface Window {
  readonly from: Key;
  readonly to: Key;
  readonly descending: boolean;
}

/** Above every key: no entry begins with 0xFF bytes only. */
export const KEY_END: Key = '\xff'.repeat(16);
export const everything = (descending = false): Window => ({ from: '', to: KEY_END, descending });

/** How the entries of a set are ordered; sets are compatible when they agree. */
export interface Shape {
  /** For each covered value, whether it is sorted from the greatest down. */
  readonly descending: readonly boolean[];
  /** Read backwards (`reverse`). */
  readonly reversed: boolean;
  /** Made of events. */
  readonly historical: boolean;
  readonly collation: 'natural' | 'legacy';
}

export const REFS_ONLY: Shape = { descending: [], reversed: false, historical: false, collation: 'natural' };

export abstract class SetOp extends SetValue {
  abstract shape(ctx: EvalContext): Shape;
  /** @throws FqlError where a member cannot be read */
  abstract open(ctx: EvalContext, window: Window): EntryCursor;
  /** The events of the set, as entries of an event set. @throws FqlError when it keeps none */
  abstract history(ctx: EvalContext, window: Window): EntryCursor;
  /** Whether the caller may read the set at all; single entries are filtered besides. */
  abstract readable(ctx: EvalContext): MaybePromise<boolean>;
}

/** What a page shows of an entry: its value, its values, or its ref. */
export function elementOf(entry: Entry): Value {
  if (entry.event !== undefined) return entry.event;
  const [first] = entry.values;
  if (first === undefined) return entry.ref;
  return entry.values.length === 1 ? first : entry.values;
}

/** What entries of several sets are matched by: covered values, else the ref. */
export const groupKey = (entry: Entry): Key => (entry.split > 0 ? entry.key.slice(0, entry.split) : entry.key);


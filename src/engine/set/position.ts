// Cursors as clients send and see them, and the places they stand for (reference:
// data/sets.md §5–6; those of events: event-cursor.ts). A cursor with fewer parts than an entry is a prefix.
import type { Path } from '../base/path.ts';
import { undefinedRef } from '../form/casts.ts';
import { PENDING } from '../kv/keyspace.ts';
import { compare } from '../order/compare.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { dated } from '../value/dated.ts';
import { bounded } from '../value/parts.ts';
import { DAY } from '../value/time.ts';
import { DateValue, isArray, Ref, Time, UnresolvedRef, type Value } from '../value/value.ts';
import type { Shape } from './shape.ts';
import { around, type Position } from './window.ts';

/** Where a tuple of values, perhaps followed by a ref, stands in a set of this shape. */
export function boundOf(parts: readonly Value[], shape: Pick<Shape, 'descending' | 'collation'>): Position {
  const count = shape.descending.length;
  const known = dated(parts.slice(0, count), PENDING);
  const prefix = tupleKey(known, shape.descending, shape.collation);
  const ref = parts[count];
  if (ref === undefined) return around(prefix);
  if (ref instanceof Ref) return { ...around(prefix + refKey(ref)), group: count > 0 ? prefix : undefined };
  // Anything but a ref in the ref's place lies before or after all refs, by the order of types.
  const { low, high } = around(prefix);
  return compare(ref, ANY_REF) < 0 ? { low, high: low } : { low: high, high };
}

const ANY_REF = new Ref(0, 0n, 0n);

/**
 * The parts of a plain cursor: an array, or one value. Counted before a key is made of them, which would fill the memory
 * long before it came to too many parts.
 * @throws FqlError `invalid ref` at `at`
 * @throws RangeError
 */
export function cursorParts(cursor: Value, at: Path): readonly Value[] {
  const parts = bounded(isArray(cursor) ? cursor : [cursor]);
  for (const part of parts) if (part instanceof UnresolvedRef) throw undefinedRef(part, at);
  return parts;
}

/** Microseconds of a Long, a time, or the midnight of a date; `null` for anything else. */
export function instantOf(value: Value): number | null {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Time) return Number(value.micros);
  if (value instanceof DateValue) return value.days * DAY;
  return null;
}

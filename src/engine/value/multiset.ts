// Multisets: values and how often each occurs, by structural equality (`same`), in the
// order in which they were first seen. Each operation throws RangeError for arrays of too many parts.
import { same } from './equal.ts';
import { bounded } from './parts.ts';
import { Action, Bytes, DateValue, Doc, isArray, Obj, Ref, Time, UnresolvedRef, Uuid, type Value } from './value.ts';

interface Counted {
  readonly value: Value;
  count: number;
}

class Multiset {
  readonly counted: Counted[] = [];
  private readonly buckets = new Map<string, Counted[]>();

  constructor(values: readonly Value[]) {
    for (const value of values) this.entry(value).count++;
  }

  find(value: Value): Counted | undefined {
    return this.buckets.get(bucketOf(value))?.find((entry) => same(entry.value, value));
  }

  /** The entry of a value, made with count 0 if there is none. */
  entry(value: Value): Counted {
    const bucket = bucketOf(value);
    const entries = this.buckets.get(bucket) ?? [];
    const known = entries.find((entry) => same(entry.value, value));
    if (known !== undefined) return known;
    const entry = { value, count: 0 };
    if (entries.push(entry) === 1) this.buckets.set(bucket, entries);
    this.counted.push(entry);
    return entry;
  }

  /** Takes one of the value away; false when there is none. */
  take(value: Value): boolean {
    const entry = this.find(value);
    if (entry === undefined || entry.count === 0) return false;
    entry.count--;
    return true;
  }
}

/** First occurrences only, by position. */
export function distinctPositions(values: readonly Value[]): number[] {
  bounded(values);
  const seen = new Multiset([]);
  return values.flatMap((value, index) => (seen.entry(value).count++ === 0 ? [index] : []));
}

/** Each value as often as in the array that has it most often, equal ones together; of a single array, that array. */
export function unionOf(first: readonly Value[], others: readonly (readonly Value[])[]): readonly Value[] {
  if (others.length === 0) return first;
  bounded([first, ...others]);
  const union = new Multiset(first);
  for (const other of others) {
    for (const { value, count } of new Multiset(other).counted) {
      const entry = union.entry(value);
      entry.count = Math.max(entry.count, count);
    }
  }
  return union.counted.flatMap(({ value, count }) => new Array<Value>(count).fill(value));
}

/** What all have, as often as all have it, in the order of the first. */
export function intersectionOf(first: readonly Value[], others: readonly (readonly Value[])[]): readonly Value[] {
  bounded([first, ...others]);
  return others.reduce((common, other) => {
    const rest = new Multiset(other);
    return common.filter((value) => rest.take(value));
  }, first);
}

/** The first without one occurrence for each in the others. */
export function differenceOf(first: readonly Value[], others: readonly (readonly Value[])[]): readonly Value[] {
  bounded([first, ...others]);
  const rest = new Multiset(others.flat());
  return first.filter((value) => !rest.take(value));
}

/** Text that is the same for values that are the same, and different for most others. */
function bucketOf(value: Value): string {
  if (value === null || typeof value !== 'object') return `${typeof value} ${String(value)}`;
  if (isArray(value)) return `[${value.map(bucketOf).join()}]`;
  if (value instanceof Obj) {
    const fields = value.entries().map(([key, field]) => `${key}:${bucketOf(field)}`);
    return `{${fields.sort().join()}}`;
  }
  if (value instanceof Ref) return `ref ${value.identity}`;
  if (value instanceof Doc) return `doc ${value.ref.identity}`;
  if (value instanceof Time) return `time ${value.nanos}`;
  if (value instanceof DateValue) return `date ${value.days}`;
  if (value instanceof Uuid) return `uuid ${value.text}`;
  if (value instanceof Action) return `action ${value.name}`;
  if (value instanceof Bytes) return `bytes ${value.data.join()}`;
  if (value instanceof UnresolvedRef) return `undefined ${value.name} ${value.id}`;
  return value.constructor.name;
}

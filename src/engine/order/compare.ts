// The total order of values: the specification that order keys follow byte for byte.
//
// Two points part from the reference server (fql/order.md §2, §3). Strings are ordered by
// Unicode code point, not by a collator whose tables change. A Long and a Double are compared
// as the exact numbers they are: comparing them as doubles would make 2^53 + 1 equal to a
// Double that 2^53 equals too, and the order would not be transitive.
import type { Bytes, DateValue, Lambda, Obj, Ref, Time, UnresolvedRef, Uuid, Value } from '../value/value.ts';
import { beginParts, countPart } from '../value/parts.ts';
import { type Collation, KIND, kindOf, lambdaParts, plain, sortedFields, unresolvedParts } from './kind.ts';

/**
 * Negative, zero or positive as `a` comes before, with or after `b`. A Long and a Double of
 * the same value compare equal in the natural collation; refs do not compare their database.
 */
export function compare(a: Value, b: Value, collation: Collation = 'natural'): number {
  beginParts();
  return inOrder(a, b, collation);
}

function inOrder(a: Value, b: Value, collation: Collation): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'bigint' && typeof b === 'bigint') return sign(a, b);
  const [left, right] = [plain(a), plain(b)];
  const kind = kindOf(left, collation);
  const difference = kind - kindOf(right, collation);
  return difference === 0 ? (WITHIN[kind]?.(left as never, right as never, collation) ?? 0) : difference;
}

/** Orders two values of one kind: `kindOf` has told what they are. */
type Within = (a: never, b: never, collation: Collation) => number;

const WITHIN: Readonly<Record<number, Within>> = {
  [KIND.number]: compareNumbers,
  [KIND.double]: compareNumbers,
  [KIND.bytes]: (a: Bytes, b: Bytes) => compareBytes(a.data, b.data),
  [KIND.string]: compareText,
  [KIND.array]: compareItems,
  [KIND.object]: (a: Obj, b: Obj, collation) => compareItems(sortedFields(a), sortedFields(b), collation),
  [KIND.ref]: compareRefs,
  [KIND.unresolvedRef]: (a: UnresolvedRef, b: UnresolvedRef, collation) => compareItems(unresolvedParts(a), unresolvedParts(b), collation),
  [KIND.time]: (a: Time, b: Time) => sign(a.nanos, b.nanos),
  [KIND.date]: (a: DateValue, b: DateValue) => a.days - b.days,
  [KIND.lambda]: (a: Lambda, b: Lambda, collation) => compareItems(lambdaParts(a), lambdaParts(b), collation),
  [KIND.uuid]: (a: Uuid, b: Uuid) => sign(a.text, b.text),
};

function sign<T extends bigint | number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By value; -0.0 before 0.0 and 0, NaN after everything and equal to itself. */
function compareNumbers(a: bigint | number, b: bigint | number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return placeOfEqual(a) - placeOfEqual(b);
}

/** Among numbers that are neither less nor greater than each other. */
function placeOfEqual(value: bigint | number): number {
  if (Object.is(value, -0)) return -1;
  return Number.isNaN(value) ? 1 : 0;
}

/**
 * By code point; the shorter one first when one begins the other. Units agree with code points
 * up to the surrogates.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return left < 0xd800 && right < 0xd800 ? left - right : compareFrom(a, b, at);
  }
  return a.length - b.length;
}

/** Compares the code points that hold the first difference; it may be the second half of one. */
function compareFrom(a: string, b: string, at: number): number {
  const previous = at === 0 ? 0 : a.charCodeAt(at - 1);
  const start = previous >= 0xd800 && previous <= 0xdbff ? at - 1 : at;
  const whole = (a.codePointAt(start) ?? 0) - (b.codePointAt(start) ?? 0);
  return whole !== 0 ? whole : (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareItems(a: readonly Value[], b: readonly Value[], collation: Collation): number {
  countPart(a.length);
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const difference = inOrder(a[at] as Value, b[at] as Value, collation);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** By id, then by collection. Named things have numbers too, so they come in order of creation. */
export function compareRefs(a: Ref, b: Ref): number {
  return sign(a.id, b.id) || a.collection - b.collection;
}

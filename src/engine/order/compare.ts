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
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [plain(a), plain(b)];
  const kind = kindOf(left, collation);
  const difference = kind - kindOf(right, collation);
  return difference === 0 ? (WITHIN[kind]?.(left, right, collation) ?? 0) : difference;
}

/** Orders two values of one kind. */
type Within = (a: Value, b: Value, collation: Collation) => number;

// `kindOf` has told what the values are; that is what the casts rest on.
const WITHIN: Readonly<Record<number, Within>> = {
  [KIND.number]: (a, b) => compareNumbers(a as bigint | number, b as bigint | number),
  [KIND.double]: (a, b) => compareNumbers(a as number, b as number),
  [KIND.bytes]: (a, b) => compareBytes((a as Bytes).data, (b as Bytes).data),
  [KIND.string]: (a, b) => compareText(a as string, b as string),
  [KIND.array]: (a, b, collation) => compareItems(a as readonly Value[], b as readonly Value[], collation),
  [KIND.object]: (a, b, collation) => compareItems(sortedFields(a as Obj).flat(), sortedFields(b as Obj).flat(), collation),
  [KIND.ref]: (a, b) => compareRefs(a as Ref, b as Ref),
  [KIND.unresolvedRef]: (a, b, collation) =>
    compareItems(unresolvedParts(a as UnresolvedRef), unresolvedParts(b as UnresolvedRef), collation),
  [KIND.time]: (a, b) => sign((a as Time).nanos, (b as Time).nanos),
  [KIND.date]: (a, b) => (a as DateValue).days - (b as DateValue).days,
  [KIND.lambda]: (a, b, collation) => compareItems(lambdaParts(a as Lambda), lambdaParts(b as Lambda), collation),
  [KIND.uuid]: (a, b) => sign((a as Uuid).text, (b as Uuid).text),
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
  countPart();
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

// Arithmetic of Longs: 64 bits, two's complement, wrapping without a word.

export const MAX_LONG = (1n << 63n) - 1n;
export const MIN_LONG = -(1n << 63n);

/** The 64 lowest bits, as a signed number. */
export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

/** A Double as a Long: cut towards zero, held at the ends of the range; NaN is 0. */
export function truncateToLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  // 2^63 is a Double; the largest Long is not.
  if (value >= 2 ** 63) return MAX_LONG;
  return value <= -(2 ** 63) ? MIN_LONG : BigInt(Math.trunc(value));
}

/** A Double as a 32-bit integer by the same rules. */
export function truncateToInt(value: number): number {
  return Number.isNaN(value) ? 0 : Math.trunc(Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1));
}

/** Making a bigint costs more than reading its digits, and most integers are small. */
const SMALL_LONGS = new Array<bigint | undefined>(1024);

/** @param value a safe integer */
export const longOf = (value: number): bigint => (value >= 0 && value < SMALL_LONGS.length ? (SMALL_LONGS[value] ??= BigInt(value)) : BigInt(value));

/** Whether it takes no memory of its own. */
export const isSmallLong = (value: unknown): boolean => typeof value === 'bigint' && value >= 0n && value < SMALL_LONGS.length;

const SMALL = 1n << 53n;

/** A Long as a number that counts or points into text: exact up to 2^53, beyond that merely large. */
export function toCount(value: bigint): number {
  return Number(value > SMALL ? SMALL : value < -SMALL ? -SMALL : value);
}

/** The letter for each number of five bits. */
export const LETTERS = 'ybndrfg8ejkmcpqxot1uwisza345h769';

/** A 64-bit number in z-base-32: 13 letters of five bits, the last one filled up with a zero bit. */
export function zBase32(number: bigint): string {
  const bits = BigInt.asUintN(64, number) << 1n;
  return Array.from({ length: 13 }, (_, at) => LETTERS.charAt(Number((bits >> BigInt(60 - 5 * at)) & 31n))).join('');
}

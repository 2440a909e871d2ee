import { describe, expect, it } from 'vitest';
import { parseNumberText } from './number-text.ts';

/** As checked on a JDK 17, US locale, or read from its source. */
const CASES: readonly (readonly [text: string, number: bigint | number | null])[] = [
  ['12', 12n],
  ['  12\n', 12n],
  ['12abc', 12n],
  ['-12', -12n],
  ['+12', null],
  ['', null],
  ['abc', null],
  ['-', null],
  ['.', null],
  [',', null],
  ['1.0', 1n],
  ['1.', 1n],
  ['.5', 0.5],
  ['0.05', 0.05],
  ['100.50', 100.5],
  ['1,234,567.5', 1234567.5],
  ['1,,2', 12n],
  [',1', 1n],
  ['1,.5', 1.5],
  ['1.5,7', 1.5],
  ['1e3', 1n],
  ['1E3', 1000n],
  ['1E+3', 1n],
  ['1.5E-2', 0.015],
  ['1E2.9', 100n],
  ['1E99999999999999999999', 1n],
  ['1E2147483646', Infinity],
  ['1E2147483647', 0],
  ['0', 0n],
  ['-0', -0],
  ['-0.0', -0],
  ['9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', 9223372036854775808],
  ['-9223372036854775808', -9223372036854775808n],
  ['9E18', 9000000000000000000n],
  ['1E400', Infinity],
  ['NaN', Number.NaN],
  ['-NaN', null],
  ['∞', Infinity],
  ['-∞', -Infinity],
  ['Infinity', null],
  ['٣٤', 34n],
  ['\u00a07', null],
];

describe('numbers out of text', () => {
  it.each(CASES)('reads %j as %s', (text, number) => {
    expect(parseNumberText(text)).toBe(number);
  });

  it('reads long runs of zeros in a single pass', () => {
    expect(parseNumberText(`${'0'.repeat(300_000)}1${'0'.repeat(300_000)}.0`)).toBe(Infinity);
  });
});

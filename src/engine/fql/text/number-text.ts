// Numbers out of text, as Java's NumberFormat of the US locale reads them (reference:
// fql/functions.md §12): as much of the beginning as makes a number counts, the rest is
// ignored. `1,234.50x` is 1234.5, `1e3` is 1, `1E3` is 1000.
import { wrap } from '../../value/long.ts';
import { trimControls } from './trim.ts';

/** Commas may stand anywhere before the point. */
const NUMBER = /^(-?)([\d,]*)(?:\.(\d*))?/;
const EXPONENT = /^E(-?\d+)/;
/** Digits of the largest Long. */
const LONGEST = 19;

/**
 * The number a text begins with, after trimming: a Long when it is whole and fits, a Double
 * otherwise (also for `-0`); `null` when it begins with none.
 */
export function parseNumberText(text: string): bigint | number | null {
  const trimmed = plainDigits(trimControls(text));
  if (trimmed.startsWith('NaN')) return Number.NaN;
  if (/^-?∞/.test(trimmed)) return trimmed.startsWith('-') ? -Infinity : Infinity;
  const [matched = '', sign = '', grouped = '', fraction = ''] = NUMBER.exec(trimmed) ?? [];
  const whole = grouped.replaceAll(',', '');
  if (whole === '' && fraction === '') return null;
  return numberOf(sign === '-', whole, fraction, exponentOf(trimmed.slice(matched.length)));
}

/** An exponent beyond 64 bits does not count; of any other, Java keeps the lowest 32 bits. */
function exponentOf(text: string): number {
  const [, digits = '0'] = EXPONENT.exec(text) ?? [];
  const exponent = BigInt(digits);
  return wrap(exponent) === exponent ? Number(BigInt.asIntN(32, exponent)) : 0;
}

function numberOf(negative: boolean, whole: string, fraction: string, exponent: number): bigint | number {
  const digits = withoutTrailingZeros(`${whole}${fraction}`);
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return negative ? -0 : 0n;
  // The value is `0.significant` times ten to this power, of which, too, Java keeps 32 bits.
  const power = (whole.length - (digits.length - significant.length) + exponent) | 0;
  if (power >= significant.length && power <= LONGEST) {
    const magnitude = BigInt(significant.padEnd(power, '0'));
    const value = negative ? -magnitude : magnitude;
    if (wrap(value) === value) return value;
  }
  return Number(`${negative ? '-' : ''}0.${significant}e${power}`);
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** Digits of other scripts as the digits they stand for. */
function plainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => (digit.length > 1 || digit <= '9' ? digit : String(digitValue(digit))));
}

/** Decimal digits of a script stand in one run of ten, so the zero is where the run begins. */
function digitValue(digit: string): number {
  const code = digit.charCodeAt(0);
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(code - value - 1))) value++;
  return value;
}

// `format`, a subset of java.util.Formatter in the US locale (reference: fql/functions.md
// §11): how a format string is read, and how text, booleans and numbers are printed. Dates
// are in `date-format`.
import { exponential } from '../../value/double.ts';

/** A `%` conversion as written. */
export interface Specifier {
  /** Counted from 1; 0 takes the next value. */
  readonly index: number;
  readonly flags: string;
  /** `null` when not given. */
  readonly width: number | null;
  readonly precision: number | null;
  /** `t` or `T` when a suffix for dates and times follows. */
  readonly date: string;
  /** The letter of the conversion, or the suffix; `''` for a bare `%t`. */
  readonly letter: string;
  /** As written, without the index: what errors show. */
  readonly text: string;
}

const SPECIFIER = /%(\d+\$)?(([-#+ 0,(<]*)(\d+)?(\.\d+)?([tT])?([a-zA-Z%@^])?)/g;
const CONVERSIONS = 'feEgGdxXosSbB@^';

/** A format string could not be read: the specifier at fault. */
export class BadSpecifier {
  constructor(readonly text: string) {}
}

/** Plain text and specifiers in order. */
export function readFormat(format: string): readonly (string | Specifier)[] | BadSpecifier {
  const parts: (string | Specifier)[] = [];
  let copied = 0;
  for (const match of format.matchAll(SPECIFIER)) {
    const [whole, index, text = '', flags = '', width, precision, date = '', letter = ''] = match;
    parts.push(format.slice(copied, match.index));
    copied = match.index + whole.length;
    if (date === '' && letter === '%') parts.push('%');
    else if (date === '' && letter === 'n') parts.push('\n');
    else if (date === '' && (letter === '' || !CONVERSIONS.includes(letter))) return new BadSpecifier(whole);
    else {
      parts.push({
        index: index === undefined ? 0 : Number(index.slice(0, -1)),
        flags,
        width: width === undefined ? null : Number(width),
        precision: precision === undefined ? null : Number(precision.slice(1)),
        date,
        letter,
        text: `%${text}`,
      });
    }
  }
  parts.push(format.slice(copied));
  return parts;
}

/** Widths and precisions beyond this are refused: the result would fill the memory. */
const MAX_SIZE = 1 << 20;

/**
 * Whether flags, width and precision go together: each flag once and allowed, `-` and `0`
 * with a width and not both, no `+` with a space.
 */
export function isSound({ flags, width, precision }: Specifier, allowed: string): boolean {
  const letters = [...flags];
  return (
    letters.every((flag) => allowed.includes(flag)) &&
    new Set(letters).size === letters.length &&
    !((flags.includes('-') || flags.includes('0')) && width === null) &&
    !(flags.includes('-') && flags.includes('0')) &&
    !(flags.includes('+') && flags.includes(' ')) &&
    (width ?? 0) <= MAX_SIZE &&
    (precision ?? 0) <= MAX_SIZE
  );
}

/** Text at its width, to the right unless the flag `-` says left. */
export function justify(text: string, { width, flags }: Specifier): string {
  return flags.includes('-') ? text.padEnd(width ?? 0) : text.padStart(width ?? 0);
}

const isUpper = ({ letter }: Specifier): boolean => letter < 'a';

/** `%s` and `%b`; `null` when the specifier is unsound. */
export function formatText(text: string, specifier: Specifier): string | null {
  if (!isSound(specifier, '-')) return null;
  const cut = text.slice(0, specifier.precision ?? text.length);
  return justify(isUpper(specifier) ? cut.toUpperCase() : cut, specifier);
}

/** `%d`, `%x`, `%X` and `%o`; `null` when the specifier is unsound. */
export function formatLong(value: bigint, specifier: Specifier): string | null {
  const decimal = specifier.letter === 'd';
  if (specifier.precision !== null || !isSound(specifier, decimal ? '-+ 0,(' : '-#0')) return null;
  if (decimal) return justify(signed(String(value < 0n ? -value : value), value < 0n, specifier), specifier);
  const octal = specifier.letter === 'o';
  const prefix = specifier.flags.includes('#') ? (octal ? '0' : '0x') : '';
  const digits = BigInt.asUintN(64, value).toString(octal ? 8 : 16);
  const zeros = specifier.flags.includes('0') ? (specifier.width ?? 0) - prefix.length : 0;
  const text = prefix + digits.padStart(zeros, '0');
  return justify(isUpper(specifier) ? text.toUpperCase() : text, specifier);
}

const FLOAT_FLAGS: Readonly<Record<string, string>> = { f: '-#+ 0,(', e: '-#+ 0(', g: '-+ 0,(' };

/** `%f`, `%e`, `%E`, `%g` and `%G`; `null` when the specifier is unsound. */
export function formatDouble(value: number, specifier: Specifier): string | null {
  const style = specifier.letter.toLowerCase();
  if (!isSound(specifier, FLOAT_FLAGS[style] ?? '')) return null;
  const text = Number.isNaN(value) ? 'NaN' : printDouble(value, style, specifier);
  return justify(isUpper(specifier) ? text.toUpperCase() : text, specifier);
}

function printDouble(value: number, style: string, specifier: Specifier): string {
  const negative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  if (size === Infinity) return signed('Infinity', negative, { ...specifier, flags: specifier.flags.replace(/[0,]/g, '') });
  const print = STYLES[style] ?? fixed;
  const digits = print(size, specifier.precision ?? 6);
  return signed(specifier.flags.includes('#') && specifier.precision === 0 ? withPoint(digits) : digits, negative, specifier);
}

const withPoint = (digits: string): string => digits.replace(/^\d+/, '$&.');

/** Sign or parentheses, thousands and zeros around the digits of a magnitude. */
function signed(digits: string, negative: boolean, { flags, width }: Specifier): string {
  const parentheses = negative && flags.includes('(');
  const before = parentheses ? '(' : negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const after = parentheses ? ')' : '';
  const grouped = flags.includes(',') ? digits.replace(/^\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ',')) : digits;
  const zeros = flags.includes('0') ? (width ?? 0) - before.length - after.length : 0;
  return before + grouped.padStart(zeros, '0') + after;
}

/** A positive number as 0.digits × 10^point. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** The fewest digits that tell the number from its neighbours: rounding starts from these, as in Java. */
function decimal(value: number): Decimal {
  const [mantissa = '', exponent = ''] = exponential(value).split('e');
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** Keeps so many digits, half up. */
function round({ digits, point }: Decimal, keep: number): Decimal {
  if (keep >= digits.length) return { digits, point };
  if (keep < 0) return { digits: '0', point };
  const kept = digits.slice(0, keep);
  if (digits.charAt(keep) < '5') return { digits: kept === '' ? '0' : kept, point };
  const up = String(BigInt(`0${kept}`) + 1n).padStart(keep, '0');
  return up.length > keep ? { digits: up, point: point + 1 } : { digits: up, point };
}

function fixed(value: number, places: number): string {
  const exact = decimal(value);
  const { digits, point } = value === 0 ? exact : round(exact, exact.point + places);
  if (/^0*$/.test(digits)) return places === 0 ? '0' : `0.${'0'.repeat(places)}`;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = ('0'.repeat(Math.max(-point, 0)) + digits.slice(Math.max(point, 0))).padEnd(places, '0').slice(0, places);
  return places === 0 ? whole : `${whole}.${fraction}`;
}

function scientific(value: number, places: number): string {
  const { digits, point } = round(decimal(value), places + 1);
  const exponent = value === 0 ? 0 : point - 1;
  const fraction = digits.slice(1).padEnd(places, '0').slice(0, places);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits.charAt(0)}${places === 0 ? '' : `.${fraction}`}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** So many digits in all: plain from 10^-4 up to 10^digits, else scientific. */
function general(value: number, precision: number): string {
  const digits = Math.max(precision, 1);
  if (value === 0) return fixed(0, digits - 1);
  const { point } = round(decimal(value), digits);
  return point - 1 < -4 || point - 1 >= digits ? scientific(value, digits - 1) : fixed(value, digits - point);
}

const STYLES: Readonly<Record<string, (value: number, precision: number) => string>> = { f: fixed, e: scientific, g: general };

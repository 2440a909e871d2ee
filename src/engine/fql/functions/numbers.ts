// Numbers (reference: fql/functions.md §10). Longs stay Longs and wrap at 64 bits; one
// Double makes the rest of a fold Double.
import type { Path } from '../../base/path.ts';
import { divisionByZero } from '../../errors/codes.ts';
import { integer, number, oneOrMore, optional } from '../../form/casts.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import { truncateToInt, truncateToLong, wrap } from '../../value/long.ts';
import { unary } from './unary.ts';

const SOURCE = 'functions.md §10; ast/functions/NumericFunctions';

/** A Long or a Double. */
type Numeric = bigint | number;

/** An operation on two numbers. */
type Binary = (a: Numeric, b: Numeric, at: Path) => Numeric;

/** On two Longs, and on anything with a Double in it. */
const arithmetic = (longs: (a: bigint, b: bigint) => bigint, doubles: (a: number, b: number) => number): Binary =>
  (a, b) => (typeof a === 'bigint' && typeof b === 'bigint' ? wrap(longs(a, b)) : doubles(Number(a), Number(b)));

/** Refuses a divisor of 0, 0.0 or -0.0. */
const dividing = (operation: Binary): Binary => (a, b, at) => {
  if (Number(b) === 0) throw divisionByZero(at);
  return operation(a, b, at);
};

/** Works on the bits of Longs; a Double is cut to a Long for it and makes the result Double. */
const bitwise = (longs: (a: bigint, b: bigint) => bigint): Binary => (a, b) => {
  const bits = longs(toLong(a), toLong(b));
  return typeof a === 'bigint' && typeof b === 'bigint' ? bits : Number(bits);
};

const toLong = (value: Numeric): bigint => (typeof value === 'bigint' ? value : truncateToLong(value));

/** A left fold over one or more numbers; a single one is its own result. */
const folding = (name: string, summary: string, operation: Binary, examples: readonly Example[]): Form =>
  unary(name, oneOrMore(number), {
    effect: 'pure',
    source: SOURCE,
    summary,
    examples,
    run: ([first, ...rest], _ctx, at) => rest.reduce<Numeric>((result, operand) => operation(result, operand, at), first),
  });

/** A function of one number, separately for Longs and Doubles. */
const ofOne = (
  name: string,
  summary: string,
  long: (value: bigint) => bigint,
  double: (value: number) => Numeric,
  examples: readonly Example[],
): Form =>
  unary(name, number, {
    effect: 'pure',
    source: SOURCE,
    summary,
    examples,
    run: (value) => (typeof value === 'bigint' ? long(value) : double(value)),
  });

const same = (value: bigint): bigint => value;

/** Cuts or rounds to decimal places: a Long without a precision stays as it is, a Double gets two. */
const toPlaces = (
  name: string,
  summary: string,
  long: (value: bigint, places: number) => bigint,
  double: (value: number, places: number) => number,
  examples: readonly Example[],
): Form =>
  form({
    params: { [name]: number, precision: optional(integer) },
    effect: 'pure',
    source: SOURCE,
    summary,
    examples,
    run: ({ [name]: value = 0n, precision }) => {
      if (typeof value === 'number') return double(value as number, Number(precision ?? 2n));
      return typeof precision === 'bigint' && precision <= 0n ? long(value as bigint, Number(precision)) : (value as bigint);
    },
  });

/** The Double nearest to 10^exponent, which `**` misses by a bit for some exponents. */
const powerOfTen = (exponent: number): number => Number(`1e${exponent}`);

/** Keeps `places` decimals of the fraction after adding `half` of the last one. */
function keepPlaces(value: number, places: number, half: number): number {
  // The scale is a 32-bit integer there: from ten places on it stays 2147483647.
  const scale = truncateToInt(powerOfTen(places));
  const whole = Number(truncateToLong(value));
  return whole + Number(truncateToLong((value - whole + half / scale) * scale)) / scale;
}

const roundLeft = (value: number, places: number): bigint => {
  const scale = powerOfTen(places);
  return truncateToLong(Number(truncateToLong(value * scale + 0.5)) / scale);
};

const truncateLeft = (value: number, places: number): number => {
  const scale = powerOfTen(places);
  return Number(truncateToLong(value * scale)) / scale;
};

export const numbers: readonly Form[] = [
  ofOne('abs', 'The absolute value of a number.', (n) => wrap(n < 0n ? -n : n), Math.abs, [
    ['{"abs": -3}', '3'],
    ['{"abs": -1.5}', '1.5'],
  ]),
  folding('add', 'The sum of numbers.', arithmetic((a, b) => a + b, (a, b) => a + b), [
    ['{"add": [1, 2, 3]}', '6'],
    ['{"add": [1, 0.5]}', '1.5'],
  ]),
  folding('bitand', 'The bitwise AND of numbers.', bitwise((a, b) => a & b), [
    ['{"bitand": [15, 7, 3]}', '3'],
    ['{"bitand": [7, 3.9]}', '3.0'],
  ]),
  ofOne('bitnot', 'The bitwise complement of a number.', (n) => ~n, (n) => ~truncateToLong(n), [
    ['{"bitnot": 3}', '-4'],
    ['{"bitnot": 3.7}', '-4'],
  ]),
  folding('bitor', 'The bitwise OR of numbers.', bitwise((a, b) => a | b), [['{"bitor": [1, 2, 4]}', '7']]),
  folding('bitxor', 'The bitwise exclusive OR of numbers.', bitwise((a, b) => a ^ b), [['{"bitxor": [7, 2]}', '5']]),
  ofOne('ceil', 'The smallest whole number not below a number.', same, Math.ceil, [
    ['{"ceil": 1.1}', '2.0'],
    ['{"ceil": 3}', '3'],
  ]),
  folding(
    'divide',
    'The quotient of numbers, from left to right; between Integers it is cut towards zero.',
    dividing(arithmetic((a, b) => a / b, (a, b) => a / b)),
    [
      ['{"divide": [7, 2]}', '3'],
      ['{"divide": [7, 2.0]}', '3.5'],
    ],
  ),
  ofOne('floor', 'The largest whole number not above a number.', same, Math.floor, [
    ['{"floor": 1.9}', '1.0'],
    ['{"floor": -1.1}', '-2.0'],
  ]),
  folding(
    'modulo',
    'The remainder of a division, with the sign of the dividend.',
    dividing(arithmetic((a, b) => a % b, (a, b) => a % b)),
    [
      ['{"modulo": [-7, 2]}', '-1'],
      ['{"modulo": [7.5, 2]}', '1.5'],
    ],
  ),
  folding('multiply', 'The product of numbers.', arithmetic((a, b) => a * b, (a, b) => a * b), [
    ['{"multiply": [2, 3, 4]}', '24'],
  ]),
  toPlaces(
    'round',
    'A number rounded to decimal places (two unless told); negative ones round before the point.',
    (value, places) => roundLeft(Number(value), places),
    (value, places) => (places > 0 ? keepPlaces(value, places, 0.5) : Number(roundLeft(value, places))),
    [
      ['{"round": 1.666}', '1.67'],
      ['{"round": 1666, "precision": -2}', '1700'],
    ],
  ),
  ofOne(
    'sign',
    'Whether a number is below (-1), at (0) or above (1) zero; a Double of zero gives 1.',
    (n) => (n === 0n ? 0n : n < 0n ? -1n : 1n),
    (n) => (n < 0 ? -1n : 1n),
    [
      ['{"sign": -12}', '-1'],
      ['{"sign": 0}', '0'],
    ],
  ),
  folding('subtract', 'The first number less all others.', arithmetic((a, b) => a - b, (a, b) => a - b), [
    ['{"subtract": [10, 3, 2]}', '5'],
  ]),
  toPlaces(
    'trunc',
    'A number cut to decimal places (two unless told); negative ones put zeros before the point.',
    (value, places) => truncateToLong(truncateLeft(Number(value), places)),
    (value, places) => (places > 0 ? keepPlaces(value, places, 0) : truncateLeft(value, places)),
    [
      ['{"trunc": 1.238}', '1.23'],
      ['{"trunc": 1234, "precision": -2}', '1200'],
    ],
  ),
];

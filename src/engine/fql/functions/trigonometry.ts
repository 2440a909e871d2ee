// Roots, powers, logarithms and angles (reference: fql/functions.md §10). All results are
// Doubles, whatever goes in.
import { andThen } from '../../base/maybe.ts';
import { outOfBounds } from '../../errors/codes.ts';
import { part } from '../../errors/part.ts';
import { number, optional } from '../../form/casts.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import { doubleText } from '../../value/double.ts';
import { unary } from './unary.ts';

const accurate = part(() => import('../../value/accurate.ts'));

const SOURCE = 'functions.md §10; ast/functions/TrigFunctions';

/** Where a function is defined, and the words for it in the error. */
interface Domain {
  readonly contains: (value: number) => boolean;
  readonly rule: string;
}

const EVERYWHERE: Domain = { contains: () => true, rule: '' };
const NOT_NEGATIVE: Domain = { contains: (value) => value >= 0, rule: 'positive' };
const POSITIVE: Domain = { contains: (value) => value > 0, rule: 'greater than 0' };
const UNIT: Domain = { contains: (value) => value >= -1 && value <= 1, rule: 'between -1 and 1 inclusive' };

/** A function of one number, refused outside its domain. */
const ofOne = (
  name: string,
  summary: string,
  compute: (value: number) => number,
  example: Example,
  domain = EVERYWHERE,
): Form =>
  unary(name, number, {
    effect: 'pure',
    source: SOURCE,
    summary,
    examples: [example],
    run(operand, _ctx, at) {
      const value = Number(operand);
      if (domain.contains(value)) return compute(value);
      throw outOfBounds(at, typeof operand === 'bigint' ? String(operand) : doubleText(value), domain.rule);
    },
  });

/** Degrees of one radian, and the other way; multiplied, as Java does since 9. */
const DEGREES = 57.29577951308232;
const RADIANS = 0.017453292519943295;

export const trigonometry: readonly Form[] = [
  ofOne('acos', 'The arc cosine of a number, in radians.', Math.acos, ['{"acos": 1}', '0.0'], UNIT),
  ofOne('asin', 'The arc sine of a number, in radians.', Math.asin, ['{"asin": 0}', '0.0'], UNIT),
  ofOne('atan', 'The arc tangent of a number, in radians.', Math.atan, ['{"atan": 0}', '0.0']),
  ofOne('cos', 'The cosine of an angle in radians.', Math.cos, ['{"cos": 0}', '1.0']),
  ofOne('cosh', 'The hyperbolic cosine of a number.', Math.cosh, ['{"cosh": 0}', '1.0']),
  ofOne('degrees', 'An angle in radians as degrees.', (n) => n * DEGREES, ['{"degrees": 3.141592653589793}', '180.0']),
  ofOne('exp', 'e raised to a number.', Math.exp, ['{"exp": 0}', '1.0']),
  form({
    params: { hypot: number, b: optional(number) },
    effect: 'pure',
    source: SOURCE,
    summary: 'The hypotenuse of a right triangle with two sides, the second as long as the first unless told.',
    examples: [['{"hypot": 3, "b": 4}', '5.0']],
    run: ({ hypot: a, b = a }) => andThen(accurate(), ({ hypot }) => hypot(Number(a), Number(b))),
  }),
  ofOne('ln', 'The natural logarithm of a number.', Math.log, ['{"ln": 1}', '0.0'], POSITIVE),
  ofOne('log', 'The logarithm of a number to base 10.', Math.log10, ['{"log": 1000}', '3.0'], POSITIVE),
  form({
    params: { pow: number, exp: optional(number) },
    effect: 'pure',
    source: SOURCE,
    summary: 'A number raised to a power, the square unless told.',
    examples: [
      ['{"pow": 2, "exp": 3}', '8.0'],
      ['{"pow": 3}', '9.0'],
    ],
    run: ({ pow, exp = 2n }) => andThen(accurate(), ({ power }) => power(Number(pow), Number(exp))),
  }),
  ofOne('radians', 'An angle in degrees as radians.', (n) => n * RADIANS, ['{"radians": 180}', '3.141592653589793']),
  ofOne('sin', 'The sine of an angle in radians.', Math.sin, ['{"sin": 0}', '0.0']),
  ofOne('sinh', 'The hyperbolic sine of a number.', Math.sinh, ['{"sinh": 0}', '0.0']),
  ofOne('sqrt', 'The square root of a number.', Math.sqrt, ['{"sqrt": 16}', '4.0'], NOT_NEGATIVE),
  ofOne('tan', 'The tangent of an angle in radians.', Math.tan, ['{"tan": 0}', '0.0']),
  ofOne('tanh', 'The hyperbolic tangent of a number.', Math.tanh, ['{"tanh": 0}', '0.0']),
];

// Numbers (reference: fql/functions.md §10).
import { badArgument, type Case, type Cases } from '../cases.ts';
import type { FunctionName } from '../driver.ts';

const noNumber = (name: FunctionName): Case => [(q) => q[name]('x'), badArgument('Number expected, String provided.', name.toLowerCase())];
const of = (name: FunctionName, ...rows: readonly (readonly [given: readonly number[], answer: number])[]): readonly Case[] => [
  [(q) => rows.map(([given]) => q[name](...given)), rows.map(([, answer]) => answer)],
  noNumber(name),
];

export const numbers: Cases = {
  Add: [
    [(q) => [q.Add(1, 2, 3), q.Add(1, 2.5), q.Add([1, 2]), q.Add(7)], [6, 3.5, 3, 7]],
    [(q) => q.Add('a', 1), badArgument('Number expected, String provided.', 'add', 0)],
    [(q) => q.Add('a'), badArgument('Number expected, String provided.', 'add')],
  ],
  Subtract: of('Subtract', [[5, 3], 2], [[5, 3, 1.5], 0.5], [[5], 5]),
  Multiply: of('Multiply', [[2, 3], 6], [[2, 1.5], 3], [[4], 4]),
  Divide: [...of('Divide', [[7, 2], 3], [[-7, 2], -3], [[7, 2.0001], 7 / 2.0001], [[4], 4]), [(q) => q.Divide(1, 0), badArgument('Illegal division by zero.')]],
  Modulo: [...of('Modulo', [[7, 2], 1], [[-7, 2], -1], [[5.5, 2], 1.5]), [(q) => q.Modulo(1, 0), badArgument('Illegal division by zero.')]],
  Abs: of('Abs', [[-5], 5], [[-1.5], 1.5]),
  BitAnd: of('BitAnd', [[7, 3], 3], [[12, 10, 8], 8]),
  BitNot: of('BitNot', [[3], -4]),
  BitOr: of('BitOr', [[6, 3], 7]),
  BitXor: of('BitXor', [[6, 3], 5]),
  Ceil: of('Ceil', [[1.2], 2], [[-1.2], -1], [[3], 3]),
  Floor: of('Floor', [[1.8], 1], [[-1.2], -2]),
  Round: of('Round', [[1.666666], 1.67], [[1.666666, 3], 1.667], [[12345, -2], 12300]),
  Trunc: of('Trunc', [[1.234567], 1.23], [[1.234567, 3], 1.234], [[12345, -2], 12300]),
  Sign: of('Sign', [[-2], -1], [[0], 0], [[1.5], 1]),
  Sqrt: [...of('Sqrt', [[16], 4], [[2], Math.SQRT2]), [(q) => q.Sqrt(-1), badArgument('-1 must be positive')]],
  Acos: [...of('Acos', [[0.5], 1.0471975511965979]), [(q) => q.Acos(2), badArgument('2 must be between -1 and 1 inclusive')]],
  Asin: of('Asin', [[0.5], 0.5235987755982989]),
  Atan: of('Atan', [[0.5], 0.4636476090008061]),
  Cos: of('Cos', [[0.5], 0.8775825618903728]),
  Cosh: of('Cosh', [[2], 3.7621956910836314]),
  Degrees: of('Degrees', [[2], 114.59155902616465]),
  Exp: of('Exp', [[0], 1], [[2], 7.38905609893065]),
  Hypot: of('Hypot', [[3, 4], 5], [[0], 0]),
  Ln: [...of('Ln', [[2], Math.LN2]), [(q) => q.Ln(0), badArgument('0 must be greater than 0')]],
  Log: of('Log', [[1000], 3], [[2], 0.3010299956639812]),
  Pow: of('Pow', [[2, 3], 8], [[3], 9], [[2, 0.5], Math.SQRT2]),
  Radians: of('Radians', [[180], Math.PI]),
  Sin: of('Sin', [[0.5], 0.479425538604203]),
  Sinh: of('Sinh', [[0.5], 0.5210953054937474]),
  Tan: of('Tan', [[0.5], 0.5463024898437905]),
  Tanh: of('Tanh', [[0.5], 0.46211715726000973]),
};

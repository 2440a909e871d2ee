import { describe, expect, it } from 'vitest';
import { runForm } from '../../../testing/run-form.ts';
import { numbers } from './numbers.ts';
import { trigonometry } from './trigonometry.ts';

const forms = [...numbers, ...trigonometry];
const run = (query: string) => runForm(forms, query);

describe('examples', () => {
  it.each(forms.flatMap((form) => form.examples))('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('arithmetic', () => {
  it.each([
    ['{"add": 3}', '3'],
    ['{"add": [9223372036854775807, 1]}', '-9223372036854775808'],
    ['{"subtract": [-9223372036854775808, 1]}', '9223372036854775807'],
    ['{"multiply": [9223372036854775807, 2]}', '-2'],
    ['{"multiply": [4611686018427387904, 2.0]}', '9.223372036854776E18'],
    ['{"add": [9007199254740993, 0.0]}', '9.007199254740992E15'],
    ['{"divide": [-7, 2]}', '-3'],
    ['{"divide": [-9223372036854775808, -1]}', '-9223372036854775808'],
    ['{"divide": 0}', '0'],
    ['{"divide": [100, 5, 2.0]}', '10.0'],
    ['{"modulo": [7, -2]}', '1'],
    ['{"modulo": [-7.5, 2]}', '-1.5'],
    ['{"abs": -9223372036854775808}', '-9223372036854775808'],
    ['{"abs": -0.0}', '0.0'],
    ['{"ceil": -0.5}', '-0.0'],
    ['{"sign": 0.0}', '1'],
    ['{"sign": -0.1}', '-1'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  it.each([
    ['{"divide": [1, 0]}'],
    ['{"divide": [1, -0.0]}'],
    ['{"divide": [1, 2, 0.0]}'],
    ['{"modulo": [1.5, 0]}'],
  ])('%s divides by zero', async (query) => {
    expect(await run(query)).toBe('invalid argument: Illegal division by zero. @ ');
  });

  it.each([
    ['{"add": []}', 'invalid argument: Non-empty array expected. @ add'],
    ['{"add": "1"}', 'invalid argument: Number expected, String provided. @ add'],
    [
      '{"add": [1, "2", null]}',
      'invalid argument: Number expected, String provided. @ add.1; invalid argument: Number expected, Null provided. @ add.2',
    ],
    ['{"round": 1.5, "precision": 1.0}', 'invalid argument: Integer expected, Double provided. @ precision'],
    ['{"abs": true}', 'invalid argument: Number expected, Boolean provided. @ abs'],
  ])('%s fails with %s', async (query, error) => {
    expect(await run(query)).toBe(error);
  });
});

describe('bits', () => {
  it.each([
    ['{"bitand": [9007199254740993, 1.0]}', '1.0'],
    ['{"bitand": [7.0, 3]}', '3.0'],
    ['{"bitand": 7.9}', '7.9'],
    ['{"bitor": [1.9, 6.1]}', '7.0'],
    ['{"bitxor": [-1, 0]}', '-1'],
    ['{"bitor": [0, 1e30]}', '9.223372036854776E18'],
    ['{"bitnot": 1e30}', '-9223372036854775808'],
    ['{"bitnot": -1}', '0'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

// Expected values computed with the arithmetic of a JDK 17.
describe('decimal places', () => {
  it.each([
    ['{"round": 1.5, "precision": 0}', '2.0'],
    ['{"round": -1.5, "precision": 0}', '-1.0'],
    ['{"round": -1.666}', '-1.6600000000000001'],
    ['{"round": 12345}', '12345'],
    ['{"round": 12345, "precision": 2}', '12345'],
    ['{"round": 12355, "precision": -1}', '12360'],
    ['{"round": -1666, "precision": -2}', '-1600'],
    ['{"round": 1666.66, "precision": -2}', '1700.0'],
    ['{"round": 1.23456789012, "precision": 10}', '1.234567890052948'],
    ['{"round": 5, "precision": -400}', '0'],
    ['{"trunc": -1.239}', '-1.23'],
    ['{"trunc": 12399, "precision": -2}', '12300'],
    ['{"trunc": 12399.9, "precision": -2}', '12300.0'],
    ['{"trunc": 1.999, "precision": 0}', '1.0'],
    ['{"trunc": 12399, "precision": 3}', '12399'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('domains', () => {
  it.each([
    ['{"sqrt": -1}', '-1 must be positive'],
    ['{"sqrt": -1.5}', '-1.5 must be positive'],
    ['{"ln": 0}', '0 must be greater than 0'],
    ['{"log": -1e10}', '-1.0E10 must be greater than 0'],
    ['{"acos": 2}', '2 must be between -1 and 1 inclusive'],
    ['{"asin": -1.1}', '-1.1 must be between -1 and 1 inclusive'],
  ])('%s fails: %s', async (query, text) => {
    expect(await run(query)).toBe(`invalid argument: ${text} @ `);
  });

  it.each([
    ['{"hypot": 3}', '4.242640687119285'],
    ['{"pow": 10, "exp": -2}', '0.01'],
    ['{"pow": 10, "exp": -5}', '1.0E-5'],
    ['{"pow": 10.0, "exp": 29.0}', '1.0E29'],
    ['{"pow": 10, "exp": 400}', '"Infinity"'],
    ['{"pow": 10, "exp": 1e30}', '"Infinity"'],
    ['{"pow": 5, "exp": -4}', '0.0016'],
    ['{"pow": 100, "exp": -2}', '1.0E-4'],
    ['{"pow": -3, "exp": -3}', '-0.037037037037037035'],
    ['{"pow": 2, "exp": -1074}', '4.9E-324'],
    ['{"pow": 0, "exp": -1}', '"Infinity"'],
    ['{"pow": 1.0000000000000002, "exp": -0.5}', '0.9999999999999999'],
    ['{"exp": 1000}', '"Infinity"'],
    ['{"sqrt": {"pow": -0.0, "exp": 1}}', '-0.0'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

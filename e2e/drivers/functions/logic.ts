// Comparison, logic, and what is inside a value (reference: fql/functions.md §3, §4).
import { badArgument, type Cases, failed, type Shown } from '../cases.ts';

const notFound = (path: string): Shown => failed('NotFound', 'value not found', `Value not found at path [${path}].`, ['from']);
const unknownForm = (keys: string, ...position: readonly (string | number)[]): Shown =>
  failed('BadRequest', 'invalid expression', `No form/function found, or invalid argument keys: { ${keys} }.`, position);

export const logic: Cases = {
  Equals: [
    [(q) => [q.Equals(1, 1, 1), q.Equals(1, 2), q.Equals(1, '1'), q.Equals([1, 'a'], [1, 'a'])], [true, false, false, true]],
    [(q) => q.Equals({ a: 1, b: 2 }, { b: 2, a: 1 }), true, { from: '2.14.2' }],
    // Before, the operands went as they are.
    [(q) => q.Equals({ a: 1, b: 2 }, {}), unknownForm('a, b', 'equals', 0), { before: '2.14.2' }],
    [(q) => q.Equals(q.Ref('classes/spells/1'), q.Ref(q.Class('spells'), '1')), true],
  ],
  LT: [[(q) => [q.LT(1, 2, 3), q.LT(1, 1), q.LT(1, 'a'), q.LT(1)], [true, false, true, true]]],
  LTE: [[(q) => [q.LTE(1, 1, 2), q.LTE(2, 1)], [true, false]]],
  GT: [[(q) => [q.GT(3, 2, 1), q.GT(1, 1), q.GT(q.Date('2020-01-01'), q.Date('2019-12-31'))], [true, false, true]]],
  GTE: [[(q) => [q.GTE(2, 2, 1), q.GTE(1, 2)], [true, false]]],
  And: [
    [(q) => [q.And(true, true), q.And(true, false, true), q.And(true)], [true, false, true]],
    [(q) => q.And(false, q.Abort('late')), failed('BadRequest', 'transaction aborted', 'late', ['and', 1]), { from: '2.0.0', before: '3.0.1' }],
    [(q) => q.And(false, q.Abort('late')), false, { from: '3.0.1' }],
    [(q) => q.And(true, 1), badArgument('Boolean expected, Integer provided.', 'and', 1)],
    [(q) => q.And(1), badArgument('Boolean expected, Integer provided.', 'and'), { before: '3.0.1' }],
    [(q) => q.And(1), badArgument('Boolean expected, Integer provided.', 'and', 0), { from: '3.0.1' }],
  ],
  Or: [
    [(q) => [q.Or(false, true), q.Or(false, false), q.Or(true)], [true, false, true]],
    [(q) => q.Or(true, 1), badArgument('Boolean expected, Integer provided.', 'or', 1), { before: '3.0.1' }],
    [(q) => q.Or(true, 1), true, { from: '3.0.1' }],
  ],
  Not: [
    [(q) => [q.Not(true), q.Not(false)], [false, true]],
    [(q) => q.Not(null), badArgument('Boolean expected, Null provided.', 'not')],
  ],
  Contains: [
    [(q) => [q.Contains(['a', 'b'], { a: { b: 1 } }), q.Contains(['a', 'c'], { a: { b: 1 } }), q.Contains([0], [7]), q.Contains('a', { a: null })], [true, false, true, true]],
    [(q) => q.Contains(true, {}), badArgument('String or Integer expected, Boolean provided.', 'contains')],
  ],
  ContainsPath: [
    [(q) => [q.ContainsPath(['a', 'b'], { a: { b: 1 } }), q.ContainsPath(['data', 'level'], q.Get(q.Ref('classes/spells/1'))), q.ContainsPath('x', {})], [true, true, false]],
  ],
  ContainsField: [
    [(q) => [q.ContainsField('a', { a: 1 }), q.ContainsField('b', { a: 1 }), q.ContainsField('data', q.Get(q.Ref('classes/spells/1')))], [true, false, true]],
    [(q) => q.ContainsField('a', [1]), badArgument('Object expected, Array provided.', 'in')],
  ],
  ContainsValue: [
    [(q) => [q.ContainsValue(1, [1, 2]), q.ContainsValue(1, { a: 1 }), q.ContainsValue(3, [1, 2]), q.ContainsValue('1', q.Ref('classes/spells/1'))], [true, true, false, true]],
    [(q) => [q.ContainsValue(20, q.Match(q.Index('levels'))), q.ContainsValue(25, q.Match(q.Index('levels')))], [true, false]],
    [(q) => q.ContainsValue(1, 'x'), badArgument('Object, Array, Page, Set, or Ref expected, Scalar provided.', 'in')],
  ],
  Select: [
    [(q) => [q.Select(['a', 'b'], { a: { b: 1 } }), q.Select(1, [7, 8]), q.Select('a', { a: null })], [1, 8, null]],
    [(q) => q.Select(['a', 0], { b: 1 }), notFound('a,0')],
    [(q) => q.Select('a', {}, 'none'), 'none', { from: '1.1.2' }],
    [(q) => q.Select('a', {}, null), null, { from: '1.1.2' }],
    // 0.2.4 takes the default apart as if it were an object.
    [(q) => q.Select('a', {}, 'no'), unknownForm('0, 1', 'default'), { before: '1.1.2' }],
    [(q) => q.Select('a', { a: 1 }, q.Abort('late')), failed('BadRequest', 'transaction aborted', 'late', ['default']), { from: '2.0.0', before: '3.0.1' }],
    [(q) => q.Select('a', { a: 1 }, q.Abort('late')), 1, { from: '3.0.1' }],
  ],
  SelectAll: [
    [(q) => q.SelectAll(['a', 'b'], { a: [{ b: 1 }, {}, { b: [2, 3] }] }), [1, 2, 3]],
    [(q) => q.SelectAll('x', {}), []],
  ],
};

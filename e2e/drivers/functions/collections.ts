// Arrays, and pages where the function takes them (reference: fql/functions.md §5).
import { badArgument, type Cases } from '../cases.ts';
import type { Expr, Query } from '../driver.ts';

const levels = (q: Query): Expr => q.Match(q.Index('levels'));
const page = (q: Query): Expr => q.Paginate(levels(q));

export const collections: Cases = {
  Map: [
    [(q) => q.Map([1, 2], (x) => q.Add(x, 1)), [2, 3]],
    [(q) => q.Map(page(q), (x) => q.Multiply(x, 2)), { data: [20, 40, 60, 80] }],
    [(q) => q.Map(levels(q), (x) => x), badArgument('Array or Page expected, Set provided.', 'collection')],
  ],
  Foreach: [
    [(q) => q.Foreach([1, 2], (x) => q.Add(x, 1)), [1, 2]],
    [(q) => q.Foreach(page(q), (x) => x), { data: [10, 20, 30, 40] }],
    [(q) => q.Do(q.Foreach([201, 202], (id) => q.Create(q.Ref(q.Class('notes'), id), {})), q.Exists(q.Ref('classes/notes/202'))), true],
  ],
  Filter: [
    [(q) => q.Filter([1, 2, 3], (x) => q.GT(x, 1)), [2, 3]],
    [(q) => q.Filter(page(q), (x) => q.LTE(x, 20)), { data: [10, 20] }],
    [(q) => q.Paginate(q.Filter(levels(q), (x) => q.GT(x, 20))), { data: [30, 40] }],
    [(q) => q.Filter([1], (x) => x), badArgument('Boolean expected, Integer provided.', 0)],
  ],
  Take: [
    [(q) => q.Take(2, [1, 2, 3]), [1, 2]],
    [(q) => q.Take(0, [1]), []],
    [(q) => q.Take(1, page(q)), (say) => ({ after: [20, say.spell(2)], data: [10] })],
    [(q) => q.Take('1', []), badArgument('Integer expected, String provided.', 'take')],
  ],
  Drop: [
    [(q) => q.Drop(1, [1, 2, 3]), [2, 3]],
    [(q) => q.Drop(9, [1]), []],
    [(q) => q.Drop(1, page(q)), (say) => ({ before: [20, say.spell(2)], data: [20, 30, 40] })],
  ],
  Prepend: [
    [(q) => q.Prepend([1, 2], [3]), [1, 2, 3]],
    [(q) => q.Prepend(1, [2]), [1, 2]],
    [(q) => q.Prepend([], 1), badArgument('Array expected, Integer provided.', 'collection')],
  ],
  Append: [
    [(q) => q.Append([3], [1, 2]), [1, 2, 3]],
    [(q) => q.Append(2, [1]), [1, 2]],
  ],
  IsEmpty: [
    [(q) => [q.IsEmpty([]), q.IsEmpty([1])], [true, false]],
    [(q) => [q.IsEmpty(levels(q)), q.IsEmpty(page(q)), q.IsEmpty(q.Match(q.Index('by_element'), 'air'))], [false, false, true]],
  ],
  IsNonEmpty: [
    [(q) => [q.IsNonEmpty([]), q.IsNonEmpty([1])], [false, true]],
    [(q) => [q.IsNonEmpty(levels(q)), q.IsNonEmpty(page(q))], [true, true]],
  ],
  Reduce: [
    [(q) => q.Reduce((sum, x) => q.Add(sum, x), 0, [1, 2, 3]), 6],
    [(q) => q.Reduce((sum, x) => q.Add(sum, x), 0, page(q)), { data: [100] }],
    [(q) => q.Reduce((sum, x) => q.Add(sum, x), 0.5, levels(q)), 100.5],
    [(q) => q.Reduce(q.Lambda('x', q.Var('x')), 0, []), 0],
  ],
  Merge: [
    [(q) => q.Merge({ a: 1, b: 2 }, { b: null, c: 3 }), { a: 1, c: 3 }],
    [(q) => q.Merge({ a: 1 }, [{ b: 2 }, { a: 3 }]), { a: 3, b: 2 }],
    [(q) => q.Merge({ a: 1 }, { a: 5, b: 2 }, (_key, left, right) => q.If(q.IsNull(left), right, q.Add(left, right))), { a: 6, b: 2 }],
    [(q) => q.Merge({ a: 1, b: 2 }, { a: 0, b: 0 }, q.Lambda(['key', 'left', 'right'], q.If(q.Equals(q.Var('key'), 'a'), null, q.Var('left')))), { b: 2 }],
    [(q) => q.Merge(1, {}), badArgument('Object expected, Integer provided.', 'merge')],
  ],
  Reverse: [
    [(q) => q.Reverse([1, 2, 3]), [3, 2, 1]],
    [(q) => q.Reverse(page(q)), { data: [40, 30, 20, 10] }],
  ],
  Union: [[(q) => q.Union([1, 2], [2, 3]), [1, 2, 3]]],
  Intersection: [[(q) => q.Intersection([1, 2, 3], [2, 3, 4]), [2, 3]]],
  Difference: [[(q) => q.Difference([1, 2, 3], [2]), [1, 3]]],
  Distinct: [
    [(q) => q.Distinct([1, 2, 1, 'a', 'a']), [1, 2, 'a']],
    [(q) => q.Distinct(1), badArgument('Array, Set, or Page expected, Integer provided.', 'distinct')],
  ],
  Count: [
    [(q) => [q.Count([1, 'a', null]), q.Count([]), q.Count(levels(q))], [3, 0, 4]],
    [(q) => q.Count(page(q)), { data: [4] }],
    [(q) => q.Count(1), badArgument('Array, Set, or Page expected, Integer provided.', 'count')],
  ],
  Sum: [
    [(q) => [q.Sum([1, 2.5]), q.Sum([]), q.Sum(levels(q))], [3.5, 0, 100]],
    [(q) => q.Sum(page(q)), { data: [100] }],
    [(q) => q.Sum(['1']), badArgument('Number expected, String provided.', 'sum')],
  ],
  Mean: [
    [(q) => [q.Mean([1, 2]), q.Mean(levels(q))], [1.5, 25]],
    [(q) => q.Mean(page(q)), { data: [25] }],
    [(q) => q.Mean([]), badArgument('Non-empty array expected.', 'mean')],
  ],
  Any: [
    [(q) => [q.Any([false, true]), q.Any([false]), q.Any([])], [true, false, false]],
    [(q) => q.Any([1]), badArgument('Boolean expected, Integer provided.', 'any')],
  ],
  All: [
    [(q) => [q.All([true, true]), q.All([true, false]), q.All([])], [true, false, true]],
    [(q) => q.All(['true']), badArgument('Boolean expected, String provided.', 'all')],
  ],
  Max: [
    [(q) => [q.Max(1, 3, 2), q.Max([1, 5]), q.Max(1, 'a'), q.Max(levels(q))], [3, 5, 'a', 40]],
    [(q) => q.Max(page(q)), { data: [40] }],
    [(q) => q.Max(4), badArgument('Array, Set, or Page expected, Integer provided.', 'max')],
    [(q) => q.Max([]), badArgument('Non-empty array expected.', 'max')],
  ],
  Min: [
    [(q) => [q.Min(1, 3, 2), q.Min([5, 1.5]), q.Min(1, 'a'), q.Min(levels(q))], [1, 1.5, 1, 10]],
    [(q) => q.Min([]), badArgument('Non-empty array expected.', 'min')],
  ],
};

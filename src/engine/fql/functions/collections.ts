// Functions over arrays, pages and sets. An array gives an array, a page a page with the
// same cursors, a set another set that is read when it is needed.
import { andThen, mapEach, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { readingAhead } from '../../doc/reading-ahead.ts';
import { invalidLambda, mixedSetsAndArrays, wrongType } from '../../errors/codes.ts';
import { part } from '../../errors/part.ts';
import {
  any, array, arrayOrPage, boolean, integer, iterable, type IterableValue, lambdaHere, lambdaShown, oneOrMore, type SetLike, setOrArray, zeroOrMore,
} from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { exceeds } from '../../form/effect.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import type { AlgebraKind } from '../../set/algebra-members.ts';
import { combine } from '../../set/ops/algebra.ts';
import { DistinctSet, FilterSet, ReverseSet } from '../../set/ops/views.ts';
import { hasHead } from '../../set/read.ts';
import { toSet } from '../../set/to-set.ts';
import { isArray, type Lambda, Page, type Value } from '../../value/value.ts';
import { collectEach } from '../collect.ts';
import { elementsOf, isListed, type Listed } from './listed.ts';
import { unary } from './unary.ts';

/** What counts occurrences of elements in arrays. */
const multisets = part(() => import('../../value/multiset.ts'));

const SOURCE = 'functions.md §5; ast/functions/ArrayFunctions';

/** A set has no elements at hand: `map` and `foreach` refuse it. */
function listed(collection: IterableValue, at: Path): Listed {
  if (isListed(collection)) return collection;
  throw wrongType(at.at('collection'), ['Array', 'Page'], 'Set');
}

/** Elements of one array, at most. Where the platform has no room for an array, it ends the thread. */
const MOST_ELEMENTS = 1 << 24;

function joined(first: readonly Value[], second: readonly Value[]): Value {
  if (first.length + second.length > MOST_ELEMENTS) throw new RangeError();
  return [...first, ...second];
}

function applyToEach(name: string, lambda: Lambda, collection: Listed, ctx: EvalContext, at: Path): MaybePromise<Value[]> {
  const here = at.at(name);
  const elements = elementsOf(collection);
  return mapEach(elements, readingAhead(elements, ctx, (element) => ctx.apply(lambda, element, here)));
}

function filterListed(lambda: Lambda, collection: Listed, ctx: EvalContext, at: Path): MaybePromise<Listed> {
  const elements = elementsOf(collection);
  const results = collectEach(elements, readingAhead(elements, ctx, (element) => ctx.apply(lambda, element, at.at('filter'))));
  return andThen(results, (values) => {
    const kept = zeroOrMore(boolean).read(values, at);
    return pick(collection, elements.flatMap((_, index) => (kept[index] === true ? [index] : [])));
  });
}

/** The elements at these positions, with their cursors if it is a page. */
function pick(collection: Listed, positions: readonly number[]): Listed {
  const take = (values: readonly Value[]): Value[] => positions.flatMap((index) => values.slice(index, index + 1));
  return isArray(collection) ? take(collection) : collection.with(take(collection.data), take(collection.cursors));
}

/** The predicate of a set runs whenever the set is read, so it must not write. */
function filterLazily(lambda: Lambda, set: SetLike, ctx: EvalContext, at: Path): Value {
  if (exceeds(ctx.effectOf(lambda), 'read')) throw invalidLambda(at.at('filter'), 'read');
  return new FilterSet(toSet(set, ctx), lambda, at.at('filter'));
}

/** Where an element of a page stands, or what comes before or after the page. */
const cursorAt = ({ before, cursors, after }: Page, place: number): Value | undefined => (place < 0 ? before : (cursors[place] ?? after));

/** The first elements; a page goes on where the first dropped one stood. */
function takeOf(collection: Listed, count: number): Listed {
  const kept = Math.max(count, 0);
  if (isArray(collection)) return collection.slice(0, kept);
  return new Page(collection.data.slice(0, kept), collection.before, cursorAt(collection, count), collection.cursors.slice(0, kept));
}

/** All but the first elements; what comes before a page ends where the first kept one stands. */
function dropOf(collection: Listed, count: number): Listed {
  const dropped = Math.max(count, 0);
  if (isArray(collection)) return collection.slice(dropped);
  return new Page(collection.data.slice(dropped), cursorAt(collection, count), collection.after, collection.cursors.slice(dropped));
}

function emptiness(name: string, empty: boolean, summary: string, examples: readonly Example[]): Form {
  return unary(name, iterable, {
    effect: 'pure',
    source: SOURCE,
    summary,
    examples,
    run: (collection, ctx, at) =>
      isListed(collection)
        ? (elementsOf(collection).length === 0) === empty
        // The position is not a key of the form; it is what the original server reports.
        : andThen(hasHead(collection, ctx, at.at('exists')), (has) => has !== empty),
  });
}

/** Set algebra: of arrays at once, counting how often an element occurs; of sets when they are read. */
function algebra(kind: AlgebraKind, summary: string, examples: readonly Example[]): Form {
  return unary(kind, oneOrMore(setOrArray), {
    effect: 'pure',
    source: 'functions.md §6; ast/functions/SetFunctions, AssociativeSetFunction',
    summary,
    examples,
    run(operands, ctx, at) {
      const [first, ...others] = operands.filter(isArray);
      if (first === undefined) return combine(kind, (operands as readonly SetLike[]).map((set) => toSet(set, ctx)), ctx, at.at(kind));
      if (others.length + 1 === operands.length) return andThen(multisets(), (of) => of[`${kind}Of`](first, others));
      throw mixedSetsAndArrays(at.at(kind));
    },
  });
}

export const collections: readonly Form[] = [
  form({
    params: { map: lambdaHere, collection: iterable },
    effect: 'pure',
    source: SOURCE,
    summary: 'Applies a lambda to each element of an array or page and answers the results in its place.',
    examples: [
      ['{"map":{"lambda":"x","expr":{"add":[{"var":"x"},1]}},"collection":[1,2]}', '[2,3]'],
      ['{"map":{"lambda":["a","b"],"expr":{"var":"b"}},"collection":[[1,2],[3,4]]}', '[2,4]'],
    ],
    run({ map, collection }, ctx, at) {
      const from = listed(collection, at);
      return andThen(applyToEach('map', map, from, ctx, at), (results) => (isArray(from) ? results : from.with(results)));
    },
  }),
  form({
    params: { foreach: lambdaHere, collection: iterable },
    effect: 'pure',
    source: SOURCE,
    summary: 'Applies a lambda to each element of an array or page and answers the collection itself.',
    examples: [['{"foreach":{"lambda":"x","expr":{"add":[{"var":"x"},1]}},"collection":[1,2]}', '[1,2]']],
    run({ foreach, collection }, ctx, at) {
      const from = listed(collection, at);
      return andThen(applyToEach('foreach', foreach, from, ctx, at), () => from);
    },
  }),
  form({
    params: { filter: lambdaShown, collection: iterable },
    effect: 'pure',
    source: SOURCE,
    summary: 'The elements for which a lambda answers true; a set is filtered when it is read.',
    examples: [['{"filter":{"lambda":"x","expr":{"gt":[{"var":"x"},1]}},"collection":[1,2,3]}', '[2,3]']],
    run: ({ filter, collection }, ctx, at) =>
      isListed(collection) ? filterListed(filter, collection, ctx, at) : filterLazily(filter, collection, ctx, at),
  }),
  form({
    params: { prepend: zeroOrMore(any), collection: array },
    effect: 'pure',
    source: SOURCE,
    summary: 'An array with elements put before it.',
    examples: [['{"prepend":[1,2],"collection":[3]}', '[1,2,3]']],
    run: ({ prepend, collection }) => joined(prepend, collection),
  }),
  form({
    params: { append: zeroOrMore(any), collection: array },
    effect: 'pure',
    source: SOURCE,
    summary: 'An array with elements put after it.',
    examples: [['{"append":3,"collection":[1,2]}', '[1,2,3]']],
    run: ({ append, collection }) => joined(collection, append),
  }),
  form({
    params: { take: integer, collection: arrayOrPage },
    effect: 'pure',
    source: SOURCE,
    summary: 'The first elements of an array or page.',
    examples: [
      ['{"take":2,"collection":[1,2,3]}', '[1,2]'],
      ['{"take":-1,"collection":[1,2,3]}', '[]'],
    ],
    run: ({ take, collection }) => takeOf(collection, Number(take)),
  }),
  form({
    params: { drop: integer, collection: arrayOrPage },
    effect: 'pure',
    source: SOURCE,
    summary: 'An array or page without its first elements.',
    examples: [
      ['{"drop":2,"collection":[1,2,3]}', '[3]'],
      ['{"drop":-1,"collection":[1,2,3]}', '[1,2,3]'],
    ],
    run: ({ drop, collection }) => dropOf(collection, Number(drop)),
  }),
  emptiness('is_empty', true, 'Whether an array, page or set has no elements.', [['{"is_empty":[]}', 'true']]),
  emptiness('is_nonempty', false, 'Whether an array, page or set has elements.', [['{"is_nonempty":[]}', 'false']]),
  algebra(
    'union',
    'All elements of several sets, or of several arrays, each as often as in the array that has it most often.',
    [['{"union":[[1,2,2],[2,3]]}', '[1,2,2,3]']],
  ),
  algebra(
    'intersection',
    'The elements that several sets, or several arrays, have in common.',
    [['{"intersection":[[1,2,2,3],[3,2]]}', '[2,3]']],
  ),
  algebra(
    'difference',
    'The elements of the first set or array that the others do not have.',
    [['{"difference":[[1,2,2,3],[2,3]]}', '[1,2]']],
  ),
  unary('distinct', iterable, {
    effect: 'pure',
    source: 'functions.md §6; ast/functions/SetFunctions, DistinctFunction',
    summary: 'The elements without repetitions.',
    examples: [['{"distinct":[2,1,2,2.0]}', '[2,1,2.0]']],
    run: (collection, ctx) =>
      isListed(collection)
        ? andThen(multisets(), ({ distinctPositions }) => pick(collection, distinctPositions(elementsOf(collection))))
        : new DistinctSet(toSet(collection, ctx)),
  }),
  unary('reverse', iterable, {
    effect: 'pure',
    source: 'functions.md §6; ast/functions/SetFunctions, ReverseFunction',
    summary: 'The elements from the last to the first.',
    examples: [['{"reverse":[1,2,3]}', '[3,2,1]']],
    run(collection, ctx) {
      if (isArray(collection)) return collection.toReversed();
      if (collection instanceof Page) return collection.with(collection.data.toReversed());
      return new ReverseSet(toSet(collection, ctx));
    },
  }),
];

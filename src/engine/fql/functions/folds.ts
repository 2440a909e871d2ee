// Folds: one value out of all elements of an array, page or set. A set is read through to
// its end, piece by piece; a page gives a page with that one value and the same cursors.
import { andThen, fold, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { emptyArray } from '../../errors/codes.ts';
import { any, boolean, iterable, type IterableValue, lambdaHere, number, type SetLike } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import { compare } from '../../order/compare.ts';
import { countSet, foldSet } from '../../set/read.ts';
import { elementOf } from '../../set/set-op.ts';
import { bounded } from '../../value/parts.ts';
import { isArray, Page, SetValue, type Value } from '../../value/value.ts';
import { elementsOf, isListed } from './listed.ts';
import { unary } from './unary.ts';
import { refuseUnresolved } from './unresolved.ts';

const SOURCE = 'functions.md §5; ast/functions/ReduceFunctions';

const wrap = (collection: IterableValue, result: Value): Value =>
  collection instanceof Page ? collection.with([result]) : result;

interface Fold<A> {
  readonly seed: A;
  /** @param at where a wrong element is reported: the collection, without an index */
  step(accumulator: A, element: Value, at: Path): A;
  result(accumulator: A, at: Path): Value;
  /** That of a set, without its elements. */
  whole?(set: SetLike, ctx: EvalContext, at: Path): MaybePromise<A>;
  /** What to fold in place of the argument. */
  over?(collection: IterableValue, at: Path): IterableValue;
}

function folding<A>(name: string, summary: string, examples: readonly Example[], { seed, step, result, whole, over }: Fold<A>): Form {
  return unary(name, iterable, {
    effect: 'read',
    source: SOURCE,
    summary,
    examples,
    run(argument, ctx, pos) {
      const at = pos.at(name);
      const collection = over?.(argument, at) ?? argument;
      const billed = (accumulator: A, element: Value): A => {
        // Elements that are only compared are not billed.
        if (over === undefined) ctx.budget.steps++;
        return step(accumulator, element, at);
      };
      const ofSet = (set: SetLike): MaybePromise<A> =>
        whole?.(set, ctx, at) ?? foldSet(set, seed, (accumulator, entry) => billed(accumulator, elementOf(entry)), ctx, at);
      const folded = isListed(collection) ? fold(elementsOf(collection), seed, billed) : ofSet(collection);
      return andThen(folded, (accumulator) => wrap(collection, result(accumulator, at)));
    },
  });
}

/** Longs stay Longs and wrap at 64 bits; the first Double makes the rest Double. */
function add(sum: bigint | number, element: Value, at: Path): bigint | number {
  const addend = number.read(element, at);
  return typeof sum === 'bigint' && typeof addend === 'bigint'
    ? BigInt.asIntN(64, sum + addend)
    : Number(sum) + Number(addend);
}

/** Of elements that compare equal, the last one stands. */
function extreme(name: string, summary: string, examples: readonly Example[], keeps: (order: number) => boolean): Form {
  return folding<Value | undefined>(name, summary, examples, {
    seed: undefined,
    step: (best, element) => (best !== undefined && keeps(compare(best, element)) ? best : element),
    result(best, at) {
      if (best === undefined) throw emptyArray(at);
      return best;
    },
    over(argument, at) {
      const collection = unwrapped(argument);
      if (isArray(collection)) refuseUnresolved(bounded(collection), at);
      if (collection instanceof Page) refuseUnresolved(collection.data, at);
      return collection;
    },
  });
}

/** `[X]` with an array, page or set X means X: drivers wrap a single argument. */
function unwrapped(collection: IterableValue): IterableValue {
  let inner = collection;
  while (isArray(inner) && inner.length === 1) {
    const [only] = inner as readonly [Value];
    if (!isArray(only) && !(only instanceof Page) && !(only instanceof SetValue)) break;
    inner = only;
  }
  return inner;
}

export const folds: readonly Form[] = [
  form({
    params: { reduce: lambdaHere, initial: any, collection: iterable },
    effect: 'read',
    source: SOURCE,
    summary: 'Combines all elements into one value: the lambda gets the value so far and the next element.',
    examples: [
      ['{"reduce":{"lambda":["sum","x"],"expr":{"add":[{"var":"sum"},{"var":"x"}]}},"initial":10,"collection":[1,2,3]}', '16'],
    ],
    run({ reduce, initial, collection }, ctx, pos) {
      const at = pos.at('reduce');
      const step = (value: Value, element: Value): MaybePromise<Value> => ctx.apply(reduce, [value, element], at);
      const reduced = isListed(collection)
        ? fold(elementsOf(collection), initial, step)
        : foldSet(collection, initial, (value, entry) => step(value, elementOf(entry)), ctx, at);
      return andThen(reduced, (value) => wrap(collection, value));
    },
  }),
  folding('count', 'How many elements there are.', [['{"count":["a","b"]}', '2']], {
    seed: 0,
    step: (count) => count + 1,
    whole: countSet,
    result: (count) => BigInt(count),
  }),
  folding<bigint | number>(
    'sum',
    'The sum of all elements: an integer as long as all of them are, and 0 if there are none.',
    [
      ['{"sum":[1,2,3]}', '6'],
      ['{"sum":[1,2.5]}', '3.5'],
    ],
    { seed: 0n, step: add, result: (sum) => sum },
  ),
  folding<{ readonly sum: bigint | number; readonly count: number }>(
    'mean',
    'The arithmetic mean of all elements, as a double.',
    [['{"mean":[1,2,3]}', '2.0']],
    {
      seed: { sum: 0n, count: 0 },
      step: ({ sum, count }, element, at) => ({ sum: add(sum, element, at), count: count + 1 }),
      result({ sum, count }, at) {
        if (count === 0) throw emptyArray(at);
        return Number(sum) / count;
      },
    },
  ),
  folding('any', 'Whether at least one element is true.', [['{"any":[false,true]}', 'true']], {
    seed: false,
    step: (found, element, at) => boolean.read(element, at) || found,
    result: (found) => found,
  }),
  folding('all', 'Whether every element is true.', [['{"all":[]}', 'true']], {
    seed: true,
    step: (every, element, at) => boolean.read(element, at) && every,
    result: (every) => every,
  }),
  extreme('max', 'The greatest element in the order of all values.', [['{"max":[1,3,2.5]}', '3']], (order) => order > 0),
  extreme('min', 'The least element in the order of all values.', [['{"min":[[1,3,2.5]]}', '1']], (order) => order < 0),
];

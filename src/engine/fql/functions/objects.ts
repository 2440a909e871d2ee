// Objects. A document counts as the object it is shown as.
import { andThen, fold, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { wrongType } from '../../errors/codes.ts';
import { allOf } from '../../errors/fql-error.ts';
import { typeName } from '../../errors/type-name.ts';
import { any, lambdaHere, optional, zeroOrMore } from '../../form/casts.ts';
import { type Form, form } from '../../form/form.ts';
import type { Wire } from '../../wire/version.ts';
import { Obj, type Value } from '../../value/value.ts';
import { asObject } from '../document-object.ts';

/** Decides on one field: gets its key, its value so far or null, and the new one; null removes the field. */
type Merger = (key: string, left: Value, right: Value) => MaybePromise<Value>;

const keepRight: Merger = (_key, _left, right) => right;

/** @throws FqlError one failure for each operand that is not an object */
function objectsOf(left: Value, right: Value, wire: Wire, at: Path): readonly [Obj, readonly Obj[]] {
  const read = (value: Value, place: Path): Obj => {
    const object = asObject(value, wire);
    if (object === undefined) throw wrongType(place, ['Object'], typeName(value));
    return object;
  };
  return allOf(() => read(left, at.at('merge')), () => zeroOrMore({ names: ['Object'], read }).read(right, at.at('with')));
}

function mergeInto(fields: Map<string, Value>, right: Obj, merger: Merger): MaybePromise<Map<string, Value>> {
  return fold(right.entries(), fields, (merged, [key, value]) =>
    andThen(merger(key, merged.get(key) ?? null, value), (result) => {
      if (result === null) merged.delete(key);
      else merged.set(key, result);
      return merged;
    }),
  );
}

export const objects: readonly Form[] = [
  form({
    params: { merge: any, with: any, lambda: optional(lambdaHere) },
    effect: 'pure',
    source: 'functions.md §5; ast/functions/ObjectFunctions, MergeFunction',
    summary: 'An object with the fields of one or more others; a lambda may choose between two values, and null removes a field.',
    examples: [
      ['{"merge":{"object":{"a":1,"b":2}},"with":{"object":{"b":3,"c":4}}}', '{"a":1,"b":3,"c":4}'],
      ['{"merge":{"object":{"a":1,"b":2}},"with":{"object":{"b":null}}}', '{"a":1}'],
      [
        '{"merge":{"object":{"a":1}},"with":[{"object":{"a":2}},{"object":{"a":3}}],"lambda":{"lambda":["key","old","new"],"expr":{"add":[{"var":"old"},{"var":"new"}]}}}',
        '{"a":6}',
      ],
    ],
    run({ merge, with: right, lambda }, ctx, at) {
      const [first, others] = objectsOf(merge, right, ctx.wire, at);
      const merger: Merger = lambda === undefined ? keepRight : (key, old, value) => ctx.apply(lambda, [key, old, value], at);
      const merged = fold(others, new Map(first.entries()), (fields, other) => mergeInto(fields, other, merger));
      return andThen(merged, (fields) => Obj.of(...fields));
    },
  }),
];

// Which entries a version of a document gives an index (reference: data/indexes.md §3–5).
import { mapEach, type MaybePromise, rescue, andThen } from '../base/maybe.ts';
import { Path } from '../base/path.ts';
import { FqlError } from '../errors/fql-error.ts';
import type { EvalContext } from '../form/context.ts';
import { termKey } from '../order/term-key.ts';
import type { IndexDefinition, IndexField, IndexSource } from '../schema/definitions.ts';
import { collectionRefOf } from './collection-ref.ts';
import { foldCase } from '../value/fold-case.ts';
import { Bytes, DateValue, Doc, isArray, Obj, PendingTs, Ref, Time, Uuid, type Value } from '../value/value.ts';

/** One entry: a tuple of terms with a tuple of values. */
export interface IndexEntry {
  readonly terms: readonly Value[];
  readonly values: readonly Value[];
}

/** All entries of a document: the product of what its terms and values give. */
export function entriesOf(index: IndexDefinition, doc: Doc, ctx: EvalContext): MaybePromise<IndexEntry[]> {
  const source = sourceFor(index, doc.ref.collection);
  if (source === null) return [];
  const valuesOf = (field: IndexField): MaybePromise<readonly Value[]> => fieldValues(field, source, doc, ctx);
  return andThen(mapEach(index.terms, valuesOf), (terms) =>
    andThen(mapEach(index.values, valuesOf), (values) => {
      const unknownTime = (tuple: readonly Value[]): readonly Value[] => tuple.map((value) => (value instanceof PendingTs ? null : value));
      return counting(product(terms).map(unknownTime)).flatMap((termTuple) =>
        counting(product(values)).map((valueTuple) => ({ terms: termTuple, values: valueTuple })),
      );
    }),
  );
}

/** The source a collection belongs to: one that names it before the one for all. */
function sourceFor(index: IndexDefinition, collection: number): IndexSource | null {
  const named = index.sources.findLast(({ collections }) => collections !== 'all' && collections.includes(collection));
  return named ?? index.sources.findLast(({ collections }) => collections === 'all') ?? null;
}

function fieldValues(field: IndexField, source: IndexSource, doc: Doc, ctx: EvalContext): MaybePromise<readonly Value[]> {
  if (field.binding === null) return scalars(lookUp(doc, field.field ?? []), field);
  const lambda = source.bindings.get(field.binding);
  if (lambda === undefined) return [null];
  const pure = ctx.with({ limit: { effect: 'pure', reason: 'index bindings' } });
  const result = rescue<Value>(
    () => pure.apply(lambda, shown(doc), Path.root),
    (error) => {
      if (error instanceof FqlError) return null;
      throw error;
    },
  );
  return andThen(result, (value) => scalars([value], field));
}

/** A document as bindings see it. */
const shown = ({ ref, ts, fields }: Doc): Obj =>
  Obj.of(['ref', ref], ['ts', ts instanceof PendingTs ? ts : BigInt(ts)], ...fields.entries());

/** Everything a path leads to; arrays on the way are entered. */
function lookUp(doc: Doc, path: readonly (string | bigint)[]): Value[] {
  const [first, ...rest] = path;
  if (first === undefined) return [];
  const top: Readonly<Record<string, () => Value>> = {
    ref: () => doc.ref,
    ts: () => (doc.ts instanceof PendingTs ? doc.ts : BigInt(doc.ts)),
    class: () => collectionRefOf(doc.ref),
    collection: () => collectionRefOf(doc.ref),
  };
  const start = typeof first === 'string' ? (Object.hasOwn(top, first) ? top[first]?.() : doc.fields.get(first)) : undefined;
  return rest.reduce<Value[]>((values, step) => values.flatMap((value) => enter(value, step)), start === undefined ? [] : [start]);
}

function enter(value: Value, step: string | bigint): Value[] {
  if (isArray(value)) {
    if (typeof step === 'bigint') return value.slice(Number(step), Number(step) + 1);
    return value.flatMap((item) => enter(item, step));
  }
  const field = value instanceof Obj && typeof step === 'string' ? value.get(step) : undefined;
  return field === undefined ? [] : [field];
}

/** The scalars among what was found, each once; nothing at all is one null. */
function scalars(found: readonly Value[], field: IndexField): readonly Value[] {
  const leaves = field.expand ? (found as Value[]).flat(Infinity as 1) as Value[] : found;
  const values = leaves.map((value) => (isScalar(value) || !field.expand ? value : null));
  const folded = field.casefold ? values.map((value) => (typeof value === 'string' ? foldCase(value) : value)) : values;
  const distinct = new Map(folded.map((value) => [value instanceof PendingTs ? 'pending' : termKey([value]), value]));
  return distinct.size === 0 ? [null] : [...distinct.values()];
}

const isScalar = (value: Value): boolean =>
  value === null ||
  typeof value !== 'object' ||
  [Ref, Time, DateValue, Bytes, Uuid, PendingTs].some((type) => value instanceof type);

const product = (lists: readonly (readonly Value[])[]): Value[][] =>
  lists.reduce<Value[][]>((tuples, list) => tuples.flatMap((tuple) => list.map((value) => [...tuple, value])), [[]]);

/** Tuples of nothing but nulls do not count; the empty tuple does. */
const counting = (tuples: readonly (readonly Value[])[]): readonly (readonly Value[])[] =>
  tuples.filter((tuple) => tuple.length === 0 || tuple.some((value) => value !== null));

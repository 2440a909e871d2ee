// Which entries a version of a document gives an index (reference: data/indexes.md §3–5).
import { mapEach, type MaybePromise, rescue, andThen } from '../base/maybe.ts';
import { Path } from '../base/path.ts';
import { badRequest } from '../errors/codes.ts';
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

/** Entries of one document in one index may take so many bytes: arrays multiply (data/indexes.md §10). */
const MAX_BYTES = 16 * 2 ** 20;
/** Of a ref, and about of each value that is no text. */
const REF_BYTES = 10;
const SCALAR_BYTES = 9;

/**
 * All entries of a document: the product of what its terms and values give.
 * @param strict too many refuse the write; otherwise there are none
 * @throws HttpError `bad request`
 */
export function entriesOf(index: IndexDefinition, doc: Doc, ctx: EvalContext, strict = true): MaybePromise<IndexEntry[]> {
  const source = sourceFor(index, doc.ref.collection);
  if (source === null) return [];
  const valuesOf = (field: IndexField): MaybePromise<readonly Value[]> => fieldValues(field, source, doc, ctx);
  return andThen(mapEach(index.terms, valuesOf), (terms) =>
    andThen(mapEach(index.values, valuesOf), (values) => {
      const size = sizeOfProduct([...terms, ...values]);
      if (size > MAX_BYTES && strict) {
        throw badRequest(`Index entries for doc ${doc.ref.id} in index ${index.name} have estimated byte size ${size} that exceeds limit ${MAX_BYTES}`);
      }
      if (size > MAX_BYTES) return [];
      const valueTuples = counting(product(values));
      return counting(product(terms).map(withoutPending)).flatMap((termTuple) => valueTuples.map((valueTuple) => ({ terms: termTuple, values: valueTuple })));
    }),
  );
}

/** Bytes of all tuples, without making them. */
function sizeOfProduct(lists: readonly (readonly Value[])[]): number {
  const count = lists.reduce((product, list) => product * list.length, 1);
  if (count === 1) return 0;
  const bytesOf = (list: readonly Value[]): number => list.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : SCALAR_BYTES), 0);
  return lists.reduce((sum, list) => sum + bytesOf(list) * (count / list.length), REF_BYTES * count);
}

/** Nothing is found by a time that is not known yet. */
const withoutPending = (tuple: readonly Value[]): readonly Value[] =>
  tuple.some((value) => value instanceof PendingTs) ? tuple.map((value) => (value instanceof PendingTs ? null : value)) : tuple;

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
function lookUp(doc: Doc, path: readonly (string | bigint)[]): readonly Value[] {
  const start = top(doc, path[0]);
  return start === undefined ? [] : path.slice(1).reduce<readonly Value[]>((values, step) => enterEach(values, step), [start]);
}

function top(doc: Doc, name: string | bigint | undefined): Value | undefined {
  if (typeof name !== 'string') return undefined;
  if (name === 'ref') return doc.ref;
  if (name === 'ts') return doc.ts instanceof PendingTs ? doc.ts : BigInt(doc.ts);
  if (name === 'class' || name === 'collection') return collectionRefOf(doc.ref);
  return doc.fields.get(name);
}

function enterEach(values: readonly Value[], step: string | bigint): readonly Value[] {
  const [only] = values;
  if (values.length !== 1 || !(only instanceof Obj)) return values.flatMap((value) => enter(value, step));
  // By far the most, and most often.
  const field = typeof step === 'string' ? only.get(step) : undefined;
  return field === undefined ? [] : [field];
}

function enter(value: Value, step: string | bigint): readonly Value[] {
  if (!isArray(value)) return value instanceof Obj ? enterEach([value], step) : [];
  if (typeof step === 'bigint') return value.slice(Number(step), Number(step) + 1);
  return value.flatMap((item) => enter(item, step));
}

/** The scalars among what was found, each once; nothing at all is one null. */
function scalars(found: readonly Value[], { expand, casefold }: IndexField): readonly Value[] {
  const leaves = expand && found.some(isArray) ? ((found as Value[]).flat(Infinity as 1) as Value[]) : found;
  const normal = (value: Value): Value => {
    const scalar = isScalar(value) || !expand ? value : null;
    return casefold && typeof scalar === 'string' ? foldCase(scalar) : scalar;
  };
  if (leaves.length === 1) return [normal(leaves[0] as Value)];
  const distinct = new Map(leaves.map(normal).map((value) => [value instanceof PendingTs ? 'pending' : termKey([value]), value]));
  return distinct.size === 0 ? [null] : [...distinct.values()];
}

const isScalar = (value: Value): boolean =>
  value === null ||
  typeof value !== 'object' ||
  [Ref, Time, DateValue, Bytes, Uuid, PendingTs].some((type) => value instanceof type);

function product(lists: readonly (readonly Value[])[]): (readonly Value[])[] {
  if (lists.every((list) => list.length === 1)) return [lists.map(([only]) => only as Value)];
  return lists.reduce<(readonly Value[])[]>((tuples, list) => tuples.flatMap((tuple) => list.map((value) => [...tuple, value])), [[]]);
}

/** Tuples of nothing but nulls do not count; the empty tuple does. */
const counting = (tuples: readonly (readonly Value[])[]): readonly (readonly Value[])[] =>
  tuples.filter((tuple) => tuple.length === 0 || tuple.some((value) => value !== null));

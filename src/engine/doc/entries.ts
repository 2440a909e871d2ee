// Which entries a version of a document gives an index (reference: data/indexes.md §3–5).
import { mapEach, type MaybePromise, rescue, andThen } from '../base/maybe.ts';
import type { Caller } from '../auth/caller.ts';
import type { Key } from '../base/bytes.ts';
import { Path } from '../base/path.ts';
import { badRequest } from '../errors/codes.ts';
import { FqlError, isOfQuery } from '../errors/fql-error.ts';
import type { EvalContext } from '../form/context.ts';
import { termKey } from '../order/term-key.ts';
import { EXACTNESS, type IndexDefinition, type IndexField, type IndexSource } from '../schema/definitions.ts';
import { collectionRefOf } from '../value/ref.ts';
import { foldCase } from '../value/fold-case.ts';
import { Bytes, DateValue, Doc, isArray, Obj, PendingTs, Ref, Time, tsValue, Uuid, type Value } from '../value/value.ts';
import { WIRE_VERSIONS } from '../wire/version.ts';
import { refField } from './ref-field.ts';

/** One entry: a tuple of terms with a tuple of values. */
export interface IndexEntry {
  readonly terms: readonly Value[];
  readonly values: readonly Value[];
  /** Whether the document's time is among the terms, as null: such an entry is like no other. */
  readonly isTimed: boolean;
}

/** Entries are the same whatever version a request has. */
const WIRE = WIRE_VERSIONS['2.1'];
/** Most bytes that the entries of one document in one index may take: arrays multiply (data/indexes.md §10). */
const MAX_BYTES = 16 * 2 ** 20;
/** Bytes of a ref, and roughly those of each value that is no text. */
const REF_BYTES = 10;
const SCALAR_BYTES = 9;

/** Stands for a document's own time. That of the running transaction may be among its data, too: there it is a Long like others once it is committed. */
const NO_TIME = new PendingTs();

/** What becomes of entries that are too large, and of what a binding makes that is: the write is refused for them, or they are left out. */
export type Excess = 'refused' | 'left out';

/**
 * All entries of a document: the product of what its terms and values give. Where they are too large, all are left out.
 * @throws HttpError `bad request`
 */
export function entriesOf(index: IndexDefinition, doc: Doc, ctx: EvalContext, excess: Excess): MaybePromise<IndexEntry[]> {
  const source = sourceFor(index, doc.ref.collection);
  if (source === null) return [];
  const followsRules = index.exactness >= EXACTNESS.paths;
  // The time of a write is not known yet where its entries are made, so terms and bindings know none at all: entries have to be found again when they go.
  const timeless = followsRules || doc.ts instanceof PendingTs ? new Doc(doc.ref, NO_TIME, doc.fields) : doc;
  const valuesIn = (field: IndexField, from: Doc): MaybePromise<readonly Value[]> =>
    field.binding === null ? selectedValues(index, field, from, ctx) : boundValues(index, field, source, timeless, ctx, excess);
  return andThen(mapEach(index.terms, (field) => valuesIn(field, timeless)), (terms) =>
    andThen(mapEach(index.values, (field) => andThen(valuesIn(field, doc), (values) => timed(values, tsValue(doc.ts)))), (values) => {
      const size = sizeOfProduct(terms, values);
      if (size > MAX_BYTES && excess === 'refused') {
        throw badRequest(`Index entries for doc ${doc.ref.id} in index ${index.name} have estimated byte size ${size} that exceeds limit ${MAX_BYTES}`);
      }
      if (size > MAX_BYTES) return [];
      const entries: IndexEntry[] = [];
      const valueTuples = product(values).filter(counts);
      for (const tuple of product(terms)) {
        // As a term, the document's own time is stored as null: nobody can look it up.
        const termTuple = timed(tuple, null);
        // But it is no missing value: by the present rules a tuple of nothing but that time has an entry.
        if (!counts(followsRules ? tuple : termTuple)) continue;
        for (const valueTuple of valueTuples) entries.push({ terms: termTuple, values: valueTuple, isTimed: termTuple !== tuple });
      }
      return entries;
    }),
  );
}

type Lists = readonly (readonly Value[])[];

const isSingle = ({ length }: readonly Value[]): boolean => length === 1;

/** Values with something in place of a document's own time. */
const timed = (values: readonly Value[], time: Value): readonly Value[] => (values.includes(NO_TIME) ? values.map((value) => (value === NO_TIME ? time : value)) : values);

/** Bytes of all tuples, without making them; 0 if there is only one. */
function sizeOfProduct(terms: Lists, values: Lists): number {
  if (terms.every(isSingle) && values.every(isSingle)) return 0;
  const lists = [...terms, ...values];
  const count = lists.reduce((product, { length }) => product * length, 1);
  const bytesOf = (list: readonly Value[]): number => list.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : SCALAR_BYTES), 0);
  return lists.reduce((sum, list) => sum + bytesOf(list) * (count / list.length), REF_BYTES * count);
}

/** The source a collection belongs to: the last that names it, else the last that stands for all. */
function sourceFor({ sources }: IndexDefinition, collection: number): IndexSource | null {
  let found: IndexSource | null = null;
  for (const source of sources) {
    const isNamed = source.collections !== 'all' && source.collections.includes(collection);
    if (isNamed || (source.collections === 'all' && (found === null || found.collections === 'all'))) found = source;
  }
  return found;
}

/** What a path finds. */
function selectedValues({ exactness }: IndexDefinition, field: IndexField, doc: Doc, ctx: EvalContext): readonly Value[] {
  const followsRules = exactness >= EXACTNESS.paths;
  ctx.budget.steps++;
  const into: IntoRef = (ref, step) => (exactness >= EXACTNESS.refs ? refField(ref, step, ctx.with({ wire: WIRE })) : undefined);
  const path = field.field ?? [];
  const found = follow(top(doc, path[0]), path, 1, into, field.expand || !followsRules);
  return followsRules && field.casefold ? folded(found, field) : scalars(found, field);
}

/** What a binding gives to nobody in particular, who may read no set, or each of an array; what is no scalar counts as null, whatever its term or value says of arrays and case. */
function boundValues({ exactness }: IndexDefinition, field: IndexField, { bindings }: IndexSource, doc: Doc, ctx: EvalContext, excess: Excess): MaybePromise<readonly Value[]> {
  const lambda = bindings.get(field.binding ?? '');
  if (lambda === undefined) return [null];
  const caller: Caller = exactness < EXACTNESS.paths ? ctx.caller : { scope: ctx.catalog.scope, path: ctx.catalog.path, rights: 'client', identity: null, credential: null };
  // Its own, so that what it gives depends on the document alone, and is found again when its entries go.
  const budget = ctx.budget.share();
  const pure = ctx.with({ limit: { effect: 'pure', reason: 'index bindings' }, wire: WIRE, caller, budget });
  const result = rescue<Value>(
    () => pure.apply(lambda, doc, Path.root),
    (error) => {
      if (excess === 'left out' ? !isOfQuery(error) : !(error instanceof FqlError)) throw error;
      // A binding that used up its own budget is left out; what it spent must not use up that of the write, too.
      if (!(error instanceof FqlError)) budget.steps = 0;
      return null;
    },
  );
  return andThen(result, (value) =>
    andThen(ctx.budget.spent(budget), () =>
      exactness >= EXACTNESS.refs ? scalars(isArray(value) ? value.map((item) => (isScalar(item) ? item : null)) : [value], { ...field, expand: true, casefold: false }) : scalars([value], field),
    ),
  );
}

/** What a step finds in a ref. */
type IntoRef = (ref: Ref, step: string) => Value | undefined;

/** Everything the rest of a path leads to, into refs, too. @param enters whether arrays on the way are entered */
function follow(start: Value | undefined, path: readonly (string | bigint)[], from: number, into: IntoRef, enters: boolean): readonly Value[] {
  let value = start;
  for (let at = from; at < path.length && value !== undefined; at++) {
    const step = path[at];
    if (Array.isArray(value)) {
      const isPlace = typeof step === 'bigint';
      if (!isPlace && !enters) return [];
      const items = isPlace ? value.slice(Number(step), Number(step) + 1) : value;
      return items.flatMap((item: Value) => follow(item, path, isPlace ? at + 1 : at, into, enters));
    }
    if (typeof step !== 'string') return [];
    value = value instanceof Ref ? into(value, step) : value instanceof Obj ? value.get(step) : undefined;
  }
  return value === undefined ? [] : [value];
}

function top(doc: Doc, name: string | bigint | undefined): Value | undefined {
  if (typeof name !== 'string') return undefined;
  if (name === 'ref') return doc.ref;
  if (name === 'ts') return tsValue(doc.ts);
  if (name === 'class' || name === 'collection') return collectionRefOf(doc.ref);
  return doc.fields.get(name);
}

/** What was found without regard to case, as `casefold` itself would give it: of anything but scalars, or of what is kept whole and no array, null. */
function folded(found: readonly Value[], field: IndexField): readonly Value[] {
  if (field.expand) {
    const leaves = (found as Value[]).flat(Infinity as 1) as Value[];
    return leaves.every(isScalar) ? scalars(leaves, field) : [null];
  }
  const [whole] = found;
  const lists = isArray(whole ?? null) ? (whole as readonly Value[]).map((item) => (isArray(item) ? item : [item])) : null;
  if (lists?.flat().every(isScalar) !== true) return [null];
  return [lists.map((list) => list.map((item) => normal(item, field))).map((list) => (list.length === 1 ? (list[0] as Value) : list))];
}

/** The scalars among what was found, each once; nothing at all is one null. */
function scalars(found: readonly Value[], field: IndexField): readonly Value[] {
  const [only] = found;
  // Most fields are one value.
  if (found.length === 1 && only !== undefined && !Array.isArray(only)) return [normal(only, field)];
  const leaves = field.expand ? ((found as Value[]).flat(Infinity as 1) as Value[]) : found;
  if (leaves.length === 1) return [normal(leaves[0] as Value, field)];
  const distinct = new Map<Key, Value>();
  for (const leaf of leaves) {
    const value = normal(leaf, field);
    distinct.set(value === NO_TIME ? '' : termKey([value]), value);
  }
  return distinct.size === 0 ? [null] : [...distinct.values()];
}

function normal(value: Value, { expand, casefold }: IndexField): Value {
  if (typeof value === 'string') return casefold ? foldCase(value) : value;
  return !expand || isScalar(value) ? value : null;
}

const isScalar = (value: Value): boolean => typeof value !== 'object' || value === null || SCALARS.has(value.constructor);
const SCALARS: ReadonlySet<unknown> = new Set([Ref, Time, DateValue, Bytes, Uuid, PendingTs]);

/** All tuples with one of each list. */
function product(lists: Lists): Lists {
  if (lists.every(isSingle)) return [lists.map((list) => list[0] as Value)];
  return lists.reduce<Lists>((tuples, each) => tuples.flatMap((tuple) => each.map((value) => [...tuple, value])), [[]]);
}

/** Tuples of nothing but nulls do not count; the empty tuple does. */
function counts(tuple: readonly Value[]): boolean {
  for (const value of tuple) if (value !== null) return true;
  return tuple.length === 0;
}

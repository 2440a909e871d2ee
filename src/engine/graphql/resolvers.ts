// One resolver for each thing a field can do.
import { getNamedType, getNullableType, type GraphQLFieldResolver, type GraphQLOutputType, type GraphQLResolveInfo, isListType, isNonNullType } from 'graphql';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { Action, Doc, isArray, Obj, PendingTs, type Value } from '../value/value.ts';
import { encodeCursor } from './cursor.ts';
import type { ResolverOf } from './expand.ts';
import type { FieldPlan } from './field-plan.ts';
import { inputValue, own } from './input-value.ts';
import {
  type Args, type Context, documentPage, documentsOf, findDocument, firstRef, heldDocuments, identityOf, pageFromFunction, pageRequest,
  type PageResult, relatedTo, storedField,
} from './read.ts';
import { plainInteger } from './scalars.ts';
import { createDocument, deleteDocument, partialUpdateDocument, updateDocument } from './write.ts';

type Plan<D extends FieldPlan['do']> = Extract<FieldPlan, { readonly do: D }>;
type Resolver = (source: unknown, args: Args, context: Context, info: GraphQLResolveInfo) => MaybePromise<unknown>;
type Makers = { readonly [D in FieldPlan['do']]: (plan: Plan<D>) => Resolver };

const MAKERS: Makers = {
  id: () => (source) => identityOf(source)?.id.toString() ?? null,
  ts: () => (source) => (source instanceof Doc ? source.ts : source instanceof Obj ? (source.get('ts') ?? null) : null),
  stored: ({ field, embedded }) => (source, _args, { db }, { returnType }) => shown(storedField(db, source, field, embedded), returnType),
  'stored refs': ({ field, embedded }) => (source, _args, { db }, { returnType }) =>
    heldDocuments(db, storedField(db, source, field, embedded), isRequired(returnType)),
  relation: ({ link }) => (source, args, { db }, { returnType }) => relatedTo(source, link, args, db, isRequired(returnType)),
  'page data': () => (source, _args, _context, { returnType }) => (source as PageResult).data.map((element) => shownElement(element, returnType)),
  'page cursor': ({ direction }) => (source, _args, { db }) => {
    const cursor = (source as PageResult)[direction] ?? null;
    return cursor === null ? null : encodeCursor(db.cursorOf(direction, cursor), db.utf8);
  },
  find: ({ type }) => (_source, args, { db }) => findDocument(db, type, String(args['id'])),
  list: ({ index, field }) => (_source, args, { db }, info) => documentPage(db, index, argumentValues(field, args, info), args),
  first: ({ index, field }) => (_source, args, { db }, info) => andThen(firstRef(db, index, argumentValues(field, args, info)), (ref) => documentsOf(db, ref, false)),
  call: (plan) => (_source, args, { db }, info) => {
    const values = argumentValues(plan.field, args, info);
    if (!plan.paginated) {
      return andThen(db.call(plan.function, values), (result) => andThen(documentsOf(db, result), (found) => shownElement(found, info.returnType)));
    }
    const { size, cursor } = pageRequest(args, db);
    const at = (direction: 'after' | 'before'): Value => (cursor?.direction === direction ? db.cursorValue(cursor) : null);
    return andThen(db.call(plan.function, [...values, BigInt(size), at('after'), at('before')]), (page) => pageFromFunction(db, page));
  },
  create: ({ type }) => (_source, args, context, info) => createDocument(context, type, dataOf(args, info)),
  update: ({ type }) => (_source, args, context, info) => updateDocument(context, type, String(args['id']), dataOf(args, info)),
  partialUpdate: ({ type }) => (_source, args, context, info) =>
    partialUpdateDocument(context, type, String(args['id']), dataOf(args, info)),
  delete: ({ type }) => (_source, args, context) => deleteDocument(context, type, String(args['id'])),
};

export const resolverOf: ResolverOf = (plan) => {
  // The maker of a plan takes that plan: the table says so, its lookup cannot.
  const make = MAKERS[plan.do] as (plan: FieldPlan) => Resolver;
  return make(plan) as GraphQLFieldResolver<unknown, unknown>;
};

/** Whether what a field leads to must be there; of a list, each of its elements. */
function isRequired(type: GraphQLOutputType): boolean {
  const nullable = getNullableType(type);
  return isListType(nullable) ? isRequired(nullable.ofType) : isNonNullType(type);
}

/** The declared arguments of a field in their order; what was not given is `null`. */
function argumentValues(field: Plan<'call'>['field'], args: Args, info: GraphQLResolveInfo): Value[] {
  const definitions = info.parentType.getFields()[info.fieldName]?.args ?? [];
  return field.arguments.map(({ name }) => {
    const definition = definitions.find((candidate) => candidate.name === name);
    return definition === undefined ? null : inputValue(definition.type, own(args, name));
  });
}

function dataOf(args: Args, info: GraphQLResolveInfo): Obj {
  const definition = info.parentType.getFields()[info.fieldName]?.args.find((candidate) => candidate.name === 'data');
  const value = definition === undefined ? null : inputValue(definition.type, args['data']);
  return value instanceof Obj ? value : Obj.empty;
}

/** A stored value as the library serialises it: Longs as numbers where that is exact, or their type is one of doubles; JSON has no infinities. */
function shown(value: Value, type: GraphQLOutputType): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return (SHOWN_LONGS[getNamedType(type).name] ?? plainInteger)(value);
  if (value instanceof Action) return value.name;
  return value !== null && typeof value === 'object' && isArray(value) ? value.map((item) => shown(item, type)) : value;
}

/** The library's own scalars know no Longs. */
const SHOWN_LONGS: Readonly<Record<string, (value: bigint) => unknown>> = { ID: String, String, Float: Number };

const shownElement = (element: unknown, type: GraphQLOutputType): unknown =>
  element instanceof PendingTs ? element : shown(element as Value, type);

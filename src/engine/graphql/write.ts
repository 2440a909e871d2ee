// Resolvers that write, with the relations in their input (reference: graphql/graphql.md
// §8.3). A ref kept in the document itself is found first and written with it; everything
// that is kept elsewhere follows, because it needs the document's ref.
import { andThen, each, fold, type MaybePromise } from '../base/maybe.ts';
import { listOf } from '../schema/definitions.ts';
import { type Doc, isArray, Obj, Ref, type Value } from '../value/value.ts';
import { GatewayError } from './database.ts';
import { baseName, collectionName, isNotNull, nullable, type ObjectType, type TypeRef } from './model.ts';
import { type Context, findDocument, firstRef, storedField } from './read.ts';
import type { Link } from './relations.ts';

export function createDocument(context: Context, type: ObjectType, input: Obj): MaybePromise<Doc> {
  return andThen(ownData(context, type, input), (data) =>
    andThen(context.db.create(collectionName(type), data), (document) => writeElsewhere(context, type, input, document)),
  );
}

export function updateDocument(context: Context, type: ObjectType, id: string, input: Obj): MaybePromise<Doc | null> {
  return andThen(findDocument(context.db, type, id), (found) => {
    if (found === null) return null;
    return andThen(ownData(context, type, input), (data) =>
      andThen(context.db.update(found.ref, data), (document) => writeElsewhere(context, type, input, document)),
    );
  });
}

export function partialUpdateDocument(context: Context, type: ObjectType, id: string, input: Obj): MaybePromise<Doc | null> {
  const [nulled] = nulledFields(context, type, input);
  if (nulled !== undefined) throw new GatewayError('validation failed', `The required field '${nulled}' must not be set to 'null'.`);
  return updateDocument(context, type, id, input);
}

/** The required fields an input sets to null, at any depth: the types of partial inputs let all of them pass. */
function nulledFields(context: Context, type: ObjectType, input: Obj): readonly string[] {
  return type.fields.flatMap((field) => {
    const [name, value] = [`${type.name}.${field.name}`, input.get(field.name)];
    return value === undefined || context.links.has(name) ? [] : nulledInside(context, name, field.type, value);
  });
}

function nulledInside(context: Context, name: string, type: TypeRef, value: Value): readonly string[] {
  if (value === null) return isNotNull(type) ? [name] : [];
  const inner = nullable(type);
  if (isArray(value)) return value.flatMap((item) => nulledInside(context, name, 'List' in inner ? inner.List : inner, item));
  const embedded = embeddedNamed(context, baseName(inner));
  return embedded !== undefined && value instanceof Obj ? nulledFields(context, embedded, value) : [];
}

export function deleteDocument(context: Context, type: ObjectType, id: string): MaybePromise<Doc | null> {
  return andThen(findDocument(context.db, type, id), (found) => (found === null ? null : context.db.remove(found.ref)));
}

/** The fields the document itself keeps. */
function ownData(context: Context, type: ObjectType, input: Obj): MaybePromise<Obj> {
  return fold(type.fields, Obj.empty, (data, field) => {
    const value = input.get(field.name);
    if (value === undefined) return data;
    const link = context.links.get(`${type.name}.${field.name}`);
    if (link === undefined) return data.with(field.name, withRefs(context, baseName(field.type), value));
    requireActions(`${type.name}.${field.name}`, value);
    if (link.kind !== 'ref' || !(value instanceof Obj)) return data;
    return andThen(linkedRef(context, link, value), (ref) => (ref === undefined ? data : data.with(field.name, ref)));
  });
}

/** An input of the user's own may have anything in place of what is to be done. @throws GatewayError `invalid argument` */
function requireActions(name: string, value: Value): void {
  if (value === null || (value instanceof Obj && (value.keys.length === 0 || value.keys.some((key) => ACTIONS.includes(key))))) return;
  throw new GatewayError('invalid argument', `The relation '${name}' takes an object with '${ACTIONS.join(`', '`)}'.`);
}

const ACTIONS: readonly string[] = ['create', 'connect', 'disconnect'];

/** The ref to keep for a field; `undefined` when the input leaves it as it is. */
function linkedRef(context: Context, link: Link, input: Obj): MaybePromise<Ref | null | undefined> {
  const { create, connect, disconnect } = actions(input);
  const target = typeNamed(context, link.target);
  const [created, connected] = [create[0], connect[0]];
  if (created !== undefined) return andThen(createDocument(context, target, created), (document) => document.ref);
  if (connected !== undefined) return refTo(context, target, connected);
  return disconnect === true ? null : undefined;
}

/** Ids of documents, wherever they stand in a value that is not a relation, become refs. */
function withRefs(context: Context, typeName: string, value: Value): Value {
  if (value === null) return null;
  if (isArray(value)) return value.map((item) => withRefs(context, typeName, item));
  const target = context.model.collections.find((type) => type.name === typeName);
  if (target !== undefined) return typeof value === 'string' ? refTo(context, target, value) : value;
  const inside = embeddedNamed(context, typeName);
  if (inside === undefined || !(value instanceof Obj)) return value;
  const typeOf = (name: string): string => baseName(inside.fields.find((field) => field.name === name)?.type ?? { Named: '' });
  return Obj.of(...value.entries().map(([key, item]) => [key, withRefs(context, typeOf(key), item)] as const));
}

/** Relations of a document whose refs others keep. */
function writeElsewhere(context: Context, type: ObjectType, input: Obj, document: Doc): MaybePromise<Doc> {
  const written = each(type.fields, (field) => {
    const link = context.links.get(`${type.name}.${field.name}`);
    const value = input.get(field.name);
    if (link === undefined || link.kind === 'ref' || !(value instanceof Obj)) return null;
    return link.kind === 'links' ? writePairs(context, link, value, document.ref) : writeBack(context, link, value, document.ref);
  });
  return andThen(written, () => document);
}

/** By documents of a collection of its own, each with a ref to both ends. */
function writePairs(context: Context, link: Extract<Link, { kind: 'links' }>, input: Obj, own: Ref): MaybePromise<unknown> {
  const { db } = context;
  const target = typeNamed(context, link.target);
  const { create, connect, disconnect } = actions(input);
  const pair = (other: Ref): Obj => Obj.of([link.ownKey, own], [link.otherKey, other]);
  const add = (other: Ref): MaybePromise<unknown> => db.create(link.collection, pair(other));
  const drop = (other: Ref): MaybePromise<unknown> => {
    const terms = link.pairKeys.map((key) => pair(other).get(key) ?? null);
    return andThen(firstRef(db, link.pairIndex, terms), (ref) => ref && db.remove(ref));
  };
  return inOrder([
    () => each(ids(disconnect), (id) => drop(refTo(context, target, id))),
    () => each(create, (data) => andThen(createDocument(context, target, data), (document) => add(document.ref))),
    () => each(connect, (id) => add(refTo(context, target, id))),
  ]);
}

/** By a ref to this document in each of the others. */
function writeBack(context: Context, link: Extract<Link, { kind: 'inverse' | 'many' }>, input: Obj, own: Ref): MaybePromise<unknown> {
  const { db } = context;
  const target = typeNamed(context, link.target);
  const { create, connect, disconnect } = actions(input);
  const backTo = (ref: Ref | null): Obj => Obj.of([link.back.field, ref]);
  const connectTo = (ref: Ref): MaybePromise<unknown> => db.update(ref, backTo(own));
  const letGo = (ref: Ref): MaybePromise<unknown> => db.update(ref, backTo(null));
  const releaseOnly = (): MaybePromise<unknown> => andThen(firstRef(db, link.index, [own]), (ref) => ref && letGo(ref));
  /** What belongs to another document stays with it; what does not exist is an error of the update. */
  const release = (ref: Ref): MaybePromise<unknown> =>
    andThen(db.get(ref), (found) => {
      const owner = found && storedField(db, found, link.back.field, false);
      return found === null || (owner instanceof Ref && owner.equals(own)) ? letGo(ref) : null;
    });
  return inOrder([
    () => (disconnect === true ? releaseOnly() : each(ids(disconnect), (id) => release(refTo(context, target, id)))),
    // The original, too, changes what it has created: a role needs the right to both.
    () => each(create, (data) => andThen(createDocument(context, target, data.without(link.back.field)), ({ ref }) => connectTo(ref))),
    () => each(connect, (id) => connectTo(refTo(context, target, id))),
  ]);
}

interface Actions {
  readonly create: readonly Obj[];
  readonly connect: readonly string[];
  readonly disconnect: Value;
}

/** What a relation input asks for; single values count as lists of one. */
function actions(input: Obj): Actions {
  const list = (key: string): readonly Value[] => listOf(input.get(key));
  return {
    create: list('create').filter((item) => item instanceof Obj),
    connect: ids(list('connect')),
    disconnect: input.get('disconnect') ?? null,
  };
}

const ids = (value: Value): readonly string[] => listOf(value).filter((item) => typeof item === 'string');

const refTo = ({ db }: Context, type: ObjectType, id: string): Ref => db.ref(collectionName(type), id);

const embeddedNamed = ({ model }: Context, name: string): ObjectType | undefined => model.embedded.find((type) => type.name === name);

function typeNamed({ model }: Context, name: string): ObjectType {
  const type = model.collections.find((candidate) => candidate.name === name);
  if (type === undefined) throw new Error(`unknown type ${name}`);
  return type;
}

const inOrder = (steps: readonly (() => MaybePromise<unknown>)[]): MaybePromise<unknown> => each(steps, (step) => step());

// Reads refs as clients write them: legacy strings and objects, in every API version
// (reference: fql/wire.md §3.2). Names are looked up at once; an unknown one gives an
// unresolved ref, which is no error until it is used.
import type { Path } from '../base/path.ts';
import { invalidArgument, invalidExpression, wrongSyntaxType } from '../errors/codes.ts';
import { allOf } from '../errors/fql-error.ts';
import { typeName } from '../errors/type-name.ts';
import { areKeys, perKeys } from '../value/known-keys.ts';
import { MAX_LONG } from '../value/long.ts';
import { collectionRefOf, namedKindIn, NATIVE, type NamedKind, Ref, UnresolvedRef } from '../value/ref.ts';
import { Obj, type Value } from '../value/value.ts';
import type { ParseContext } from './parse-context.ts';

/** Numbers of native collections by their names, as refs spell them; `classes` is the old word. */
const NATIVE_IDS: ReadonlyMap<string, number> = new Map([...Object.entries(NATIVE).filter(([name]) => name !== 'tasks'), ['classes', NATIVE.collections]]);

/** Made when it is first needed, as are all regular expressions with properties of characters: they take longer to make than all else in their files. */
const isName = (text: string): boolean => /^[;@+$\-_.!~%\p{L}\p{N}\p{M}]+$/u.test(text);
const RESERVED = new Set(['_', 'self', 'events']);
const DIGITS = /^\d{1,19}$/;

export type AnyRef = Ref | UnresolvedRef;

/** @throws FqlError `invalid expression` */
export function parseRef(json: Value, at: Path, ctx: ParseContext): AnyRef {
  const ref = typeof json === 'string' ? parseLegacyRef(json, ctx) : json instanceof Obj ? parseObjectRef(json, at, ctx) : null;
  if (ref === null) throw invalidExpression(at, 'Invalid ref.');
  return ref;
}

/** `classes/spells/1` and the like; `null` when it is no ref. */
function parseLegacyRef(text: string, ctx: ParseContext): AnyRef | null {
  const [first = '', second, third, ...more] = text.split('/');
  const collection = NATIVE_IDS.get(first);
  if (collection === undefined || more.length > 0) return null;
  const { scope } = ctx.catalog;
  if (second === undefined) return collectionRefOf({ collection, scope });
  const kind = namedKindIn(collection);
  if (kind === undefined) {
    if (third !== undefined) return null;
    if (second === 'self') return ctx.selfRef(collection);
    const id = legacyId(second);
    return id === null ? null : new Ref(collection, id, scope);
  }
  if (!isName(second) || RESERVED.has(second)) return null;
  const named = namedRef(kind, second, ctx);
  if (third === undefined) return named;
  if (kind !== 'collection') return null;
  if (third === 'self') return named instanceof Ref ? ctx.selfRef(Number(named.id)) : null;
  const id = legacyId(third);
  return id === null ? null : documentOf(named, id);
}

/** Key sets of a ref written as an object; `class` and `collection` mean the same. */
const KEY_SETS = [['id'], ['class', 'id'], ['collection', 'id'], ['database', 'id'], ['class', 'database', 'id'], ['collection', 'database', 'id']] as const;

const isRef = perKeys((keys) => KEY_SETS.some((set) => areKeys(keys, set)));

function parseObjectRef(json: Obj, at: Path, ctx: ParseContext): AnyRef {
  const wrapped = json.size === 1 ? json.get('@ref') : undefined;
  if (wrapped instanceof Obj) return parseObjectRef(wrapped, at, ctx);
  if (!isRef(json.keys)) throw wrongSyntaxType(at, ['Ref'], typeName(json));
  const [id, parent, database] = allOf(
    () => idPart(json.get('id') ?? null, at.at('id')),
    () => innerRef(json.get('class') ?? json.get('collection'), 'Collection Ref', at.at('class'), ctx),
    () => reached(innerRef(json.get('database'), 'Database Ref', at.at('database'), ctx), ctx),
  );
  return parent === null ? nativePart(id, database, at, ctx) : documentPart(id, parent, database, at, ctx);
}

function idPart(id: Value, at: Path): string | bigint {
  if (typeof id !== 'string' && typeof id !== 'bigint') throw wrongSyntaxType(at, ['String', 'Integer'], typeName(id));
  return id;
}

/** A ref inside a ref: an object with or without `@ref` around it, or nothing. */
function innerRef(json: Value | undefined, expected: 'Collection Ref' | 'Database Ref', at: Path, ctx: ParseContext): AnyRef | null {
  if (json === undefined || json === null) return null;
  if (!(json instanceof Obj)) throw wrongSyntaxType(at, ['Ref'], typeName(json));
  const ref = parseObjectRef(json, at, ctx);
  if (typeName(ref) !== expected) throw wrongSyntaxType(at, [expected], typeName(ref));
  return ref;
}

/** A database must stand in the catalog of the one it is in: that of the caller, or one below it. */
function reached(database: AnyRef | null, ctx: ParseContext): AnyRef | null {
  if (!(database instanceof Ref) || homeOf(database, ctx).catalog.database(database) !== null) return database;
  return new UnresolvedRef('database', String(database.id));
}

/** The context of names in the database that a ref's document is in. */
const homeOf = (ref: Ref, ctx: ParseContext): ParseContext => (ref.scope === ctx.catalog.scope ? ctx : ctx.inDatabase(ref.scope, []));

/** `{id}` alone is a native collection, here or in another database. */
function nativePart(id: string | bigint, database: AnyRef | null, at: Path, ctx: ParseContext): AnyRef {
  if (typeof id !== 'string') throw wrongSyntaxType(at.at('id'), ['String'], 'Number');
  const collection = NATIVE_IDS.get(id);
  if (collection === undefined) {
    throw invalidExpression(at.at('id'), (words) => `Valid native ${words.collection} name expected, '${id}' provided.`);
  }
  // A ref into a database that does not exist is as undefined as that database.
  if (database instanceof UnresolvedRef) return database;
  return collectionRefOf({ collection, scope: (database === null ? ctx : within(database, ctx)).catalog.scope });
}

function documentPart(id: string | bigint, parent: AnyRef, database: AnyRef | null, at: Path, ctx: ParseContext): AnyRef {
  const collection = parent instanceof Ref ? Number(parent.id) : null;
  const kind = collection === null ? undefined : namedKindIn(collection);
  if (kind !== undefined && typeof id === 'string') {
    if (database instanceof UnresolvedRef) return new UnresolvedRef(kind, id, null, [...database.database, database.name]);
    return namedRef(kind, id, database === null ? ctx : within(database, ctx));
  }
  if (collection === NATIVE.keys && typeof id === 'bigint' && database !== null) {
    return database instanceof Ref ? new Ref(NATIVE.keys, id, database.id) : database;
  }
  if (id === 'self' && database === null) {
    const self = collection === null ? null : ctx.selfRef(collection);
    if (self === null) throw invalidExpression(at, 'Invalid ref.');
    return self;
  }
  // Names are looked up, so what they lead to exists; numbers would lead anywhere.
  if (kind !== undefined) throw wrongSyntaxType(at.at('id'), ['String'], 'Number');
  const number = documentId(id, at.at('id'), invalidExpression);
  if (database !== null) throw wrongSyntaxType(at.at('database'), ['Null'], 'Database Ref');
  return documentOf(parent, number);
}

/** The context of names in a database, which is called by its own number. */
function within(database: Ref, ctx: ParseContext): ParseContext {
  const home = homeOf(database, ctx);
  const name = home.catalog.database(database)?.name ?? '';
  return ctx.inDatabase(database.id, [...home.within, name]);
}

/** The id of a document, from an integer or numeric text; an empty one counts as too large, as in the original. @param fail what is thrown at `at` for anything else */
export function documentId(id: Value, at: Path, fail = invalidArgument): bigint {
  if (typeof id === 'bigint') return id;
  if (typeof id !== 'string') throw fail(at, `String or Number expected, ${typeName(id)} provided.`);
  // Longer ones are not read at all, which would take their length squared.
  const number = /^[+-]?0*\d{1,19}$/.test(id) ? BigInt(id) : null;
  if (number !== null && BigInt.asIntN(64, number) === number) return number;
  throw fail(at, /^\d*$/.test(id) ? `The id provided is too large: '${id}'` : `Number or numeric String expected, non-numeric '${id}' provided.`);
}

/** The same of the digits in a legacy ref; `null` where it is none. */
const legacyId = (text: string): bigint | null => (DIGITS.test(text) && BigInt(text) <= MAX_LONG ? BigInt(text) : null);

function namedRef(kind: NamedKind, name: string, ctx: Pick<ParseContext, 'catalog' | 'within'>): AnyRef {
  return ctx.catalog.resolve(kind, name) ?? new UnresolvedRef(kind, name, null, ctx.within);
}

/** The ref of a document, resolved when its collection is. */
export function documentOf(collection: AnyRef, id: bigint): AnyRef {
  return collection instanceof Ref
    ? new Ref(Number(collection.id), id, collection.scope)
    : new UnresolvedRef(collection.kind, collection.name, id, collection.database);
}

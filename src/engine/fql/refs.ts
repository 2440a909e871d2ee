// Reads refs as clients write them: legacy strings and objects, in every API version
// (reference: fql/wire.md §3.2). Names are looked up at once; an unknown one gives an
// unresolved ref, which is no error until it is used.
import type { Path } from '../base/path.ts';
import { invalidExpression, wrongSyntaxType } from '../errors/codes.ts';
import { typeName } from '../errors/type-name.ts';
import { KIND_COLLECTION, NATIVE, type NamedKind, type NativeName, Ref, UnresolvedRef } from '../value/ref.ts';
import { Obj, type Value } from '../value/value.ts';
import type { ParseContext } from './parse-context.ts';

/** Names of native collections as refs spell them; `classes` is the old word. */
const NATIVE_IDS: Readonly<Record<string, NativeName>> = {
  ...(Object.fromEntries(Object.keys(NATIVE).map((name) => [name, name])) as Record<NativeName, NativeName>),
  classes: 'collections',
};
const NUMBERED: readonly NativeName[] = ['keys', 'tokens', 'credentials', 'tasks'];
const KINDS = new Map<NativeName, NamedKind>(
  Object.entries(KIND_COLLECTION).map(([kind, collection]) => [collection, kind as NamedKind]),
);

const NAME = /^[;@+$\-_.!~%\p{L}\p{N}\p{M}]+$/u;
const RESERVED = new Set(['_', 'self', 'events']);
const DIGITS = /^\d{1,19}$/;

type AnyRef = Ref | UnresolvedRef;

/** @throws FqlError `invalid expression` */
export function parseRef(json: Value, at: Path, ctx: ParseContext): AnyRef {
  if (typeof json === 'string') {
    const ref = parseLegacyRef(json, ctx);
    if (ref === null) throw invalidExpression(at, 'Invalid ref.');
    return ref;
  }
  if (json instanceof Obj) return parseObjectRef(json, at, ctx);
  throw invalidExpression(at, 'Invalid ref.');
}

/** `classes/spells/1` and the like; `null` when it is no ref. */
export function parseLegacyRef(text: string, ctx: ParseContext): AnyRef | null {
  const [first = '', second, third, ...more] = text.split('/');
  const native = Object.hasOwn(NATIVE_IDS, first) ? NATIVE_IDS[first] : undefined;
  if (native === undefined || more.length > 0) return null;
  if (second === undefined) return nativeRef(native, ctx);
  if (NUMBERED.includes(native)) {
    if (third !== undefined) return null;
    return second === 'self' ? ctx.selfRef(NATIVE[native]) : idRef(NATIVE[native], second, ctx);
  }
  if (!NAME.test(second) || RESERVED.has(second)) return null;
  const kind = KINDS.get(native);
  if (kind === undefined) return null;
  const named = namedRef(kind, second, ctx);
  if (third === undefined) return named;
  if (kind !== 'collection') return null;
  if (third === 'self') return named instanceof Ref ? ctx.selfRef(Number(named.id)) : null;
  const id = readId(third);
  return id === null ? null : documentOf(named, id);
}

function parseObjectRef(json: Obj, at: Path, ctx: ParseContext): AnyRef {
  const collectionKey = json.has('collection') ? 'collection' : 'class';
  const known = new Set(['id', collectionKey, 'database']);
  if (!json.has('id') || json.keys.some((key) => !known.has(key))) throw invalidExpression(at, 'Invalid ref.');
  const id = json.get('id') ?? null;
  const parent = innerRef(json.get(collectionKey), at.at('class'), ctx);
  const database = innerRef(json.get('database'), at.at('database'), ctx);
  const scoped = database === null ? ctx : ctx.inDatabase(database, at.at('database'));
  if (parent === null) {
    if (typeof id !== 'string') throw wrongSyntaxType(at.at('id'), ['String'], typeName(id));
    const native = Object.hasOwn(NATIVE_IDS, id) ? NATIVE_IDS[id] : undefined;
    if (native === undefined || native === 'tasks') {
      throw invalidExpression(at.at('id'), (words) => `Valid native ${words.collection} name expected, '${id}' provided.`);
    }
    return nativeRef(native, scoped);
  }
  if (parent instanceof Ref && parent.isNativeCollection) {
    const name = nativeOf(parent);
    const kind = KINDS.get(name);
    if (kind !== undefined) {
      if (typeof id !== 'string') throw wrongSyntaxType(at.at('id'), ['String'], typeName(id));
      return namedRef(kind, id, scoped);
    }
  } else if (database !== null) {
    throw wrongSyntaxType(at.at('database'), ['Null'], typeName(database));
  }
  const isCollection = parent instanceof UnresolvedRef ? parent.kind === 'collection' : parent.collection === NATIVE.collections;
  if (!isCollection) throw wrongSyntaxType(at.at('class'), ['Collection Ref'], typeName(parent));
  if (id === 'self' && parent instanceof Ref) {
    const self = scoped.selfRef(Number(parent.id));
    if (self === null) throw invalidExpression(at, 'Invalid ref.');
    return self;
  }
  return documentOf(parent, documentId(id, at.at('id')));
}

/** A ref inside a ref: an object with or without `@ref` around it, or nothing. */
function innerRef(json: Value | undefined, at: Path, ctx: ParseContext): AnyRef | null {
  if (json === undefined || json === null) return null;
  if (!(json instanceof Obj)) throw wrongSyntaxType(at, ['Ref'], typeName(json));
  const inner = json.size === 1 ? json.get('@ref') : undefined;
  return parseRef(inner ?? json, inner === undefined ? at : at.at('@ref'), ctx);
}

/** The id of a document, from an integer or numeric text. @throws FqlError at `at` */
export function documentId(id: Value, at: Path): bigint {
  if (typeof id === 'bigint') return id;
  if (typeof id !== 'string') throw wrongSyntaxType(at, ['String', 'Number'], typeName(id));
  if (!/^-?\d+$/.test(id)) throw invalidExpression(at, `Number or numeric String expected, non-numeric '${id}' provided.`);
  const number = BigInt(id);
  if (BigInt.asIntN(64, number) !== number) throw invalidExpression(at, `The id provided is too large: '${id}'`);
  return number;
}

function readId(text: string): bigint | null {
  if (!DIGITS.test(text)) return null;
  const id = BigInt(text);
  return BigInt.asIntN(64, id) === id ? id : null;
}

function idRef(collection: number, text: string, ctx: ParseContext): Ref | null {
  const id = readId(text);
  return id === null ? null : new Ref(collection, id, ctx.catalog.scope);
}

export function namedRef(kind: NamedKind, name: string, ctx: Pick<ParseContext, 'catalog'>): AnyRef {
  return ctx.catalog.resolve(kind, name) ?? new UnresolvedRef(kind, name);
}

export function nativeRef(name: NativeName, ctx: Pick<ParseContext, 'catalog'>): Ref {
  return new Ref(NATIVE.collections, BigInt(NATIVE[name]), ctx.catalog.scope);
}

export function nativeOf(collection: Ref): NativeName {
  const found = Object.entries(NATIVE).find(([, number]) => BigInt(number) === collection.id);
  return (found?.[0] ?? 'collections') as NativeName;
}

/** The ref of a document, resolved when its collection is. */
export function documentOf(collection: AnyRef, id: bigint): AnyRef {
  return collection instanceof Ref
    ? new Ref(Number(collection.id), id, collection.scope)
    : new UnresolvedRef(collection.kind, collection.name, id, collection.database);
}

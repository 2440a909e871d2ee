// Literal contexts: `quote`, request bodies of the old REST paths, contents of `@set`.
// Nothing runs here: an object with one key that is an escape becomes that value, every
// other object stays an object (reference: fql/functions.md §1.1–1.2).
import { fromBase64 } from '../base/bytes.ts';
import type { Path } from '../base/path.ts';
import { asParseError, invalidExpression, invalidRef } from '../errors/codes.ts';
import { any, type Cast, collectionRef, identifier, oneOrMore, ref, set, stringOrIndexRef, term, zeroOrMore } from '../form/casts.ts';
import { cursorParts } from '../set/position.ts';
import { StoredSet } from '../value/stored-set.ts';
import { parseDate, parseTime } from '../value/time.ts';
import { Bytes, isArray, type Lambda, Obj, Uuid, type Value } from '../value/value.ts';
import type { ParseContext } from './parse-context.ts';
import { parseRef } from './refs.ts';

/** @param at position of the object: the escape itself adds no step to it */
type Escape = (payload: Value, at: Path, ctx: ParseContext) => Value;

/** Reads JSON as data. @throws FqlError `invalid expression` */
export function parseLiteral(json: Value, at: Path, ctx: ParseContext): Value {
  if (isArray(json)) {
    const items: Value[] = [];
    for (let index = 0; index < json.length; index++) items.push(parseLiteral(json[index] as Value, at.at(index), ctx));
    return items;
  }
  if (!(json instanceof Obj)) return json;
  if (json.size === 1 && json.keys[0] === '@obj') return literalFields(json.values[0] as Value, at, ctx);
  const escape = escapeOf(json);
  return escape === null ? literalFields(json, at, ctx) : escape(json.values[0] as Value, at, ctx);
}

/** The reader of an escaped value, when the object is one; `@obj` is the caller's business. */
export function escapeOf(json: Obj): Escape | null {
  const { keys } = json;
  const key = keys.length === 1 ? (keys[0] as string) : '';
  return Object.hasOwn(ESCAPES, key) ? (ESCAPES[key] ?? null) : null;
}

function literalFields(json: Value, at: Path, ctx: ParseContext): Obj {
  if (!(json instanceof Obj)) throw invalidExpression(at, 'Invalid object.');
  const values: Value[] = [];
  for (let index = 0; index < json.size; index++) values.push(parseLiteral(json.values[index] as Value, at.at(json.keys[index] as string), ctx));
  return new Obj(json.keys, values);
}

/** An escape whose payload is text. */
const text =
  (read: (payload: string) => Value | null, message: string): Escape =>
  (payload, at) => {
    const value = typeof payload === 'string' ? read(payload) : null;
    if (value === null) throw invalidExpression(at, message);
    return value;
  };

const UUID = /^([0-9a-f]{1,8})-([0-9a-f]{1,4})-([0-9a-f]{1,4})-([0-9a-f]{1,4})-([0-9a-f]{1,12})$/i;

function readUuid(payload: string): Uuid | null {
  const groups = UUID.exec(payload);
  if (groups === null) return null;
  const padded = groups.slice(1).map((group, index) => group.padStart([8, 4, 4, 4, 12][index] ?? 0, '0'));
  return new Uuid(padded.join('-').toLowerCase());
}

function readBytes(payload: string): Bytes | null {
  const data = fromBase64(payload);
  return data === null ? null : new Bytes(data);
}

/** Keys a set may be made of, in the order in which they are shown (reference: fql/wire.md §4). */
const SET_KEYS: readonly (readonly string[])[] = [
  ['match', 'index'], ['match', 'terms'], ['match'], ['singleton'], ['events'], ['documents'], ['union'], ['intersection'], ['difference'],
  ['distinct'], ['reverse'], ['range', 'from', 'to'], ['range', 'from'], ['range', 'to'], ['range'], ['join', 'with'], ['filter', 'collection'],
];

function readSet(payload: Value, at: Path, ctx: ParseContext): Value {
  const keys = payload instanceof Obj ? SET_KEYS.find((known) => known.length === payload.size && known.every((key) => payload.has(key))) : undefined;
  if (!(payload instanceof Obj) || keys === undefined) throw invalidExpression(at, 'Invalid set.');
  const legacy = keys[1] === 'index';
  const parts = new Map(keys.map((key) => [key, setPart(key, payload.get(key) ?? null, legacy, at, ctx)]));
  if (legacy) return new StoredSet(Obj.from({ match: parts.get('index'), terms: parts.get('match') }));
  return new StoredSet(Obj.from(Object.fromEntries(parts)));
}

/** A part of a set, which must be right in kind; an index may be called by its name. `undefined` for none. */
function setPart(key: string, json: Value, legacy: boolean, at: Path, ctx: ParseContext): Value | undefined {
  const limit = LAMBDA_LIMITS[key];
  if (limit !== undefined && json instanceof Obj && json.has('lambda')) return readLambda(json, at.at(key), ctx, ctx.wire.lambdaStamp, limit);
  const value = parseLiteral(json, at.at(key), ctx);
  const cast = key === 'match' && legacy ? terms : SET_CASTS[key];
  if (cast === undefined || (key === 'events' && value instanceof Obj)) return value;
  try {
    cast.read(value, at.at(key));
  } catch (error) {
    throw asParseError(error);
  }
  if (typeof value === 'string' && cast === stringOrIndexRef) return indexOf(value, at, ctx);
  return isArray(value) && MAY_BE_ONE.has(cast) && value.length < 2 && !isArray(value[0] ?? null) ? value[0] : value;
}

function indexOf(name: string, at: Path, ctx: ParseContext): Value {
  const ref = ctx.catalog.resolve('index', name);
  if (ref === null) throw asParseError(invalidRef(at.at('index'), 'index', name));
  return ref;
}

/** What lambdas in sets may do. */
const LAMBDA_LIMITS: Readonly<Record<string, 'pure' | 'read'>> = { with: 'pure', filter: 'read' };

const members = oneOrMore(set);
const terms = zeroOrMore(term);
/** Parts of which a single one is shown without an array. */
const MAY_BE_ONE: ReadonlySet<Cast<unknown>> = new Set<Cast<unknown>>([members, terms]);
const bound: Cast<unknown> = { ...any, read: cursorParts };
const SET_CASTS: Readonly<Record<string, Cast<unknown>>> = {
  match: stringOrIndexRef,
  terms,
  index: stringOrIndexRef,
  singleton: ref,
  documents: collectionRef,
  events: identifier,
  union: members,
  intersection: members,
  difference: members,
  distinct: set,
  reverse: set,
  range: set,
  from: bound,
  to: bound,
  join: set,
  collection: set,
};

/** `{lambda, expr}`, perhaps with the version its body is read under. */
function readLambda(payload: Value, at: Path, ctx: ParseContext, version: string, limit?: 'pure' | 'read'): Lambda {
  if (!(payload instanceof Obj)) throw invalidExpression(at, 'Invalid lambda.');
  const given = payload.get('api_version');
  const params = payload.get('lambda');
  const source = payload.get('expr');
  const known = params !== undefined && source !== undefined && payload.size === (given === undefined ? 2 : 3);
  if (!known || (given !== undefined && typeof given !== 'string')) throw invalidExpression(at, 'Invalid lambda.');
  return ctx.lambda(params, source, given ?? version, at, limit);
}

const ESCAPES: Readonly<Record<string, Escape>> = {
  '@ref': parseRef,
  '@ts': (payload, at, ctx) => text((time) => parseTime(time, ctx.wire.latestTime), 'Invalid time.')(payload, at, ctx),
  '@date': text(parseDate, 'Invalid date.'),
  '@bytes': text(readBytes, 'Invalid bytes.'),
  '@uuid': text(readUuid, 'Invalid UUID.'),
  '@set': readSet,
  '@query': (payload, at, ctx) => readLambda(payload, at, ctx, '2.12'),
};

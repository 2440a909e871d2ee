// Casts: what an argument may be, and the error for anything else (reference:
// fql/functions.md §1.4). A cast reads an evaluated value at the argument's position.
import type { Path } from '../base/path.ts';
import { emptyArray, invalidRef, wrongType } from '../errors/codes.ts';
import { eachOf, type FqlError } from '../errors/fql-error.ts';
import { isRefOf, typeName } from '../errors/type-name.ts';
import { bounded } from '../value/parts.ts';
import type { NativeName } from '../value/ref.ts';
import {
  Action, Bytes, DateValue, isArray, Lambda, Obj, Page, PendingTs, Ref, SetValue, Time, UnresolvedRef, Uuid, type Value,
} from '../value/value.ts';

export interface Cast<T> {
  /** Names of the accepted types as messages print them. */
  readonly names: readonly string[];
  readonly optional?: true;
  /** Takes several of its types in an array, too. */
  readonly many?: true;
  /** How the parser reads the argument when it is not an ordinary expression. */
  readonly syntax?: 'lambda' | 'shown lambda' | 'stored lambda' | 'lambda or expression' | 'literal';
  /** Stands alone: it is called without its cast. @throws FqlError `invalid argument` or `invalid ref` at `at` */
  readonly read: (value: Value, at: Path) => T;
}

/** A cast from a test; an unresolved ref where a ref is asked for is an `invalid ref`. */
export function cast<T extends Value>(names: readonly string[], accepts: (value: Value) => value is T): Cast<T> {
  const wantsRef = names.some((name) => REF_NAMES.has(name));
  return {
    names,
    read(value, at) {
      if (accepts(value)) return value;
      if (wantsRef && value instanceof UnresolvedRef) throw undefinedRef(value, at);
      throw wrongType(at, names, typeName(value));
    },
  };
}

const REF_NAMES: ReadonlySet<string> = new Set([
  'Ref', 'Collection Ref', 'Index Ref', 'Database Ref', 'Identifier', 'Set',
]);

export function undefinedRef(ref: UnresolvedRef, at: Path): FqlError {
  return invalidRef(at, ref.kind, ref.name);
}

/** A name or a ref, neither looked up yet. */
export type Identifier = string | Ref;

const isLong = (value: Value): value is bigint => typeof value === 'bigint';
const isDouble = (value: Value): value is number => typeof value === 'number';
const isString = (value: Value): value is string => typeof value === 'string';

function isResolved(value: Value): boolean {
  const parts = isArray(value) ? value : value instanceof Obj ? value.values : null;
  return parts === null ? !(value instanceof UnresolvedRef) : parts.every(isResolved);
}

export const any: Cast<Value> = { names: ['Any'], read: (value) => value };
/** A term of an index: anything that can be stored. */
export const term: Cast<Value> = cast(['Any'], (value): value is Value => isResolved(bounded(value)));
export const integer = cast(['Integer'], isLong);
export const number = cast(['Number'], (value): value is bigint | number => isLong(value) || isDouble(value));
export const boolean = cast(['Boolean'], (value): value is boolean => typeof value === 'boolean');
export const string = cast(['String'], isString);
export const nothing = cast(['Null'], (value): value is null => value === null);
/** Literal objects only: a document, page or event is not one. */
export const object = cast(['Object'], (value): value is Obj => value instanceof Obj);
export const array = cast(['Array'], isArray);
const lambda = cast(['Lambda'], (value): value is Lambda => value instanceof Lambda);
export const ref = cast(['Ref'], (value): value is Ref => value instanceof Ref);
export const collectionRef = refCast('Collection Ref', 'collections');
export const databaseRef = refCast('Database Ref', 'databases');

function refCast(name: string, collection: NativeName): Cast<Ref> {
  return cast([name], (value): value is Ref => isRefOf(value, collection));
}

/** A string name or a ref of any kind. */
export const stringOrRef = cast(['Identifier'], (value): value is Identifier => isString(value) || value instanceof Ref);
export const stringOrIndexRef = stringOrRefOf('indexes');
export const stringOrFunctionRef = stringOrRefOf('functions');

function stringOrRefOf(collection: NativeName): Cast<Identifier> {
  return cast(['Identifier'], (value): value is Identifier => isString(value) || isRefOf(value, collection));
}

export type SetLike = SetValue | Ref;
export const isSet = (value: Value): value is SetLike => value instanceof SetValue || (value instanceof Ref && value.isNativeCollection);

/** A ref or a set; what set a ref stands for is the reader's business (`set/to-set.ts`). */
export const identifier = cast(['Ref', 'Set'], (value): value is SetLike => value instanceof Ref || value instanceof SetValue);
/** A set or a native collection's ref; a document's ref is not one, and anything else is told as no ref, either. */
export const set: Cast<SetLike> = {
  names: ['Set'],
  read(value, at) {
    const found = identifier.read(value, at);
    if (!isSet(found)) throw wrongType(at, ['Set'], typeName(found));
    return found;
  },
};

export type IterableValue = readonly Value[] | Page | SetLike;
export const iterable: Cast<IterableValue> = cast(
  ['Array', 'Set', 'Page'],
  (value): value is IterableValue => isArray(value) || value instanceof Page || isSet(value),
);
export const arrayOrPage = cast(['Array', 'Page'], (value): value is readonly Value[] | Page => isArray(value) || value instanceof Page);
export const setOrArray: Cast<readonly Value[] | SetLike> = {
  names: ['Set', 'Array'],
  read(value, at) {
    if (isArray(value) || isSet(value)) return value;
    if (value instanceof UnresolvedRef) throw undefinedRef(value, at);
    throw wrongType(at, value instanceof Page ? ['Set', 'Array'] : ['Array', 'Set', 'Page'], typeName(value));
  },
};

export type Scalar = bigint | number | boolean | null | string | Bytes | Time | DateValue | Uuid | Ref | UnresolvedRef | Action | PendingTs;
export const scalar = cast(
  ['Scalar'],
  (value): value is Scalar =>
    value === null || typeof value !== 'object' || SCALAR_CLASSES.some((type) => value instanceof type),
);
const SCALAR_CLASSES = [Bytes, Time, DateValue, Uuid, Ref, UnresolvedRef, Action, PendingTs] as const;

/** A Time, or a Long of microseconds. */
export const timestamp = cast(['Time'], (value): value is Time | bigint => value instanceof Time || isLong(value));
export const transactionTimestamp = cast(
  ['Time'],
  (value): value is Time | bigint | PendingTs => value instanceof Time || isLong(value) || value instanceof PendingTs,
);
export const temporal = cast(
  ['Temporal'],
  (value): value is Time | DateValue => value instanceof Time || value instanceof DateValue,
);

export type PathStep = string | bigint;
const pathStep = cast(['String', 'Integer'], (value): value is PathStep => isString(value) || isLong(value));

/** Whatever an array holds is taken as it is; the only cast whose type says so. */
const takesAll = (element: Cast<unknown>): boolean => element === any;

/** An array or one element: each cast at its own position, all errors together. */
export function zeroOrMore<T>(element: Cast<T>): Cast<readonly T[]> {
  return {
    names: element.names,
    many: true,
    read(value, at) {
      if (!isArray(value)) return [element.read(value, at)];
      return takesAll(element) ? (value as readonly T[]) : eachOf(value, (item, index) => element.read(item, at.at(index)));
    },
  };
}

export function oneOrMore<T>(element: Cast<T>): Cast<readonly [T, ...T[]]> {
  const { read } = zeroOrMore(element);
  return {
    names: element.names,
    many: true,
    read(value, at) {
      const results = read(value, at);
      if (results.length === 0) throw emptyArray(at);
      return results as [T, ...T[]];
    },
  };
}

export const path: Cast<readonly PathStep[]> = zeroOrMore(pathStep);

/** A key that may be left out; the argument is then `undefined`. */
export function optional<T>(inner: Cast<T>): Cast<T | undefined> & { readonly optional: true } {
  return { ...inner, optional: true };
}

/** One of some strings, named in the message as `String 'a', 'b', or 'c' expected, T provided.` */
export function oneOf<const S extends string>(choices: readonly S[]): Cast<S> {
  const quoted = choices.map((choice) => `'${choice}'`);
  const names = `String ${quoted.slice(0, -1).join(', ')}, or ${quoted.at(-1)}`;
  return {
    names: [names],
    read(value, at) {
      const text = value instanceof Action ? value.name : value;
      const found = choices.find((choice) => choice === text);
      if (found === undefined) throw wrongType(at, [names], typeName(value));
      return found;
    },
  };
}

/** A lambda written out under its key, as `map`, `filter` and the like take it. */
export const lambdaHere: Cast<Lambda> = { ...lambda, syntax: 'lambda' };
/** A lambda that the form's result may show, as the set made by `filter` does. */
export const lambdaShown: Cast<Lambda> = { ...lambda, syntax: 'shown lambda' };
/** A lambda kept for later (`query`): running the form does not run it. */
export const lambdaStored: Cast<Lambda> = { ...lambda, syntax: 'stored lambda' };
/** Data taken as it stands (`quote`): no function in it runs. */
export const literal: Cast<Value> = { ...any, syntax: 'literal' };

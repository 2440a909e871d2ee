// Definitions: schema documents read into the shape that code wants.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { indexEventPrefix, indexPrefix } from '../kv/keyspace.ts';
import { NATIVE, type NamedKind, type Scope } from '../value/ref.ts';
import { isArray, Lambda, Obj, Ref, type Value } from '../value/value.ts';

export interface Definition {
  readonly kind: NamedKind;
  readonly ref: Ref;
  readonly name: string;
  readonly fields: Obj;
}

/** Where a term or value of an index comes from. */
export interface IndexField {
  /** Path into the document as rendered, or the name of a binding. */
  readonly field: readonly (string | bigint)[] | null;
  readonly binding: string | null;
  readonly reverse: boolean;
  readonly casefold: boolean;
  /** Whether an array counts as its elements. */
  readonly expand: boolean;
}

export interface IndexSource {
  /** Numbers of the collections, or every user collection. */
  readonly collections: readonly number[] | 'all';
  readonly bindings: ReadonlyMap<string, Lambda>;
}

/** Of the entries of an index, by the builds that have made it: the later, the more. */
export const EXACTNESS = {
  least: 0,
  /** Paths lead on into refs, and bindings give scalars only. */
  refs: 1,
  /** `mva: false` enters no arrays, `casefold` takes scalars only, a term knows no time, and bindings no caller. */
  paths: 2,
} as const;
export type Exactness = (typeof EXACTNESS)[keyof typeof EXACTNESS];

export interface IndexDefinition extends Definition {
  readonly kind: 'index';
  readonly sources: readonly IndexSource[];
  readonly terms: readonly IndexField[];
  readonly values: readonly IndexField[];
  readonly unique: boolean;
  readonly serialized: boolean;
  /** Partitions, as its definition says or the default is. Here they only matter for billing. */
  readonly partitions: number;
  readonly active: boolean;
  /** The order of its values: indexes made under API 2.0 keep doubles apart. */
  readonly collation: 'natural' | 'legacy';
  /** How far its entries follow the rules: an index goes on as the build that made it did, or entries would stay behind. */
  readonly exactness: Exactness;
  /** For each of its values whether it is sorted from the greatest down. */
  readonly descending: readonly boolean[];
  /** How the keys of its entries begin, and those of their events. */
  readonly entriesPrefix: Key;
  readonly eventsPrefix: Key;
}

export interface CollectionDefinition extends Definition {
  readonly kind: 'collection';
  readonly number: number;
  /** Days that history is kept; `null` is for ever. */
  readonly historyDays: number | null;
  /** The time before which history was let go, microseconds; 0 where none was. It does not come back when more days are kept. */
  readonly historyFloor: Ts;
  readonly ttlDays: number | null;
}

export interface DatabaseDefinition extends Definition {
  readonly kind: 'database';
  /** Where its documents live. */
  readonly scope: Scope;
}

export interface FunctionDefinition extends Definition {
  readonly kind: 'function';
  readonly body: Lambda | null;
}

/** Fields that schema documents keep for themselves; never shown, not settable. */
export const HIDDEN = { collation: '_collation', floor: '_history_floor', exactness: '_into_refs' } as const;
/** Stored for the database itself, never shown, not even to indexes; documents of users have no field of these names. */
export const HIDDEN_FIELDS: ReadonlySet<string> = new Set([...Object.values(HIDDEN), 'hashed_password', 'account']);

const textOf = (value: Value | undefined): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: Value | undefined): number | null => (typeof value === 'bigint' ? Number(value) : null);

type Reader = (ref: Ref, fields: Obj) => Definition;

/** What every definition has. */
const named = <K extends NamedKind>(kind: K, ref: Ref, fields: Obj): Definition & { readonly kind: K } => ({ kind, ref, name: textOf(fields.get('name')) ?? '', fields });

/** How a document of each named native collection is read. */
export const READERS: ReadonlyMap<number, Reader> = new Map<number, Reader>([
  [NATIVE.collections, (ref, fields): CollectionDefinition => ({
    ...named('collection', ref, fields),
    number: Number(ref.id),
    historyDays: numberOf(fields.get('history_days')),
    historyFloor: numberOf(fields.get(HIDDEN.floor)) ?? 0,
    ttlDays: numberOf(fields.get('ttl_days')),
  })],
  [NATIVE.databases, (ref, fields): DatabaseDefinition => ({ ...named('database', ref, fields), scope: ref.id })],
  [NATIVE.functions, (ref, fields): FunctionDefinition => {
    const body = fields.get('body');
    return { ...named('function', ref, fields), body: body instanceof Lambda ? body : null };
  }],
  [NATIVE.indexes, readIndex],
  [NATIVE.roles, (ref, fields) => named('role', ref, fields)],
  [NATIVE.access_providers, (ref, fields) => named('access_provider', ref, fields)],
]);

export function readIndex(ref: Ref, fields: Obj): IndexDefinition {
  const values = listOf(fields.get('values')).map(readField);
  return {
    ...named('index', ref, fields),
    sources: listOf(fields.get('source')).map(readSource),
    terms: listOf(fields.get('terms')).map(readField),
    values,
    unique: fields.get('unique') === true,
    serialized: fields.get('serialized') !== false,
    // A unique one has one, whatever it says.
    partitions: fields.get('unique') === true ? 1 : Number(fields.get('partitions') ?? 1n),
    active: fields.get('active') === true,
    collation: fields.get(HIDDEN.collation) === 'legacy' ? 'legacy' : 'natural',
    exactness: exactnessOf(fields.get(HIDDEN.exactness)),
    descending: values.map(({ reverse }) => reverse),
    entriesPrefix: indexPrefix(ref.scope, ref.id),
    eventsPrefix: indexEventPrefix(ref.scope, ref.id),
  };
}

/** The first mark was `true`, those after it are numbers; one of a later build is followed as far as this one goes. */
const exactnessOf = (mark: Value | undefined): Exactness => (typeof mark === 'bigint' ? EXACTNESS.paths : mark === true ? EXACTNESS.refs : EXACTNESS.least);

/** One, several or no things written as one value. */
export function listOf(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  return isArray(value) ? value : [value];
}

/** The collections of one source: it is a ref, `_`, or an object of `class` or `collection`, and `fields`. */
export const classesOf = (source: Value): readonly Value[] =>
  listOf(source instanceof Obj ? (source.get('class') ?? source.get('collection')) : source);

function readSource(source: Value): IndexSource {
  const classes = classesOf(source);
  const bindings = source instanceof Obj ? source.get('fields') : undefined;
  return {
    collections: classes.includes('_') ? 'all' : classes.filter((item) => item instanceof Ref).map((item) => Number(item.id)),
    bindings: new Map(
      bindings instanceof Obj
        ? bindings.entries().filter((entry): entry is [string, Lambda] => entry[1] instanceof Lambda)
        : [],
    ),
  };
}

function readField(value: Value): IndexField {
  const fields = value instanceof Obj ? value : Obj.empty;
  const binding = textOf(fields.get('binding'));
  return {
    field: binding === null ? (listOf(fields.get('field')) as (string | bigint)[]) : null,
    binding,
    reverse: fields.get('reverse') === true,
    casefold: fields.get('transform') === 'casefold',
    expand: fields.get('mva') !== false,
  };
}

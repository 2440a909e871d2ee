// The model as it stands in the database: what every query begins with.
import { isArray, Obj, type Value } from '../value/value.ts';
import type { Database, SchemaDocument, SchemaKind } from './database.ts';
import { type Metadata, type MetaValue, readModel } from './metadata.ts';
import { baseName, type Field, type InputType, type Model, type ObjectType, SCALARS } from './model.ts';
import type { Source } from './planned.ts';
import { inputName, partialInputName } from './names.ts';

/** `data.gql` of a schema document: there when an import has touched it. */
export function gqlOf(document: SchemaDocument): Obj | null {
  const data = document.fields.get('data');
  const gql = data instanceof Obj ? data.get('gql') : undefined;
  return gql instanceof Obj ? gql : null;
}

/** What an import recorded of a schema document. */
export function metaOf(document: SchemaDocument): Obj | null {
  const meta = gqlOf(document)?.get('meta');
  return meta instanceof Obj ? meta : null;
}

/** @param gql what the database itself records. */
export function storedModel(db: Database, gql: Obj | null): Model {
  const metas = (kind: SchemaKind): MetaValue[] =>
    db.schema(kind).flatMap((document) => {
      const meta = fromValue(metaOf(document));
      return meta === undefined ? [] : [meta];
    });
  return withoutDangling(readModel({
    collections: metas('collection'),
    indexes: metas('index'),
    functions: metas('function'),
    database: fromValue(gql?.get('meta')) ?? null,
  }));
}

/**
 * Without fields whose types are no longer there: metadata of one document may have been
 * taken away by hand while others still speak of it.
 */
function withoutDangling(model: Model): Model {
  const objects = [...model.collections, ...model.embedded].map((type) => type.name);
  const leaves = [...SCALARS, ...model.enums.map((type) => type.name)];
  const outputs = new Set<string>([...leaves, ...objects]);
  const generated = [...leaves, ...objects.flatMap((name) => [inputName(name), partialInputName(name)])];
  const kept = keptInputs(model.inputs, generated);
  const inputs = new Set<string>([...generated, ...kept.map((type) => type.name)]);
  const isKnown = (field: Field): boolean =>
    outputs.has(baseName(field.type)) && field.arguments.every((argument) => inputs.has(baseName(argument.type)));
  const known = (fields: readonly Field[]): Field[] => fields.filter(isKnown);
  const types = (list: readonly ObjectType[]): ObjectType[] => list.map((type) => ({ ...type, fields: known(type.fields) }));
  return { ...model, inputs: kept, collections: types(model.collections), embedded: types(model.embedded), query: known(model.query), mutation: known(model.mutation) };
}

/** Inputs without fields whose types are not there; one that has none left goes, too, and what it is the type of. @param others names of other types */
function keptInputs(inputs: readonly InputType[], others: readonly string[]): readonly InputType[] {
  const known = new Set([...others, ...inputs.map((type) => type.name)]);
  const kept = inputs.map((type) => ({ ...type, fields: type.fields.filter((field) => known.has(baseName(field.type))) })).filter((type) => type.fields.length > 0);
  return kept.length === inputs.length ? kept : keptInputs(kept, others);
}

function fromValue(value: Value | undefined): MetaValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value === undefined || value === null) return undefined;
  if (isArray(value)) return value.flatMap((item) => fromValue(item) ?? []);
  if (!(value instanceof Obj)) return undefined;
  const entries = value.entries().map(([key, item]) => [key, fromValue(item)] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, MetaValue] => entry[1] !== undefined));
}

/** The record of an import: its time, and what it says of the document. */
export const gqlValue = (db: Database, meta: Metadata | null): Obj =>
  Obj.from({ ts: db.now, meta: meta === null ? undefined : toValue(meta) });

/** What is planned, as a value. */
export function toValue(source: Source): Value {
  if (source === null || typeof source !== 'object') return source;
  if (Array.isArray(source)) return (source as readonly Source[]).map(toValue);
  return Obj.of(...Object.entries(source as Readonly<Record<string, Source>>).map(([key, item]) => [key, toValue(item)] as const));
}

/** `next` as an update that leaves nothing of `old`: keys that are gone become `null`. */
export function replacing(old: Value | undefined, next: Obj): Obj {
  if (!(old instanceof Obj)) return next;
  const kept = next.entries().map(([key, value]): [string, Value] => [key, value instanceof Obj ? replacing(old.get(key), value) : value]);
  return Obj.of(...kept, ...old.keys.filter((key) => !next.has(key)).map((key): [string, Value] => [key, null]));
}

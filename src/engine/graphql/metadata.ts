// Metadata ↔ model. What an import leaves under `data.gql.meta`, in the key order of the
// gateway, and the way back (reference: graphql/graphql.md §6).
//
// What stands there may also have been written by hand, in any shape, so reading skips what it does
// not understand.
import {
  type Argument, described, type DirectiveUse, type EnumType, type EnumValue, type Field, type InputType, type Model, type ObjectType, type RootName,
  type TypeRef,
} from './model.ts';

/** JSON as it is recorded. */
export type Metadata = { readonly [key: string]: MetaValue };
export type MetaValue = string | boolean | Metadata | readonly MetaValue[];

// --- writing ---------------------------------------------------------------------------

export const typeMeta = (type: ObjectType): Metadata => ({
  name: type.name,
  ...described(type),
  fields: type.fields.map(fieldMeta),
  ...some('directives', type.directives, useMeta),
});

export const fieldMeta = (field: Field): Metadata => ({
  name: field.name,
  ...some('directives', field.directives, useMeta),
  ...described(field),
  type: field.type,
  ...some('arguments', field.arguments, argumentMeta),
});

/** A list under its key, if there is anything in it. */
const some = <T>(key: string, items: readonly T[], meta: (item: T) => Metadata): Metadata =>
  items.length === 0 ? {} : { [key]: items.map(meta) };

export const functionMeta = (location: RootName, field: Field): Metadata => ({ location, field: fieldMeta(field) });

/** What belongs to no document of its own is kept with the database. */
export function databaseMeta(model: Pick<Model, 'embedded' | 'enums' | 'inputs'>): Metadata | null {
  const meta: Metadata = {
    ...some('embedded', model.embedded, typeMeta),
    ...some('enums', model.enums, (type) => ({ name: type.name, ...described(type), values: type.values.map(valueMeta) })),
    ...some('inputs', model.inputs, (type) => ({ name: type.name, ...described(type), fields: type.fields.map(argumentMeta) })),
  };
  return Object.keys(meta).length === 0 ? null : meta;
}

const argumentMeta = (argument: Argument): Metadata => ({
  name: argument.name,
  ...described(argument),
  type: argument.type,
  ...(argument.default !== undefined && { default: argument.default }),
});

const valueMeta = (value: EnumValue): Metadata => ({ name: value.name, ...described(value), ...some('directives', value.directives, useMeta) });

const useMeta = (use: DirectiveUse): Metadata => ({ name: use.name, args: use.args });

// --- reading ---------------------------------------------------------------------------

/** What schema documents of a database carry, each list in the order of the documents. */
export interface Recorded {
  readonly collections: readonly MetaValue[];
  readonly indexes: readonly MetaValue[];
  readonly functions: readonly MetaValue[];
  readonly database: MetaValue | null;
}

/** The model recorded in a database. */
export function readModel(recorded: Recorded): Model {
  const functions = recorded.functions.flatMap((meta) =>
    isObject(meta) && (meta['location'] === 'Query' || meta['location'] === 'Mutation')
      ? readField(meta['field']).map((field) => ({ location: meta['location'], field }))
      : [],
  );
  const at = (location: RootName): Field[] =>
    functions.filter((entry) => entry.location === location).map((entry) => entry.field);
  const database = isObject(recorded.database) ? recorded.database : {};
  return {
    collections: recorded.collections.flatMap(readType),
    embedded: list(database['embedded']).flatMap(readType),
    enums: list(database['enums']).flatMap(readEnum),
    inputs: list(database['inputs']).flatMap(readInput),
    query: [...recorded.indexes.flatMap(readField), ...at('Query')],
    mutation: at('Mutation'),
  };
}

const isObject = (value: MetaValue | null | undefined): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: MetaValue | undefined): readonly MetaValue[] =>
  Array.isArray(value) ? (value as readonly MetaValue[]) : [];

/** What the library takes for a name. */
const NAME = /^[_A-Za-z]\w*$/;

/** Makes something of an item with a name and perhaps a description; nothing where it has no name, or `make` gives nothing. */
function named<T>(value: MetaValue | undefined, make: (head: { name: string; description?: string }, meta: Metadata) => T | null): T[] {
  if (!isObject(value)) return [];
  const { name, description } = value;
  if (typeof name !== 'string' || !NAME.test(name)) return [];
  const made = make(typeof description === 'string' ? { name, description } : { name }, value);
  return made === null ? [] : [made];
}

const readType = (value: MetaValue): ObjectType[] =>
  named(value, (head, meta) => ({ ...head, fields: list(meta['fields']).flatMap(readField), directives: list(meta['directives']).flatMap(readUse) }));

const readField = (value: MetaValue | undefined): Field[] =>
  named(value, (head, meta) => {
    const type = readTypeRef(meta['type']);
    const directives = list(meta['directives']).flatMap(readUse);
    return type && { ...head, type, directives, arguments: list(meta['arguments']).flatMap(readArgument) };
  });

const readArgument = (value: MetaValue): Argument[] =>
  named(value, (head, meta) => {
    const [type, preset] = [readTypeRef(meta['type']), meta['default']];
    return type && { ...head, type, ...(typeof preset === 'string' && { default: preset }) };
  });

function readUse(value: MetaValue): DirectiveUse[] {
  if (!isObject(value) || typeof value['name'] !== 'string') return [];
  const args = Object.entries(isObject(value['args']) ? value['args'] : {});
  const plain = args.filter((entry): entry is [string, string | boolean] => typeof entry[1] !== 'object');
  return [{ name: value['name'], args: Object.fromEntries(plain) }];
}

const readEnum = (value: MetaValue): EnumType[] =>
  named(value, (head, meta) => ({ ...head, values: list(meta['values']).flatMap(readValue) }));

const readValue = (value: MetaValue): EnumValue[] =>
  named(value, (head, meta) => ({ ...head, directives: list(meta['directives']).flatMap(readUse) }));

const readInput = (value: MetaValue): InputType[] =>
  named(value, (head, meta) => ({ ...head, fields: list(meta['fields']).flatMap(readArgument) }));

function readTypeRef(value: MetaValue | undefined): TypeRef | null {
  if (!isObject(value)) return null;
  if (typeof value['Named'] === 'string') return { Named: value['Named'] };
  const list = readInner(value['List']);
  if (list !== null) return { List: list };
  const required = readInner(value['NotNull']);
  return required === null || 'NotNull' in required ? null : { NotNull: required };
}

const readInner = (value: MetaValue | undefined): TypeRef | null => (value === undefined ? null : readTypeRef(value));

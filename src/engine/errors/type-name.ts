// Names of types as error messages print them (reference: fql/functions.md §1.4).
import { NATIVE, type NamedKind } from '../value/ref.ts';
import {
  Action, Bytes, DateValue, isArray, Lambda, Page, PendingTs, Ref, SetValue, Time, UnresolvedRef, Uuid, type Value,
} from '../value/value.ts';

const NAMED_REFS: Readonly<Record<NamedKind, string>> = {
  collection: 'Collection Ref',
  index: 'Index Ref',
  database: 'Database Ref',
  function: 'User Function Ref',
  role: 'Role Ref',
  access_provider: 'Access Provider Ref',
};

const REF_BY_COLLECTION: Readonly<Partial<Record<number, string>>> = {
  [NATIVE.collections]: 'Collection Ref',
  [NATIVE.indexes]: 'Index Ref',
  [NATIVE.databases]: 'Database Ref',
  [NATIVE.keys]: 'Key Ref',
  [NATIVE.functions]: 'User Function Ref',
};

/** `Integer`, `String`, `Collection Ref` …: what messages call the type of a value. */
export function typeName(value: Value): string {
  if (value === null) return 'Null';
  if (typeof value === 'bigint') return 'Integer';
  if (typeof value === 'number') return 'Double';
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'string') return 'String';
  if (isArray(value)) return 'Array';
  if (value instanceof Ref) return REF_BY_COLLECTION[value.collection] ?? 'Ref';
  if (value instanceof UnresolvedRef) return value.id === null ? NAMED_REFS[value.kind] : 'Ref';
  return CLASS_NAMES.find(([type]) => value instanceof type)?.[1] ?? 'Object';
}

const CLASS_NAMES: readonly (readonly [abstract new (...args: never[]) => unknown, string])[] = [
  [Page, 'Page'],
  [SetValue, 'Set'],
  [Lambda, 'Lambda'],
  [Time, 'Time'],
  [DateValue, 'Date'],
  [Action, 'Action'],
  [Bytes, 'Bytes'],
  [Uuid, 'UUID'],
  [PendingTs, 'Unresolved Transaction Time'],
];

/** Internal type words of validation failures (`Invalid type X, expected type Y.`). */
export function storedTypeName(value: Value): string {
  const names: Readonly<Record<string, string>> = { Integer: 'Long', Object: 'Map', Lambda: 'Query', 'Unresolved Transaction Time': 'TransactionTime' };
  const name = typeName(value);
  return names[name] ?? (name.endsWith('Ref') ? 'Ref' : name);
}

/** Whether a ref leads to a document of the native collection. */
export function isRefOf(value: Value, collection: keyof typeof NATIVE): value is Ref {
  return value instanceof Ref && value.collection === NATIVE[collection];
}

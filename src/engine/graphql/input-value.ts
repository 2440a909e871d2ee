// Coerced arguments → values of the database, by the types of the generated schema.
import {
  getNullableType, type GraphQLInputType, GraphQLScalarType, isInputObjectType, isListType, isScalarType,
} from 'graphql';
import { DateValue, Obj, Time, type Value } from '../value/value.ts';

/** An `Int` is a Long in the database, a `Float` a Double; ids and enum values are strings. */
export function inputValue(type: GraphQLInputType, value: unknown): Value {
  if (value === null || value === undefined) return null;
  const inner = getNullableType(type);
  if (isListType(inner)) return (Array.isArray(value) ? value : [value]).map((item) => inputValue(inner.ofType, item));
  if (isInputObjectType(inner)) {
    const given = value as Readonly<Record<string, unknown>>;
    // In the order of the type, not of the request: as the library coerces them.
    const fields = Object.values(inner.getFields()).filter((field) => own(given, field.name) !== undefined);
    return Obj.of(...fields.map((field) => [field.name, inputValue(field.type, given[field.name])] as const));
  }
  return isScalarType(inner) ? scalarValue(inner, value) : String(value);
}

/** What was given under a name; not what every object of the platform has, such as `constructor`. */
export const own = (given: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(given, name) ? given[name] : undefined;

function scalarValue(type: GraphQLScalarType, value: unknown): Value {
  if (typeof value === 'number') return type.name === 'Float' ? value : BigInt(value);
  if (value instanceof Time || value instanceof DateValue) return value;
  return typeof value === 'boolean' || typeof value === 'bigint' ? value : String(value);
}

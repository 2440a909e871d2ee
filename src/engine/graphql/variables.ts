// Values of variables against their declared types, in the words of the gateway; the library
// coerces them again when it executes.
import {
  getNullableType, type GraphQLEnumType, GraphQLError, type GraphQLInputType, type GraphQLScalarType, type GraphQLSchema, isEnumType,
  isInputObjectType, isInputType, isListType, isNonNullType, isSpecifiedScalarType, type OperationDefinitionNode, print, typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { own } from './input-value.ts';
import { jsonText } from './json-text.ts';
import { valueReason } from './scalars.ts';
import { enumValues, unknownEnumValue } from './value-rule.ts';
import { violation } from './violation.ts';

export type Variables = Readonly<Record<string, unknown>>;

export function checkVariables(schema: GraphQLSchema, operation: OperationDefinitionNode, values: Variables): readonly GraphQLError[] {
  return (operation.variableDefinitions ?? []).flatMap((definition) => {
    const type = typeFromAST(schema, definition.type as never);
    return isInputType(type) ? checkVariable(definition, type, values) : [];
  });
}

/**
 * The values as the library takes them, once they are checked: it knows no bigints, and an id
 * beyond the exact integers would lose its end as a number.
 */
export function libraryVariables(schema: GraphQLSchema, operation: OperationDefinitionNode, values: Variables): Record<string, unknown> {
  const given = (operation.variableDefinitions ?? []).filter((definition) => Object.hasOwn(values, definition.variable.name.value));
  return Object.fromEntries(
    given.map((definition) => {
      const name = definition.variable.name.value;
      const type = typeFromAST(schema, definition.type as never);
      return [name, isInputType(type) ? adapted(type, values[name]) : values[name]];
    }),
  );
}

function adapted(type: GraphQLInputType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const inner = getNullableType(type);
  if (isListType(inner)) return Array.isArray(value) ? value.map((item) => adapted(inner.ofType, item)) : adapted(inner.ofType, value);
  if (isInputObjectType(inner)) {
    const fields = inner.getFields();
    const entries = Object.entries(value).map(([key, item]) => [key, fields[key] ? adapted(fields[key].type, item) : item] as const);
    // The library would find `constructor` in an object with a prototype.
    return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
  }
  if (typeof value !== 'bigint' || inner.name === 'Long') return value;
  return inner.name === 'ID' ? String(value) : Number(value);
}

/** Each of them repeats the whole variable. */
const MAX_PROBLEMS = 20;

function checkVariable(definition: VariableDefinitionNode, type: GraphQLInputType, values: Variables): GraphQLError[] {
  const name = definition.variable.name.value;
  const given = Object.hasOwn(values, name) && values[name] !== undefined;
  if (!given && (definition.defaultValue !== undefined || !isNonNullType(type))) return [];
  const got = given ? `got: ${jsonText(values[name], null)}` : 'value is undefined';
  return problems(type, given ? values[name] : null).slice(0, MAX_PROBLEMS).map(({ path, text }) => {
    const where = path === '' ? '' : `'${path.replace(/^\./, '')}' `;
    return violation(`Variable '$${name}' expected value of type '${print(definition.type)}' but ${got}. Reason: ${where}${text}`, definition);
  });
}

/** What is wrong at a place in a value: `.create[0].x`, or nothing for the value itself. */
interface Problem {
  readonly path: string;
  readonly text: string;
}

const problem = (text: string, path = ''): Problem => ({ path, text });
const below = (step: string, found: readonly Problem[]): Problem[] => found.map(({ path, text }) => problem(text, step + path));

/** Why a value is not of a type: nothing when it is. */
function problems(type: GraphQLInputType, value: unknown): readonly Problem[] {
  if (value === null || value === undefined) return isNonNullType(type) ? [problem('Expected non-null value, found null.')] : [];
  const inner = getNullableType(type);
  if (isListType(inner)) {
    // A value that is not a list counts as a list of one. The gateway named the first place for any.
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item) => below('[0]', problems(inner.ofType, item)));
  }
  if (isInputObjectType(inner)) {
    if (typeof value !== 'object' || Array.isArray(value)) return [problem(`Expected '${inner.name}', found not an object.`)];
    const fields = inner.getFields();
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
    return [
      ...Object.values(fields).flatMap((field) => {
        const item = own(value as Variables, field.name);
        return item === undefined && field.defaultValue !== undefined ? [] : below(`.${field.name}`, problems(field.type, item));
      }),
      ...unknown.map((key) => problem(`Field '${key}' is not defined in the input type '${inner.name}'.`, `.${key}`)),
    ];
  }
  const text = isEnumType(inner) ? enumReason(inner, value) : scalarReason(inner, value);
  return text === null ? [] : [problem(text)];
}

function enumReason(type: GraphQLEnumType, value: unknown): string | null {
  if (typeof value !== 'string') return 'Enum value expected';
  return type.getValue(value) ? null : unknownEnumValue(value, type.name, enumValues(type));
}

function scalarReason(type: GraphQLScalarType, value: unknown): string | null {
  if (typeof value === 'object') return 'Invalid value';
  try {
    if (!isSpecifiedScalarType(type)) type.parseValue(value);
    return valueReason(type.name, value);
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}

// Input types of the generated schema: for each type one with everything required and one
// with nothing, and for each relation field one that creates, connects and disconnects
// (reference: graphql/graphql.md §7, §7.1). An input the user defined wins over a generated
// one of its name.
import {
  type GraphQLArgumentConfig, GraphQLBoolean, GraphQLError, GraphQLID, type GraphQLInputFieldConfig, GraphQLInputObjectType, type GraphQLInputType,
  GraphQLList, type GraphQLNamedType, GraphQLNonNull, parseValue, valueFromAST,
} from 'graphql';
import {
  type Argument, baseName, described, type Field, isList, isNotNull, type Model, nullable, type ObjectType, type TypeRef, withBase,
} from './model.ts';
import { inputName, partialInputName, relationInputName } from './names.ts';
import { type Link, linkOf, type Relations } from './relations.ts';
import { typeOf } from './type-of.ts';

/** A model that makes no schema: a name that means two things, or nothing. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

export const doubledType = (type: string): SchemaError =>
  new SchemaError(`Type '${type}' is defined more than once: it has the name of a generated type.`);

export const unknownType = (type: string): SchemaError => new SchemaError(`Unknown type '${type}'.`);

export interface InputTypes {
  /** An argument as it was declared. */
  argument(argument: Argument): GraphQLArgumentConfig;
  /** The argument `data` of the mutations of a type. */
  data(type: ObjectType, partial: boolean): GraphQLArgumentConfig;
  all(): readonly GraphQLInputObjectType[];
}

/** Hears of an argument or field whose default is not of its type. */
export type Misfit = (argument: Argument, type: GraphQLInputType) => void;

export function inputTypes(
  model: Model, relations: Relations, leaves: ReadonlyMap<string, GraphQLNamedType>, misfit: Misfit | undefined,
): InputTypes {
  const documentTypes = new Set(model.collections.map((type) => type.name));
  const embedded = new Set(model.embedded.map((type) => type.name));
  const types = new Map<string, GraphQLInputObjectType>();
  const define = (name: string, description: string | undefined, fields: () => Record<string, GraphQLInputFieldConfig>): void => {
    if (types.has(name)) throw doubledType(name);
    types.set(name, new GraphQLInputObjectType({ name, ...described({ description }), fields }));
  };
  const declared = new Set(model.inputs.map((type) => type.name));
  const generate: typeof define = (name, ...rest) => {
    if (!declared.has(name)) define(name, ...rest);
  };

  const named = (name: string): GraphQLInputType => {
    const type = types.get(name) ?? leaves.get(name);
    if (type === undefined) throw unknownType(name);
    return type as GraphQLInputType;
  };
  const argument = (one: Argument): GraphQLArgumentConfig => {
    const type = typeOf(one.type, named);
    const preset = one.default === undefined ? undefined : defaultOf(one.default, type);
    if (one.default !== undefined && preset === undefined) misfit?.(one, type);
    return { type, ...described(one), ...(preset !== undefined && { defaultValue: preset, extensions: { literal: one.default } }) };
  };

  for (const type of model.inputs) define(type.name, type.description, () => entries(type.fields, argument));
  for (const type of [...model.collections, ...model.embedded]) {
    for (const partial of [false, true]) {
      const name = partial ? partialInputName(type.name) : inputName(type.name);
      generate(name, `'${type.name}' input values`, () =>
        entries(type.fields, (field) => ({ type: typeOf(fieldType(type, field, partial), named), ...described(field) })),
      );
    }
    for (const field of type.fields) relationInput(type, field);
  }

  function fieldType(type: ObjectType, field: Field, partial: boolean): TypeRef {
    const name = baseName(field.type);
    if (linkOf(relations, type.name, field.name) !== undefined) return { Named: relationInputName(type.name, field.name) };
    const inside = partial ? partialInputName(name) : inputName(name);
    const wanted = withBase(field.type, embedded.has(name) ? inside : documentTypes.has(name) ? 'ID' : name);
    // Of a list it is the list that need not be given: what is in it is required as before.
    return partial ? nullable(wanted) : wanted;
  }

  function relationInput(type: ObjectType, field: Field): void {
    const target = baseName(field.type);
    const link = linkOf(relations, type.name, field.name);
    // Inside an embedded type the field takes a plain id, but its relation input is there too.
    const unused = embedded.has(type.name) && documentTypes.has(target) && !isList(field.type);
    if (link === undefined && !unused) return;
    const [X, Y] = [type.name, target];
    const about = `Allow manipulating the relationship between the types '${X}' and '${Y}'`;
    if (isList(field.type)) {
      generate(relationInputName(X, field.name), `${about}.`, () => ({
        create: {
          type: new GraphQLList(named(inputName(Y))),
          description: `Create one or more documents of type '${Y}' and associate them with the current document.`,
        },
        connect: {
          type: new GraphQLList(GraphQLID),
          description: `Connect one or more documents of type '${Y}' with the current document using their IDs.`,
        },
        disconnect: {
          type: new GraphQLList(GraphQLID),
          description: `Disconnect the given documents of type '${Y}' from the current document using their IDs.`,
        },
      }));
      return;
    }
    generate(relationInputName(X, field.name), `${about} using the field '${X}.${field.name}'.`, () => ({
      create: {
        type: named(inputName(Y)),
        description: `Create a document of type '${Y}' and associate it with the current document.`,
      },
      connect: { type: GraphQLID, description: `Connect a document of type '${Y}' with the current document using its ID.` },
      ...(canDisconnect(field, link) && {
        disconnect: { type: GraphQLBoolean, description: `If true, disconnects this document from '${Y}'` },
      }),
    }));
  }

  return {
    argument,
    data: (type, partial) => ({
      type: new GraphQLNonNull(named(partial ? partialInputName(type.name) : inputName(type.name)) as never),
      description: `'${type.name}' input values`,
    }),
    all: () => [...types.values()],
  };
}

/** `undefined` when it is not of the type. */
function defaultOf(literal: string, type: GraphQLInputType): unknown {
  try {
    return valueFromAST(parseValue(literal), type);
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** One-to-one looks at the opposite field, many-to-one at the field itself. */
function canDisconnect(field: Field, link: Link | undefined): boolean {
  if (link?.kind === 'inverse' || (link?.kind === 'ref' && link.unique)) return link.back?.required !== true;
  return !isNotNull(field.type);
}

function entries<T extends { readonly name: string }>(
  items: readonly T[], config: (item: T) => GraphQLInputFieldConfig,
): Record<string, GraphQLInputFieldConfig> {
  return Object.fromEntries(items.map((item) => [item.name, config(item)]));
}

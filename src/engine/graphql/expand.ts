// Model → the schema clients see: types with `_id` and `_ts`, pages, inputs, and the fields
// of Query and Mutation (reference: graphql/graphql.md §7). Fields stand in insertion order.
import {
  DEFAULT_DEPRECATION_REASON, GraphQLBoolean, GraphQLEnumType, type GraphQLFieldConfig, type GraphQLFieldConfigMap, GraphQLFloat, GraphQLID, GraphQLInt,
  GraphQLList, type GraphQLNamedType, GraphQLNonNull, GraphQLObjectType, type GraphQLOutputType, GraphQLSchema, GraphQLString,
} from 'graphql';
import { tellLongDefaults } from './default-literals.ts';
import { doubledType, inputTypes, type InputTypes, type Misfit, SchemaError, unknownType } from './expand-inputs.ts';
import { directiveTypes } from './expand-directives.ts';
import type { FieldPlan } from './field-plan.ts';
import {
  baseName, described, directive, type DirectiveUse, documentName, type EnumType, type Field, isList, type Model, type ObjectType, rootFields, type RootName, textArg,
} from './model.ts';
import { findName, pageName, resolverPageName } from './names.ts';
import { findRelations, linkOf, type Relations } from './relations.ts';
import { GraphQLDate, GraphQLLong, GraphQLTime } from './scalars.ts';
import { typeOf } from './type-of.ts';
import { withOrderedTypes } from './type-order.ts';

export { SchemaError };

tellLongDefaults();

type FieldConfig = GraphQLFieldConfig<unknown, unknown>;
type FieldConfigs = Record<string, FieldConfig>;

/** Gives the function that resolves a field from what the field is to do. */
export type ResolverOf = (plan: FieldPlan) => NonNullable<FieldConfig['resolve']>;

const SCALAR_TYPES: readonly GraphQLNamedType[] = [
  GraphQLID, GraphQLString, GraphQLInt, GraphQLLong, GraphQLFloat, GraphQLBoolean, GraphQLDate, GraphQLTime,
];

/**
 * The generated schema of a recorded model; `null` when nothing can be queried, because there is
 * neither a collection nor a Query field.
 * @param misfit a default that is not of its type is left out; who wants to know is told
 * @throws SchemaError
 */
export function expand(model: Model, resolverOf: ResolverOf, misfit?: Misfit): GraphQLSchema | null {
  if (model.collections.length === 0 && model.query.length === 0) return null;
  try {
    return schemaOf(model, resolverOf, misfit);
  } catch (error) {
    // The library says it with a plain Error.
    const [, doubled] = /multiple types named "(.*)"/.exec(String(error)) ?? [];
    if (doubled !== undefined) throw doubledType(doubled);
    throw error;
  }
}

function schemaOf(model: Model, resolverOf: ResolverOf, misfit: Misfit | undefined): GraphQLSchema {
  const relations = findRelations(model.collections);
  const scalars = new Map(SCALAR_TYPES.map((type) => [type.name, type]));
  const enums = new Map(model.enums.map((type) => [type.name, enumType(type)]));
  const leaves = new Map([...scalars, ...enums]);
  const inputs = inputTypes(model, relations, leaves, misfit);
  const outputs = outputTypes({ model, relations, inputs, resolverOf, leaves });
  const query = outputs.root('Query');
  const mutation = outputs.root('Mutation');
  return withOrderedTypes(new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: query }),
    mutation: Object.keys(mutation).length === 0 ? null : new GraphQLObjectType({ name: 'Mutation', fields: mutation }),
    types: [...outputs.objects.values(), ...enums.values(), ...inputs.all(), GraphQLDate, GraphQLTime, GraphQLLong],
    directives: directiveTypes(),
    // Checked at import; a broken one shows at the first query of what is broken.
    assumeValid: true,
  }));
}

/** Why clients should do without an item, if they should. */
function deprecation(item: { readonly directives: readonly DirectiveUse[] }): { deprecationReason?: string } {
  const use = directive(item, 'deprecated');
  return use === undefined ? {} : { deprecationReason: textArg(use, 'reason') ?? DEFAULT_DEPRECATION_REASON };
}

function enumType(type: EnumType): GraphQLEnumType {
  const values = type.values.map((value) => [value.name, { value: value.name, ...described(value), ...deprecation(value) }] as const);
  return new GraphQLEnumType({ name: type.name, ...described(type), values: Object.fromEntries(values) });
}

interface Sources {
  readonly model: Model;
  readonly relations: Relations;
  readonly inputs: InputTypes;
  readonly resolverOf: ResolverOf;
  readonly leaves: ReadonlyMap<string, GraphQLNamedType>;
}

function outputTypes({ model, relations, inputs, resolverOf, leaves }: Sources) {
  const documentTypes = new Set(model.collections.map((type) => type.name));
  const pages = new Map<string, { readonly type: GraphQLObjectType; readonly element: string }>();
  const objects = new Map(
    [...model.collections, ...model.embedded].map((type) => [
      type.name,
      new GraphQLObjectType({ name: type.name, ...described(type), fields: () => objectFields(type) }),
    ]),
  );

  const named = (name: string): GraphQLOutputType => {
    const type = objects.get(name) ?? leaves.get(name);
    if (type === undefined) throw unknownType(name);
    return type as GraphQLOutputType;
  };
  const field = (type: GraphQLOutputType, plan: FieldPlan, rest: Omit<FieldConfig, 'type' | 'resolve'>): FieldConfig => ({
    ...rest, type, resolve: resolverOf(plan),
  });

  /** One page type serves all lists of a type; each paginated resolver has its own. */
  const page = (name: string, element: string): GraphQLOutputType => {
    const known = pages.get(name);
    if (known !== undefined && known.element !== element) throw doubledType(name);
    const type = known?.type ?? new GraphQLObjectType({
      name,
      description: `The pagination object for elements of type '${element}'.`,
      fields: () => ({
        data: field(new GraphQLNonNull(new GraphQLList(named(element))), { do: 'page data' }, {
          description: `The elements of type '${element}' in this page.`,
        }),
        after: field(GraphQLString, { do: 'page cursor', direction: 'after' }, {
          description: 'A cursor for elements coming after the current page.',
        }),
        before: field(GraphQLString, { do: 'page cursor', direction: 'before' }, {
          description: 'A cursor for elements coming before the current page.',
        }),
      }),
    });
    pages.set(name, { type, element });
    return new GraphQLNonNull(type);
  };

  function objectFields(type: ObjectType): GraphQLFieldConfigMap<unknown, unknown> {
    const fields = type.fields.map((one) => [one.name, objectField(type, one)] as const);
    if (!documentTypes.has(type.name)) return Object.fromEntries(fields);
    return {
      _id: field(new GraphQLNonNull(GraphQLID), { do: 'id' }, { description: "The document's ID." }),
      _ts: field(new GraphQLNonNull(GraphQLLong), { do: 'ts' }, { description: "The document's timestamp." }),
      ...Object.fromEntries(fields),
    };
  }

  function objectField(type: ObjectType, one: Field): FieldConfig {
    const embedded = !documentTypes.has(type.name);
    const link = embedded ? undefined : linkOf(relations, type.name, one.name);
    if (link !== undefined) return declared(one, { do: 'relation', link }, isList(one.type) && pageName(link.target));
    const what = documentTypes.has(baseName(one.type)) ? 'stored refs' : 'stored';
    return declared(one, { do: what, field: one.name, embedded });
  }

  /** A field as it was declared. Arguments are shown also where what is stored does not depend on them, and may be given. @param pages the name of its pages, if it has any */
  function declared(one: Field, plan: FieldPlan, pages: string | false = false): FieldConfig {
    const args = Object.fromEntries(one.arguments.map((argument) => [argument.name, inputs.argument(argument)]));
    const about = { ...described(one), ...deprecation(one) };
    return pages === false
      ? field(typeOf(one.type, named), plan, { ...about, args })
      : field(page(pages, baseName(one.type)), plan, { ...about, args: { ...PAGE_ARGS, ...args } });
  }

  function root(name: RootName): FieldConfigs {
    const generated = model.collections.flatMap((type) => (name === 'Query' ? queryFields(type) : mutationFields(type)));
    const own = rootFields(model, name).map((one) => [one.name, rootField(name, one)] as const);
    // A declared field takes the place of the generated one of its name.
    return Object.fromEntries([...generated, ...own]);
  }

  function rootField(name: RootName, one: Field): FieldConfig {
    const use = directive(one, 'resolver');
    if (use !== undefined) {
      const paginated = use.args['paginated'] === true;
      return declared(one, { do: 'call', function: documentName(one, 'resolver'), paginated, field: one }, paginated && resolverPageName(name, one.name));
    }
    const isMany = isList(one.type);
    return declared(one, { do: isMany ? 'list' : 'first', index: documentName(one, 'index'), field: one }, isMany && pageName(baseName(one.type)));
  }

  function queryFields(type: ObjectType): [string, FieldConfig][] {
    return [
      [findName(type.name), field(named(type.name), { do: 'find', type }, {
        description: `Find a document from the collection of '${type.name}' by its id.`,
        args: idArgs(type),
      })],
    ];
  }

  function mutationFields(type: ObjectType): [string, FieldConfig][] {
    const X = type.name;
    const data = (partial: boolean) => ({ data: inputs.data(type, partial) });
    return [
      [`create${X}`, field(new GraphQLNonNull(named(X) as GraphQLObjectType), { do: 'create', type }, {
        description: `Create a new document in the collection of '${X}'`,
        args: data(false),
      })],
      [`update${X}`, field(named(X), { do: 'update', type }, {
        description: `Update an existing document in the collection of '${X}'`,
        args: { ...idArgs(type), ...data(false) },
      })],
      [`delete${X}`, field(named(X), { do: 'delete', type }, {
        description: `Delete an existing document in the collection of '${X}'`,
        args: idArgs(type),
      })],
      [`partialUpdate${X}`, field(named(X), { do: 'partialUpdate', type }, {
        description:
          `Partially updates an existing document in the collection of '${X}'. It only modifies the values that are ` +
          "specified in the arguments. During execution, it verifies that required fields are not set to 'null'.",
        args: { ...idArgs(type), ...data(true) },
      })],
    ];
  }

  return { objects, root };
}

/** Stand before the field's own. */
const PAGE_ARGS = {
  _size: { type: GraphQLInt, description: 'The number of items to return per page.' },
  _cursor: { type: GraphQLString, description: 'The pagination cursor.' },
};

const idArgs = (type: ObjectType) => ({
  id: { type: new GraphQLNonNull(GraphQLID), description: `The '${type.name}' document's ID` },
});

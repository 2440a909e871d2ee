// The order of types in introspection, and of those that may have been meant (reference: graphql/graphql.md §7.2).
import { type GraphQLNamedType, GraphQLSchema, isIntrospectionType, isSpecifiedScalarType } from 'graphql';
import { GraphQLLong } from './scalars.ts';

/** The groups of `groupOf` one after the other, each by name. */
export function withOrderedTypes(schema: GraphQLSchema): GraphQLSchema {
  const ofQuery = new GraphQLSchema({ query: schema.getQueryType(), assumeValid: true }).getTypeMap();
  /** What only Mutation leads to, what Query leads to, introspection, built-in scalars. */
  const groupOf = (type: GraphQLNamedType): 1 | 2 | 3 | 4 => {
    if (isSpecifiedScalarType(type) || type === GraphQLLong) return 4;
    if (isIntrospectionType(type)) return 3;
    return type.name in ofQuery ? 2 : 1;
  };
  // The library shows them as they stand in its map.
  const types = schema.getTypeMap();
  const keyed = Object.values(types).map((type) => ({ type, key: groupOf(type) + type.name }));
  for (const { type } of keyed.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    delete types[type.name];
    types[type.name] = type;
  }
  return schema;
}

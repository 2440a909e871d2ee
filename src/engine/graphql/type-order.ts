// The order of types in introspection, and of those that may have been meant (reference: graphql/graphql.md §7.2).
import { GraphQLSchema, isIntrospectionType, isSpecifiedScalarType } from 'graphql';
import { GraphQLLong } from './scalars.ts';

/** What only Mutation leads to, what Query leads to, introspection, built-in scalars; each by name. */
export function withOrderedTypes(schema: GraphQLSchema): GraphQLSchema {
  const ofQuery = new GraphQLSchema({ query: schema.getQueryType(), assumeValid: true }).getTypeMap();
  // The library shows them as they stand in its map.
  const types = schema.getTypeMap();
  const keyed = Object.values(types).map((type) => {
    const group = isSpecifiedScalarType(type) || type === GraphQLLong ? 4 : isIntrospectionType(type) ? 3 : type.name in ofQuery ? 2 : 1;
    return { type, key: group + type.name };
  });
  for (const { type } of keyed.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    delete types[type.name];
    types[type.name] = type;
  }
  return schema;
}

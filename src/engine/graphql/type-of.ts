// A type of a model as one of the library.
import { type GraphQLInputType, GraphQLList, GraphQLNonNull, type GraphQLNullableType, type GraphQLOutputType } from 'graphql';
import type { TypeRef } from './model.ts';

/** @param named what a name stands for, among the types of inputs or of outputs */
export function typeOf<Side extends GraphQLInputType | GraphQLOutputType>(type: TypeRef, named: (name: string) => Side): Side {
  if ('Named' in type) return named(type.Named);
  const inner = typeOf('List' in type ? type.List : type.NotNull, named);
  // A wrapped type is of the side of the one inside it, and no `!` follows another.
  return ('List' in type ? new GraphQLList(inner) : new GraphQLNonNull(inner as GraphQLNullableType)) as Side;
}

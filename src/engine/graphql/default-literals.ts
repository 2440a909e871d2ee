// The library writes the default values that introspection shows, and fails at Longs beyond what a number
// holds: these are told as they were written.
import { __InputValue, type GraphQLArgument } from 'graphql';

/** Once for all schemas: the types of introspection are the library's own. */
export function tellLongDefaults(): void {
  const { defaultValue } = __InputValue.getFields();
  const written = defaultValue?.resolve;
  if (defaultValue === undefined || written === undefined) return;
  defaultValue.resolve = (input: GraphQLArgument, ...rest) => {
    try {
      return written(input, ...rest);
    } catch (error) {
      const { literal } = input.extensions;
      if (literal === undefined) throw error;
      return literal;
    }
  };
}

import {
  DirectiveLocation, GraphQLBoolean, GraphQLDeprecatedDirective, GraphQLDirective, GraphQLIncludeDirective, type GraphQLInputType,
  GraphQLNonNull, GraphQLSkipDirective, GraphQLString,
} from 'graphql';
import { DIRECTIVES } from './directives/index.ts';
import type { TypeRef } from './model.ts';

/** The directives introspection shows: those of the specification, then those of the gateway. */
export function directiveTypes(): readonly GraphQLDirective[] {
  const own = DIRECTIVES.filter((entry) => entry.unlisted === undefined).map(
    (entry) =>
      new GraphQLDirective({
        name: entry.name,
        locations: [DirectiveLocation[entry.on]],
        args: Object.fromEntries(
          entry.args.map((argument) => [argument.name, { type: argumentType(argument.type), defaultValue: argument.default }]),
        ),
      }),
  );
  return [GraphQLIncludeDirective, GraphQLSkipDirective, DEPRECATED, ...own];
}

/** Where the gateway's library takes it; later versions of the specification have more places. */
const DEPRECATED = new GraphQLDirective({
  ...GraphQLDeprecatedDirective.toConfig(),
  locations: [DirectiveLocation.FIELD_DEFINITION, DirectiveLocation.ENUM_VALUE],
});

function argumentType(type: TypeRef): GraphQLInputType {
  if ('NotNull' in type) return new GraphQLNonNull(argumentType(type.NotNull) as typeof GraphQLString);
  return 'Named' in type && type.Named === 'Boolean' ? GraphQLBoolean : GraphQLString;
}

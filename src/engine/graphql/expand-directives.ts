import {
  DirectiveLocation, GraphQLBoolean, GraphQLDeprecatedDirective, GraphQLDirective, GraphQLIncludeDirective, type GraphQLInputType,
  GraphQLSkipDirective, GraphQLString,
} from 'graphql';
import { DIRECTIVES } from './directives/index.ts';
import { typeOf } from './type-of.ts';

/** The directives introspection shows: those of the specification, then those of the gateway. */
export function directiveTypes(): readonly GraphQLDirective[] {
  const own = DIRECTIVES.filter((entry) => entry.unlisted === undefined).map(
    (entry) =>
      new GraphQLDirective({
        name: entry.name,
        locations: [DirectiveLocation[entry.on]],
        args: Object.fromEntries(
          entry.args.map((argument) => [argument.name, { type: typeOf(argument.type, argumentType), defaultValue: argument.default }]),
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

const argumentType = (name: string): GraphQLInputType => (name === 'Boolean' ? GraphQLBoolean : GraphQLString);

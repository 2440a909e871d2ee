// Texts of the GraphQL library we use → texts of the one the gateway used (reference:
// graphql/graphql.md §9.1). Only the wording differs; both follow the specification.
//
// Values and variables are checked by rules of our own (value-rule.ts, variables.ts), whose
// texts name the expected type, which the library's do not.
import type { GraphQLError } from 'graphql';
import { locationsOf, render, type Violation } from './violation.ts';

/** A pattern, and the text with `$1`, `$2` for its groups. A group of quoted names is rewritten too. */
type Rewording = readonly [pattern: RegExp, text: string];

const N = '"([^"]*)"';
const rule = (pattern: string, text: string): Rewording => [new RegExp(`^${pattern}$`, 's'), text];

const REWORDINGS: readonly Rewording[] = [
  rule(`Cannot query field ${N} on type ${N}\\.(.*)`, "Cannot query field '$1' on type '$2'.$3"),
  rule(`Unknown argument ${N} on field "(.*)\\.([^"]*)"\\.(.*)`, "Unknown argument '$1' on field '$3' of type '$2'.$4"),
  rule(`Unknown argument ${N} on directive "@([^"]*)"\\.(.*)`, "Unknown argument '$1' on directive '$2'.$3"),
  rule(`Field ${N} argument ${N} of type ${N} is required, but it was not provided\\.`, "Field '$1' argument '$2' of type '$3' is required but not provided."),
  rule(`Directive "@([^"]*)" argument ${N} of type ${N} is required, but it was not provided\\.`, "Directive '$1' argument '$2' of type '$3' is required but not provided."),
  rule(`Field ${N} of type ${N} must have a selection of subfields\\..*`, "Field '$1' of type '$2' must have a sub selection."),
  rule(`Field ${N} must not have a selection since type ${N} has no subfields\\.`, "Field '$1' of type '$2' must not have a sub selection."),
  rule(`Unknown type ${N}\\.(.*)`, "Unknown type '$1'.$2"),
  rule(`Unknown directive "@([^"]*)"\\.`, "Unknown directive '$1'."),
  rule(`Directive "@([^"]*)" may not be used on (.*)\\.`, "Directive '$1' may not be used on $2."),
  rule(`The directive "@([^"]*)" can only be used once at this location\\.`, "The directive '$1' can only be used once at this location."),
  rule(`Unknown fragment ${N}\\.`, "Unknown fragment '$1'."),
  rule(`Fragment ${N} is never used\\.`, "Fragment '$1' is not used."),
  rule(`Fragment cannot condition on non composite type ${N}\\.`, "Fragment cannot condition on non composite type '$1'."),
  rule(`Fragment ${N} cannot condition on non composite type ${N}\\.`, "Fragment '$1' cannot condition on non composite type '$2'."),
  rule(`Fragment cannot be spread here as objects of type ${N} can never be of type ${N}\\.`, "Fragment cannot be spread here as objects of type '$1' can never be of type '$2'."),
  rule(`Fragment ${N} cannot be spread here as objects of type ${N} can never be of type ${N}\\.`, "Fragment '$1' cannot be spread here as objects of type '$2' can never be of type '$3'."),
  rule(`Cannot spread fragment ${N} within itself via (.*)\\.`, "Cannot spread fragment '$1' within itself via $2."),
  rule(`Cannot spread fragment ${N} within itself\\.`, "Cannot spread fragment '$1' within itself."),
  rule(`Variable "\\$([^"]*)" is not defined by operation ${N}\\.`, "Variable '$$$1' is not defined by operation '$2'."),
  rule(`Variable "\\$([^"]*)" is not defined\\.`, "Variable '$$$1' is not defined."),
  rule(`Variable "\\$([^"]*)" is never used in operation ${N}\\.`, "Variable '$$$1' is not used in operation $2."),
  rule(`Variable "\\$([^"]*)" is never used\\.`, "Variable '$$$1' is not used."),
  rule(`Variable "\\$([^"]*)" cannot be non-input type ${N}\\.`, "Variable '$$$1' cannot be non input type '$2'."),
  rule(`Variable "\\$([^"]*)" of type ${N} used in position expecting type ${N}\\.`, "Variable '$$$1' of type '$2' used in position expecting type '$3'."),
  rule(`There can be only one operation named ${N}\\.`, "There can only be one operation named '$1'."),
  rule(`There can be only one fragment named ${N}\\.`, "There can only be one fragment named '$1'."),
  rule(`There can be only one (argument|input field) named ${N}\\.`, "There can be only one $1 named '$2'."),
  rule(`There can be only one variable named "\\$([^"]*)"\\.`, "There can be only one variable named '$1'."),
  rule(`Fields ${N} conflict because (.*)\\. Use different aliases on the fields to fetch both if this was intentional\\.`, "Field '$1' conflict because $2. Use different aliases on the fields to fetch both if this was intentional."),
  rule(`Unknown operation named ${N}\\.`, "Unknown operation name '$1'"),
  rule('Must provide operation name if query contains multiple operations\\.', 'Must provide operation name if query contains multiple operations'),
  rule('Cannot return null for non-nullable field .*', 'Cannot return null for non-nullable type'),
];

/** The gateway's text for a text of the library; a text of our own passes unchanged. */
export function reword(message: string): string {
  for (const [pattern, text] of REWORDINGS) {
    if (pattern.test(message)) return message.replace(pattern, text).replaceAll('"', "'");
  }
  return message;
}

const EXPECTED = /^Syntax Error: Expected (.+), found (.+)\.$/s;
const UNEXPECTED = /^Syntax Error: Unexpected (.+)\.$/s;
const OTHER = /^Syntax Error: (.*)$/s;

/** The text for what the parser found. Like the gateway's it names the first character only. */
export function syntaxText({ message }: GraphQLError): string {
  const prefix = 'Syntax error while parsing GraphQL query. ';
  const [, expected, found] = EXPECTED.exec(message) ?? [];
  if (found !== undefined && expected !== undefined) return `${prefix}${input(found)}, expected ${expected.replaceAll('"', "'")}`;
  const [, unexpected] = UNEXPECTED.exec(message) ?? [];
  return prefix + (unexpected === undefined ? (OTHER.exec(message)?.[1] ?? message) : input(unexpected));
}

/** `Name "foo"`, `"}"`, `<EOF>`, `character: "?"` … as the parser names tokens. */
function input(token: string): string {
  if (token === '<EOF>') return 'Unexpected end of input';
  const [, text] = /"([^"])/.exec(token) ?? [];
  return `Invalid input '${text ?? token}'`;
}

/** An error of parsing, validation or coercion as the client reads it. */
export function toViolation(error: GraphQLError): Violation {
  const locations = locationsOf(error);
  const message = error.message.startsWith('Syntax Error:') ? syntaxText(error) : reword(error.message);
  return {
    message: render(message, error.source, locations),
    ...(error.path && { path: error.path }),
    ...(locations && { locations: locations.map(({ line, column }) => ({ line, column })) }),
  };
}

// Texts of the GraphQL library we use → texts of the one the gateway used (reference:
// graphql/graphql.md §9.1). Only the wording differs; both follow the specification.
//
// Values, variables, names and some places are checked by rules of our own (value-rule.ts, variables.ts,
// name-rule.ts, place-rules.ts), whose texts tell what the library's do not, or tell other things.
import type { GraphQLError } from 'graphql';
import { OwnError, renderError, type Violation } from './violation.ts';

type Rewording = readonly [pattern: RegExp, text: string];

/** What differs in more than the quotes, which are single ones, the `@` of directives and their places, which are words. */
const REWORDINGS: readonly Rewording[] = [
  // A directive is called a field, too.
  [/^\w+ ('.*) is required, but it was not provided\.$/, 'Field $1 is required but not provided.'],
  [/^(Fragment '.*') is never used\.$/, '$1 is not used.'],
  [/^(Variable '.*') is never used in operation '(.*)'\.$/, '$1 is not used in operation $2.'],
  [/^(Variable '.*') is never used\.$/, '$1 is not used.'],
  [/ cannot be non-input type /, ' cannot be non input type '],
  [/^(Directive .* on (?:query|mutation|subscription))\.$/, '$1 operation.'],
  [/^Schema is not configured to execute (\w+) operation\.$/, 'Schema is not configured for $1s'],
  [/^Validation aborted\.$/, 'Query is too complex: it selects fields under the same name too often.'],
  [/^Fields ('.*' conflict because )/, 'Field $1'],
  // What follows shows a value as the engine keeps it.
  [/ cannot represent .*?value: [{[].*$/s, ' cannot represent a value of this kind.'],
  [/^Cannot return null for non-nullable field .*$/, 'Cannot return null for non-nullable type'],
];

/** Texts of our own have single quotes already, and pass unchanged. */
function reword(message: string): string {
  const quoted = message
    .replaceAll('"@', "'")
    .replaceAll('"', "'")
    .replace(/ on [A-Z_]+\.$/, (place) => place.toLowerCase().replace('_', ' '));
  return REWORDINGS.reduce((text, [pattern, wording]) => text.replace(pattern, wording), quoted);
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

/** `Name "foo"`, `"}"`, `<EOF>`, `character: "?"`, `character: U+201C` … as the parser names tokens. */
function input(token: string): string {
  if (token === '<EOF>') return 'Unexpected end of input';
  const [, text, code] = /"([^"])|U\+(.*)/.exec(token) ?? [];
  return `Invalid input '${code === undefined ? (text ?? token) : String.fromCodePoint(parseInt(code, 16))}'`;
}

/** Literals stand in the texts of our rules as they were written, with double quotes. */
function textOf(error: GraphQLError): string {
  if (error.message.startsWith('Syntax Error:')) return syntaxText(error);
  return error instanceof OwnError ? error.message : reword(error.message);
}

/** An error of parsing, validation or coercion as the client reads it. */
export const toViolation = (error: GraphQLError): Violation => ({
  message: renderError(error, textOf(error)),
  ...(error.path && { path: error.path }),
  ...(error.locations && { locations: error.locations }),
});

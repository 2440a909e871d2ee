// Errors as the gateway printed them: the message, then each place with its source line and
// a caret under the column (reference: graphql/graphql.md §9.1).
import { getLocation, GraphQLError, type ASTNode, type Source, type SourceLocation } from 'graphql';

/** What a client sees of one error of parsing, validation or coercion. */
export interface Violation {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  readonly path?: readonly (string | number)[];
}

/** An error of a check of our own: its text is final. */
export class OwnError extends GraphQLError {}

export const violation = (message: string, ...nodes: readonly ASTNode[]): OwnError => new OwnError(message, { nodes });

/** `message (line 2, column 3):\n  hero {\n  ^` for each place. */
export function render(message: string, source: Source | undefined, locations: readonly SourceLocation[] | undefined): string {
  if (source === undefined || locations === undefined) return message;
  const lines = source.body.split(/\r\n|[\n\r]/);
  return message + locations.map((location) => place(lines, location)).join('\n');
}

export const renderError = (error: GraphQLError, message = error.message): string =>
  render(message, error.source, error.locations);

/** Where a syntax error stands: graphql-js gives offsets there. */
export function locationsOf(error: GraphQLError): readonly SourceLocation[] | undefined {
  const { source, positions } = error;
  return source && positions ? positions.map((position) => getLocation(source, position)) : error.locations;
}

/** Characters of a line that are shown before its place, and after: a whole document may be one line. */
const AROUND = 1000;

function place(lines: readonly string[], { line, column }: SourceLocation): string {
  const from = Math.max(column - 1 - AROUND, 0);
  return ` (line ${line}, column ${column}):\n${(lines[line - 1] ?? '').slice(from, column + AROUND)}\n${' '.repeat(column - 1 - from)}^`;
}

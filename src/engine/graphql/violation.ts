// Errors as the gateway printed them: the message, then each place with its source line and
// a caret under the column (reference: graphql/graphql.md §9.1).
import { GraphQLError, type ASTNode, type SourceLocation } from 'graphql';

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
export function renderError({ source, locations, message }: GraphQLError, text = message): string {
  if (source === undefined || locations === undefined) return text;
  const lines = source.body.split(/\r\n|[\n\r]/);
  return text + locations.map((location) => place(lines, location)).join('\n');
}

/** Characters of a line that are shown before its place, and after: a whole document may be one line. */
const AROUND = 1000;

function place(lines: readonly string[], { line, column }: SourceLocation): string {
  const from = Math.max(column - 1 - AROUND, 0);
  return ` (line ${line}, column ${column}):\n${(lines[line - 1] ?? '').slice(from, column + AROUND)}\n${' '.repeat(column - 1 - from)}^`;
}

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

const SUGGESTED = 5;

/** ` Did you mean 'a', 'b', or 'c'?` from what is spelt similarly, or nothing. */
export function didYouMean(input: string, options: readonly string[]): string {
  const near = nearText(input, options, "'");
  return near === '' ? '' : ` Did you mean ${near}?`;
}

/** What is spelt similarly, nearest first: `a, b, or c`. */
export function nearText(input: string, options: readonly string[], quote = ''): string {
  const near = options
    .map((option) => ({ option, edits: distance(input.toLowerCase(), option.toLowerCase()) }))
    .filter(({ option, edits }) => edits <= Math.max(Math.floor(input.length / 2), Math.floor(option.length / 2), 1))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, SUGGESTED)
    .map(({ option }) => quote + option + quote);
  const last = near.pop();
  if (last === undefined || near.length === 0) return last ?? '';
  return `${near.join(', ')}${near.length > 1 ? ',' : ''} or ${last}`;
}

/** Edits (insert, delete, replace) that lead from one word to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

// The errors in an answer, in one shape for both interfaces, to be shown one by one.
import type { Answer, NotJson } from './api.ts';
import { isolated } from './isolated.ts';

export interface ShownError {
  /** Error code of the database; absent for most GraphQL errors. */
  readonly code?: string;
  readonly description: string;
  /** Where in the request: keys and positions of a query, or lines of a GraphQL document. */
  readonly at?: string;
  /** What to do about it, where its description says that only to experts. Code stands in backquotes. */
  readonly hint?: string;
}

const NOT_JSON = 'Request body is not valid JSON.';

const WRONG_SECRET = 'The secret below the editor is none of this database. At first there is one: `secret`.';

/** By description. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['Unauthorized', WRONG_SECRET],
  ['Invalid database secret.', WRONG_SECRET],
  ['Must provide schema definition with query type or a type named Query.', 'There is no GraphQL schema yet: import one under Schema, or load the sample.'],
  [
    NOT_JSON,
    'Queries here are written in the JSON that drivers send: `Get(Ref(Collection("City"), "1"))` is `{ "get": { "ref": { "collection": "City" }, "id": "1" } }`. It can be run as it is under FQL as code; the Reference shows the form of each function.',
  ],
]);

/** What the examples ask of the sample. */
const OF_SAMPLE = /^Ref refers to undefined (?:collection '(?:City|Country)'|index '(?:citiesByName|countriesByContinent)')$/;

function hintOf(description: string): Pick<ShownError, 'hint'> {
  const hint = HINTS.get(description) ?? (OF_SAMPLE.test(description) ? 'This is in the sample data: load the sample.' : undefined);
  return hint === undefined ? {} : { hint };
}

/** Errors of either interface; a refused import is one error with the text as its description. */
export function errorsOf({ status, text, notJson }: Pick<Answer, 'status' | 'text' | 'notJson'>): readonly ShownError[] {
  const body = parse(text);
  const listed = isObject(body) && Array.isArray(body['errors']) ? body['errors'].filter(isObject) : [];
  if (listed.length > 0) return listed.flatMap((error) => ('description' in error ? queryErrors(error, notJson) : [graphqlError(error)]));
  const description = text.trim();
  return status >= 400 ? [{ code: `HTTP ${status}`, description, ...hintOf(description) }] : [];
}

/** An error of the query interface; what was wrong with single fields, or inside a call, follows it. */
function queryErrors(error: Record<string, unknown>, notJson?: NotJson, within: readonly unknown[] = []): readonly ShownError[] {
  const position = Array.isArray(error['position']) ? error['position'] : null;
  const field = Array.isArray(error['field']) ? error['field'] : null;
  const description = String(error['description'] ?? '');
  const mistake = description === NOT_JSON ? notJson : undefined;
  const place = [...within, ...(position ?? [])];
  // An error that is of no place in the query, as of its secret, tells none.
  const asked = position === null && within.length === 0 ? undefined : path(place);
  const at = field === null ? (mistake?.at ?? asked) : `field ${path(field)}`;
  const inner = [error['failures'], error['cause']].filter(Array.isArray).flat().filter(isObject);
  return [
    {
      code: String(error['code'] ?? 'error'),
      description,
      ...(at === undefined ? {} : { at }),
      ...(mistake?.looksLikeCode === false ? { hint: mistake.words } : hintOf(description)),
    },
    ...inner.flatMap((failure) => queryErrors(failure, undefined, place)),
  ];
}

function graphqlError(error: Record<string, unknown>): ShownError {
  const extensions = isObject(error['extensions']) ? error['extensions'] : {};
  const places = Array.isArray(error['locations']) ? error['locations'].filter(isObject) : [];
  const where = [
    ...places.map((place) => `line ${String(place['line'])}, column ${String(place['column'])}`),
    ...(Array.isArray(error['path']) ? [path(error['path'])] : []),
  ];
  const description = String(error['message'] ?? '');
  return {
    ...(typeof extensions['code'] === 'string' ? { code: extensions['code'] } : {}),
    description,
    ...(where.length > 0 ? { at: where.join('; ') } : {}),
    ...hintOf(description),
  };
}

function path(position: readonly unknown[]): string {
  return position.length === 0 ? 'the whole query' : position.map(String).map(isolated).join(' › ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

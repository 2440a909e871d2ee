// Queries as a client of the page makes them: `fetch`, version 4, the root secret.
import type { Page } from 'playwright/test';
import { V4 } from './wire.ts';

export interface Answer {
  readonly status: number;
  readonly body: {
    readonly resource?: unknown;
    readonly data?: unknown;
    readonly errors?: readonly { readonly code?: string; readonly description?: string }[];
  };
}

interface Posted {
  /** Relative to the site's base. */
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const HEADERS = { ...V4.headers, 'Content-Type': 'application/json' };

/** Runs in the page. */
async function post({ path, body, headers }: Posted): Promise<Answer> {
  const response = await fetch(path, { method: 'POST', body, headers });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** The answer to a query, whatever it is. */
export function ask(page: Page, expression: unknown): Promise<Answer> {
  return page.evaluate(post, { path: './', body: JSON.stringify(expression), headers: HEADERS });
}

/** The value of a query. @throws Error with the whole answer when it is an error */
export async function query<T>(page: Page, expression: unknown): Promise<T> {
  const { status, body } = await ask(page, expression);
  if (!('resource' in body)) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.resource as T;
}

/** The data of a GraphQL document. @throws Error with the whole answer when there are errors */
export async function graphql<T>(page: Page, document: string): Promise<T> {
  const { status, body } = await page.evaluate(post, { path: './graphql', body: JSON.stringify({ query: document }), headers: HEADERS });
  if (body.errors !== undefined) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data as T;
}

/** The value of a query by the page API, which asks the page's own engine. */
export function queryByPageApi<T>(page: Page, expression: unknown): Promise<T> {
  return page.evaluate((given) => {
    const { vivarium } = window as unknown as { vivarium: { query(expression: unknown): Promise<T> } };
    return vivarium.query(given);
  }, expression);
}

export const object = (fields: Readonly<Record<string, unknown>>): unknown => ({ object: fields });

export const ref = (collection: string, id: string | number): unknown => ({ ref: { collection }, id: String(id) });

export const createCollections = (...names: readonly string[]): unknown =>
  names.map((name) => ({ create_collection: object({ name }) }));

/** Creates a document whose data are constants. */
export const create = (of: unknown, data: Readonly<Record<string, unknown>>): unknown => ({
  create: of,
  params: object({ data: object(data) }),
});

export const field = (of: unknown, name: string): unknown => ({ select: ['data', name], from: { get: of } });

export const countOf = (collection: string): unknown => ({ count: { documents: { collection } } });

/** Adds one to the field `n`, by reading and writing it. */
export const increment = (of: unknown): unknown => ({
  update: of,
  params: object({ data: object({ n: { add: [field(of, 'n'), 1] } }) }),
});

/** Ids of the documents of each of these collections, as numbers, in order; all of one moment. */
export async function idsOf(page: Page, ...collections: readonly string[]): Promise<readonly (readonly number[])[]> {
  const pages = await query<{ data: { '@ref': { id: string } }[] }[]>(
    page,
    collections.map((collection) => ({ paginate: { documents: { collection } }, size: 100_000 })),
  );
  return pages.map(({ data }) => data.map((each) => Number(each['@ref'].id)).sort((a, b) => a - b));
}

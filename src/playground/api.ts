// Requests as any client sends them: plain `fetch` to the page's own address, so that status,
// headers and time are those a client sees.

/** What came back, with the body as it was written: numbers keep their digits. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** From the call of `fetch` to the last byte of the body. */
  readonly milliseconds: number;
  /** What was asked, as `POST /graphql`. */
  readonly request: string;
  /** Of a query that is not JSON. */
  readonly notJson?: NotJson;
}

export interface NotJson {
  /** As `line 3, column 5`. */
  readonly at: string;
  /** What is wrong there. */
  readonly words: string;
  /** Whether it seems to be written as with a driver. */
  readonly looksLikeCode: boolean;
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Version 2.0 is the one without a header. */
export type ApiVersion = '' | '2.1' | '2.7' | '2.12' | '3' | '4';

export interface Api {
  /** Runs a query expression, given as JSON text. */
  fql(expression: string, version: ApiVersion, asking?: Asking): Promise<Answer>;
  /** @param variables JSON text of an object, or `''` for none */
  graphql(query: string, variables: string, asking?: Asking & { readonly operation?: string | undefined }): Promise<Answer>;
  importSchema(definitions: string, mode: string, asking?: Asking): Promise<Answer>;
}

/** Characters that no header can have. */
const UNSENDABLE = /[^\x20-\x7e\xa0-\xff]/;

/**
 * @param base   path of the service on this origin, ending with `/`
 * @param secret asked at every request
 */
export function createApi(base: string, secret: () => string): Api {
  const post = async (path: string, body: string, { headers = {}, signal }: Asking = {}): Promise<Answer> => {
    if (UNSENDABLE.test(secret())) throw new Error('The secret has a character that no secret can have.');
    const began = performance.now();
    const response = await fetch(base + path, {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${secret()}`, ...headers },
      ...(signal ? { signal } : {}),
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      milliseconds: performance.now() - began,
      request: `POST /${path}`,
    };
  };

  return {
    fql: (expression, version, asking = {}) =>
      post('', expression, {
        ...asking,
        headers: { 'Content-Type': 'application/json', ...(version === '' ? {} : { 'X-FaunaDB-API-Version': version }) },
      }),
    graphql: (query, variables, { operation, ...asking } = {}) =>
      post('graphql', graphqlBody(query, variables, operation), { ...asking, headers: { 'Content-Type': 'application/json' } }),
    importSchema: (definitions, mode, asking = {}) =>
      post(`import?mode=${encodeURIComponent(mode)}`, definitions, asking),
  };
}

/** The variables go in as they were typed: reading and writing them would round large numbers. */
function graphqlBody(query: string, variables: string, operation?: string): string {
  const named = operation === undefined ? '' : `,"operationName":${JSON.stringify(operation)}`;
  return `{"query":${JSON.stringify(query)}${named}${variables.trim() === '' ? '' : `,"variables":${variables}`}}`;
}

/** An answer that is not a result, where the page itself had asked. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(readonly status: number, text: string) {
    super(`The database answered ${status}: ${text}`);
  }
}

/** The value of a query that has to succeed, as the page's own lists need it. @throws Refused */
export async function resource(api: Api, expression: unknown): Promise<unknown> {
  const answer = await api.fql(JSON.stringify(expression), '4');
  if (answer.status >= 300) throw new Refused(answer.status, answer.text);
  return (JSON.parse(answer.text) as { resource: unknown }).resource;
}

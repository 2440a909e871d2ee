// The page API's calls: the same requests an HTTP client makes, sent straight to the engine.
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { firstSending } from '../protocol/sending.ts';
import { VivariumError } from './error.ts';
import type { ErrorEntry } from './error.ts';

export type ApiVersion = '2.0' | '2.1' | '2.7' | '2.12' | '3' | '4';

export interface CallOptions {
  /** Key, token or scoped secret; default: the root secret given to `open`. */
  readonly secret?: string;
}

export interface QueryOptions extends CallOptions {
  /** Form of the request and the answer; default `4`. */
  readonly version?: ApiVersion;
}

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

export interface GraphqlResult {
  readonly data?: unknown;
  readonly errors?: readonly ErrorEntry[];
}

export interface ImportOptions extends CallOptions {
  /** Default `merge`. */
  readonly mode?: 'merge' | 'override' | 'replace';
}

export interface Calls {
  /**
   * Evaluates a query: JSON of the wire format, or an expression of a driver.
   * Resolves to the `resource` of the answer. @throws VivariumError
   */
  query(expression: unknown, options?: QueryOptions): Promise<unknown>;
  /** Resolves also when the result has errors beside data, as GraphQL does. @throws VivariumError for a status other than 200 */
  graphql(request: GraphqlRequest, options?: CallOptions): Promise<GraphqlResult>;
  /** Translates a GraphQL schema into collections, indexes and functions. Resolves to what the gateway says. @throws VivariumError */
  importSchema(sdl: string, options?: ImportOptions): Promise<string>;
}

const encoder = new TextEncoder();
/** Of bodies that are all there; what comes in pieces has a decoder of its own. */
const whole = new TextDecoder();

/** Built-in root secret of a new database. */
const ROOT_SECRET = 'secret';

export function makeCalls(handle: (request: HttpRequest) => Promise<HttpResponse>, rootSecret = ROOT_SECRET): Calls {
  const post = async (target: Target, content: string, { secret = rootSecret }: CallOptions): Promise<Answer> => {
    const response = await handle({
      method: 'POST',
      path: target.path,
      search: target.search ?? '',
      headers: { authorization: `Bearer ${secret}`, 'content-type': target.type, ...target.headers },
      body: encoder.encode(content),
      ...firstSending(),
    });
    return { status: response.status, text: await textOf(response.body) };
  };

  return {
    async query(expression, { version = '4', ...options } = {}) {
      const target = { path: '/', type: JSON_TYPE, headers: { 'x-faunadb-api-version': version } };
      const answer = await post(target, jsonOf(expression), options);
      const body = parsed(answer.text);
      if (isObject(body) && 'resource' in body) return body['resource'];
      throw errorOf(answer);
    },
    async graphql(request, options = {}) {
      const answer = await post({ path: '/graphql', type: JSON_TYPE }, jsonOf(request), options);
      const body = parsed(answer.text);
      if (answer.status === 200 && isObject(body)) return body;
      throw errorOf(answer);
    },
    async importSchema(sdl, { mode = 'merge', ...options } = {}) {
      const answer = await post({ path: '/import', search: `mode=${mode}`, type: 'text/plain' }, sdl, options);
      if (answer.status === 200) return answer.text;
      throw errorOf(answer);
    },
  };
}

const JSON_TYPE = 'application/json';

interface Target {
  readonly path: string;
  readonly search?: string;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function jsonOf(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError('a query must be a JSON value');
  return json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function errorOf({ status, text }: Answer): VivariumError {
  const body = parsed(text);
  const errors = isObject(body) && Array.isArray(body['errors']) ? (body['errors'] as ErrorEntry[]) : [{ description: text }];
  return new VivariumError(status, errors);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

async function textOf(body: HttpResponse['body']): Promise<string> {
  if (body instanceof Uint8Array) return whole.decode(body);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

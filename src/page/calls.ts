// The page API's calls: the same requests an HTTP client makes, sent straight to the engine.
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { isObject } from '../protocol/handshake.ts';
import { firstSending } from '../protocol/sending.ts';
import { errorOf, parsed, textOf } from './answer.ts';
import type { Answer } from './answer.ts';
import type { ApiVersion, CallOptions, QueryOptions } from './call-options.ts';
import type { ErrorEntry } from './error.ts';
import { parts } from './parts.ts';
import type { SubscribeOptions, Subscription } from './subscribe.ts';

export interface GraphqlRequest {
  /** A document of GraphQL. */
  readonly query: string;
  /** Values by the names of variables. */
  readonly variables?: object | undefined;
  /** Which operation is meant, where there are several. */
  readonly operationName?: string | undefined;
}

export interface GraphqlResult<T = unknown> {
  /** Absent where nothing was run; `null` where an error has reached the top. */
  readonly data?: T | null;
  /** Absent where there are none. */
  readonly errors?: readonly ErrorEntry[];
}

export interface ImportOptions extends CallOptions {
  /**
   * What happens to what earlier imports have made and this schema does not mention. `merge`, the default: it stays part of the
   * schema. `replace`: it is no longer part of it, and stays with its documents. `override`: all that they have made is
   * deleted first, documents included.
   */
  readonly mode?: 'merge' | 'override' | 'replace' | undefined;
}

export interface Calls {
  /**
   * Evaluates a query, given as a value of the wire format's JSON (a string is a string, not a text to be parsed) or as an
   * expression of a driver. The caller may name the type of its result. Resolves to the `resource` of the answer.
   * @throws TypeError for what is no JSON; VivariumError with the status and the errors of the answer
   */
  query<T = unknown>(expression: unknown, options?: QueryOptions): Promise<T>;
  /**
   * A live query: the result of a query that only reads, now and whenever it has changed, be it
   * that a `ttl` has run out (but not that `now()` has moved on). Begins at once where `onResult`
   * is given, else when it is iterated.
   * @throws TypeError for what is no JSON, or a callback that is no function; VivariumError 503 where the database was closed or has failed, or a part cannot be loaded. What else goes
   *   wrong is told to `onError`, or thrown by the iteration
   */
  subscribe<T = unknown>(expression: unknown, options?: SubscribeOptions<T>): Promise<Subscription<T>>;
  /** Resolves even when the result holds errors, which stand beside the data in GraphQL. @throws TypeError for what is no JSON; VivariumError for a status other than 200 */
  graphql<T = unknown>(request: GraphqlRequest, options?: CallOptions): Promise<GraphqlResult<T>>;
  /** Translates a GraphQL schema into collections, indexes and functions. Resolves to what the gateway says. @throws TypeError for what is no text; VivariumError, 400 for a schema that cannot be */
  importSchema(sdl: string, options?: ImportOptions): Promise<string>;
}

/** Built-in root secret of a new database. */
const ROOT_SECRET = 'secret';

/** @param isOver whether nothing will be answered any more */
export function makeCalls(handle: (request: HttpRequest) => Promise<HttpResponse>, isOver: () => boolean, rootSecret = ROOT_SECRET): Calls {
  /** The headers sent last. Requests that share an object are sent to the worker with one copy of it. */
  let headers: Headers = {};
  const headersOf = (secret: string, { type, version }: Target): Headers => {
    const authorization = `Bearer ${secret}`;
    if (headers['authorization'] === authorization && headers['content-type'] === type && headers[VERSION] === version) return headers;
    return (headers = { authorization, 'content-type': type, ...(version && { [VERSION]: version }) });
  };
  const send = (target: Target, body: string, { secret = rootSecret }: CallOptions): Promise<HttpResponse> =>
    handle({ method: 'POST', path: target.path, search: target.search ?? '', headers: headersOf(secret, target), body, bare: true, ...firstSending() });
  const post = async (target: Target, content: string, options: CallOptions): Promise<Answer> => {
    const { status, body } = await send(target, content, options);
    return { status, text: textOf(body) };
  };
  const inVersion = (path: string, version: ApiVersion = '4'): Target => ({ path, type: JSON_TYPE, version });

  return {
    async query<T>(expression: unknown, { version, ...options }: QueryOptions = {}) {
      const answer = await post(inVersion('/', version), jsonOf(expression), options);
      const body = parsed(answer.text);
      if (isObject(body) && 'resource' in body) return body['resource'] as T;
      throw errorOf(answer);
    },
    async subscribe<T>(expression: unknown, { version, ...options }: SubscribeOptions<T> = {}) {
      const json = jsonOf(expression);
      const { openSubscription } = await parts();
      return openSubscription(() => send(inVersion('/live', version), json, options), options, errorOf, isOver);
    },
    async graphql<T>(request: GraphqlRequest, options: CallOptions = {}) {
      const answer = await post({ path: '/graphql', type: JSON_TYPE }, jsonOf(request), options);
      const body = parsed(answer.text);
      if (answer.status === 200 && isObject(body)) return body as GraphqlResult<T>;
      throw errorOf(answer);
    },
    async importSchema(sdl, { mode = 'merge', ...options } = {}) {
      // What cannot be sent to the worker would take along all that is asked in the same tick.
      if (typeof sdl !== 'string') throw new TypeError('a schema must be a text');
      const answer = await post({ path: '/import', search: `mode=${mode}`, type: 'text/plain' }, sdl, options);
      if (answer.status === 200) return answer.text;
      throw errorOf(answer);
    },
  };
}

const JSON_TYPE = 'application/json';
const VERSION = 'x-faunadb-api-version';

type Headers = Readonly<Record<string, string>>;

interface Target {
  readonly path: string;
  readonly search?: string;
  readonly type: string;
  readonly version?: ApiVersion;
}

function jsonOf(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError('a query must be a JSON value');
  return json;
}

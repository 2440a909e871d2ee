// A client of an engine in the same process, for tests.
import { createEngine, type Engine, type EngineOptions, type HttpRequest, type HttpResponse, type LogStore } from '../engine/index.ts';
import { memoryLogStore } from '../engine/kv/memory.ts';
import { testPlatform, type TestPlatform } from './platform.ts';

export interface Reply {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  readonly text: string;
}

/** A reply to what is to succeed. @throws Error that says what it got instead, and for which query */
export function succeeded(reply: Reply, query = ''): Reply {
  if (reply.status >= 300) throw new Error(`${query.slice(0, 300)}\n${reply.text}`.trim());
  return reply;
}

/** What an answer says, and what it says that it took. */
export const told = ({ status, text, headers }: Reply): unknown => ({
  status,
  text,
  compute: headers['x-compute-ops'],
  reads: headers['x-byte-read-ops'],
  bytes: headers['x-storage-bytes-read'],
});

export interface TestClient {
  readonly engine: Engine;
  readonly platform: TestPlatform;
  /** Sends a request with the root secret. */
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Reply>;
  /** Posts a query under a version (`''`: no header); answers its body as text. */
  query(json: string, version?: string): Promise<Reply>;
  /** Posts a query under version 4 with another secret. */
  queryAs(secret: string, json: string): Promise<Reply>;
}

/** A query under version 4 with the root secret, for the engine itself. @param request what else there is to say of it, such as that it is sent again */
export const queryRequest = (json: string, request: Pick<HttpRequest, 'id'> & Partial<HttpRequest>): HttpRequest => ({
  method: 'POST',
  path: '/',
  search: '',
  headers: { authorization: 'Bearer secret', 'x-faunadb-api-version': '4' },
  body: json,
  ...request,
});

let requests = 0;

/** `VIVARIUM_COLD`: rows go into blocks at once and no block is kept, so that every read has to wait. */
const isCold = process.env.VIVARIUM_COLD !== undefined;
const TEMPERATURE = isCold ? { flushAt: 500, cacheBytes: 0 } : {};

export async function testClient(
  store: LogStore = memoryLogStore(),
  platform: TestPlatform = testPlatform(),
  options: Omit<EngineOptions, 'store' | 'platform' | 'report'> = TEMPERATURE,
  newId: () => string = () => `request-${++requests}`,
): Promise<TestClient> {
  const errors: unknown[] = [];
  const engine = await createEngine({ store, platform, report: (error) => errors.push(error), ...options });
  const send: TestClient['send'] = async (method, target, body, headers = {}) => {
    const [path = '/', search = ''] = target.split('?', 2);
    const response = await engine.handle({
      method,
      path,
      search,
      headers: { authorization: 'Bearer secret', ...headers },
      body: body === undefined ? null : new TextEncoder().encode(body),
      id: newId(),
    });
    // A test with a temperature of its own decides itself when rows go into blocks.
    if (isCold && options === TEMPERATURE) await engine.upkeep();
    const [error] = errors.splice(0);
    if (error !== undefined) throw error;
    if (!(response.body instanceof Uint8Array)) throw new Error('a streamed answer');
    return { status: response.status, headers: response.headers, text: new TextDecoder().decode(response.body) };
  };
  return {
    engine,
    platform,
    send,
    queryAs: (secret, json) => send('POST', '/', json, { authorization: `Bearer ${secret}`, 'x-faunadb-api-version': '4' }),
    query: (json, version = '4') => send('POST', '/', json, version === '' ? {} : { 'x-faunadb-api-version': version }),
  };
}

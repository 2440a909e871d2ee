// A stream of an engine in the same process, read message by message.
import type { HttpResponse } from '../engine/index.ts';
import type { TestClient } from './client.ts';

export interface Message {
  readonly type: string;
  readonly txn: number;
  readonly event: unknown;
}

export interface TestStream {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** The whole body of an answer that is no stream. */
  readonly text: string;
  /** The next message, as it was written; `null` at the end. */
  line(): Promise<string | null>;
  /** The next message. Fails when there is none. */
  next(): Promise<Message>;
  /** So many messages. */
  take(count: number): Promise<Message[]>;
  /** The client goes, also while a message is awaited. */
  close(): Promise<unknown>;
}

export interface StreamOptions {
  readonly path?: string;
  readonly version?: string;
  readonly secret?: string;
}

let requests = 0;

export async function openStream(client: TestClient, json: string, options: StreamOptions = {}): Promise<TestStream> {
  const { path = '/stream', version = '4', secret = 'secret' } = options;
  const [pathname = '', search = ''] = path.split('?', 2);
  const { status, headers, body } = await client.engine.handle({
    method: 'POST',
    path: pathname,
    search,
    headers: { authorization: `Bearer ${secret}`, ...(version === '' ? {} : { 'x-faunadb-api-version': version }) },
    body: new TextEncoder().encode(json),
    id: `stream-${++requests}`,
    // As the page API asks, which alone may.
    ...(pathname === '/live' && { bare: true }),
  });
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const none = async (): Promise<never> => Promise.reject(new Error('no stream'));
    return { status, headers, text: typeof body === 'string' ? body : new TextDecoder().decode(body), line: none, next: none, take: none, close: none };
  }
  const chunks = body[Symbol.asyncIterator]();
  let waiting: string[] = [];
  const line = async (): Promise<string | null> => {
    if (waiting.length === 0) {
      const { done, value } = await chunks.next();
      if (done === true) return null;
      const text = new TextDecoder().decode(value);
      if (!text.endsWith('\r\n')) throw new Error(`a message without its end: ${text}`);
      waiting = text.slice(0, -2).split('\r\n');
    }
    return waiting.shift() ?? null;
  };
  const next = async (): Promise<Message> => {
    const text = await line();
    if (text === null) throw new Error('the stream has ended');
    return JSON.parse(text) as Message;
  };
  return {
    status,
    headers,
    text: '',
    line,
    next,
    async take(count) {
      const messages: Message[] = [];
      while (messages.length < count) messages.push(await next());
      return messages;
    },
    close: async () => chunks.return?.(),
  };
}

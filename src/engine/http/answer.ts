// Bodies and headers of answers (reference: fql/wire.md §5.3, fql/errors.md §1).
import { hexFromBytes } from '../base/bytes.ts';
import { isExhaustion } from '../base/exhaustion.ts';
import type { Platform } from '../base/platform.ts';
import { type Failure, FqlError, HttpError, type Words } from '../errors/fql-error.ts';
import { StorageError } from '../kv/log-store.ts';
import { writeJson } from '../value/json.ts';
import { prettyJson } from '../value/pretty-json.ts';
import { Obj, type Value } from '../value/value.ts';
import { marksOf, TRACE_BYTES } from './marks.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { readTags } from './tags.ts';

const JSON_TYPE = 'application/json;charset=utf-8';
export const TEXT_TYPE = 'text/plain;charset=utf-8';

/** An answer before its body is bytes. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** In place of the text: one that goes on. Each part is sent as it comes. */
  readonly stream?: Endless;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Endless {
  readonly parts: AsyncGenerator<string>;
  /** The client has gone: whatever the next part waits for comes to an end. */
  close(): void;
}

/** What follows each message of one. */
export const MESSAGE_END = '\r\n';

export function errorAnswer(error: unknown, words: Words): Answer | null {
  if (error instanceof FqlError) {
    return { status: error.status, text: writeJson(Obj.of(['errors', error.failures.map((failure) => failureJson(failure, words))])) };
  }
  if (error instanceof HttpError) return protocolError(error.status, error.code, error.description, error.headers);
  if (error instanceof StorageError) return protocolError(error.code === 'quota' ? 507 : 503, STORAGE_CODES[error.code], error.message);
  // The engine recurses only as deep as its input, so a request that exhausts the stack, or a string's length, was made to.
  if (isExhaustion(error)) return protocolError(400, 'bad request', 'The request is nested too deeply or makes too large a value.');
  return null;
}

/** What clients read of a failing backend. */
const STORAGE_CODES: Readonly<Record<StorageError['code'], string>> = {
  unavailable: 'storage unavailable',
  blocked: 'storage blocked',
  'newer-format': 'storage format newer',
  corrupt: 'storage corrupt',
  quota: 'storage quota exceeded',
  lost: 'storage connection lost',
  timeout: 'time out',
  evicted: 'storage evicted',
};

function protocolError(status: number, code: string, description: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, text: writeJson(Obj.of(['errors', [Obj.of(['code', code], ['description', description])]])), headers };
}

/** A bug of ours, of which nothing more is said. */
export const internalError = (): Answer => protocolError(500, 'internal server error', 'Internal server error.');

function failureJson(failure: Failure, words: Words): Obj {
  const text = (description: Failure['description']): string => (typeof description === 'string' ? description : description(words));
  const position = failure.at.toArray().map((step): Value => (typeof step === 'number' ? BigInt(step) : step));
  return Obj.from({
    position,
    code: failure.code,
    description: text(failure.description),
    failures: failure.failures?.map(({ field, code, description }) =>
      Obj.of(['field', field.map(String)], ['code', code], ['description', text(description)]),
    ),
    cause: failure.cause?.map((inner) => failureJson(inner, words)),
  });
}

/** The response with the headers every answer carries. @param told others, unless the answer has them itself */
export function respond(answer: Answer, request: HttpRequest, utf8: Platform['utf8'], told?: Answer['headers']): HttpResponse {
  const { status, stream, type = JSON_TYPE } = answer;
  const sent = (whole: Uint8Array | string): HttpResponse['body'] => (stream === undefined ? whole : encoded(stream, utf8));
  if (request.bare === true) return { status, headers: {}, body: sent(answer.text) };
  const isTraced = request.headers['x-trace'] !== undefined;
  // Traces are always empty, as nothing is recorded for them.
  const plain = isTraced && type === JSON_TYPE ? answer.text.replace(/\}$/, ',"trace":[]}') : answer.text;
  const text = type === JSON_TYPE && wantsPretty(request) ? prettyJson(plain) : plain;
  const body = utf8.encode(text);
  const headers: Record<string, string> = {
    'content-type': type,
    'x-faunadb-build': BUILD,
    traceparent: traceOf(request),
    ...told,
    ...(isTraced && { 'x-faunadb-host': 'localhost' }),
    ...answer.headers,
  };
  if (stream === undefined) headers['content-length'] = String(body.length);
  // An answer that shows its cost also shows how many bytes are sent, which is known only here.
  if (headers['x-query-bytes-in'] !== undefined) headers['x-query-bytes-out'] = String(body.length);
  const tags = readTags(request.headers['x-fauna-tags']);
  if ('shown' in tags && tags.shown) headers['x-fauna-tags'] = tags.shown;
  if (request.headers.origin !== undefined) Object.assign(headers, corsHeaders(request.headers.origin, headers));
  return { status, headers, body: sent(body) };
}

/** A generator that waits cannot be ended until it goes on, so `close` first makes it go on. */
function encoded({ parts, close }: Endless, utf8: Platform['utf8']): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const { done, value } = await parts.next();
        if (done !== true) return { done: false, value: utf8.encode(value) };
      } catch (error) {
        close();
        throw error;
      }
      close();
      return { done: true, value: undefined };
    },
    async return() {
      close();
      await parts.return(undefined);
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

const BUILD = 'vivarium';

/** The trace that the request is part of, or a new one, with a span of our own, which nobody records (W3C Trace Context). */
function traceOf(request: HttpRequest): string {
  const { traceBits } = marksOf(request);
  const [, given] = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.exec(request.headers.traceparent ?? '') ?? [];
  const trace = given ?? hexFromBytes(traceBits.subarray(0, TRACE_BYTES));
  return `00-${trace}-${hexFromBytes(traceBits.subarray(TRACE_BYTES))}-00`;
}

const wantsPretty = ({ headers }: HttpRequest): boolean =>
  headers['x-faunadb-formatted-json'] !== undefined || /curl|HTTPie/.test(headers['user-agent'] ?? '');

function corsHeaders(origin: string, sent: Readonly<Record<string, string>>): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': Object.keys(sent).filter((name) => name.startsWith('x-') && name !== 'x-faunadb-build').join(', '),
  };
}

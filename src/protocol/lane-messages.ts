// What travels over a lane. What the page's own calls send, and are answered, goes as lists: to copy
// an object from one thread to another takes several times as long, for its names. A page and its
// worker are of one build; a service worker, which may be of another, makes no such requests and
// gets no such answers.
import type { HttpRequest } from '../engine/http/message.ts';

export type ToServer =
  | { readonly kind: 'hello' }
  | {
      readonly kind: 'requests';
      readonly requests: readonly (NumberedRequest | PackedRequest)[];
      /** The lock the thread holds as long as it lives. Told with no requests: an end of an earlier build takes every message but a greeting for some. */
      readonly life?: string;
    };

export type ToClient =
  | { readonly kind: 'alive' }
  /** The lock the thread holds as long as it lives. */
  | { readonly kind: 'life'; readonly lock: string }
  | { readonly kind: 'responses'; readonly responses: readonly (NumberedAnswer | PackedAnswer)[] }
  /** The engine closes; what is unanswered will stay so. */
  | { readonly kind: 'bye' };

export interface NumberedRequest {
  readonly call: number;
  readonly request: HttpRequest;
}

export interface NumberedResponse {
  readonly call: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A port serves a stream (see byte-stream.ts). */
  readonly body: Uint8Array | string | MessagePort;
}

/** A bug of ours stood in the way of an answer. */
interface Failed {
  readonly call: number;
  readonly failed: true;
}

export type NumberedAnswer = NumberedResponse | Failed;

type Headers = HttpRequest['headers'];

/** A POST request that is `bare`, with a text. */
export type PackedRequest = readonly [call: number, path: string, search: string, headers: Headers, body: string, id: string, sentAt: number | undefined, resent: boolean];

/** An answer that is a text without headers. */
export type PackedAnswer = readonly [call: number, status: number, body: string];

export function packRequest(numbered: NumberedRequest): NumberedRequest | PackedRequest {
  const { call, request } = numbered;
  const { path, search, headers, body, id, sentAt, resent } = request;
  return request.bare === true && request.method === 'POST' && typeof body === 'string' ? [call, path, search, headers, body, id, sentAt, resent === true] : numbered;
}

export function unpackRequest(one: NumberedRequest | PackedRequest): NumberedRequest {
  if (!isList(one)) return one;
  const [call, path, search, headers, body, id, sentAt, resent] = one;
  return { call, request: { method: 'POST', path, search, headers, body, bare: true, id, resent, ...(sentAt !== undefined && { sentAt }) } };
}

export function unpackAnswer(one: NumberedAnswer | PackedAnswer): NumberedAnswer {
  return isList(one) ? { call: one[0], status: one[1], headers: NONE, body: one[2] } : one;
}

const NONE: Headers = {};

const isList = <T>(one: T): one is Extract<T, readonly unknown[]> => Array.isArray(one);

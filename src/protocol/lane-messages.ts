// What travels over a lane. The page's own calls and their answers travel as arrays: because of its
// property names, copying an object from one thread to another takes several times as long. A page and
// its worker are always of one build; a service worker may be of another, and uses objects only.
import type { HttpRequest } from '../engine/http/message.ts';

export type ToServer =
  | { readonly kind: 'hello' }
  | {
      readonly kind: 'requests';
      readonly requests: readonly (NumberedRequest | PackedRequest)[];
      /** Name of a lock that the sending thread holds as long as it lives. Sent as a message of requests, without any, as earlier builds know no other kind. */
      readonly life?: string;
    };

export type ToClient =
  | { readonly kind: 'alive' }
  /** `lock` names one that the sending thread holds as long as it lives. */
  | { readonly kind: 'life'; readonly lock: string }
  | { readonly kind: 'responses'; readonly responses: readonly (NumberedAnswer | PackedAnswer)[] }
  /** The engine closes: what is unanswered stays unanswered. */
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

/** There is no answer, because of a bug of ours. */
interface Failed {
  readonly call: number;
  readonly failed: true;
}

export type NumberedAnswer = NumberedResponse | Failed;

type Headers = HttpRequest['headers'];

/** A POST request that is `bare`, with a text. */
export type PackedRequest = readonly [call: number, path: string, search: string, headers: Headers, body: string, id: string, sentAt: number | undefined, resent: boolean | undefined];

/** An answer that is a text without headers. */
export type PackedAnswer = readonly [call: number, status: number, body: string];

export function packRequest(numbered: NumberedRequest): NumberedRequest | PackedRequest {
  const { call, request } = numbered;
  const { path, search, headers, body, id, sentAt, resent } = request;
  return request.bare && request.method === 'POST' && typeof body === 'string' ? [call, path, search, headers, body, id, sentAt, resent] : numbered;
}

export function unpackRequest(one: NumberedRequest | PackedRequest): NumberedRequest {
  if (!isList(one)) return one;
  const [call, path, search, headers, body, id, sentAt, resent] = one;
  return { call, request: { method: 'POST', path, search, headers, body, bare: true, id, resent, sentAt } };
}

export function unpackAnswer(one: NumberedAnswer | PackedAnswer): NumberedAnswer {
  return isList(one) ? { call: one[0], status: one[1], headers: NONE, body: one[2] } : one;
}

const NONE: Headers = {};

const isList = Array.isArray as <T>(one: T) => one is Extract<T, readonly unknown[]>;

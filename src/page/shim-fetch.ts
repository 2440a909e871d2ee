import type { HttpResponse } from '../engine/http/message.ts';
import { fromPage, isStream, toPage } from '../protocol/fetch-messages.ts';
import type { Route } from '../protocol/routes.ts';
import { sendingHeaders } from '../protocol/sending.ts';
import { unlessAborted } from '../protocol/unless-aborted.ts';
import type { ShimHost } from './shim-host.ts';

/** A `fetch` that has our requests answered by the host and hands on all others untouched. */
export function shimFetch(native: typeof fetch, host: ShimHost): typeof fetch {
  return function fetch(input, init) {
    const route = routeOf(input, init, host);
    if (route === null) return native.call(globalThis, input, init);
    const send: Send = (what, how) => (host.passes(route) ? pass(what, how, native) : answer(what, how, route, host));
    const settling = host.settling(route);
    return settling === null ? send(input, init) : later(settling, input, init, send);
  };
}

type Send = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** Sends the request as it was at the call, which may be aborted while it waits. */
async function later(settling: Promise<void>, input: RequestInfo | URL, init: RequestInit | undefined, send: Send): Promise<Response> {
  const request = new Request(input, init);
  await unlessAborted(settling, request.signal);
  return send(request);
}

/** Sends a request the usual way, with an id by which it is known should it arrive twice. */
async function pass(input: RequestInfo | URL, init: RequestInit | undefined, native: typeof fetch): Promise<Response> {
  const request = new Request(input, init);
  for (const [name, value] of sendingHeaders()) request.headers.set(name, value);
  return native.call(globalThis, request);
}

function routeOf(input: RequestInfo | URL, init: RequestInit | undefined, host: ShimHost): Route | null {
  const given = input instanceof Request ? input : null;
  return host.route(given?.url ?? String(input), init?.method ?? given?.method ?? 'GET');
}

async function answer(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  route: Route,
  host: ShimHost,
): Promise<Response> {
  // Whatever is wrong with the arguments fails here with the platform's own error.
  const request = new Request(input, init);
  const { signal } = request;
  const plain = await unlessAborted(fromPage(request, route, host.origin), signal);
  const answering = host.handle(plain);
  const answered = await unlessAborted(answering, signal).catch((reason: unknown) => {
    answering.then(({ body }) => giveUp(body), () => undefined);
    throw reason;
  });
  return withAddress(toPage(answered, request.method, signal), request.url);
}

/** Ends a stream that nobody will read. */
function giveUp(body: HttpResponse['body']): void {
  if (isStream(body)) void body[Symbol.asyncIterator]().return?.();
}

/** A constructed Response has no address; clients show it in their errors. */
function withAddress(response: Response, url: string): Response {
  return Object.defineProperty(response, 'url', { value: url.replace(/#.*$/, '') });
}

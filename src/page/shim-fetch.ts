import type { HttpResponse } from '../engine/http/message.ts';
import { fromPage, isStream, toPage } from '../protocol/fetch-messages.ts';
import type { Route } from '../protocol/routes.ts';
import { sendingHeaders } from '../protocol/sending.ts';
import { unlessAborted } from '../protocol/unless-aborted.ts';
import type { ShimHost } from './shim-host.ts';

/** A `fetch` that has our requests answered by the host and hands on all others untouched. Like the platform's it never throws: whatever is wrong is told by its promise. */
export function shimFetch(native: typeof fetch, host: ShimHost): typeof fetch {
  return async function fetch(input, init) {
    const route = routeOf(input, init, host);
    if (route === null) return native.call(globalThis, input, init);
    // As it is at the call. Whatever is wrong with the arguments fails here with the platform's own error.
    const request = new Request(input, init);
    const settling = host.settling(route);
    // One that is to outlive its page must be on its way before that ends.
    if (settling !== null && !request.keepalive) await unlessAborted(settling, request.signal);
    return host.passes(route) ? pass(request, native) : answer(request, route, host);
  };
}

/** Sends a request the usual way, with an id by which it is known should it arrive twice. */
function pass(request: Request, native: typeof fetch): Promise<Response> {
  for (const [name, value] of sendingHeaders()) request.headers.set(name, value);
  return native.call(globalThis, request);
}

function routeOf(input: RequestInfo | URL, init: RequestInit | undefined, host: ShimHost): Route | null {
  // By what it has: it may be a frame's, or one made before a tool put its own class in the place of `Request`.
  const { url, method } = Object(input) as Partial<Request>;
  return host.route(url ?? String(input), init?.method ?? method ?? 'GET');
}

async function answer(request: Request, route: Route, host: ShimHost): Promise<Response> {
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

/** A constructed Response has no address, nor have its clones; clients show it in their errors. */
function withAddress(response: Response, url: string): Response {
  const { clone } = response;
  // Tools replace it, as they may the platform's.
  response.clone = () => withAddress(clone.call(response), url);
  return Object.defineProperty(response, 'url', { value: url.replace(/#.*$/, '') });
}

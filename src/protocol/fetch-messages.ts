// Between the platform's Request and Response and our plain messages; the service worker
// and the page's shim make the same of the same call.
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { readBody } from './request-body.ts';
import type { Route } from './routes.ts';
import { firstSending, takeSending } from './sending.ts';
import type { Sending } from './sending.ts';

/**
 * A request that has come to a service worker.
 * @param origin of the page that sends it
 * @param startedAt when the service worker began to answer (see sending.ts)
 */
export function fromRequest(request: Request, route: Route, origin: string, startedAt: number): Promise<HttpRequest> {
  const { sending, headers } = takeSending(Object.fromEntries(request.headers), startedAt);
  return plain(request, route, origin, headers, sending);
}

/** One that its page answers itself. */
export function fromPage(request: Request, route: Route, origin: string): Promise<HttpRequest> {
  return plain(request, route, origin, Object.fromEntries(request.headers), firstSending());
}

async function plain(request: Request, route: Route, origin: string, headers: Record<string, string>, sending: Sending): Promise<HttpRequest> {
  // The browser adds Origin only when a request leaves for the network, which ours never does.
  if (needsOrigin(request, origin)) headers['origin'] ??= origin;
  return {
    method: request.method,
    path: route.path,
    search: route.search,
    headers,
    body: await readBody(request),
    ...sending,
  };
}

function needsOrigin(request: Request, origin: string): boolean {
  return new URL(request.url).origin !== origin || (request.method !== 'GET' && request.method !== 'HEAD');
}

/**
 * What a page is answered by its service worker. Bodies are streams, as Chromium hands their bytes from thread
 * to thread; any other kind becomes a blob first, kept by the browser's own process (0.25 ms a response).
 * But a stream breaks when the service worker ends before all of it is handed over, and the browser does not send
 * the request again. Whoever has written must learn how that ended, so the answer to a write is given whole.
 */
export function toResponse(answer: HttpResponse, method: string): Response {
  const onlyRead = answer.headers['x-byte-write-ops'] === '0';
  return response(answer, method, (body) => (isStream(body) ? streamOf(body) : onlyRead ? streamOfAll(body) : whole(body)));
}

/** What it is answered by itself. @param signal aborts a body that is still coming, as over the network */
export function toPage(answer: HttpResponse, method: string, signal: AbortSignal): Response {
  return response(answer, method, (body) => (isStream(body) ? streamOf(body, signal) : whole(body)));
}

function response({ status, headers, body }: HttpResponse, method: string, show: (body: HttpResponse['body']) => BodyInit): Response {
  return new Response(method === 'HEAD' ? null : show(body), { status, headers });
}

/** Our bodies are never backed by shared memory, which is all the type leaves open. */
const whole = (body: string | Uint8Array): string | Uint8Array<ArrayBuffer> => body as string | Uint8Array<ArrayBuffer>;

/** Whether a body comes bit by bit. */
export function isStream(body: HttpResponse['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

function streamOfAll(body: string | Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (body.length > 0) controller.enqueue(typeof body === 'string' ? new TextEncoder().encode(body) : body);
      controller.close();
    },
  });
}

function streamOf(source: AsyncIterable<Uint8Array>, signal?: AbortSignal): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let abort = (): void => undefined;
  // The signal may outlive many streams, and must not hold on to them.
  const forget = (): void => signal?.removeEventListener('abort', abort);
  return new ReadableStream({
    start(controller) {
      // `pipeThrough` with a signal waits for a write that nobody reads before it cancels the source.
      abort = () => {
        controller.error(signal?.reason);
        void chunks.return?.();
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort);
    },
    async pull(controller) {
      const next = await chunks.next().catch((error: unknown) => {
        forget();
        throw error;
      });
      if (next.done !== true) return controller.enqueue(next.value);
      forget();
      controller.close();
    },
    async cancel() {
      forget();
      await chunks.return?.();
    },
  });
}

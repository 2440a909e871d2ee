// The worker's end of a lane (see lane.ts).
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { writeBytes } from './byte-writer.ts';
import { type showLife, watchLife } from './life.ts';
import type { LaneEnd } from './lane.ts';
import { type NumberedAnswer, type NumberedRequest, type NumberedResponse, type PackedAnswer, type ToClient, type ToServer, unpackRequest } from './lane-messages.ts';

/** From this size on a body is transferred. Copying a smaller one costs nothing, and it may be a constant that other answers need. */
const TRANSFER_BYTES = 65_536;

/** The first answer must not wait for the lock, if it comes soon: of one to a service worker that had been stopped that was a twentieth. */
const LEISURE_MS = 50;

/** Most answers in one message: the other end reads them while this one makes the next. */
const MOST = 16;

export interface LaneServer {
  /** Tells the other end that nothing more will come. */
  close(): void;
}

/**
 * @param handle answers every request, at once or later; a failure of its own is answered as an internal error
 * @param onClose called at most once, when the other end is known to be gone: by its port, or by the lock of its thread
 * @param show how to let the other end know at once when this thread is ended
 */
export function serveLane(
  port: LaneEnd,
  handle: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
  onClose: () => void = () => undefined,
  show?: typeof showLife,
): LaneServer {
  let outbox: (NumberedAnswer | PackedAnswer)[] = [];
  /** Each ends one of the streams that are under way. */
  const streams = new Set<() => void>();
  let isGone = false;
  let endWatch = (): void => undefined;
  const send = (message: ToClient, transfer: Transferable[] = []): void => port.postMessage(message, transfer);
  let letGo: (() => void) | undefined;
  const appear = (): void => {
    if (atLatest === undefined) return;
    clearTimeout(atLatest);
    atLatest = undefined;
    letGo = show?.((lock) => send({ kind: 'life', lock }));
  };
  let atLatest = show && setTimeout(appear, LEISURE_MS);

  const flush = (): void => {
    const responses = outbox;
    if (responses.length === 0) return;
    outbox = [];
    try {
      sendAll(responses);
    } catch {
      // One that cannot be sent must not take the others with it.
      responses.forEach(sendAlone);
    }
    appear();
  };

  const sendAll = (responses: readonly (NumberedAnswer | PackedAnswer)[]): void =>
    send({ kind: 'responses', responses }, responses.flatMap((one) => ('body' in one ? handedOver(one.body) : [])));

  const sendAlone = (response: NumberedAnswer | PackedAnswer): void => {
    try {
      sendAll([response]);
    } catch (error) {
      sendAll([failed('call' in response ? response.call : response[0], error)]);
    }
  };

  const post = (answer: NumberedAnswer | PackedAnswer): void => {
    const waiting = outbox.push(answer);
    if (waiting === 1) queueMicrotask(flush);
    else if (waiting >= MOST) flush();
  };

  const answer = ({ call, request }: NumberedRequest): void => {
    const fail = (error: unknown): void => post(failed(call, error));
    const isBare = request.bare === true;
    try {
      const response = handle(request);
      if (response instanceof Promise) response.then((later) => post(sendable(call, later, isBare, portOf))).catch(fail);
      else post(sendable(call, response, isBare, portOf));
    } catch (error) {
      fail(error);
    }
  };

  const portOf = (body: AsyncIterable<Uint8Array>): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    const end = writeBytes(body, port1, () => streams.delete(end));
    streams.add(end);
    // The other end was lost while this answer was made.
    if (isGone) end();
    return port2;
  };

  port.onmessage = ({ data }: MessageEvent<ToServer>) => {
    if (data.kind === 'hello') send({ kind: 'alive' });
    else {
      if (data.life !== undefined) endWatch = watchLife(data.life, gone);
      for (const one of data.requests) answer(unpackRequest(one));
    }
  };
  const close = (): void => {
    clearTimeout(atLatest);
    atLatest = undefined;
    letGo?.();
    endWatch();
    port.close?.();
  };
  const gone = (): void => {
    // The lock and the port may both tell.
    if (isGone) return;
    isGone = true;
    close();
    streams.forEach((end) => end());
    onClose();
  };
  port.addEventListener('close', gone);
  return {
    close() {
      send({ kind: 'bye' });
      close();
    },
  };
}

/** Bugs of ours: the stack goes to the console, and no detail into the answer. */
function failed(call: number, error: unknown): NumberedAnswer {
  console.error(error);
  return { call, failed: true };
}

type PortOf = (body: AsyncIterable<Uint8Array>) => MessagePort;

function sendable(call: number, { status, headers, body }: HttpResponse, isBare: boolean, portOf: PortOf): NumberedResponse | PackedAnswer {
  return isBare && typeof body === 'string' ? [call, status, body] : { call, status, headers, body: sendableBody(body, portOf) };
}

function sendableBody(body: HttpResponse['body'], portOf: PortOf): NumberedResponse['body'] {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? compact(body) : portOf(body);
}

function handedOver(body: NumberedResponse['body']): Transferable[] {
  if (typeof body === 'string') return [];
  if (body instanceof MessagePort) return [body];
  return body.byteLength >= TRANSFER_BYTES && body.buffer instanceof ArrayBuffer ? [body.buffer] : [];
}

/** A message carries the whole buffer behind a view, so a view of a part is copied first. */
function compact(body: Uint8Array): Uint8Array {
  return body.byteLength === body.buffer.byteLength ? body : body.slice();
}

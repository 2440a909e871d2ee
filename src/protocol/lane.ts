// A lane carries requests to an engine's worker: from the page by the worker's own messages, from
// the service worker over a MessagePort. Requests made in one tick travel in one message, answers
// that come in one tick in a few: a message costs 60 µs, a request inside one less than 2.
//
// The worker says that it is alive whenever it is greeted: at first, and again and again
// while an answer is awaited. So a caller knows soon whether anybody is there, however long
// a query runs, and may ask another engine with the same request id. A worker that has shown
// itself may be busy in one stretch, and is given longer than one that has not.
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { readBytes } from './byte-stream.ts';
import type { ByteStream } from './byte-stream.ts';
import { internalError } from './failures.ts';
import type { watchLife } from './life.ts';
import { type NumberedRequest, type NumberedResponse, packRequest, type ToClient, type ToServer, unpackAnswer } from './lane-messages.ts';
import { after } from './steady.ts';

/** One end of a lane: a port, or a worker, whose messages take a shorter way. */
export interface LaneEnd {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  addEventListener(type: 'close', listener: () => void): void;
  /** A worker is ended by whoever started it. */
  close?(): void;
}

export interface LaneLimits {
  /** Milliseconds until the very first sign of life. */
  readonly first: number;
  /** Milliseconds without any after that, while an answer is awaited or goes on. */
  readonly silence: number;
}

/** How many calls were made so far, and how many of them are not answered. */
export interface Traffic {
  readonly made: number;
  readonly awaited: number;
}

export interface Lane {
  /** Resolves at the first sign of life, rejects with `LaneLost`. */
  readonly alive: Promise<void>;
  readonly traffic: Traffic;
  /** @throws LaneLost when the other end is gone; the request may or may not have run. */
  call(request: HttpRequest): Promise<HttpResponse>;
  /** Loses the lane unless a new greeting is answered within so many milliseconds; a message that was on its way already proves nothing. */
  prove(milliseconds: number): void;
  close(): void;
}

/** Nobody answers at the other end (any more). */
export class LaneLost extends Error {}

/** How often a worker whose answer is awaited may be greeted in vain before it counts as gone. */
const BEATS = 5;

interface Caller {
  resolve(response: HttpResponse): void;
  reject(reason: LaneLost): void;
}

/**
 * @param onLost called once, before any caller hears of it; also when nobody is waiting
 * @param watch how to learn of the other end's death other than by its silence
 */
export function openLane(
  port: LaneEnd,
  limits: LaneLimits,
  onLost: (reason: LaneLost) => void = () => undefined,
  watch?: typeof watchLife,
): Lane {
  const callers = new Map<number, Caller>();
  /** Streams that are under way: they are cut off with the lane. */
  const streams = new Set<ByteStream>();
  let outbox: NumberedRequest[] = [];
  let calls = 0;
  let lost: LaneLost | null = null;
  /** Calls off the loss that comes without a sign of life. */
  let callOffLoss: (() => void) | undefined;
  /** Greetings without an answer: answers come in order, so the last is answered when all are. */
  let unanswered = 0;
  /** Whether the other end has ever shown itself. */
  let hasAppeared = false;
  /** Calls off the next beat. */
  let callOffBeat: (() => void) | undefined;
  /** Beats since the other end was last heard of. */
  let silentBeats = 0;
  let endWatch: (() => void) | undefined;
  let appear: () => void = () => undefined;
  let vanish: (reason: LaneLost) => void = () => undefined;
  const alive = new Promise<void>((resolve, reject) => {
    appear = resolve;
    vanish = reject;
  });
  // Whoever does not wait for it must not see its failure as unhandled.
  alive.catch(() => undefined);

  const send = (message: ToServer): void => port.postMessage(message, []);

  const lose = (reason: string): void => {
    if (lost !== null) return;
    lost = new LaneLost(reason);
    callOffLoss?.();
    callOffBeat?.();
    endWatch?.();
    port.close?.();
    onLost(lost);
    vanish(lost);
    for (const caller of callers.values()) caller.reject(lost);
    callers.clear();
    for (const stream of streams) stream.cut();
  };

  /** Whether an answer is awaited or goes on. */
  const isAwaited = (): boolean => callers.size + streams.size > 0;

  const greet = (): void => {
    unanswered++;
    send({ kind: 'hello' });
  };

  const prove = (milliseconds: number): void => {
    if (lost !== null) return;
    greet();
    callOffLoss?.();
    callOffLoss = after(milliseconds, () => lose('no sign of life'));
  };

  /** Counts its own ticks, not the clock: a page that was frozen has not been waiting. */
  const beat = (): void => {
    callOffBeat = undefined;
    // Only now, not with every answer: timers cost more than some answers do.
    if (!isAwaited()) return;
    if (++silentBeats > BEATS) return lose('no sign of life');
    greet();
    listen();
  };

  const listen = (): void => {
    callOffBeat ??= after(limits.silence / BEATS, beat);
  };

  const heard = (): void => {
    hasAppeared = true;
    appear();
    if (unanswered === 0) callOffLoss?.();
    silentBeats = 0;
    if (isAwaited()) listen();
  };

  const flush = (): void => {
    const requests = outbox;
    outbox = [];
    if (lost !== null) return;
    send({ kind: 'requests', requests: requests.map(packRequest) });
    if (hasAppeared) listen();
  };

  const streamOf = (body: MessagePort): ByteStream => {
    const stream = readBytes(body, () => streams.delete(stream));
    streams.add(stream);
    return stream;
  };

  const responseOf = ({ status, headers, body }: NumberedResponse): HttpResponse => ({
    status,
    headers,
    body: body instanceof MessagePort ? streamOf(body) : body,
  });

  port.onmessage = ({ data }: MessageEvent<ToClient>) => {
    if (data.kind === 'bye') return lose('the engine was closed');
    if (data.kind === 'alive') unanswered--;
    if (data.kind === 'life') endWatch = watch?.(data.lock, () => lose('the other end is gone'));
    if (data.kind === 'responses') {
      for (const answer of data.responses.map(unpackAnswer)) {
        callers.get(answer.call)?.resolve('failed' in answer ? internalError() : responseOf(answer));
        callers.delete(answer.call);
      }
    }
    heard();
  };
  port.addEventListener('close', () => lose('the other end is gone'));
  prove(limits.first);

  return {
    alive,
    get traffic() {
      return { made: calls, awaited: callers.size };
    },
    call: (request) =>
      new Promise((resolve, reject) => {
        if (lost !== null) return reject(lost);
        const call = calls++;
        callers.set(call, { resolve, reject });
        // Not by `queueMicrotask`, which tests replace with what they run when they like.
        if (outbox.push({ call, request }) === 1) void Promise.resolve().then(flush);
      }),
    prove,
    close: () => lose('closed'),
  };
}

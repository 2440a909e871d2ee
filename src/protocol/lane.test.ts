import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { fakeTimers, realTimers } from '../testing/fake-timers.ts';
import { LaneLost, openLane } from './lane.ts';
import type { Lane, LaneEnd } from './lane.ts';
import type { ToClient, ToServer } from './lane-messages.ts';
import { serveLane } from './lane-server.ts';

const LIMITS = { first: 200, silence: 2_000 };
const text = (body: HttpResponse['body']): string => new TextDecoder().decode(body as Uint8Array);
const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);

function request(path: string, body: Uint8Array | null = null): HttpRequest {
  return { method: 'POST', path, search: '', headers: {}, body, id: path };
}

const echo = async ({ path }: HttpRequest): Promise<HttpResponse> => ({ status: 200, headers: { path }, body: bytes(path) });

let open: MessagePort[] = [];
function ends(): [MessagePort, MessagePort] {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  return [port1, port2];
}
beforeEach(() => {
  open = [];
  // Messages take the time they take on a busy machine; only limits follow this clock.
  fakeTimers();
});
afterEach(() => {
  open.forEach((port) => port.close());
  realTimers();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const nextMessage = (port: MessagePort): Promise<unknown> =>
  new Promise((resolve) => port.addEventListener('message', resolve, { once: true }));

function served(handle: Parameters<typeof serveLane>[1] = echo): { lane: Lane; server: ReturnType<typeof serveLane> } {
  const [near, far] = ends();
  const server = serveLane(far, handle);
  return { lane: openLane(near, LIMITS), server };
}

describe('a lane', () => {
  it('brings each answer to its own caller, whatever the order they come in', async () => {
    const finish: Record<string, () => void> = {};
    const { lane } = served(async (asked) => {
      await new Promise<void>((resolve) => (finish[asked.path] = resolve));
      return echo(asked);
    });
    const order: string[] = [];
    const calls = ['/first', '/second'].map((path) => lane.call(request(path)).then(({ body }) => order.push(text(body))));
    await vi.waitUntil(() => finish['/second']);
    finish['/second']?.();
    await calls[1];
    finish['/first']?.();
    await calls[0];
    expect(order).toEqual(['/second', '/first']);
  });

  it('brings requests of every kind as they were made, and answers of every kind, also at once', async () => {
    const headers = { authorization: 'Bearer secret' };
    const plain = { path: '/', search: 'a=b', headers, id: 'x' };
    const requests: HttpRequest[] = [
      { ...plain, method: 'POST', body: '{}', bare: true, sentAt: 5, resent: false },
      { ...plain, method: 'POST', body: '{}', bare: true, resent: true },
      { ...plain, method: 'GET', body: '', bare: true },
      { ...plain, method: 'POST', body: bytes('{}'), bare: true },
      { ...plain, method: 'POST', body: '{}', sentAt: 5 },
    ];
    const [atOnce, later] = [{ status: 201, headers: {}, body: 'text' }, { status: 404, headers: { a: 'b' }, body: bytes('bytes') }];
    const seen: HttpRequest[] = [];
    const { lane } = served((asked) => {
      seen.push(asked);
      return asked.bare === true ? atOnce : Promise.resolve(later);
    });
    const answers = await Promise.all(requests.map((one) => lane.call(one)));
    expect(seen).toEqual(requests);
    expect(answers).toEqual([atOnce, atOnce, atOnce, atOnce, later]);
  });

  it('sends requests of one tick in one message', async () => {
    const [near, far] = ends();
    const sizes: number[] = [];
    const lane = openLane(near, LIMITS);
    const received = (count: number): Promise<void> =>
      new Promise((resolve) => {
        far.onmessage = ({ data }: MessageEvent<ToServer>) => {
          if (data.kind === 'requests' && sizes.push(data.requests.length) === count) resolve();
        };
      });
    for (let n = 0; n < 100; n++) lane.call(request(`/${n}`)).catch(() => undefined);
    await turn();
    lane.call(request('/later')).catch(() => undefined);
    await received(2);
    expect(sizes).toEqual([100, 1]);
  });

  it('sends answers of one tick in a few messages, so that the first are read while the last are made', async () => {
    const [near, far] = ends();
    serveLane(far, ({ path }) => ({ status: 200, headers: {}, body: path }));
    const lane = openLane(near, LIMITS);
    const sizes: number[] = [];
    near.addEventListener('message', ({ data }: MessageEvent<ToClient>) => data.kind === 'responses' && sizes.push(data.responses.length));
    const paths = Array.from({ length: 100 }, (_, n) => `/${n}`);
    const answers = await Promise.all(paths.map((path) => lane.call(request(path))));
    expect(answers.map(({ body }) => body)).toEqual(paths);
    expect(sizes).toEqual([16, 16, 16, 16, 16, 16, 4]);
  });

  it('asks for signs of life with one timer for many answers, and with none once nobody waits', async () => {
    const { lane } = served();
    await lane.alive;
    for (let n = 0; n < 3; n++) {
      await lane.call(request('/'));
      expect(vi.getTimerCount()).toBe(1);
    }
    vi.advanceTimersByTime(LIMITS.silence / 5);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sends requests where tests hold back what `queueMicrotask` is given', async () => {
    vi.stubGlobal('queueMicrotask', () => undefined);
    const [near, far] = ends();
    const lane = openLane(near, LIMITS);
    const calling = lane.call(request('/'));
    vi.unstubAllGlobals();
    fakeTimers();
    serveLane(far, echo);
    expect((await calling).status).toBe(200);
  });

  it('leaves the caller its request body, for a retry', async () => {
    const body = new Uint8Array(200_000).fill(7);
    const { lane } = served(async (asked) => ({ status: 200, headers: {}, body: bytes(String(asked.body?.length)) }));
    expect(text((await lane.call(request('/', body))).body)).toBe('200000');
    expect(body.byteLength).toBe(200_000);
  });

  it('carries only the part of a buffer that a body shows', async () => {
    const all = bytes('before[this]after');
    const { lane } = served(async () => ({ status: 200, headers: {}, body: all.subarray(6, 12) }));
    const { body } = await lane.call(request('/'));
    expect(text(body)).toBe('[this]');
    expect((body as Uint8Array).buffer.byteLength).toBe(6);
  });

  it('carries a stream, chunk by chunk as it is read', async () => {
    let made = 0;
    const { lane } = served(async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        for (; made < 3; made++) yield bytes(`${made}`);
      })(),
    }));
    const { body } = await lane.call(request('/stream'));
    const chunks: string[] = [];
    for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(`${text(chunk)} of ${made}`);
    expect(chunks).toEqual(['0 of 0', '1 of 1', '2 of 2']);
  });

  it('cuts a stream off when the other end falls silent', async () => {
    const silent = new Promise<never>(() => undefined);
    const [near, far] = ends();
    const server = serveLane(far, async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield bytes('first');
        await silent;
      })(),
    }));
    const lane = openLane(near, LIMITS);
    const { body } = await lane.call(request('/stream'));
    const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    expect(text((await chunks.next()).value as Uint8Array)).toBe('first');
    const next = chunks.next();
    next.catch(() => undefined);
    far.onmessage = null; // it answers no greeting any more
    for (let beats = 0; beats < 10; beats++) {
      vi.advanceTimersByTime(LIMITS.silence / 5);
      await turn();
    }
    await expect(next).rejects.toThrow('the stream was cut off');
    server.close();
  });

  it('ends the source of a stream that its reader leaves', async () => {
    const ended = vi.fn();
    const { lane } = served(async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        try {
          for (;;) yield bytes('x');
        } finally {
          ended();
        }
      })(),
    }));
    const { body } = await lane.call(request('/stream'));
    for await (const _ of body as AsyncIterable<Uint8Array>) break;
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });

  it.each([
    ['goes on', ['respond', 'die']],
    ['is still to come', ['die', 'respond']],
  ] as const)('ends the source of a stream that %s when the thread of its reader is gone, whose lock is told of in a message without requests', async (_, order) => {
    const nothing = (): void => undefined;
    const acts = { respond: nothing, die: nothing, close: nothing };
    // As the browser does it: who waits for a lock has it when its holder is gone.
    vi.stubGlobal('navigator', { locks: { request: (_: string, __: object, held: () => void) => new Promise((resolve) => (acts.die = () => resolve(held()))) } });
    const [ended, onClose] = [vi.fn(), vi.fn()];
    const endless: AsyncIterator<Uint8Array> = { next: () => new Promise(nothing), return: async () => (ended(), { done: true, value: undefined }) };
    const answer: HttpResponse = { status: 200, headers: {}, body: { [Symbol.asyncIterator]: () => endless } };
    // Nothing of it reaches anybody, and no port of it closes before the lock tells.
    const end: LaneEnd = { onmessage: null, postMessage: nothing, addEventListener: (_, listener) => (acts.close = listener) };
    serveLane(end, () => new Promise((resolve) => (acts.respond = () => resolve(answer))), onClose);
    const told: ToServer[] = [{ kind: 'requests', requests: [], life: 'of the reader' }, { kind: 'requests', requests: [{ call: 0, request: request('/stream') }] }];
    for (const data of told) end.onmessage?.(new MessageEvent('message', { data }));
    for (const act of order) {
      expect(ended).not.toHaveBeenCalled();
      acts[act]();
      await turn();
    }
    await vi.waitFor(() => expect(ended).toHaveBeenCalled());
    acts.close();
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('an answer comes', () => {
  const failure = '{"errors":[{"code":"internal server error","description":"Internal server error."}]}';
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['throws', (): never => { throw new Error('at line 7'); }],
    ['rejects', () => Promise.reject(new Error('at line 7'))],
  ])('also when the engine %s', async (_, handle) => {
    const { status, body } = await served(handle).lane.call(request('/'));
    expect([status, text(body)]).toEqual([500, failure]);
  });

  it('also when one cannot be sent, and the others of its message come whole', async () => {
    const { lane } = served(async (asked) =>
      asked.path === '/bad' ? { status: 200, headers: { bad: Symbol() as unknown as string }, body: bytes('') } : echo(asked),
    );
    const answers = await Promise.all(['/one', '/bad', '/two'].map((path) => lane.call(request(path))));
    expect(answers.map(({ status, body }) => [status, text(body)])).toEqual([[200, '/one'], [500, failure], [200, '/two']]);
  });
});

describe('a lane is lost', () => {
  it('when nobody gives a sign of life in time', async () => {
    const lane = openLane(ends()[0], LIMITS);
    vi.advanceTimersByTime(LIMITS.first - 1);
    const calling = lane.call(request('/'));
    vi.advanceTimersByTime(1);
    await expect(lane.alive).rejects.toThrow(LaneLost);
    await expect(calling).rejects.toThrow('no sign of life');
    await expect(lane.call(request('/'))).rejects.toThrow('no sign of life');
  });

  it('not while an engine that has shown itself is busy for longer than its first sign may take', async () => {
    const [near, far] = ends();
    const lane = openLane(near, LIMITS);
    far.onmessage = () => far.postMessage({ kind: 'alive' });
    await lane.alive;
    far.onmessage = null;
    const calling = lane.call(request('/'));
    await turn();
    vi.advanceTimersByTime(LIMITS.silence - 1);
    far.postMessage({ kind: 'responses', responses: [{ call: 0, status: 200, headers: {}, body: bytes('late') }] });
    expect(text((await calling).body)).toBe('late');
  });

  it('not while a living engine takes its time', async () => {
    let finish = (): void => undefined;
    const [near, far] = ends();
    serveLane(far, async (asked) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return echo(asked);
    });
    const lane = openLane(near, LIMITS);
    await lane.alive;
    const calling = lane.call(request('/long'));
    await turn();
    for (let beat = 0; beat < 20; beat++) {
      vi.advanceTimersByTime(LIMITS.silence / 5);
      await nextMessage(near);
    }
    finish();
    expect(text((await calling).body)).toBe('/long');
  });

  it('when an engine falls silent with an answer due', async () => {
    const [near, far] = ends();
    const lane = openLane(near, LIMITS);
    far.onmessage = () => far.postMessage({ kind: 'alive' });
    await lane.alive;
    const calling = lane.call(request('/'));
    await nextMessage(near);
    far.onmessage = null;
    const lost = expect(calling).rejects.toThrow('no sign of life');
    vi.advanceTimersByTime(LIMITS.silence + LIMITS.silence / 5);
    await lost;
  });

  it('once, and whoever opened it hears of it first, waiting or not', async () => {
    const heard: string[] = [];
    const [near, far] = ends();
    const server = serveLane(far, () => new Promise(() => undefined));
    const lane = openLane(near, LIMITS, ({ message }) => heard.push(`opener: ${message}`));
    const waiting = lane.call(request('/')).catch(() => heard.push('caller'));
    await lane.alive;
    server.close();
    await waiting;
    lane.close();
    expect(heard).toEqual(['opener: the engine was closed', 'caller']);
  });

  it('when it is asked for a sign of life and gives none in time', async () => {
    const [near, far] = ends();
    const lane = openLane(near, LIMITS);
    far.onmessage = () => far.postMessage({ kind: 'alive' });
    await lane.alive;
    lane.prove(1_000);
    await nextMessage(near);
    vi.advanceTimersByTime(1_000);
    far.onmessage = null;
    lane.prove(1_000);
    vi.advanceTimersByTime(999);
    // What was sent before the question is no answer to it.
    far.postMessage({ kind: 'responses', responses: [] });
    await nextMessage(near);
    const calling = lane.call(request('/'));
    vi.advanceTimersByTime(1);
    await expect(calling).rejects.toThrow('no sign of life');
  });

  it('when the engine says goodbye', async () => {
    const { lane, server } = served(() => new Promise(() => undefined));
    await lane.alive;
    const waiting = expect(lane.call(request('/'))).rejects.toThrow('the engine was closed');
    server.close();
    await waiting;
  });
});

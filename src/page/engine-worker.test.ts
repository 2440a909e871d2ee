import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expose } from 'comlink';
import type { Endpoint } from 'comlink';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { serveLane } from '../protocol/lane-server.ts';
import type { LaneServer } from '../protocol/lane-server.ts';
import { within } from '../protocol/within.ts';
import type { EngineStatus, OpenOptions, Outcome, WorkerApi } from '../protocol/worker-api.ts';
import { startEngineWorker } from './engine-worker.ts';
import type { EngineWorker } from './engine-worker.ts';
import { statusOf } from './status.ts';

type Handle = (request: HttpRequest) => Promise<HttpResponse>;

const status: EngineStatus = { backend: 'memory', persistent: true, durability: 'strict', format: 1, identity: 1, applied: 0, lastCommit: 0, builds: [], streams: 0 };
const answer: HttpResponse = { status: 200, headers: {}, body: new Uint8Array() };
const request: HttpRequest = { method: 'POST', path: '/', search: '', headers: {}, body: null, id: 'the id', sentAt: 5 };
const answers: Handle = async () => answer;
const never: Handle = () => new Promise(() => undefined);

const unless = <T>(stuck: boolean, value: T): Promise<Outcome<T>> =>
  stuck ? new Promise(() => undefined) : Promise.resolve({ ok: true, value });

/** The workers started so far, and how the next ones behave: the last one's way is that of all after it. `null` has no script. */
let started: FakeWorker[] = [];
let behaviours: (Handle | null)[] = [];
/** What they were told to open. */
let asked: OpenOptions[] = [];
const hide = vi.fn<WorkerApi['hide']>(async () => undefined);

class FakeWorker extends EventTarget {
  onmessage: ((event: MessageEvent) => void) | null = null;
  readonly terminate = vi.fn(() => this.ports.forEach((port) => port.close()));
  private readonly ports: MessagePort[] = [];
  private readonly near: MessagePort;
  private lane: LaneServer | null = null;

  constructor() {
    super();
    const handle = behaviours.length > 1 ? (behaviours.shift() ?? null) : (behaviours[0] ?? null);
    const { port1, port2 } = new MessageChannel();
    this.near = port1;
    this.ports.push(port1, port2);
    started.push(this);
    if (handle === null) {
      queueMicrotask(() => this.dispatchEvent(new Event('error')));
      return;
    }
    const api: WorkerApi = {
      open: async (options) => {
        asked.push(options);
        return { ok: true, value: status };
      },
      connect: () => undefined,
      status: () => unless(handle === never, status),
      reset: () => unless(handle === never, null),
      exportTo: () => unless(handle === never, null),
      importFrom: () => unless(handle === never, null),
      suspend: async () => undefined,
      close: async () => undefined,
      hide,
    };
    port2.onmessage = ({ data }: MessageEvent<MessagePort>) => {
      this.ports.push(data);
      // Node's ports speak the same, and have other types.
      expose(api, data as Endpoint);
      this.lane = serveLane(port2, handle);
    };
    port1.onmessage = (event: MessageEvent<unknown>) => this.onmessage?.(event);
  }

  postMessage(data: unknown, transfer: Transferable[] = []): void {
    this.near.postMessage(data, transfer);
  }

  /** As a worker ends that runs out of memory: without a word. */
  vanish(): void {
    this.lane?.close();
  }

  throwsUncaught(): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message: 'Uncaught Error: at line 7' }));
  }
}

let now = 1_000_000;
beforeEach(() => {
  [started, asked] = [[], []];
  onRestart.mockClear();
  hide.mockClear();
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('PerformanceMark', class { readonly startTime = now; });
});
afterEach(() => {
  // It ends its workers once they have said goodbye, which not all do.
  engines.splice(0).forEach((engine) => void engine.close());
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const engines: EngineWorker[] = [];
const onRestart = vi.fn();
const start = (...workers: (Handle | null)[]): EngineWorker => startOn({ name: 'db' }, ...workers);
function startOn(options: OpenOptions, ...workers: (Handle | null)[]): EngineWorker {
  behaviours = workers;
  const engine = startEngineWorker(options, onRestart);
  engines.push(engine);
  return engine;
}

/** The first worker ends with an error, and gives no sign of life in the time it has for that. */
function endFirst(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  started[0]?.terminate();
  started[0]?.throwsUncaught();
  now += 5_000;
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
}

it('an uncaught error in a living worker ends nothing', async () => {
  let finish = (_: HttpResponse): void => undefined;
  const busy = vi.fn<Handle>(() => new Promise((resolve) => (finish = resolve)));
  const engine = start(busy);
  await engine.opened;
  const asking = engine.handle(request);
  await vi.waitFor(() => expect(busy).toHaveBeenCalledOnce());
  started[0]?.throwsUncaught();
  started[0]?.throwsUncaught();
  finish(answer);
  expect((await asking).status).toBe(200);
  expect([engine.state, started.length]).toEqual(['running', 1]);
  expect(onRestart).not.toHaveBeenCalled();
});

it('a worker that gives no sign of life after an error is started again', async () => {
  const busy = vi.fn(never);
  const engine = start(busy, answers);
  await engine.opened;
  const asking = engine.handle(request);
  await vi.waitFor(() => expect(busy).toHaveBeenCalledOnce());
  endFirst();
  expect((await asking).status).toBe(200);
  expect(engine.state).toBe('restarted');
});

it('another worker gives its settings only to another database', async () => {
  const options: OpenOptions = { name: 'settled', durability: 'relaxed', secret: 'open sesame' };
  // Workers of tests before may still be told.
  const told = (): OpenOptions[] => asked.filter(({ name }) => name === options.name);
  const engine = startOn(options, never, answers);
  await engine.opened;
  endFirst();
  await vi.waitFor(() => expect(told()).toHaveLength(2));
  expect(told()).toEqual([options, { ...options, settled: status.identity }]);
});

it.each([false, true])('the engine of a page that is hidden from the start hears of it, and so does the next one (hidden: %s)', async (hidden) => {
  vi.stubGlobal('document', { hidden });
  const engine = start(never, answers);
  await engine.opened;
  started[0]?.vanish();
  await engine.opened;
  await vi.waitFor(() => expect(hide.mock.calls).toEqual(hidden ? [[true], [true]] : []));
});

it('that it has no engine to be told of being hidden is said by `open` alone', async () => {
  vi.stubGlobal('document', { hidden: true });
  const unheard = vi.fn();
  process.on('unhandledRejection', unheard);
  hide.mockRejectedValue(new Error('no engine'));
  const engine = start(answers);
  await engine.opened;
  engine.hide(false);
  await vi.waitFor(() => expect(hide).toHaveBeenCalledTimes(2));
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('unhandledRejection', unheard);
  hide.mockResolvedValue(undefined);
  expect(unheard).not.toHaveBeenCalled();
});

it('a worker whose script does not load at first is started again, and opens', async () => {
  const engine = start(null, answers);
  expect(await engine.opened).toEqual(status);
  expect((await engine.handle(request)).status).toBe(200);
  expect([engine.state, started.length]).toEqual(['restarted', 2]);
  expect(onRestart).toHaveBeenCalledOnce();
});

it('one whose script never loads has failed', async () => {
  const engine = start(null);
  await expect(engine.opened).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/its script \S*worker\.ts\S* did not load/) as string });
  expect([engine.state, started.length]).toEqual(['failed', 2]);
});

it('what was under way when a worker ended is sent to the next, as sent before', async () => {
  const seen: HttpRequest[] = [];
  const engine = start(
    (asked) => (seen.push(asked), never(asked)),
    (asked) => (seen.push(asked), answers(asked)),
  );
  await engine.opened;
  const asking = engine.handle(request);
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  started[0]?.vanish();
  expect((await asking).status).toBe(200);
  expect(seen).toEqual([request, { ...request, resent: true }]);
});

const AROUND = { name: 'db', base: '/', link: { registration: { state: 'off' }, controls: () => false }, controlled: () => false } as const;

it('the status that a worker can no longer tell comes from the next', async () => {
  const engine = start(never, answers);
  await engine.opened;
  vi.stubGlobal('navigator', {});
  const asking = statusOf(engine, AROUND, within);
  started[0]?.vanish();
  expect(await asking).toMatchObject({ ...status, name: 'db', base: '/', answeredBy: 'shim', serviceWorker: { state: 'off' }, worker: 'restarted' });
});

it('a service worker in control that does not answer has failed, whatever was registered', async () => {
  const engine = start(answers);
  await engine.opened;
  vi.stubGlobal('navigator', {});
  const link = { registration: { state: 'registered' }, controls: () => true } as const;
  const reason = expect.stringContaining('does not answer');
  expect(await statusOf(engine, { ...AROUND, link }, within)).toMatchObject({ answeredBy: 'shim', serviceWorker: { state: 'failed', reason } });
  expect(await statusOf(engine, { ...AROUND, link, controlled: () => true }, within)).toMatchObject({ answeredBy: 'service-worker', serviceWorker: { state: 'registered' } });
});

it('a status that cannot be told is asked for once', async () => {
  const engine = start(answers);
  await engine.opened;
  const asking = vi.spyOn(engine, 'status').mockRejectedValue(new Error('no'));
  vi.stubGlobal('navigator', {});
  await expect(statusOf(engine, AROUND, within)).rejects.toThrow('no');
  expect(asking).toHaveBeenCalledOnce();
});

it('an answer of the worker can be collected while the worker lives on: nothing holds it', async () => {
  const engine = start(answers);
  await engine.opened;
  const told = new WeakRef(await engine.status());
  // What was just read is held for the rest of its turn.
  await new Promise((resolve) => setTimeout(resolve));
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  expect(told.deref()).toBeUndefined();
  expect(engine.state).toBe('running');
});

it('who waits for the reset of a worker that ends hears of it: doing it again later could delete more', async () => {
  const engine = start(never, answers);
  await engine.opened;
  const heard = expect(engine.reset()).rejects.toThrow("The database's worker has failed: the engine was closed.");
  started[0]?.vanish();
  await heard;
});

it('what is asked while it is being closed is refused at once, and not sent', async () => {
  const asked = vi.fn(answers);
  const engine = start(asked);
  await engine.opened;
  const closing = engine.close();
  expect(await engine.handle(request)).toMatchObject({ status: 503 });
  await closing;
  expect(asked).not.toHaveBeenCalled();
});

it('who waits for the reset of a worker that does not answer hears of it', async () => {
  const engine = start(never);
  await engine.opened;
  const heard = expect(engine.reset()).rejects.toMatchObject({ name: 'VivariumError', status: 503, message: 'time out: The reset took longer than 30000 ms.' });
  const running = setInterval(() => (now += 30_000), 50);
  await heard;
  clearInterval(running);
});

it.each<[string, (engine: EngineWorker) => Promise<unknown>]>([
  ['its status', (engine) => engine.status()],
  ['a reset', (engine) => engine.reset()],
  ['an export', (engine) => engine.exportTo(new MessageChannel().port1, () => undefined)],
  ['an import', (engine) => engine.importFrom(new MessageChannel().port1, {})],
])('one that was closed says so to whoever asks for %s, before and after', async (_, ask) => {
  const engine = start(never);
  await engine.opened;
  const closed = { name: 'VivariumError', status: 503, message: 'unavailable: The database was closed.' };
  const before = expect(ask(engine)).rejects.toMatchObject(closed);
  const closing = engine.close();
  const meanwhile = expect(ask(engine)).rejects.toMatchObject(closed);
  await closing;
  await Promise.all([before, meanwhile, expect(ask(engine)).rejects.toMatchObject(closed)]);
});

it('two deaths far apart are each got over; two within a minute are the end', async () => {
  const engine = start(answers);
  await engine.opened;
  for (const [pause, state] of [[0, 'restarted'], [60_000, 'restarted'], [59_999, 'failed']] as const) {
    now += pause;
    started.at(-1)?.vanish();
    await engine.handle(request);
    expect(engine.state).toBe(state);
  }
  const { status: code, body } = await engine.handle(request);
  expect(code).toBe(503);
  expect(new TextDecoder().decode(body as Uint8Array)).toContain('has failed twice; reload the page.');
});

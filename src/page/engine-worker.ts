// The page's worker, which is started again if it dies. Requests that were under way are then sent
// again under the same ids: the engine applies a write of one id only once. An error that a worker
// did not catch need not be its end, so it is asked for a sign of life first.
import { proxy, transfer, wrap } from 'comlink';
import type { Remote } from 'comlink';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { unavailable } from '../protocol/failures.ts';
import { LaneLost, openLane } from '../protocol/lane.ts';
import type { Lane, Traffic } from '../protocol/lane.ts';
import { sentAgain } from '../protocol/sending.ts';
import { steady } from '../protocol/steady.ts';
import { unlessAborted } from '../protocol/unless-aborted.ts';
import { patience, TimeLimit, within } from '../protocol/within.ts';
import type { EngineStatus, ImportOptions, OpenOptions, Outcome, Progress, WorkerApi } from '../protocol/worker-api.ts';
import script from '../worker/worker.ts?worker&url';
import { messageOf, unavailableError, VivariumError } from './error.ts';

/**
 * `restarted`: it has died once or more, and another one has taken its place; `failed`: two died within a minute, so the
 * page has to be reloaded.
 */
export type WorkerState = 'running' | 'restarted' | 'failed' | 'closed';

export interface EngineWorker {
  readonly state: WorkerState;
  /** Whether nothing will be answered any more. */
  readonly isOver: boolean;
  /** Resolves when the database is open. @throws VivariumError 503 with the storage's code */
  readonly opened: Promise<EngineStatus>;
  readonly traffic: Traffic;
  /** Never rejects, and never takes longer than the query's own time limit and a margin. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Gives a lane of the service worker to the engine. */
  connect(port: MessagePort): void;
  status(): Promise<EngineStatus>;
  reset(): Promise<void>;
  /** Serves the whole database as a file over a port; resolves when the other end has read all of it, or reads no further. @throws VivariumError */
  exportTo(port: MessagePort, onProgress: (progress: Progress) => void): Promise<null>;
  /** Imports the file that the other end of a port serves. @throws VivariumError */
  importFrom(port: MessagePort, options: ImportOptions): Promise<null>;
  suspend(): void;
  /** Whether the page is hidden: its engine then makes do with less memory. */
  hide(isHidden: boolean): void;
  close(): Promise<void>;
}

const OPEN_MS = 15_000;
const CALL_MS = 10_000;
/** Where the disk is full, a reset waits for room that the browser gives back late. */
const RESET_MS = 30_000;

/** Milliseconds. Long, because a page's own worker hardly ever ends in silence, and starting it again is expensive. */
const LIMITS = { first: 60_000, silence: 60_000 };

/** How long a worker that has had an error may take to show that it is alive. */
const PROOF_MS = 5_000;

/** A worker that dies within this time after another one has a reason that a third would share. */
const AGAIN_MS = 60_000;

const CLOSED = 'The database was closed.';
const ENDED: Partial<Record<WorkerState, string>> = {
  failed: "The database's worker has failed twice; reload the page.",
  closed: CLOSED,
};

interface Running {
  readonly worker: Worker;
  readonly api: Remote<WorkerApi>;
  readonly lane: Lane;
  readonly opened: Promise<EngineStatus>;
  /** Aborted when the worker dies, for calls that would never hear of it. */
  readonly life: AbortSignal;
  die(reason: string): void;
}

/**
 * @param onRestart called when another worker has taken the place of one that died
 * @throws DOMException where no worker may be started, as under a strict content security policy
 */
export function startEngineWorker(options: OpenOptions, onRestart: () => void): EngineWorker {
  let state: WorkerState = 'running';
  let lastDeath = -Infinity;
  let settings: OpenOptions = options;
  let running = start();

  function start(): Running {
    const worker = new Worker(script, { type: 'module', name: 'vivarium' });
    const { port1, port2 } = new MessageChannel();
    const api = wrap<WorkerApi>(port1);
    worker.postMessage(port2, [port2]);
    // A worker that ends without an error is only known by its silence.
    const lane = openLane(worker, LIMITS, ({ message }) => revive(lane, message));
    const opening = api.open(settings);
    // It hears of changes only.
    if (document.hidden) unheard(api.hide(true));
    let runs = false;
    Promise.race([lane.alive, opening]).then(
      () => (runs = true),
      () => undefined,
    );
    worker.addEventListener('error', ({ message }) => {
      if (runs) lane.prove(PROOF_MS);
      else revive(lane, message ?? `its script ${script} did not load`);
    });
    const end = new AbortController();
    const die = (reason: string): void => end.abort(unavailableError('unavailable', `The database's worker has failed: ${reason}.`));
    const opened = unlessAborted(opening.then(unwrap<EngineStatus>), end.signal);
    opened.then(
      ({ identity }) => (settings = { ...options, settled: identity }),
      () => undefined,
    );
    return { worker, api, lane, opened, life: end.signal, die };
  }

  function revive(lane: Lane, reason: string): void {
    if (lane !== running.lane || state in ENDED) return;
    const dead = running;
    const now = steady();
    state = now - lastDeath < AGAIN_MS ? 'failed' : 'restarted';
    lastDeath = now;
    if (state === 'restarted') running = start();
    // Only now: calls that were waiting for it turn to the new one as soon as they are told.
    dead.worker.terminate();
    dead.die(reason);
    lane.close();
    if (state === 'restarted') onRestart();
  }

  const call = (request: HttpRequest): Promise<HttpResponse> =>
    running.lane.call(request).catch((error: unknown) => {
      if (!(error instanceof LaneLost)) throw error;
      return running.lane.call(sentAgain(request));
    });

  /** A worker that dies while it opens the database is waited for once more, in its second life. */
  const whenOpen = async (): Promise<EngineStatus> => {
    const { opened } = running;
    return opened.catch((error: unknown) => {
      if (running.opened === opened) throw error;
      return whenOpen();
    });
  };

  /** Asks the worker something. @param limitMs how long it may take; `Infinity` is as long as it likes */
  const ask = async <T>(what: string, act: (api: Remote<WorkerApi>) => Promise<Outcome<T>>, limitMs = CALL_MS): Promise<T> => {
    try {
      if (state !== 'closed') return await within(limitMs, what, unlessAborted(act(running.api).then(unwrap<T>), running.life));
    } catch (error) {
      if (state !== 'closed') throw error instanceof TimeLimit ? unavailableError('time out', `${error.message}.`) : error;
    }
    throw unavailableError('unavailable', CLOSED);
  };

  return {
    get state() {
      return state;
    },
    get isOver() {
      return state in ENDED;
    },
    get opened() {
      return within(OPEN_MS, 'Opening the database', whenOpen());
    },
    get traffic() {
      return running.lane.traffic;
    },
    handle: (request) =>
      within(patience(request.headers), 'The answer', state === 'closed' ? Promise.reject() : call(request)).catch((error: unknown) =>
        unavailable(ENDED[state] ?? `The database gave no answer: ${messageOf(error)}.`),
      ),
    connect: (port) => void running.api.connect(transfer(port, [port])),
    status: () => ask('The status', (api) => api.status()),
    reset: async () => void (await ask('The reset', (api) => api.reset(), RESET_MS)),
    exportTo: (port, onProgress) => ask('The transfer', (api) => api.exportTo(transfer(port, [port]), proxy(onProgress)), Infinity),
    importFrom: (port, options) => ask('The transfer', (api) => api.importFrom(transfer(port, [port]), options), Infinity),
    suspend: () => unheard(running.api.suspend()),
    hide: (isHidden) => unheard(running.api.hide(isHidden)),
    async close() {
      if (state === 'closed') return;
      state = 'closed';
      await within(CALL_MS, 'Closing', unlessAborted(running.api.close(), running.life)).catch(() => undefined);
      running.lane.close();
      running.worker.terminate();
      running.die(CLOSED);
    },
  };
}

function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { code, description, status = 503 } = outcome.failure;
  throw new VivariumError(status, [{ code, description }]);
}

/** Of a call whose answer nobody waits for: that there is no engine, `open` says. */
const unheard = (call: Promise<unknown>): void => void call.catch(() => undefined);

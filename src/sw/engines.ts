// Finding an engine for a request: the requesting page's, another page's, or our own on the
// same log. Which one answers makes no difference to the answer. Whatever is remembered
// here saves time and nothing else: a service worker may lose its memory between any two
// requests.
import type { EngineHost } from '../host/engine-host.ts';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { unavailable } from '../protocol/failures.ts';
import { connectMessage } from '../protocol/handshake.ts';
import { LaneLost, openLane } from '../protocol/lane.ts';
import type { Lane } from '../protocol/lane.ts';
import type { ToServer } from '../protocol/lane-messages.ts';
import { showLife, watchLife } from '../protocol/life.ts';
import { sentAgain } from '../protocol/sending.ts';
import { patience, within } from '../protocol/within.ts';

const LIMITS = { first: 500, silence: 10_000 };

/** For this long after a page did not answer, no request waits for it. It says `here` when it opens the database. */
const SILENT_MS = 10_000;

/** A request without a mark is from a page that has not opened the database. It waits no longer than this for the other pages. */
const UNMARKED_MS = 150;

/** The engine of the requesting page is asked this much earlier than others, as it has in memory what its page reads. */
const HEAD_START_MS = 50;

export interface Engines {
  /**
   * Never rejects, never takes longer than the query's own time limit and a margin.
   * @param isMarked whether the page has given it its sending (see sending.ts)
   */
  answer(request: HttpRequest, clientId: string, isMarked: boolean): Promise<HttpResponse>;
  /** The page has an engine now, or another one: what was found out about it before does not count any more. */
  here(clientId: string): void;
}

/** A page that was asked for a lane to its engine, and has not shown one yet. */
interface Asking {
  readonly lane: Lane;
  readonly since: number;
}

interface Page {
  readonly id: string;
  readonly lane: Lane;
}

export function findEngines(name: string, clients: Clients, openOwn: () => EngineHost): Engines {
  const lanes = new Map<string, Lane>();
  const asked = new Map<string, Asking>();
  const silentUntil = new Map<string, number>();
  let own: EngineHost | null = null;
  /** The name of a lock that this thread holds while it lives, once it does: pages that see it released know that nobody waits for their answers. */
  let life: Promise<string> | null = null;

  const ask = (client: Client): Asking => {
    const { port1, port2 } = new MessageChannel();
    const lane = openLane(port1, LIMITS, undefined, watchLife);
    life ??= new Promise(showLife);
    void life.then((lock) => port1.postMessage({ kind: 'requests', requests: [], life: lock } satisfies ToServer));
    const asking = { lane, since: performance.now() };
    asked.set(client.id, asking);
    /** Ends the asking. `false` when the page has said `here` meanwhile: then its former engine was asked. */
    const conclude = (): boolean => asked.get(client.id) === asking && asked.delete(client.id);
    lane.alive.then(
      () => {
        if (!conclude()) return;
        lanes.set(client.id, lane);
        silentUntil.delete(client.id);
      },
      () => conclude() && silentUntil.set(client.id, performance.now() + SILENT_MS),
    );
    try {
      client.postMessage(connectMessage(name), [port2]);
    } catch {
      lane.close();
    }
    return asking;
  };

  /** @throws LaneLost when the page does not answer */
  const laneTo = async (client: Client): Promise<Lane> => {
    const known = lanes.get(client.id);
    if (known !== undefined) return known;
    const { lane } = asked.get(client.id) ?? ask(client);
    try {
      await lane.alive;
      return lane;
    } catch (error) {
      if (silentUntil.has(client.id)) throw error;
      return laneTo(client);
    }
  };

  const meet = async (client: Client): Promise<Page> => ({ id: client.id, lane: await laneTo(client) });

  /** Forgets those who are gone. A call that still waits for one of them is lost, and goes elsewhere. */
  const forgetAllBut = (present: ReadonlySet<string>): void => {
    for (const [id, lane] of lanes) {
      if (present.has(id)) continue;
      lanes.delete(id);
      lane.close();
    }
    for (const id of silentUntil.keys()) if (!present.has(id)) silentUntil.delete(id);
  };

  /** `null` when the engine at the other end is gone, so that another may be asked with the same id. */
  const relay = async (request: HttpRequest, { id, lane }: Page): Promise<HttpResponse | null> => {
    try {
      return await lane.call(request);
    } catch (error) {
      if (!(error instanceof LaneLost)) throw error;
      if (lanes.get(id) === lane) lanes.delete(id);
      return null;
    }
  };

  const present = async (): Promise<readonly Client[]> => {
    const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true }).catch(() => []);
    forgetAllBut(new Set(windows.map(({ id }) => id)));
    return windows;
  };

  /** The requesting page if it answers soon, else the first page that does. Asked together: frozen ones must not add up. */
  const firstPage = (windows: readonly Client[], clientId: string): Promise<Page | null> => {
    const pages = windows.filter(({ id }) => !silentUntil.has(id));
    const others = (): Promise<Page> => Promise.any(pages.filter(({ id }) => id !== clientId).map(meet));
    const requester = pages.find(({ id }) => id === clientId);
    const headStart = HEAD_START_MS - ((requester && waited(requester.id)) ?? 0);
    const first = requester === undefined ? others() : firstOf(meet(requester), headStart, others);
    return first.catch(() => null);
  };

  /** Asks pages again that were silent, as they may just have been busy. This request does not wait for them; later ones may use them. */
  const askAgain = (windows: readonly Client[]): void => {
    const now = performance.now();
    for (const client of windows) if ((silentUntil.get(client.id) ?? Infinity) <= now) meet(client).catch(() => undefined);
  };

  /** Milliseconds since the page was asked; `null` when it is not being asked. */
  const waited = (id: string): number | null => {
    const asking = asked.get(id);
    return asking === undefined ? null : performance.now() - asking.since;
  };

  /** Milliseconds that a request may still wait: requests that follow each other do not wait anew. */
  const patienceLeft = (windows: readonly Client[]): number =>
    UNMARKED_MS - Math.min(UNMARKED_MS, ...windows.flatMap(({ id }) => waited(id) ?? []));

  /** Answers by an engine of our own or, where that cannot be opened, by any page that may be late or was silent. */
  const viaOwn = async (request: HttpRequest, windows: readonly Client[]): Promise<HttpResponse> => {
    const answering = Promise.resolve().then(() => (own ??= openOwn()).handle(request));
    // 503 alone does not tell: a query that takes too long gets it, too.
    const isOpen = await answering.then(async ({ status }) => status !== 503 || (await own?.status())?.ok === true, () => false);
    const page = isOpen ? null : await Promise.any(windows.map(meet)).catch(() => null);
    return (page && (await relay(sentAgain(request), page))) ?? answering;
  };

  /** The known lane may have died since; then its page is asked for a new one, among the others. */
  const anyAnswer = async (request: HttpRequest, clientId: string, isMarked: boolean): Promise<HttpResponse> => {
    const lane = lanes.get(clientId);
    if (lane === undefined) return afresh(request, clientId, isMarked);
    return (await relay(request, { id: clientId, lane })) ?? afresh(sentAgain(request), clientId, isMarked);
  };

  const afresh = async (request: HttpRequest, clientId: string, isMarked: boolean): Promise<HttpResponse> => {
    const windows = await present();
    const finding = firstPage(windows, clientId);
    askAgain(windows);
    const page = await (isMarked ? finding : unlessLate(finding, patienceLeft(windows)));
    if (page === null) return viaOwn(request, windows);
    return (await relay(request, page)) ?? viaOwn(sentAgain(request), windows);
  };

  return {
    answer: (request, clientId, isMarked) =>
      within(patience(request.headers), 'The answer', anyAnswer(request, clientId, isMarked)).catch((error: unknown) =>
        unavailable(`No engine could answer: ${error instanceof Error ? error.message : String(error)}.`),
      ),
    here(clientId) {
      silentUntil.delete(clientId);
      for (const lane of [lanes.get(clientId), asked.get(clientId)?.lane]) lane?.close();
      lanes.delete(clientId);
      asked.delete(clientId);
    },
  };
}

/** The first to succeed of two, the second begun only when the first has not succeeded by then. */
function firstOf<T>(first: Promise<T>, milliseconds: number, second: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const begin = setTimeout(() => Promise.any([first, second()]).then(resolve, reject), milliseconds);
    first.then(
      (value) => {
        clearTimeout(begin);
        resolve(value);
      },
      () => undefined, // the second is still to come, or has been asked already
    );
  });
}

/** `null` when it takes longer. */
function unlessLate<T>(promise: Promise<T>, milliseconds: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const end = setTimeout(resolve, milliseconds, null);
    promise.finally(() => clearTimeout(end)).then(resolve, reject);
  });
}

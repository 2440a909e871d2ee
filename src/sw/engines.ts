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
import { watchLife } from '../protocol/life.ts';
import { sentAgain } from '../protocol/sending.ts';
import { patience, within } from '../protocol/within.ts';

const LIMITS = { first: 500, silence: 10_000 };

/** A page that did not answer is left alone for so long, and waited for no more; it says `here` when its engine stands. */
const SILENT_MS = 10_000;

/** A page that has opened a database marks its requests. For an engine of one that does not, nobody waits longer. */
const UNMARKED_MS = 150;

/** A request is best answered by the engine of its own page, which has in memory what the page reads. */
const HEAD_START_MS = 50;

export interface Engines {
  /**
   * Never rejects, never takes longer than the query's own time limit and a margin.
   * @param isMarked the page that sent it has opened a database
   */
  answer(request: HttpRequest, clientId: string, isMarked: boolean): Promise<HttpResponse>;
  /** The page has an engine now, or another one, whatever was found out about it before. */
  here(clientId: string): void;
}

export function findEngines(name: string, clients: Clients, openOwn: () => EngineHost): Engines {
  const lanes = new Map<string, Lane>();
  const asked = new Map<string, Promise<Lane>>();
  const silentUntil = new Map<string, number>();
  let own: EngineHost | null = null;

  const ask = async (client: Client): Promise<Lane> => {
    const { port1, port2 } = new MessageChannel();
    client.postMessage(connectMessage(name), [port2]);
    const lane = openLane(port1, LIMITS, undefined, watchLife);
    try {
      await lane.alive;
    } catch (error) {
      silentUntil.set(client.id, Date.now() + SILENT_MS);
      throw error;
    } finally {
      asked.delete(client.id);
    }
    lanes.set(client.id, lane);
    silentUntil.delete(client.id);
    return lane;
  };

  const laneTo = async (client: Client): Promise<Lane> => {
    const known = lanes.get(client.id) ?? asked.get(client.id);
    if (known !== undefined) return known;
    const asking = ask(client);
    asked.set(client.id, asking);
    return asking;
  };

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
  const relay = async (request: HttpRequest, clientId: string, lane: Lane): Promise<HttpResponse | null> => {
    try {
      return await lane.call(request);
    } catch (error) {
      if (!(error instanceof LaneLost)) throw error;
      if (lanes.get(clientId) === lane) lanes.delete(clientId);
      return null;
    }
  };

  /** The requesting page if it answers soon, else the first page that does. Asked together: frozen ones must not add up. */
  const firstPage = async (clientId: string): Promise<{ id: string; lane: Lane } | null> => {
    const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
    forgetAllBut(new Set(windows.map(({ id }) => id)));
    const pages = windows.filter(({ id }) => !silentUntil.has(id));
    for (const client of windows) if ((silentUntil.get(client.id) ?? Infinity) < Date.now()) laneTo(client).catch(() => undefined);
    const meet = async (client: Client) => ({ id: client.id, lane: await laneTo(client) });
    const others = () => Promise.any(pages.filter(({ id }) => id !== clientId).map(meet));
    const requester = pages.find(({ id }) => id === clientId);
    const first = requester === undefined ? others() : firstOf(meet(requester), HEAD_START_MS, others);
    return first.catch(() => null);
  };

  const viaOwn = async (request: HttpRequest): Promise<HttpResponse> => {
    own ??= openOwn();
    return own.handle(request);
  };

  /** The known lane may have died since; then its page is asked for a new one, among the others. */
  const anyAnswer = async (request: HttpRequest, clientId: string, isMarked: boolean): Promise<HttpResponse> => {
    const known = lanes.get(clientId);
    if (known === undefined) return afresh(request, clientId, isMarked);
    return (await relay(request, clientId, known)) ?? afresh(sentAgain(request), clientId, isMarked);
  };

  const afresh = async (request: HttpRequest, clientId: string, isMarked: boolean): Promise<HttpResponse> => {
    const finding = firstPage(clientId);
    const page = await (isMarked ? finding : unlessLate(finding, UNMARKED_MS));
    if (page === null) return viaOwn(request);
    return (await relay(request, page.id, page.lane)) ?? viaOwn(sentAgain(request));
  };

  return {
    answer: (request, clientId, isMarked) =>
      within(patience(request.headers), 'The answer', anyAnswer(request, clientId, isMarked)).catch((error: unknown) =>
        unavailable(`No engine could answer: ${error instanceof Error ? error.message : String(error)}.`),
      ),
    here(clientId) {
      silentUntil.delete(clientId);
      lanes.get(clientId)?.close();
      lanes.delete(clientId);
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

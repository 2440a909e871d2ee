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
import { patience, within } from '../protocol/within.ts';

const LIMITS = { first: 500, silence: 10_000 };

/** A page that did not answer is left alone for so long; it says `here` when its engine stands. */
const SILENT_MS = 10_000;

export interface Engines {
  /** Never rejects, never takes longer than the query's own time limit and a margin. */
  answer(request: HttpRequest, clientId: string): Promise<HttpResponse>;
  /** The page has an engine now, whatever was found out about it before. */
  here(clientId: string): void;
}

export function findEngines(name: string, clients: Clients, openOwn: () => EngineHost): Engines {
  const lanes = new Map<string, Promise<Lane>>();
  const silentUntil = new Map<string, number>();
  let own: EngineHost | null = null;

  const forget = (clientId: string, lane: Promise<Lane>): void => {
    if (lanes.get(clientId) === lane) lanes.delete(clientId);
  };

  const laneTo = (client: Client): Promise<Lane> => {
    const known = lanes.get(client.id);
    if (known !== undefined) return known;
    const { port1, port2 } = new MessageChannel();
    client.postMessage(connectMessage(name), [port2]);
    const lane = openLane(port1, LIMITS);
    const answered = lane.alive.then(() => lane);
    lanes.set(client.id, answered);
    answered.catch(() => {
      silentUntil.set(client.id, Date.now() + SILENT_MS);
      forget(client.id, answered);
    });
    return answered;
  };

  const mayAnswer = (client: Client | undefined): client is Client =>
    client?.type === 'window' && (silentUntil.get(client.id) ?? 0) < Date.now();

  /** Asks one page; `null` when its engine is gone, so that another may be asked with the same id. */
  const relay = async (request: HttpRequest, client: Client): Promise<HttpResponse | null> => {
    const lane = laneTo(client);
    try {
      return await (await lane).call(request);
    } catch (error) {
      if (!(error instanceof LaneLost)) throw error;
      forget(client.id, lane);
      return null;
    }
  };

  /** The first other page that answers. Asked all at once: frozen ones must not add up. */
  const otherPage = async (clientId: string): Promise<Client | null> => {
    const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
    const others = windows.filter((client) => client.id !== clientId && mayAnswer(client));
    return Promise.any(others.map((client) => laneTo(client).then(() => client))).catch(() => null);
  };

  const viaPage = async (request: HttpRequest, clientId: string): Promise<HttpResponse | null> => {
    const requester = await clients.get(clientId);
    // A port that was good may have died since, so its page is asked for a new one once.
    const attempts = lanes.has(clientId) ? 2 : 1;
    for (let attempt = 0; attempt < attempts && mayAnswer(requester); attempt++) {
      const response = await relay(request, requester);
      if (response !== null) return response;
    }
    const other = await otherPage(clientId);
    return other === null ? null : relay(request, other);
  };

  const viaOwn = (request: HttpRequest): Promise<HttpResponse> => {
    own ??= openOwn();
    return own.handle(request);
  };

  const anyAnswer = async (request: HttpRequest, clientId: string): Promise<HttpResponse> =>
    (await viaPage(request, clientId)) ?? viaOwn(request);

  return {
    answer: (request, clientId) =>
      within(patience(request.headers), 'The answer', anyAnswer(request, clientId)).catch((error: unknown) =>
        unavailable(`No engine could answer: ${error instanceof Error ? error.message : String(error)}.`),
      ),
    here: (clientId) => void silentUntil.delete(clientId),
  };
}

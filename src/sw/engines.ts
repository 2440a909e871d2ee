// Which engine answers a request: the requesting page's, another page's, or our own on the same
// log. Which one it is makes no difference to the answer.
import type { EngineHost } from '../host/engine-host.ts';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { unavailable } from '../protocol/failures.ts';
import { sentAgain } from '../protocol/sending.ts';
import { patience, within } from '../protocol/within.ts';
import { knowPages } from './pages.ts';
import type { Page, Pages } from './pages.ts';

/** A request without a mark is from a page that has not opened the database. It waits no longer than this for the other pages. */
const UNMARKED_MS = 150;

/** The engine of the requesting page is asked this much earlier than others, as it has in memory what its page reads. */
const HEAD_START_MS = 50;

/** When the others have not answered either, our own engine's script is loaded meanwhile, which takes some 70 ms. */
const DOUBT_MS = HEAD_START_MS + 40;

export interface Engines {
  /**
   * Rejects only as the request does, never takes longer than the query's own time limit and a margin.
   * @param reading pages are looked for while its body is read
   * @param isMarked whether the page has given it its sending (see sending.ts)
   */
  answer(reading: Promise<HttpRequest>, clientId: string, isMarked: boolean): Promise<HttpResponse>;
  /** The page has an engine now, or another one. */
  here(clientId: string): void;
}

/** Our own engine. Only a script that is loaded costs the pages nothing. */
export interface OwnEngine {
  load(): Promise<void>;
  open(): Promise<EngineHost>;
}

export function findEngines(name: string, clients: Clients, { load, open }: OwnEngine): Engines {
  const pages = knowPages(name, clients);
  const own = ownEngine(open);

  /** Where our own cannot be opened, any page answers that may be late or was silent. */
  const viaOwn = async (request: HttpRequest, windows: readonly Client[]): Promise<HttpResponse> => {
    const answering = own.answer(request);
    const page = (await own.isOpen(answering)) ? null : await Promise.any(windows.map(pages.meet)).catch(() => null);
    return (page && (await pages.relay(sentAgain(request), page))) ?? answering;
  };

  const afresh = async (reading: Promise<HttpRequest>, clientId: string, isMarked: boolean): Promise<HttpResponse> => {
    const windows = await pages.present();
    const finding = firstPage(pages, windows, clientId);
    pages.askAgain(windows);
    const page = await (isMarked ? finding : unlessLate(inDoubt(finding, load), patienceLeft(pages, windows)));
    const request = await reading;
    if (page === null) return viaOwn(request, windows);
    return (await pages.relay(request, page)) ?? viaOwn(sentAgain(request), windows);
  };

  /** The engine that is known may have died since; then its page is asked for a new one, among the others. */
  const anyAnswer = async (reading: Promise<HttpRequest>, clientId: string, isMarked: boolean): Promise<HttpResponse> => {
    const page = pages.known(clientId);
    if (page === null) return afresh(reading, clientId, isMarked);
    const request = await reading;
    return (await pages.relay(request, page)) ?? afresh(Promise.resolve(sentAgain(request)), clientId, isMarked);
  };

  return {
    async answer(reading, clientId, isMarked) {
      const answering = anyAnswer(reading, clientId, isMarked);
      // Where the request cannot be read, that is said.
      answering.catch(() => undefined);
      const { headers } = await reading;
      return within(patience(headers), 'The answer', answering).catch((error: unknown) =>
        unavailable(`No engine could answer: ${error instanceof Error ? error.message : String(error)}.`),
      );
    },
    here: pages.here,
  };
}

/** Our own engine, opened when it is first needed, and again where that has failed. */
function ownEngine(open: () => Promise<EngineHost>) {
  let host: Promise<EngineHost> | null = null;
  const opened = (): Promise<EngineHost> => (host ??= open().catch((error: unknown) => {
    host = null;
    throw error;
  }));
  return {
    answer: async (request: HttpRequest): Promise<HttpResponse> => (await opened()).handle(request),
    /** Its answer alone does not tell: a query that takes too long gets a 503, too, and a write for which there is no room a 507. */
    isOpen: (answering: Promise<HttpResponse>): Promise<boolean> =>
      answering.then(async ({ status }) => status < 500 || (await (await host)?.status())?.ok === true, () => false),
  };
}

/** The requesting page if it answers soon, else the first page that does. Asked together: frozen ones must not add up. */
function firstPage(pages: Pages, windows: readonly Client[], clientId: string): Promise<Page | null> {
  const asked = windows.filter(({ id }) => !pages.isSilent(id));
  const others = (): Promise<Page> => Promise.any(asked.filter(({ id }) => id !== clientId).map(pages.meet));
  const requester = asked.find(({ id }) => id === clientId);
  const headStart = HEAD_START_MS - (pages.waited(clientId) ?? 0);
  const first = requester === undefined ? others() : firstOf(pages.meet(requester), headStart, others);
  return first.catch(() => null);
}

/** Milliseconds that a request may still wait: requests that follow each other do not wait anew. */
function patienceLeft(pages: Pages, windows: readonly Client[]): number {
  return UNMARKED_MS - Math.min(UNMARKED_MS, ...windows.flatMap(({ id }) => pages.waited(id) ?? []));
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

/** What it gives; begins to load our own engine's script where that takes its time. */
function inDoubt<T>(finding: Promise<T>, load: () => Promise<void>): Promise<T> {
  // Whoever opens it hears what is wrong.
  const begin = setTimeout(() => load().catch(() => undefined), DOUBT_MS);
  return finding.finally(() => clearTimeout(begin));
}

/** `null` when it takes longer. */
function unlessLate<T>(promise: Promise<T>, milliseconds: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const end = setTimeout(resolve, milliseconds, null);
    promise.finally(() => clearTimeout(end)).then(resolve, reject);
  });
}

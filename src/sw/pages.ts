// What a service worker knows of the pages: which there are, which of them have an engine, and a
// lane to each engine that has shown itself. Whatever is remembered here saves time and nothing
// else: a service worker may lose its memory between any two requests.
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { connectMessage } from '../protocol/handshake.ts';
import { LaneLost, openLane } from '../protocol/lane.ts';
import type { Lane } from '../protocol/lane.ts';
import type { ToServer } from '../protocol/lane-messages.ts';
import { showLife, watchLife } from '../protocol/life.ts';

const LIMITS = { first: 500, silence: 10_000 };

/** For this long after a page did not answer, no request waits for it. It says `here` when it opens the database. */
const SILENT_MS = 10_000;

/** A page that has an engine. */
export interface Page {
  readonly id: string;
  readonly lane: Lane;
}

export interface Pages {
  /** All there are. Those who are gone are forgotten: what still waits for one of them is lost, and goes elsewhere. */
  present(): Promise<readonly Client[]>;
  /** The page, if its engine has shown itself already. */
  known(id: string): Page | null;
  /** Asks the page for its engine, unless that has been done. @throws LaneLost when it does not answer */
  meet(client: Client): Promise<Page>;
  /** Whether it did not answer when it was asked last. */
  isSilent(id: string): boolean;
  /** Milliseconds since the page was asked; `null` when it is not being asked. */
  waited(id: string): number | null;
  /** Asks pages again that were silent, as they may just have been busy. Nobody has to wait for them; later requests may use them. */
  askAgain(windows: readonly Client[]): void;
  /** `null` when the engine at the other end is gone, so that another may be asked with the same id. */
  relay(request: HttpRequest, page: Page): Promise<HttpResponse | null>;
  /** The page has an engine now, or another one: what was found out about it before does not count any more. */
  here(id: string): void;
}

/** What is known of one page. */
type Known =
  | { readonly kind: 'asked'; readonly lane: Lane; readonly since: number; readonly wasSilent: boolean }
  | { readonly kind: 'met'; readonly lane: Lane }
  | { readonly kind: 'silent'; readonly until: number };

export function knowPages(name: string, clients: Clients): Pages {
  const pages = new Map<string, Known>();
  const laneTo = laneOpener(name);

  const ask = (client: Client): Lane => {
    const lane = laneTo(client);
    const asked: Known = { kind: 'asked', lane, since: performance.now(), wasSilent: isSilent(client.id) };
    pages.set(client.id, asked);
    /** Not when the page has said `here` meanwhile: then its former engine was asked. */
    const conclude = (found: Known): void => {
      if (pages.get(client.id) === asked) pages.set(client.id, found);
    };
    lane.alive.then(
      () => conclude({ kind: 'met', lane }),
      () => conclude({ kind: 'silent', until: performance.now() + SILENT_MS }),
    );
    return lane;
  };

  const isSilent = (id: string): boolean => {
    const page = pages.get(id);
    return page?.kind === 'silent' || (page?.kind === 'asked' && page.wasSilent);
  };

  const meet = async (client: Client): Promise<Page> => {
    const page = pages.get(client.id);
    const lane = page === undefined || page.kind === 'silent' ? ask(client) : page.lane;
    try {
      await lane.alive;
      return { id: client.id, lane };
    } catch (error) {
      if (isSilent(client.id)) throw error;
      return meet(client);
    }
  };

  const forgetAllBut = (present: ReadonlySet<string>): void => {
    for (const [id, page] of pages) {
      // One that is being asked is silent soon.
      if (present.has(id) || page.kind === 'asked') continue;
      pages.delete(id);
      if (page.kind === 'met') page.lane.close();
    }
  };

  return {
    async present() {
      const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true }).catch(() => []);
      forgetAllBut(new Set(windows.map(({ id }) => id)));
      return windows;
    },
    known(id) {
      const page = pages.get(id);
      return page?.kind === 'met' ? { id, lane: page.lane } : null;
    },
    meet,
    isSilent,
    waited(id) {
      const page = pages.get(id);
      return page?.kind === 'asked' ? performance.now() - page.since : null;
    },
    askAgain(windows) {
      const now = performance.now();
      for (const client of windows) {
        const page = pages.get(client.id);
        if (page?.kind === 'silent' && page.until <= now) meet(client).catch(() => undefined);
      }
    },
    async relay(request, { id, lane }) {
      try {
        return await lane.call(request);
      } catch (error) {
        if (!(error instanceof LaneLost)) throw error;
        const page = pages.get(id);
        if (page?.kind === 'met' && page.lane === lane) pages.delete(id);
        return null;
      }
    },
    here(id) {
      const page = pages.get(id);
      pages.delete(id);
      if (page !== undefined && 'lane' in page) page.lane.close();
    },
  };
}

/** Opens lanes to pages, which need not answer. Each learns the name of a lock that this thread holds while it lives: once it is released, nobody waits for an answer. */
function laneOpener(name: string): (client: Client) => Lane {
  let life: Promise<string> | null = null;
  return (client) => {
    const { port1, port2 } = new MessageChannel();
    const lane = openLane(port1, LIMITS, undefined, watchLife);
    life ??= new Promise(showLife);
    void life.then((lock) => port1.postMessage({ kind: 'requests', requests: [], life: lock } satisfies ToServer));
    try {
      client.postMessage(connectMessage(name), [port2]);
    } catch {
      lane.close();
    }
    return lane;
  };
}

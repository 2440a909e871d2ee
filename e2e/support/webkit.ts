// WebKit as GNOME builds it, with a profile on disk, in Playwright's hands: what Playwright does to Safari's pages by
// WebKit's inspector it does to these. The inspector tells which pages there are, but not in Playwright's words.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, type Page, webkit } from 'playwright/test';
import { MINI_BROWSER, openScreen } from '../../scripts/engines/webkit.ts';
import { type Program, start } from '../../scripts/engines/process.ts';
import { freePort } from '../../scripts/free-port.mjs';
import { isOnly } from './network.ts';
import type { Site } from './site.ts';

export interface WebKit {
  newPage(): Promise<Page>;
  /** Kills it with all its processes. */
  stop(): Promise<void>;
}

const POLL_MS = 25;
const PATIENCE_MS = 30_000;

/** @param folder where its profile is, or will be */
export async function startWebKitOn(folder: string): Promise<WebKit> {
  const running: Program[] = [];
  const targets = offer();
  const stop = async (): Promise<void> => {
    for (const program of running.reverse()) await program.stop();
    targets.close();
  };
  try {
    const screen = await openScreen(running);
    const inspector = `127.0.0.1:${await freePort()}`;
    const env = { XDG_DATA_HOME: join(folder, 'data'), XDG_CACHE_HOME: join(folder, 'cache'), XDG_CONFIG_HOME: join(folder, 'config') };
    running.push(start(MINI_BROWSER, ['--javascript-can-open-windows-automatically=true', 'about:blank'], { ...screen, ...env, WEBKIT_INSPECTOR_HTTP_SERVER: inspector }));
    const known = new Set<string>();
    /** Takes the page into hand that nobody has yet. */
    const attach = async (): Promise<Page> => {
      const path = await newTarget(inspector, known);
      known.add(path);
      const browser = await webkit.connectOverCDP(await targets.only(`ws://${inspector}${path}`));
      const page = browser.contexts()[0]?.pages()[0];
      if (page === undefined) throw new Error('WebKit has no page.');
      return page;
    };
    // The page it begins with opens all others, which only so can be closed.
    const first = await attach();
    let last: Promise<unknown> = Promise.resolve();
    const open = async (): Promise<Page> => {
      await first.evaluate(() => void window.open('about:blank'));
      return attach();
    };
    return {
      newPage() {
        const page = last.then(open);
        last = page.catch(() => undefined);
        return page;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The path of a page's inspector. */
async function newTarget(inspector: string, known: ReadonlySet<string>): Promise<string> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(POLL_MS)) {
    const list = await fetch(`http://${inspector}/`).then((response) => response.text(), () => '');
    const [path] = (list.match(/\/socket\/\d+\/\d+\/WebPage/g) ?? []).filter((path) => !known.has(path));
    if (path !== undefined) return path;
  }
  throw new Error('WebKit opens no page.');
}

/** A list with one page in it, as Playwright asks for it. */
function offer() {
  let address = '';
  const server = createServer((_, response) => void response.end(JSON.stringify([{ webSocketDebuggerUrl: address }])));
  const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    async only(target: string): Promise<string> {
      await listening;
      address = target;
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close: () => void server.close(),
  };
}

/** Pages in the shape of a context of Playwright's: as much of it as the tests need that run in WebKit. Anything else throws when it is asked for. */
export function contextOf({ newPage }: WebKit, site: Site, serviceWorkers: 'allow' | 'block' = 'allow'): BrowserContext {
  const pages = new Set<Page>();
  const routes: Parameters<Page['route']>[] = [];
  const part: Pick<BrowserContext, 'newPage' | 'close' | 'route'> = {
    async newPage() {
      const page = await newPage();
      for (const route of routes) await page.route(...route);
      // As Playwright has them blocked elsewhere.
      if (serviceWorkers === 'block') await page.addInitScript(() => void (navigator.serviceWorker.register = () => Promise.resolve(undefined as never)));
      pages.add(page);
      page.once('close', () => pages.delete(page));
      // It has another for each page.
      isOnly(site, Object.assign(page.context(), { newPage: part.newPage }));
      return adapted(page, site);
    },
    async route(...route) {
      routes.push(route);
      for (const page of pages) await page.route(...route);
      return { dispose: () => Promise.resolve(), [Symbol.asyncDispose]: () => Promise.resolve() };
    },
    async close() {
      for (const page of pages) await page.close();
    },
  };
  const context = strict<BrowserContext>('context', part);
  isOnly(site, context);
  return context;
}

/** WebKit's inspector takes messages of up to 128 KB. */
const PIECE = 30_000;

/** The page, taking relative addresses, and arguments and scripts of any length. */
function adapted(page: Page, site: Site): Page {
  const { goto, evaluate } = page;
  const own = (code: unknown, argument?: unknown): Promise<unknown> => evaluate.call(page, code as string, argument);
  const evaluateAny = async (code: unknown, argument?: unknown): Promise<unknown> => {
    const text = JSON.stringify(argument) ?? '';
    if (text.length <= PIECE) return own(code, argument);
    const add = (piece: string): unknown => void ((window as unknown as { pieces?: string[] }).pieces ??= []).push(piece);
    for (let at = 0; at < text.length; at += PIECE) await own(add, text.slice(at, at + PIECE));
    return own(`(${String(code)})(JSON.parse(pieces.splice(0).join('')))`);
  };
  return Object.assign(page, {
    goto: (address: string, options: object) => goto.call(page, new URL(address, site.address).href, options),
    evaluate: evaluateAny,
    async addScriptTag({ content, path }: { readonly content?: string; readonly path?: string }) {
      const text = content ?? (await readFile(path ?? '', 'utf8'));
      await evaluateAny((source: string) => {
        const script = document.createElement('script');
        script.textContent = source;
        document.head.append(script);
      }, text);
    },
  });
}

/** An object that throws when a property is read that it does not have. */
function strict<T extends object>(what: string, part: object): T {
  return new Proxy(part, {
    get(target, name) {
      if (name in target || typeof name === 'symbol' || name === 'then' || name === 'toJSON') return Reflect.get(target, name) as unknown;
      throw new Error(`${what}.${name} is not there in WebKit`);
    },
  }) as T;
}

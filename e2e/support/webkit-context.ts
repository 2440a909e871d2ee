// Pages of WebKit in the shape of a context of Playwright's.
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright/test';
import type { Browser } from '../../scripts/engines/index.ts';
import { isOnly } from './network.ts';
import type { Site } from './site.ts';

/** As much of a context as the tests need that run in WebKit. Anything else throws when it is asked for. */
export function contextOf({ newPage }: Browser, site: Site, serviceWorkers: 'allow' | 'block' = 'allow'): BrowserContext {
  const pages = new Set<Page>();
  const routes: Parameters<Page['route']>[] = [];
  const part: Pick<BrowserContext, 'newPage' | 'close' | 'route'> = {
    async newPage() {
      const page = await newPage();
      for (const route of routes) await page.route(...route);
      // As Playwright blocks them elsewhere.
      if (serviceWorkers === 'block') await page.addInitScript(() => void (ServiceWorkerContainer.prototype.register = () => Promise.resolve(undefined as never)));
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
      for (const page of pages) {
        // A request that is held back when its page closes is the end of WebKit's process.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.close();
      }
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

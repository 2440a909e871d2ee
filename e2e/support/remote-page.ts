// Tabs of Firefox and WebKit in the shape of Playwright's pages: as much of it as the tests need that run in every
// engine. Anything else throws when it is asked for.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import type { Engine, Tab } from '../../scripts/engines/engine.ts';
import { startOnProfile } from '../../scripts/engines/index.ts';
import type { Profile } from './browser-process.ts';
import type { Site } from './site.ts';

type Evaluated = (argument: unknown) => unknown;

const POLL_MS = 25;

/** What a context of ours can do besides: its server is the only network there is. */
const networks = new WeakMap<BrowserContext, Site>();

/** Ends the network of a context that is not Playwright's. @returns whether it is one */
export async function cutRemote(context: BrowserContext): Promise<boolean> {
  const site = networks.get(context);
  await site?.stop();
  return site !== undefined;
}

export function remoteContext(engine: Engine, site: Site): BrowserContext {
  const tabs = new Set<Tab>();
  const part: Pick<BrowserContext, 'newPage' | 'close'> = {
    async newPage() {
      const tab = await engine.open();
      tabs.add(tab);
      return remotePage(tab, site, context, () => tabs.delete(tab));
    },
    async close() {
      for (const tab of tabs) await tab.close();
    },
  };
  const context = strict<BrowserContext>('context', part);
  networks.set(context, site);
  return context;
}

/** A profile of Firefox. */
export async function makeRemoteProfile(site: Site): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-profile-'));
  let running: Engine | null = null;
  const kill = async (): Promise<void> => {
    await running?.stop();
    running = null;
  };
  return {
    folder,
    start: async () => ({ context: remoteContext((running = await startOnProfile(folder)), site), kill }),
    remove: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function remotePage(tab: Tab, site: Site, context: BrowserContext, closed: () => void): Page {
  const evaluate = (code: unknown, argument?: unknown): Promise<unknown> =>
    tab.evaluate(typeof code === 'string' ? code : `(${String(code)})(${argument === undefined ? '' : JSON.stringify(argument)})`);
  let url = 'about:blank';
  const part: Partial<Record<keyof Page, unknown>> = {
    context: () => context,
    goto: (address: string) => tab.goto((url = new URL(address, site.address).href)),
    url: () => url,
    reload: () => tab.reload(),
    evaluate,
    async waitForFunction(code: Evaluated, argument: unknown, { timeout = 30_000 } = {}) {
      for (const end = Date.now() + timeout; !(await evaluate(code, argument)); await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
        if (Date.now() > end) throw new Error(`not so within ${timeout} ms: ${String(code)}`);
      }
    },
    async addScriptTag({ content, path }: { readonly content?: string; readonly path?: string }) {
      const text = content ?? (await readFile(path ?? '', 'utf8'));
      await evaluate((source: string) => {
        const script = document.createElement('script');
        script.textContent = source;
        document.head.append(script);
      }, text);
    },
    async close() {
      closed();
      await tab.close();
    },
  };
  return strict<Page>('page', part);
}

/** An object that throws when a property is read that it does not have. */
function strict<T extends object>(what: string, part: object): T {
  return new Proxy(part, {
    get(target, name) {
      if (name in target || typeof name === 'symbol' || name === 'then' || name === 'toJSON') return Reflect.get(target, name) as unknown;
      throw new Error(`${what}.${name} is there in Chromium alone`);
    },
  }) as T;
}

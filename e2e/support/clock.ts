// The built site under a clock that is set anew while it runs. The system's own cannot be touched here: every thread
// (page, worker, service worker with its own engine) gets one in its place, by the scripts that the site serves.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright/test';
import { root } from '../../scripts/run.mjs';
import { serve } from './site.ts';

/** Milliseconds. Until the first change all has to be opened that is to live through it. */
const FIRST_MS = 7_000;
const STEP_MS = 4_000;

/** On a machine that is too slow for them all is done anew with times so many times as long. */
const PACES = [1, 2, 5] as const;
/** Of a test that takes them all, in milliseconds. */
export const PATIENCE_MS = 300_000;

export interface ClockSite {
  /** A tab of it with a page that opens no database by itself. */
  openPage(): Promise<Page>;
  /** When the clock will be set for the nth time, in milliseconds of the system's. @throws Error when it was already */
  due(nth: number): number;
  /** Resolves once it was. @throws Error when it was set again by then */
  reach(nth: number): Promise<void>;
}

/** From `since` on the clock is ahead by so much (both in milliseconds). */
type Setting = readonly [since: number, ahead: number];

/**
 * Runs in each thread before anything else. The moments of change are those of the system's clock, which all threads
 * share: they see it set at once, and one that starts later sees it as it is then.
 */
function setClock(settings: readonly Setting[]): void {
  const system = Date.now;
  const { now } = {
    now(): number {
      const time = system();
      return time + (settings.findLast(([since]) => time >= since)?.[1] ?? 0);
    },
  };
  // As the browser's: what is known to be a test's is not asked for the time (see sending.ts).
  now.toString = () => 'function now() { [native code] }';
  Date.now = now;
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, as: new () => Date) => Reflect.construct(target, given.length === 0 ? [now()] : given, as) as Date,
  });
}

/** @param ahead by how many milliseconds the clock is ahead after each change */
export async function underClock(ahead: readonly number[], context: BrowserContext, act: (site: ClockSite) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-clock-'));
  try {
    await atSomePace(folder, ahead, context, act);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function atSomePace(folder: string, ahead: readonly number[], context: BrowserContext, act: (site: ClockSite) => Promise<void>): Promise<void> {
  for (const pace of PACES) {
    const begin = Date.now() + FIRST_MS * pace;
    const times = ahead.map((_, at) => begin + at * STEP_MS * pace);
    await build(folder, ahead.map((by, at): Setting => [times[at] ?? NaN, by]));
    const { address, stop } = await serve(folder);
    const pages: Page[] = [];
    let reached = 0;
    const due = (nth: number): number => {
      const time = times[nth - 1] ?? Infinity;
      if (Date.now() >= time) throw new Error('This machine is too slow for so many changes of the clock.');
      return time;
    };
    const site: ClockSite = {
      async openPage() {
        const page = await context.newPage();
        pages.push(page);
        await page.goto(`${address}reference.html`);
        return page;
      },
      due,
      async reach(nth) {
        await pause((times[nth - 1] ?? 0) - Date.now());
        reached = nth;
        due(nth + 1);
      },
    };
    try {
      await act(site);
      break;
    } catch (error) {
      // What has run into the next change may fail, as a request does that was sent a year ago.
      const isLate = Date.now() >= (times[reached] ?? Infinity);
      if (!isLate || pace === PACES.at(-1)) throw error;
      console.log('  The clock was set anew too early; once more, at a slower pace.');
      for (const page of pages) await page.close();
    } finally {
      await stop();
    }
  }
}

/** Makes the site anew, with such a clock in each thread. */
async function build(folder: string, settings: readonly Setting[]): Promise<void> {
  await cp(join(root, 'dist'), folder, { recursive: true, force: true });
  const code = `(${String(setClock)})(${JSON.stringify(settings)});`;
  const workers = (await readdir(join(folder, 'vivarium'))).filter((name) => name.startsWith('worker-')).map((name) => `vivarium/${name}`);
  const change = async (name: string, by: (text: string) => string): Promise<void> => {
    const file = join(folder, name);
    await writeFile(file, by(await readFile(file, 'utf8')));
  };
  // The service worker's own engine is one of its scripts, and has its clock.
  for (const name of ['sw.js', ...workers]) await change(name, (text) => `${code}\n${text}`);
  await change('reference.html', (text) => text.replace('<head>', () => `<head><script>${code}</script>`));
}

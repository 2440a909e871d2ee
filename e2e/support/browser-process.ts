// A browser of its own, with a profile on disk, that can be killed as a power cut would.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, firefox, type BrowserContext } from 'playwright/test';
import { findBrowser, launchFlags } from '../../scripts/browser.mjs';
import { firefoxOptions } from './firefox.ts';
import { isOnly } from './network.ts';
import type { Site } from './site.ts';
import { contextOf, startWebKitOn } from './webkit.ts';

export interface BrowserProcess {
  /** The context of the profile. */
  readonly context: BrowserContext;
  /** SIGKILL to the browser and all its processes: nothing of it runs one line more. */
  kill(): Promise<void>;
}

export interface Profile {
  /** Where it lies. */
  readonly folder: string;
  /** Starts a browser on it, one at a time. */
  start(): Promise<BrowserProcess>;
  /** Kills what runs on it, and deletes it. */
  remove(): Promise<void>;
}

/** For Chromium. */
export const makeProfile = (): Promise<Profile> => profileOf(startChromium);

/** For Firefox, whose network is the server of a site. */
export const makeFirefoxProfile = (site: Site): Promise<Profile> => profileOf((folder) => startFirefox(folder, site));

/** For WebKit, whose network is the server of a site. */
export const makeWebKitProfile = (site: Site): Promise<Profile> =>
  profileOf(async (folder) => {
    const browser = await startWebKitOn(folder);
    return { context: contextOf(browser, site), kill: browser.stop };
  });

async function profileOf(start: (folder: string) => Promise<BrowserProcess>): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-profile-'));
  let running: BrowserProcess | null = null;
  const kill = async (): Promise<void> => {
    const browser = running;
    running = null;
    await browser?.kill();
  };
  return {
    folder,
    async start() {
      running = await start(folder);
      return { context: running.context, kill };
    },
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startChromium(folder: string): Promise<BrowserProcess> {
  const file = findBrowser() ?? chromium.executablePath();
  const flags = [...launchFlags, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'];
  const running = spawn(file, flags, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = async (): Promise<void> => {
    const ended = once(running, 'exit');
    // A process group of its own: its renderers and storage go with it.
    process.kill(-(running.pid ?? Number.NaN), 'SIGKILL');
    await ended;
  };
  const browser = await chromium.connectOverCDP(await debuggerOf(running));
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('The browser has no context.');
  return { context, kill };
}

async function startFirefox(folder: string, site: Site): Promise<BrowserProcess> {
  const note = join(folder, 'pid');
  const context = await firefox.launchPersistentContext(folder, firefoxOptions({ FIREFOX_PID: note }));
  isOnly(site, context);
  const pid = Number(await readFile(note, 'utf8'));
  const kill = async (): Promise<void> => {
    const ended = context.waitForEvent('close');
    process.kill(-pid, 'SIGKILL');
    await ended;
  };
  return { context, kill };
}

/** The address the browser gives on its standard error. */
async function debuggerOf(browser: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of browser.stderr ?? []) {
    said += String(chunk);
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`The browser did not start: ${said}`);
}

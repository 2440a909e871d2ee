// A browser of its own, with a profile on disk, that can be killed as a power cut would.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, firefox, type BrowserContext } from 'playwright/test';
import { findBrowser, launchFlags } from '../../scripts/browser.mjs';
import { firefoxOptions } from '../../scripts/engines/firefox.ts';
import { startWebKitOn } from '../../scripts/engines/webkit.ts';
import { isOnly } from './network.ts';
import type { Site } from './site.ts';
import { contextOf } from './webkit-context.ts';

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
  /** The same, but the context is that of its private windows. */
  startPrivate(): Promise<BrowserProcess>;
  /** Kills what runs on it, and deletes it. */
  remove(): Promise<void>;
}

/** For Chromium. */
export const makeProfile = (): Promise<Profile> => profileOf(startChromium);

/** For Firefox, whose network is the server of a site. */
export const makeFirefoxProfile = (site: Site): Promise<Profile> => profileOf((folder, owns, isPrivate) => startFirefox(folder, owns, isPrivate, site));

/** For WebKit, whose network is the server of a site. */
export const makeWebKitProfile = (site: Site): Promise<Profile> =>
  profileOf(async (folder, owns, isPrivate) => {
    const browser = await startWebKitOn(folder, ...(isPrivate ? ['--private'] : []));
    owns(browser.stop);
    return contextOf(browser, site);
  });

type Kill = () => Promise<void>;
/** Starts a browser on a profile; `owns` is told how to end it, before anything is waited for that may fail. */
type Start = (folder: string, owns: (kill: Kill) => void, isPrivate: boolean) => Promise<BrowserContext>;

async function profileOf(start: Start): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-profile-'));
  let running: Kill | null = null;
  const kill = async (): Promise<void> => {
    const end = running;
    running = null;
    await end?.();
  };
  const begin = async (isPrivate: boolean): Promise<BrowserProcess> => ({ context: await start(folder, (end) => (running = end), isPrivate), kill });
  return {
    folder,
    start: () => begin(false),
    startPrivate: () => begin(true),
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startChromium(folder: string, owns: (kill: Kill) => void, isPrivate: boolean): Promise<BrowserContext> {
  const file = findBrowser() ?? chromium.executablePath();
  const flags = [...launchFlags, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'];
  const running = spawn(file, flags, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  owns(async () => {
    const ended = once(running, 'exit');
    // A process group of its own: its renderers and storage go with it.
    process.kill(-(running.pid ?? Number.NaN), 'SIGKILL');
    await ended;
  });
  const browser = await chromium.connectOverCDP(await debuggerOf(running));
  // What Playwright adds to a browser are incognito windows.
  if (isPrivate) return browser.newContext();
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('The browser has no context.');
  return context;
}

async function startFirefox(folder: string, owns: (kill: Kill) => void, isPrivate: boolean, site: Site): Promise<BrowserContext> {
  const note = join(folder, 'pid');
  const context = await firefox.launchPersistentContext(folder, firefoxOptions({ FIREFOX_PID: note }, { 'browser.privatebrowsing.autostart': isPrivate }));
  isOnly(site, context);
  const group = -Number(await readFile(note, 'utf8'));
  owns(async () => {
    process.kill(group, 'SIGKILL');
    // Its profile is free once all of it has ended.
    while (lives(group)) await pause(10);
  });
  return context;
}

function lives(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
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

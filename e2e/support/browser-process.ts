// A browser of its own, with a profile on disk, that can be killed as a power cut would.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright/test';
import { findBrowser, launchFlags } from '../../scripts/browser.mjs';

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

export async function makeProfile(): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-profile-'));
  let running: ChildProcess | null = null;

  const kill = async (): Promise<void> => {
    const browser = running;
    if (browser === null) return;
    running = null;
    const ended = once(browser, 'exit');
    // A process group of its own: its renderers and storage go with it.
    process.kill(-(browser.pid ?? Number.NaN), 'SIGKILL');
    await ended;
  };

  return {
    folder,
    start: async () => {
      const file = findBrowser() ?? chromium.executablePath();
      const flags = [...launchFlags, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'];
      running = spawn(file, flags, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
      const browser = await chromium.connectOverCDP(await debuggerOf(running));
      const [context] = browser.contexts();
      if (context === undefined) throw new Error('The browser has no context.');
      return { context, kill };
    },
    remove: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
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

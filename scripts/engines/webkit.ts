// WebKit as GNOME builds it, with a profile on disk, in Playwright's hands: what Playwright does to Safari's pages by
// WebKit's inspector it does to these. The inspector tells which pages there are, but not in Playwright's words.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Page, webkit } from 'playwright';
import { freePort } from '../free-port.mjs';
import { fileOf } from './find.mjs';
import type { Browser } from './index.ts';
import { type Program, start } from './process.ts';

const POLL_MS = 25;
const PATIENCE_MS = 30_000;

/** How long a browser that runs may take to open a page. */
const OPEN_MS = 15_000;

interface WebKit extends Browser {
  /** Whether the process of its pages has ended by itself. */
  hasCrashed(): boolean;
}

/** With a profile of its own, which goes with it. When it has crashed, another one takes its place. */
export async function startWebKit(): Promise<Browser> {
  let running = await begin();
  const inTime = (page: Promise<Page | null>): Promise<Page | null> => Promise.race([page, pause(OPEN_MS, null, { ref: false })]);
  return {
    async newPage() {
      const opening = running.newPage().catch(() => null);
      const page = (await inTime(opening)) ?? (running.hasCrashed() ? null : await inTime(opening));
      if (page !== null) return page;
      // One that is kept busy by a page that was closed is a fault to be seen.
      if (!running.hasCrashed()) throw new Error('WebKit opens no page.');
      // The process of its pages ends when its inspector is asked for a request of a page that has been closed.
      console.log('WebKit has crashed between two pages: it is started anew.');
      await running.stop();
      running = await begin();
      return running.newPage();
    },
    stop: () => running.stop(),
  };
}

async function begin(): Promise<WebKit> {
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-webkit-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const browser = await startWebKitOn(folder);
    return { ...browser, stop: () => browser.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * @param folder where its profile is, or will be
 * @param options more of MiniBrowser's
 */
export async function startWebKitOn(folder: string, ...options: readonly string[]): Promise<WebKit> {
  const running: Program[] = [];
  const targets = offer();
  const stop = async (): Promise<void> => {
    for (const program of running.reverse()) await program.stop();
    targets.close();
  };
  try {
    const screen = start('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1280x900x24']);
    running.push(screen);
    const [, display = ''] = await screen.said(/^(\d+)\n/m);
    const inspector = `127.0.0.1:${await freePort()}`;
    const env = {
      DISPLAY: `:${display}`,
      // Containers run as root, to whom its sandbox is refused.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_INSPECTOR_HTTP_SERVER: inspector,
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    };
    const program = start(fileOf('webkit'), ['--javascript-can-open-windows-automatically=true', ...options, 'about:blank'], env);
    running.push(program);
    const known = new Set<string>();
    /** Takes the page into hand that nobody has yet. */
    const attach = async (): Promise<Page> => {
      const path = await newTarget(program, inspector, known);
      known.add(path);
      const browser = await webkit.connectOverCDP(await targets.only(`ws://${inspector}${path}`));
      const page = browser.contexts()[0]?.pages()[0];
      if (page === undefined) throw new Error('WebKit has no page.');
      // To Playwright each page is a browser of its own.
      page.once('close', () => void browser.close());
      // Vitest sets dialogs of its own in the place of Playwright's.
      await page.addInitScript(`for (const dialog of ['alert', 'confirm', 'prompt']) Object.defineProperty(window, dialog, { writable: true });`);
      return page;
    };
    // The page it begins with opens all others, which only so can be closed.
    const first = await attach();
    let last: Promise<unknown> = Promise.resolve();
    const open = async (): Promise<Page> => {
      // They share its process: one without an opener changes its own at its first address, which Playwright may lose.
      await first.evaluate(`void open('about:blank')`);
      return attach();
    };
    return {
      newPage() {
        const page = last.then(open);
        last = page.catch(() => undefined);
        return page;
      },
      hasCrashed: () => program.hasSaid(/WebProcess CRASHED/),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The path of a page's inspector. */
async function newTarget(program: Program, inspector: string, known: ReadonlySet<string>): Promise<string> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && program.lives(); await pause(POLL_MS)) {
    const list = await fetch(`http://${inspector}/`).then((response) => response.text(), () => '');
    const [path] = (list.match(/\/socket\/\d+\/\d+\/WebPage/g) ?? []).filter((path) => !known.has(path));
    if (path !== undefined) return path;
  }
  throw new Error(program.lives() ? 'WebKit opens no page.' : 'WebKit has ended.');
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

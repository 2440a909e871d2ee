// WebKit as GNOME builds it, over WebDriver. Its driver handles one command at a time, so one command starts code that
// may take long, and others ask whether it has ended: so two tabs can run side by side.
import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, type Tab, telling, told } from './engine.ts';
import { freePort } from '../free-port.mjs';
import { type Program, start } from './process.ts';

export const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const POLL_MS = 4;
/** Ports that are tried: another program may take one before the driver does, which ends then. */
const PORTS = 5;

/** @param file the driver */
export async function startWebKit(file: string): Promise<Engine> {
  const running: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of running.reverse()) await program.stop();
  };
  try {
    const command = await drive(file, await openScreen(running), running);
    const options = { binary: MINI_BROWSER, args: ['--automation'] };
    const { sessionId, capabilities } = (await command('POST', '/session', {
      capabilities: { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options } },
    })) as { sessionId: string; capabilities: { browserVersion: string } };
    const session: Command = (method, path, body) => command(method, `/session/${sessionId}${path}`, body);
    await session('POST', '/timeouts', { script: 60_000, pageLoad: 60_000, implicit: 0 });
    return { version: capabilities.browserVersion, open: await tabs(session), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Opens a screen that nobody sees. @param running gets it @returns the environment of a WebKit on it */
export async function openScreen(running: Program[]): Promise<Readonly<Record<string, string>>> {
  const screen = start('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1280x900x24']);
  running.push(screen);
  const [, display = ''] = await screen.said(/^(\d+)\n/m);
  // Containers run as root, to whom its sandbox is refused.
  return { DISPLAY: `:${display}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
}

type Command = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

/** Starts the driver on a port that it gets. @param running gets whatever was started */
async function drive(file: string, env: Readonly<Record<string, string>>, running: Program[]): Promise<Command> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const driver = start(file, [`--port=${port}`], env);
    running.push(driver);
    try {
      return await connect(`http://127.0.0.1:${port}`, driver);
    } catch (error) {
      if (driver.lives() || tries === PORTS) throw error;
    }
  }
}

async function connect(address: string, driver: Program): Promise<Command> {
  const command: Command = async (method, path, body) => {
    const response = await fetch(address + path, { method, ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}) });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
    if (!response.ok) throw new Error(`${path}: ${value?.error}: ${value?.message}`);
    return value;
  };
  for (let tries = 1; ; tries++) {
    try {
      await command('GET', '/status');
      return command;
    } catch (error) {
      if (!driver.lives() || tries === 100) throw error;
      await pause(100);
    }
  }
}

/** Opens tabs. The one that the session begins with stays as it is: with the last one the browser would end. */
async function tabs(session: Command): Promise<() => Promise<Tab>> {
  const kept = (await session('GET', '/window')) as string;
  let queue: Promise<unknown> = Promise.resolve();
  /** Commands go to the chosen window, so choosing one and using it must not be parted. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const turn = queue.then(act);
    queue = turn.catch(() => undefined);
    return turn;
  };

  const tab = (handle: string): Tab => {
    const use: Command = (method, path, body) =>
      inTurn(async () => {
        await session('POST', '/window', { handle });
        return session(method, path, body);
      });
    const run = (script: string): Promise<unknown> => use('POST', '/execute/sync', { script, args: [] });
    let last = 0;
    return {
      goto: async (url) => void (await use('POST', '/url', { url })),
      reload: async () => void (await use('POST', '/refresh')),
      async evaluate(expression) {
        const name = `told${++last}`;
        await run(`(window.toldToTests ??= {}); ${telling(expression)}.then((text) => { toldToTests.${name} = text; });`);
        for (;;) {
          const text = await run(`const text = window.toldToTests?.${name}; if (text !== undefined) delete toldToTests.${name}; return window.toldToTests === undefined ? '{"error":"The page was left."}' : text ?? null;`);
          if (typeof text === 'string') return told(text);
          await pause(POLL_MS);
        }
      },
      close: async () => void (await use('DELETE', '/window')),
    };
  };

  return async () => {
    const { handle } = await inTurn(async () => {
      // Only from a window that is there can another be opened.
      await session('POST', '/window', { handle: kept });
      return (await session('POST', '/window/new', { type: 'window' })) as { handle: string };
    });
    return tab(handle);
  };
}

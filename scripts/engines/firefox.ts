// Firefox, over WebDriver BiDi, which it speaks itself.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { type Engine, type Tab, telling, told } from './engine.ts';
import { start } from './process.ts';

/** No network of its own beside what the tests do. */
export const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.max_script_run_time': 0,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

/** With a profile of its own, which goes with it. */
export async function startFirefox(file: string): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'vivarium-firefox-'));
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const browser = start(file, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile]);
  const stop = async (): Promise<void> => {
    await browser.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [, address = ''] = await browser.said(/WebDriver BiDi listening on (ws:\S+)/);
    const send = await connect(`${address}/session`);
    const session = (await send('session.new', { capabilities: {} })) as { capabilities: { browserVersion: string } };
    return {
      version: session.capabilities.browserVersion,
      open: async () => tab(send, ((await send('browsingContext.create', { type: 'tab' })) as { context: string }).context),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Send = (method: string, params: object) => Promise<unknown>;

interface Answer {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result?: unknown;
  readonly message?: string;
}

/** A connection that matches answers to commands by their ids. */
async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  socket.on('message', (data) => {
    const { id, type, result, message } = JSON.parse(String(data)) as Answer;
    const sender = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || sender === undefined) return;
    waiting.delete(id);
    if (type === 'success') sender.resolve(result);
    else sender.reject(new Error(message));
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has ended.'));
    waiting.clear();
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
}

function tab(send: Send, context: string): Tab {
  return {
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    reload: async () => void (await send('browsingContext.reload', { context, wait: 'complete' })),
    async evaluate(expression) {
      const params = { expression: telling(expression), target: { context }, awaitPromise: true };
      const { result, exceptionDetails } = (await send('script.evaluate', params)) as { result?: { value: string }; exceptionDetails?: { text: string } };
      if (result === undefined) throw new Error(exceptionDetails?.text);
      return told(result.value);
    },
    close: async () => void (await send('browsingContext.close', { context })),
  };
}

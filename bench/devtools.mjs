// A bare client of the DevTools protocol over a pair of pipes. It switches on no domain:
// with the network one on, as test tools have it, an intercepted fetch takes a third longer.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { launchFlags } from '../scripts/browser.mjs';

/** @typedef {{ resolve(result: any): void, reject(error: Error): void }} Caller */

/**
 * @typedef {object} Browser
 * @property {string} version
 * @property {string} profile Its folder.
 * @property {(url: string) => Promise<Page>} open A page of its own.
 * @property {() => Promise<void>} close Ends the browser and deletes its profile.
 *
 * @typedef {(method: string, params?: object) => Promise<any>} Send
 *
 * @typedef {object} Page
 * @property {(expression: string) => Promise<any>} evaluate The value, as JSON, that the expression's promise resolves to.
 * @property {<T>(act: (workers: readonly Send[]) => Promise<T>) => Promise<T>} withWorkers With its dedicated workers at hand.
 * @property {Send} send
 * @property {() => Promise<void>} close
 */

/**
 * Starts a browser with an empty profile.
 * @param {string} executable
 * @returns {Promise<Browser>}
 */
export async function launch(executable) {
  const profile = await mkdtemp(join(tmpdir(), 'vivarium-bench-'));
  const flags = ['--headless', '--remote-debugging-pipe', `--user-data-dir=${profile}`, ...launchFlags, 'about:blank'];
  const child = spawn(executable, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const [toBrowser, fromBrowser] = /** @type {[import('node:stream').Writable, import('node:stream').Readable]} */ (/** @type {unknown} */ (child.stdio.slice(3)));

  /** @type {Map<number, Caller>} */
  const callers = new Map();
  let calls = 0;

  /** @returns {Promise<any>} */
  const send = (/** @type {string} */ method, params = {}, /** @type {string | undefined} */ sessionId = undefined) =>
    new Promise((resolve, reject) => {
      const id = ++calls;
      callers.set(id, { resolve, reject });
      toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });

  /** @type {Buffer[]} */
  let unread = [];
  fromBrowser.on('data', (/** @type {Buffer} */ chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      receive(Buffer.concat([...unread, chunk.subarray(from, end)]).toString());
      unread = [];
      from = end + 1;
    }
    unread.push(chunk.subarray(from));
  });
  /** Sessions of the workers of each page that asked for them. @type {Map<string, string[]>} */
  const workersOf = new Map();
  const receive = (/** @type {string} */ text) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(text);
    if (method === 'Target.attachedToTarget' && params.targetInfo.type === 'worker') workersOf.get(sessionId)?.push(params.sessionId);
    const caller = callers.get(id);
    callers.delete(id);
    if (error) caller?.reject(new Error(error.message));
    else caller?.resolve(result);
  };
  toBrowser.on('error', () => undefined); // told by its exit
  void ended.then(() => {
    for (const { reject } of callers.values()) reject(new Error('the browser has ended'));
  });

  const { product } = await send('Browser.getVersion');
  return {
    version: product,
    profile,
    async open(url) {
      const { targetId } = await send('Target.createTarget', { url });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      const evaluate = async (/** @type {string} */ expression) => {
        const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId);
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      };
      // Asked again and again, as events would need a domain switched on.
      const isLoaded = () => evaluate('location.href !== "about:blank" && document.readyState === "complete"').catch(() => false);
      while (!(await isLoaded())) await setTimeout(20);
      const withWorkers = async (/** @type {(workers: readonly Send[]) => Promise<any>} */ act) => {
        workersOf.set(sessionId, []);
        const follow = { waitForDebuggerOnStart: false, flatten: true };
        await send('Target.setAutoAttach', { autoAttach: true, ...follow }, sessionId);
        try {
          return await act((workersOf.get(sessionId) ?? []).map((worker) => (method, params) => send(method, params, worker)));
        } finally {
          await send('Target.setAutoAttach', { autoAttach: false, ...follow }, sessionId);
        }
      };
      return {
        evaluate,
        withWorkers,
        send: (method, params) => send(method, params, sessionId),
        close: () => send('Target.closeTarget', { targetId }),
      };
    },
    async close() {
      send('Browser.close').catch(() => undefined);
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

// Where the time goes in a page and its workers: the functions that take most of it themselves.
import { align } from './table.mjs';

const TOP = 25;

/**
 * @template T
 * @param {import('./devtools.mjs').Page} page
 * @param {string} title
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export function profiled(page, title, act) {
  return page.withWorkers(async (workers) => {
    const threads = [page.send, ...workers];
    for (const send of threads) {
      await send('Profiler.enable');
      await send('Profiler.setSamplingInterval', { interval: 100 });
      await send('Profiler.start');
    }
    const result = await act();
    for (const [at, send] of threads.entries()) {
      const { profile } = await send('Profiler.stop');
      await send('Profiler.disable');
      console.log(`\n${title}, ${at === 0 ? 'page' : 'worker'}\n${align([['', 'self ms', '%'], ...top(profile)])}`);
    }
    return result;
  });
}

/** @returns {string[][]} */
function top(/** @type {any} */ { nodes, samples, timeDeltas }) {
  /** @type {Map<number, string>} */
  const names = new Map(nodes.map((/** @type {any} */ { id, callFrame: { functionName, lineNumber, url } }) =>
    [id, `${functionName || '(anonymous)'} ${url === '' ? '' : `${url.split('/').pop()}:${lineNumber + 1}`}`]));
  /** @type {Map<string, number>} */
  const self = new Map();
  samples.forEach((/** @type {number} */ id, /** @type {number} */ at) => {
    const name = names.get(id) ?? '';
    self.set(name, (self.get(name) ?? 0) + timeDeltas[at] / 1000);
  });
  const total = [...self.values()].reduce((sum, ms) => sum + ms, 0);
  return [...self]
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(([name, ms]) => [name, ms.toFixed(1), ((ms / total) * 100).toFixed(1)]);
}

// What is asked of Vivarium alone, each beside what it is to be compared with, in one browser.
import { setTimeout } from 'node:timers/promises';
import { say } from '../scripts/run.mjs';
import { launch } from './devtools.mjs';
import { verdict } from './goals.mjs';
import { call } from './measure.mjs';
import { spread } from './statistics.mjs';
import { align, short } from './table.mjs';

/**
 * @typedef {object} Compared Milliseconds.
 * @property {string} name
 * @property {string} title
 * @property {number} ours
 * @property {number} other
 * @property {number} goal The most that ours may be of the other.
 */

const PAGE = 'Vivarium, relaxed';
const FETCH = 'Vivarium by fetch, relaxed';
const DOCUMENTS = 10_000;

const BLOCKS = 10;
const BLOCK = 60;
const STOPS = 8;
/** Until a stopped service worker has ended. */
const STOPPED_MS = 300;
const CREATES = 400;
/** Of fewer nobody can tell the slowest in a hundred. */
const FEWEST = 200;
const ROUNDS = 5;
const CREATES_CAP = 40_000;

const median = (/** @type {readonly number[]} */ values) => spread(values).median;

/**
 * @param {string} executable
 * @param {{ site: string, constant: string }} urls of our page, and of the same on an origin of its own
 * @returns {Promise<Compared[]>}
 */
export async function plumbing(executable, urls) {
  return [...(await fetches(executable, urls)), await tabs(executable, urls.site), ...(await compaction(executable, urls.site))];
}

async function fetches(/** @type {string} */ executable, /** @type {{ site: string, constant: string }} */ urls) {
  return inBrowser(executable, async (chromium) => {
    const [ours, other] = [await chromium.open(urls.site), await chromium.open(urls.constant)];
    const { sample } = await call(ours, 'fill', FETCH, 1000);
    await call(other, 'serveConstant');
    /** @type {{ ours: number[], other: number[] }} */
    const running = { ours: [], other: [] };
    for (let block = 0; block <= BLOCKS; block++) {
      const [a, b] = [await call(ours, 'fetchTimes', sample.key, BLOCK), await call(other, 'fetchTimes', sample.key, BLOCK)];
      if (block === 0) continue; // to warm up
      running.ours.push(...a);
      running.other.push(...b);
    }
    /** @type {{ ours: number[], other: number[] }} */
    const stopped = { ours: [], other: [] };
    for (let stop = 0; stop < STOPS; stop++) {
      for (const [page, times] of /** @type {const} */ ([[ours, stopped.ours], [other, stopped.other]])) {
        await page.send('ServiceWorker.enable');
        await page.send('ServiceWorker.stopAllWorkers');
        await page.send('ServiceWorker.disable');
        await setTimeout(STOPPED_MS);
        times.push(...(await call(page, 'fetchTimes', sample.key, 1)));
      }
    }
    return [
      { name: 'fetch', title: '`fetch` answered, beside a service worker that answers with a constant', ours: median(running.ours), other: median(running.other), goal: 1.15 },
      { name: 'stopped', title: 'the same, the service worker having been stopped', ours: median(stopped.ours), other: median(stopped.other), goal: 1.5 },
    ];
  });
}

async function tabs(/** @type {string} */ executable, /** @type {string} */ url) {
  return inBrowser(executable, async (chromium) => {
    const page = await chromium.open(url);
    const { sample } = await call(page, 'fill', PAGE, DOCUMENTS);
    /** @type {{ alone: number[], together: number[] }} */
    const times = { alone: [], together: [] };
    for (let round = 0; round < ROUNDS; round++) {
      // By the end of this it has noticed that it is alone.
      await call(page, 'workload', 'R1', 3000);
      times.alone.push((await call(page, 'workload', 'R1', 1000)).p50);
      const second = await chromium.open(url);
      await call(second, 'start', PAGE, sample);
      times.together.push((await call(page, 'workload', 'R1', 1000)).p50);
      await call(second, 'close');
      await second.close();
    }
    return { name: 'tabs', title: 'get by ref with two tabs open, beside one', ours: median(times.together), other: median(times.alone), goal: 1.2 };
  });
}

async function compaction(/** @type {string} */ executable, /** @type {string} */ url) {
  return inBrowser(executable, async (chromium) => {
    const page = await chromium.open(url);
    await call(page, 'fill', PAGE, DOCUMENTS);
    const { quiet, busy } = await call(page, 'creates', CREATES, CREATES_CAP);
    if (Math.min(quiet.count, busy.count) < FEWEST) {
      say(`Creates while storage is compacted were not measured: ${busy.count} there, ${quiet.count} beside them, in ${CREATES_CAP / 1000} s`);
      return [];
    }
    return [{ name: 'compaction', title: 'p99 of one durable create while storage is compacted, beside not', ours: busy.p99, other: quiet.p99, goal: 2 }];
  });
}

/**
 * @template T
 * @param {string} executable
 * @param {(chromium: import('./devtools.mjs').Browser) => Promise<T>} act
 * @returns {Promise<T>}
 */
async function inBrowser(executable, act) {
  const chromium = await launch(executable);
  try {
    return await act(chromium);
  } finally {
    await chromium.close();
  }
}

/** @returns {string} */
export function plumbingTable(/** @type {readonly Compared[]} */ compared) {
  const rows = compared.map(({ title, ours, other, goal }) => [title, short(ours), short(other), short(ours / other), `≤ ${goal}`, verdict(ours / other, goal)]);
  return rows.length === 0 ? '' : `\nVivarium, ms\n${align([['', '', 'beside', 'ratio', 'goal', ''], ...rows])}`;
}

// One round. Candidates take turns, each in a browser of its own with an empty profile, in which it goes
// through all the workloads before that is closed. With idle candidates beside it, figures would depend on
// how much of its compiled code the browser throws away.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { launch } from './devtools.mjs';
import { profiled } from './profile.mjs';
import { within } from './within.mjs';
import { IN_ORDER } from './workloads.mjs';

/** @typedef {import('./statistics.mjs').Results} Results */
/** @typedef {import('./devtools.mjs').Page} Page */
/** @typedef {{ documents: number, cap: number, limit: number, workloads: readonly string[], profile: boolean }} Plan `limit`: milliseconds a step may take. */

/**
 * @typedef {object} Run One candidate in this round.
 * @property {string} name
 * @property {string} url of the page that has it
 * @property {import('./devtools.mjs').Browser} chromium
 * @property {Page} page
 * @property {unknown} sample A post that is there.
 * @property {Results} results
 */

const STARTS = 3;
/** Milliseconds in which a browser that was just started has much to do for itself. */
const SETTLED = 2000;

/**
 * @param {string} executable
 * @param {readonly { name: string, url: string }[]} candidates in the order of their turns
 * @param {Plan} plan
 * @returns {Promise<{ round: import('./statistics.mjs').Round, browser: string }>}
 */
export async function measure(executable, candidates, plan) {
  /** @type {import('./statistics.mjs').Round} */
  const round = {};
  let browser = '';
  for (const one of candidates) {
    const began = Date.now();
    process.stdout.write(`  ${one.name} `);
    /** @type {Results} */
    const results = {};
    const chromium = await launch(executable);
    try {
      browser = chromium.version;
      await setTimeout(SETTLED);
      const run = { ...one, chromium, page: await chromium.open(one.url), sample: null, results };
      for (const step of stepsOf(plan)) await within(plan.limit, step(run));
    } catch (error) {
      // The others go on; in the table it has no figures from here on.
      process.stdout.write(`fails: ${error instanceof Error ? error.message : error} `);
    } finally {
      await chromium.close();
    }
    console.log(`${((Date.now() - began) / 1000).toFixed(0)} s`);
    round[one.name] = results;
  }
  return { round, browser };
}

/** @returns {((run: Run) => Promise<unknown>)[]} */
function stepsOf(/** @type {Plan} */ { documents, cap, workloads, profile }) {
  const measured = IN_ORDER.filter((one) => workloads.includes(one)).map((workload) => async (/** @type {Run} */ { name, page, results }) => {
    const act = () => call(page, 'workload', workload, cap);
    results[workload] = profile ? await profiled(page, `${name}, ${workload}`, act) : await act();
  });
  return [(run) => fill(run, documents), ...measured, leave, ...(workloads.includes('S1') ? [start] : []), disk];
}

async function fill(/** @type {Run} */ run, /** @type {number} */ documents) {
  const { W2, sample } = await call(run.page, 'fill', run.name, documents);
  run.sample = sample;
  run.results['W2'] = W2;
}

async function leave(/** @type {Run} */ { page, results }) {
  results['heap'] = single(await page.withWorkers(heap));
  await call(page, 'close');
  await page.close();
}

async function start(/** @type {Run} */ { chromium, url, name, sample, results }) {
  const times = [];
  for (let at = 0; at < STARTS; at++) {
    const page = await chromium.open(url);
    times.push(await call(page, 'start', name, sample));
    await call(page, 'close');
    await page.close();
  }
  results['S1'] = single(times.sort((a, b) => a - b)[STARTS >> 1] ?? 0);
}

async function disk(/** @type {Run} */ { chromium, results }) {
  results['disk'] = single(await bytesIn(chromium.profile));
}

/** Does one of the steps that a page offers (site/runner.ts). @returns {Promise<any>} */
export const call = (/** @type {Page} */ page, /** @type {string} */ step, /** @type {unknown[]} */ ...args) =>
  page.evaluate(`bench.${step}(${args.map((arg) => JSON.stringify(arg)).join()})`);

/** One number as a summary: a time, or bytes. */
const single = (/** @type {number} */ value) => ({ p50: value, p99: value, perSecond: 0 });

/** Bytes that live in the workers of a page: objects, and buffers beside them. */
async function heap(/** @type {readonly import('./devtools.mjs').Send[]} */ workers) {
  let bytes = 0;
  for (const send of workers) {
    await send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await send('Runtime.getHeapUsage');
    bytes += usedSize + (backingStorageSize ?? 0);
  }
  return bytes;
}

/** What IndexedDB and the origin's file system occupy; a log not yet rewritten counts as it is. */
async function bytesIn(/** @type {string} */ profile) {
  let bytes = 0;
  for (const place of ['IndexedDB', 'File System']) {
    const folder = join(profile, 'Default', place);
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
      if (file.isFile()) bytes += await stat(join(file.parentPath, file.name)).then(({ size }) => size, () => 0);
    }
  }
  return bytes;
}

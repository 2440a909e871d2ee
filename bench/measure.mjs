// One candidate once: a browser with an empty profile, all workloads, three starts, and what is left on the disk.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { launch } from './devtools.mjs';
import { profiled } from './profile.mjs';
import { IN_ORDER } from './workloads.mjs';

/** @typedef {import('./statistics.mjs').Results} Results */
/** @typedef {{ documents: number, cap: number, limit: number, workloads: readonly string[], profile: boolean }} Plan */

const STARTS = 3;

/**
 * @param {string} executable
 * @param {string} url of the page that has the candidate
 * @param {string} name
 * @param {Plan} plan
 * @returns {Promise<{ results: Results, browser: string }>}
 */
export async function measure(executable, url, name, plan) {
  const chromium = await launch(executable);
  const timer = new AbortController();
  try {
    const tooLong = setTimeout(plan.limit, undefined, { signal: timer.signal }).then(() => {
      throw new Error(`took longer than ${plan.limit / 1000} s`);
    });
    tooLong.catch(() => undefined);
    return { results: await Promise.race([steps(chromium, url, name, plan), tooLong]), browser: chromium.version };
  } finally {
    timer.abort();
    await chromium.close();
  }
}

/** @returns {Promise<Results>} */
async function steps(/** @type {import('./devtools.mjs').Browser} */ chromium, /** @type {string} */ url, /** @type {string} */ name, /** @type {Plan} */ { documents, cap, workloads, profile }) {
  const page = await chromium.open(url);
  const { W2, sample } = await call(page, 'fill', name, documents);
  /** @type {Results} */
  const results = { W2 };
  for (const workload of IN_ORDER.filter((one) => workloads.includes(one))) {
    const run = () => call(page, 'workload', workload, cap);
    results[workload] = profile ? await profiled(page, `${name}, ${workload}`, run) : await run();
  }
  results['heap'] = constant(await page.withWorkers(heap));
  await call(page, 'close');
  await page.close();

  if (workloads.includes('S1')) {
    const times = [];
    for (let start = 0; start < STARTS; start++) {
      const fresh = await chromium.open(url);
      times.push(await call(fresh, 'start', name, sample));
      await call(fresh, 'close');
      await fresh.close();
    }
    results['S1'] = constant(times.sort((a, b) => a - b)[STARTS >> 1] ?? 0);
  }
  results['disk'] = constant(await bytesIn(chromium.profile));
  return results;
}

/** Does one of the steps that a page offers (site/runner.ts). @returns {Promise<any>} */
export const call = (/** @type {import('./devtools.mjs').Page} */ page, /** @type {string} */ step, /** @type {unknown[]} */ ...args) =>
  page.evaluate(`bench.${step}(${args.map((arg) => JSON.stringify(arg)).join()})`);

const constant = (/** @type {number} */ value) => ({ p50: value, p99: value, perSecond: 0 });

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

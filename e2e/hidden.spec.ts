// A page that nobody sees makes its engine keep less in memory, and more again when it is back, as does
// one that asks for less; one that goes leaves little to read for whoever opens the database next.
import type { Page, Worker } from 'playwright/test';
import { ready } from './support/page.ts';
import { createCollections, object, query } from './support/queries.ts';
import { expect, inChromium, test } from './support/test.ts';

// Twelve megabytes are read again and again.
test.setTimeout(240_000);

/** Runs in the engine's worker: counts what it asks its storage for blocks. */
function countReads(): void {
  const counted = self as unknown as { reads: number };
  counted.reads = 0;
  for (const name of ['get', 'getAll'] as const) {
    const native = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function (this: IDBObjectStore, ...args: [IDBValidKey]) {
      if (this.name === 'blocks') counted.reads++;
      return native.apply(this, args) as IDBRequest;
    };
  }
}

/** Goes through all documents, one after the other: a count goes by what it knows of blocks, in whatever memory. */
const ONE_BY_ONE = { reduce: { lambda: ['count', '_'], expr: { add: [{ var: 'count' }, 1] } }, initial: 0, collection: { documents: { collection: 'spells' } } };

/** Reads all documents. Resolves to how often storage was asked for blocks. */
async function readAll(page: Page, engine: Worker): Promise<number> {
  const reads = (): Promise<number> => engine.evaluate(() => (self as unknown as { reads: number }).reads);
  const before = await reads();
  expect(await query(page, ONE_BY_ONE)).toBe(240);
  return (await reads()) - before;
}

const engineOf = (page: Page): Worker => page.workers().findLast((worker) => worker.url().includes('worker')) as Worker;

/** Again and again, without a time between at which it had them all. */
async function lacksSome(page: Page, engine: Worker): Promise<void> {
  let lacking = 0;
  await expect.poll(async () => (lacking = (await readAll(page, engine)) > 0 ? lacking + 1 : 0), { timeout: 30_000 }).toBe(4);
}

const keepsAll = (page: Page, engine: Worker): Promise<void> => expect.poll(() => readAll(page, engine), { timeout: 30_000 }).toBe(0);

/** The page opens its database anew. */
async function openedWith(page: Page, options: object): Promise<Worker> {
  await page.evaluate(async (given) => {
    const { open } = (await import(new URL('vivarium.js', document.baseURI).href)) as { open(options?: object): Promise<{ close(): Promise<void> }> };
    await (await open()).close();
    await open(given);
  }, options);
  const engine = engineOf(page);
  await engine.evaluate(countReads);
  return engine;
}

/** As the browser does it when the tab is covered or comes to the front. */
const show = (page: Page, visibility: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
    Object.defineProperty(document, 'hidden', { configurable: true, value: state === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibility);

test.describe('where service workers are blocked, so that the page asks its own engine', () => {
  test.use({ serviceWorkers: 'block' });

  // It looks into the worker, as one can in Chromium.
  test('a hidden page keeps fewer blocks in memory, as does one that asks for less', inChromium, async ({ page }) => {
    await page.goto('/');
    await ready(page);
    const engine = engineOf(page);
    await engine.evaluate(countReads);
    await query(page, createCollections('spells'));
    const spell = { create: { collection: 'spells' }, params: object({ data: object({ text: 'x'.repeat(50_000) }) }) };
    for (let batch = 0; batch < 12; batch++) await query(page, { do: [...Array<unknown>(20).fill(spell), true] });

    // Twelve megabytes: more than a hidden page's, less than a visible one's.
    await keepsAll(page, engine);
    await show(page, 'hidden');
    await lacksSome(page, engine);
    await show(page, 'visible');
    await keepsAll(page, engine);

    await lacksSome(page, await openedWith(page, { cacheBytes: 5e6 }));
    await keepsAll(page, await openedWith(page, {}));
  });
});

/** Records of the log, as they are stored. */
const logLength = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('vivarium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const { result: db } = opening;
          const counting = db.transaction('log').objectStore('log').count();
          counting.onsuccess = () => {
            db.close();
            resolve(counting.result);
          };
        };
      }),
  );

test('what was written lies in blocks when the database was closed', async ({ page }) => {
  await page.goto('/');
  await ready(page);
  await query(page, createCollections('spells'));
  const spell = { create: { collection: 'spells' }, params: object({ data: object({ text: 'x'.repeat(10_000) }) }) };
  await query(page, { do: [...Array<unknown>(20).fill(spell), true] });
  expect(await logLength(page)).toBeGreaterThan(0);
  await page.evaluate(() => (globalThis as unknown as { vivarium: { close(): Promise<void> } }).vivarium.close());
  expect(await logLength(page)).toBe(0);
});

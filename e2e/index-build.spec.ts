// An index over much that is there already: built in the background, whichever tab is left to do it.
import type { Page } from 'playwright/test';
import { ready } from './support/page.ts';
import { create, createCollections, object, query, ref } from './support/queries.ts';
import { expect, test } from './support/test.ts';

const MANY = 12_000;
const BATCH = 3000;

type Build = { readonly index: string; readonly versions: number };

const builds = (page: Page): Promise<readonly Build[]> =>
  page.evaluate(async () => (await (window as unknown as { vivarium: { status(): Promise<{ builds: Build[] }> } }).vivarium.status()).builds);

async function opened(page: Page): Promise<Page> {
  await page.goto('/');
  await ready(page);
  return page;
}

async function fill(page: Page): Promise<void> {
  await query(page, createCollections('spells'));
  for (let from = 0; from < MANY; from += BATCH) {
    const n = { var: 'n' };
    const each = { create: { ref: { collection: 'spells' }, id: n }, params: object({ data: object({ n, tenth: { modulo: [n, 10] } }) }) };
    await query(page, { foreach: { lambda: 'n', expr: each }, collection: Array.from({ length: BATCH }, (_, at) => from + at) });
  }
}

const byTenth = { create_index: object({ name: 'by_tenth', source: { collection: 'spells' }, terms: [object({ field: ['data', 'tenth'] })], values: [object({ field: ['data', 'n'] })] }) };
const tenth = (of: number): unknown => ({ match: { index: 'by_tenth' }, terms: of });

async function expectWhole(page: Page): Promise<void> {
  await expect.poll(() => builds(page), { timeout: 40_000 }).toEqual([]);
  expect(await query(page, { select: 'active', from: { get: { index: 'by_tenth' } } })).toBe(true);
  const { data } = await query<{ data: number[] }>(page, { paginate: tenth(3), size: 100_000 });
  expect(data).toEqual([...Array.from({ length: MANY / 10 }, (_, at) => at * 10 + 3), MANY + 3]);
  expect(await query(page, { count: tenth(4) })).toBe(MANY / 10);
}

type Held = { release(): void };

/** Keeps all engines from building: their work is done by who holds this lock. */
const holdUpkeep = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((held) => {
        const until = new Promise<void>((release) => Object.assign(window, { release }));
        void navigator.locks.request('vivarium:upkeep:vivarium', () => {
          held();
          return until;
        });
      }),
  );

test('another tab builds it when the one that made it is closed, and shows how far it is', async ({ page, context }) => {
  const other = await opened(await context.newPage());
  await fill(await opened(page));
  await holdUpkeep(other);
  expect(await query(page, byTenth)).toMatchObject({ active: false });
  await page.close();
  expect(await builds(other)).toMatchObject([{ index: 'by_tenth' }]);
  // What is written meanwhile is in it.
  await query(other, create(ref('spells', MANY + 3), { n: MANY + 3, tenth: 3 }));
  await other.evaluate(() => (window as unknown as Held).release());
  await expectWhole(other);
});

test('it is built on when a page is opened again', async ({ page, context }) => {
  await fill(await opened(page));
  await query(page, create(ref('spells', MANY + 3), { n: MANY + 3, tenth: 3 }));
  expect(await query(page, byTenth)).toMatchObject({ active: false });
  await page.close();
  const later = await opened(await context.newPage());
  await expectWhole(later);
});

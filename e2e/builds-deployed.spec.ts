// A newer build put in the place of the one that is in use.
import type { Page } from 'playwright/test';
import { answersTo, buildOf, makeQuestions, test } from './support/builds.ts';
import { counter, incrementOften } from './support/increments.ts';
import { answeredBy, controlled, openIn } from './support/page.ts';
import { ask, create, createCollections, field, query, queryByPageApi } from './support/queries.ts';
import { expect } from './support/test.ts';

declare const window: { vivarium: { close(): Promise<void> } };

// Each build installs itself first.
test.setTimeout(180_000);

async function makeCounter(page: Page): Promise<void> {
  await query(page, createCollections('counters'));
  await query(page, create(counter, { n: 0 }));
}

async function expectAllToCount(...pages: readonly Page[]): Promise<void> {
  const outcomes = await Promise.all(pages.map((page) => incrementOften(page, 40)));
  expect(outcomes.flatMap(({ refusals }) => refusals).filter((code) => code !== 'contended transaction')).toEqual([]);
  const acknowledged = outcomes.reduce((sum, outcome) => sum + outcome.acknowledged, 0);
  for (const page of pages) expect(await queryByPageApi(page, field(counter, 'n'))).toBe(acknowledged);
}

/** Runs in the page. */
const isWaiting = async (): Promise<boolean> => (await navigator.serviceWorker.ready).waiting !== null;

test('tabs have the older build until all of them are closed, and then the newer one, with what was written', async ({ host, context }) => {
  await host.deploy('app', 'format 3');
  const first = await host.open(context, 'app');
  await controlled(first);
  await makeCounter(first);
  await host.deploy('app', 'present');
  const second = await host.open(context, 'app');
  expect(await buildOf(second)).toBe('older');
  await expectAllToCount(first, second);
  await expect.poll(() => second.evaluate(isWaiting)).toBe(true);
  const n = await query(second, field(counter, 'n'));
  await first.close();
  await second.close();
  await expect(async () => {
    const third = await host.open(context, 'app');
    const build = await buildOf(third);
    const told = await query(third, field(counter, 'n'));
    await third.close();
    expect([build, told]).toEqual(['present', n]);
  }).toPass();
});

test('the older service worker has requests of a page with the newer build answered, too', async ({ host, context }) => {
  await host.deploy('app', 'format 3');
  await host.deploy('newer', 'present');
  const older = await host.open(context, 'app');
  await controlled(older);
  await makeCounter(older);
  const newer = await host.visit(context, 'app');
  await openIn(newer, { base: '/app/', serviceWorker: '/app/sw.js' }, '../newer/vivarium.js');
  expect([await buildOf(newer), await answeredBy(newer)]).toEqual(['present', 'service-worker']);
  await expectAllToCount(older, newer);
  // By its own engine alone.
  await older.close();
  const n = await query<number>(newer, field(counter, 'n'));
  await incrementOften(newer, 10);
  expect(await query(newer, field(counter, 'n'))).toBe(n + 10);
});

test('a script of another build, met while this one was being uploaded, is not kept', async ({ host, context }) => {
  await host.deploy('app', 'present', { 'vivarium.js': 'export { open } from "./vivarium/page-AAAAAAAA.js";' });
  const page = await host.visit(context, 'app');
  await page.evaluate(async () => void (await navigator.serviceWorker.register('sw.js')));
  await controlled(page);
  await host.deploy('app', 'present');
  await openIn(page, undefined, 'vivarium.js');
  expect(await buildOf(page)).toBe('present');
});

test('a service worker that did not wait answers pages of the older build, and says 503 for what is there no more', async ({ host, context }) => {
  const own = (version: string): Record<string, string> => ({ 'my-sw.js': `// ${version}\nimportScripts('sw.js');\naddEventListener('install', () => skipWaiting());\n` });
  const options = { serviceWorker: 'my-sw.js' };
  await host.deploy('app', 'format 3', own('older'));
  const older = await host.open(context, 'app', options);
  await controlled(older);
  await makeCounter(older);
  await host.deploy('app', 'present', own('present'));
  await older.evaluate(async () => {
    const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    await (await navigator.serviceWorker.ready).update();
    await taken;
  });
  const newer = await host.open(context, 'app', options);
  expect([await buildOf(older), await buildOf(newer)]).toEqual(['older', 'present']);
  expect(await answeredBy(older)).toBe('service-worker');
  await expectAllToCount(older, newer);
  await newer.close();
  // Read by a part that this page has not loaded.
  const events = { paginate: counter, events: true };
  const missing = { code: 'unavailable', description: 'A part of the database that this request needs could not be loaded.' };
  expect(await ask(older, events)).toEqual({ status: 503, body: { errors: [missing] } });
  await older.reload();
  await openIn(older, options, 'vivarium.js');
  expect(await buildOf(older)).toBe('present');
  expect((await ask(older, events)).status).toBe(200);
});

test.describe('of a newer storage format', () => {
  test('it takes the database over; a tab of the older one is told so, and writes nothing', async ({ host, context }) => {
    await host.deploy('older', 'format 2');
    await host.deploy('present', 'present');
    const older = await host.open(context, 'older');
    const questions = await makeQuestions(older);
    const answers = await answersTo(older, questions);
    const present = await host.open(context, 'present');
    expect(await answersTo(present, questions)).toEqual(answers);
    for (const asked of [createCollections('late'), { exists: { collection: 'late' } }]) {
      const { status, body } = await ask(older, asked);
      expect([status, body.errors?.[0]?.code]).toEqual([503, 'storage format newer']);
      await expect(queryByPageApi(older, asked)).rejects.toThrow('storage format newer');
    }
    expect(await query(present, { exists: { collection: 'late' } })).toBe(false);
    await expect(host.open(context, 'older')).rejects.toThrow('newer-format');
    expect(await answersTo(present, questions)).toEqual(answers);
  });

  test('it is blocked while a tab holds on to the older database, and opens once that is closed', async ({ host, context }) => {
    await host.deploy('older', 'format 2');
    await host.deploy('present', 'present');
    const older = await host.open(context, 'older');
    await makeCounter(older);
    // Its only connection: where another one closes after this one did not, Firefox tells nobody that it is blocked.
    await older.evaluate(() => window.vivarium.close());
    await older.evaluate(
      () =>
        new Promise<void>((resolve) => {
          // Nobody listens for `versionchange`.
          indexedDB.open('vivarium').onsuccess = ({ target }) => resolve(void Object.assign(window, { held: target }));
        }),
    );
    await expect(host.open(context, 'present')).rejects.toThrow('blocked');
    await older.close();
    const present = await host.open(context, 'present');
    expect(await query(present, field(counter, 'n'))).toBe(0);
  });
});

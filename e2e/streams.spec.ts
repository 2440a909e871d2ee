// The driver's streams and the page API's live queries in the page: with an open database, which
// serves streams itself, and in a page that has none, over the service worker.
import type { BrowserContext, Page } from 'playwright/test';
import { loadDriver } from './drivers/generations.ts';
import { openControlled, openPlainPage, ready } from './support/page.ts';
import { create, createCollections, query, ref } from './support/queries.ts';
import { expect, inChromium, test } from './support/test.ts';
import { stopServiceWorker } from './support/threads.ts';

type Window4 = { readonly faunadb: typeof import('faunadb'); told: [string, unknown][]; readonly stream: { close(): void } };
type WindowDb = { readonly vivarium: { subscribe(expression: unknown, options: object): Promise<{ unsubscribe(): void }> }; results: unknown[] };

const spell = ref('spells', 1);
const update = (level: number): unknown => ({ update: spell, params: { object: { data: { object: { level } } } } });

async function openPage(page: Page): Promise<void> {
  await openControlled(page);
  await query(page, createCollections('spells'));
  await query(page, create(spell, { level: 0 }));
}

/** Opens a stream of the driver and notes what it tells on `window.told`. */
async function follow(page: Page, kind: 'ref' | 'document' | 'documents' | 'match'): Promise<void> {
  await page.evaluate((what) => {
    const target = window as unknown as Window4 & { stream: { close(): void } };
    const { Client, query: q } = target.faunadb;
    const client = new Client({ secret: 'secret' });
    target.told = [];
    const spells = q.Collection('spells');
    const options = { fields: ['action', 'document', 'diff', 'prev'] as never[] };
    const stream =
      what === 'document' ? client.stream.document(q.Ref(spells, '1'), options)
      : what === 'ref' ? client.stream(q.Ref(spells, '1'), options)
      : what === 'match' ? client.stream(q.Match(q.Index('spells_by_level'), 1) as never, { fields: ['action', 'document', 'index'] as never[] })
      : client.stream(q.Documents(spells) as never);
    const kinds = what === 'document' ? ['start', 'snapshot', 'version', 'error'] : ['start', 'version', 'history_rewrite', 'set', 'error'];
    for (const kind of kinds) (stream as { on(kind: string, told: (event: unknown) => void): void }).on(kind, (event) => target.told.push([kind, event]));
    target.stream = stream.start() as never;
  }, kind);
}

const told = (page: Page): Promise<[string, unknown][]> =>
  page.evaluate(() => (window as unknown as Window4).told.map(([kind, event]) => [kind, kind === 'error' ? String(event) : (JSON.parse(JSON.stringify(event)) as unknown)] as [string, unknown]));
const kinds = async (page: Page): Promise<string[]> => (await told(page)).map(([kind]) => kind);
const close = (page: Page): Promise<void> => page.evaluate(() => (window as unknown as Window4).stream.close());
const streams = (page: Page): Promise<number> =>
  page.evaluate(async () => (await (window as unknown as { vivarium: { status(): Promise<{ streams: number }> } }).vivarium.status()).streams);

test('a page with an open database serves its streams itself', async ({ page }) => {
  await openPage(page);
  await loadDriver(page, '4.8.2');
  await follow(page, 'document');
  await expect.poll(() => kinds(page)).toEqual(['start', 'snapshot']);
  await query(page, update(1));
  await query(page, update(2));
  await expect.poll(() => kinds(page)).toEqual(['start', 'snapshot', 'version', 'version']);
  const [, , , last] = await told(page);
  expect(last?.[1]).toMatchObject({ action: 'update', document: { data: { level: 2 } }, diff: { data: { level: 2 } }, prev: { data: { level: 1 } } });
  expect(await streams(page)).toBe(1);
  await close(page);
  await expect.poll(() => streams(page)).toBe(0);
  expect(await kinds(page)).not.toContain('error');
});

test('streams that a page serves itself outlive the service worker', inChromium, async ({ page, context }) => {
  await openPage(page);
  await loadDriver(page, '4.8.2');
  await follow(page, 'ref');
  await expect.poll(() => kinds(page)).toEqual(['start']);
  await stopServiceWorker(await context.newCDPSession(page));
  await query(page, update(1));
  await expect.poll(() => kinds(page)).toEqual(['start', 'version']);
});

test('a ref tells its versions, rewritten ones too; a match what enters and leaves it', async ({ page }) => {
  await openPage(page);
  await loadDriver(page, '4.8.2');
  await query(page, { create_index: { object: { name: 'spells_by_level', source: { collection: 'spells' }, terms: [{ object: { field: ['data', 'level'] } }] } } });
  await follow(page, 'ref');
  await expect.poll(() => kinds(page)).toEqual(['start']);
  await query(page, update(1));
  await query(page, { insert: spell, ts: { time_subtract: { time: 'now' }, offset: 1, unit: 'hour' }, action: 'create', params: { object: { data: { object: { level: 7 } } } } });
  // The version that was the first one is an update now, and told before the one that was put below it.
  await expect.poll(() => kinds(page)).toEqual(['start', 'version', 'history_rewrite', 'history_rewrite']);
  expect((await told(page)).slice(2).map(([, event]) => event)).toMatchObject([{ action: 'update' }, { action: 'create', document: { data: { level: 7 } } }]);
  await close(page);

  await follow(page, 'match');
  await expect.poll(() => kinds(page)).toEqual(['start']);
  await query(page, update(2));
  await query(page, update(1));
  await expect.poll(() => kinds(page)).toEqual(['start', 'set', 'set']);
  expect((await told(page)).slice(1).map(([, event]) => event)).toMatchObject([
    { action: 'remove', document: { ref: {} }, index: { terms: [1], values: [] } },
    { action: 'add', document: { ref: {} }, index: { terms: [1], values: [] } },
  ]);
  await close(page);
});

/** A page without a database that follows the spells. */
async function followElsewhere(context: BrowserContext): Promise<Page> {
  const plain = await openPlainPage(context);
  await loadDriver(plain, '4.8.2');
  await follow(plain, 'documents');
  await expect.poll(() => kinds(plain)).toEqual(['start']);
  return plain;
}

test('another page hears of it, over the service worker, until it has enough', async ({ page, context }) => {
  await openPage(page);
  const plain = await followElsewhere(context);
  await query(page, create(ref('spells', 2), { level: 1 }));
  await expect.poll(() => kinds(plain)).toEqual(['start', 'set']);
  expect(await streams(page)).toBe(1);
  await close(plain);
  await expect.poll(() => streams(page)).toBe(0);
});

test('another page is told when the service worker ends, and follows again', inChromium, async ({ page, context }) => {
  await openPage(page);
  const plain = await followElsewhere(context);
  await stopServiceWorker(await context.newCDPSession(plain));
  await expect.poll(() => kinds(plain)).toEqual(['start', 'error']);
  await follow(plain, 'documents');
  await expect.poll(() => kinds(plain)).toEqual(['start']);
  await query(page, create(ref('spells', 2), { level: 1 }));
  await expect.poll(() => kinds(plain)).toEqual(['start', 'set']);
  await close(plain);
});

test('a live query follows what another tab writes', async ({ page, context }) => {
  await openPage(page);
  await page.evaluate(async (expression) => {
    const target = window as unknown as WindowDb;
    target.results = [];
    await target.vivarium.subscribe(expression, { onResult: (result: unknown) => target.results.push(result) });
  }, { select: ['data', 'level'], from: { get: spell } });
  const results = (): Promise<unknown[]> => page.evaluate(() => (window as unknown as WindowDb).results);
  await expect.poll(results).toEqual([0]);
  const other = await context.newPage();
  await other.goto('/');
  await ready(other);
  await query(other, update(1));
  await expect.poll(results).toEqual([0, 1]);
  await query(page, update(2));
  await expect.poll(results).toEqual([0, 1, 2]);
});

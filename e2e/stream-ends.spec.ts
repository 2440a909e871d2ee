// How streams end, and that nothing of them stays: with their page, with their database, by
// their client, over either of the browser's two interfaces.
import type { Page } from 'playwright/test';
import { loadDriver } from './drivers/generations.ts';
import { openControlled, openPlainPage } from './support/page.ts';
import { create, createCollections, query, ref } from './support/queries.ts';
import { stopServiceWorker } from './support/threads.ts';
import { expect, inChromium, test } from './support/test.ts';

const spell = ref('spells', 1);
const update = (level: number): unknown => ({ update: spell, params: { object: { data: { object: { level } } } } });

async function withSpell(page: Page): Promise<Page> {
  await query(await openControlled(page), createCollections('spells'));
  await query(page, create(spell, { level: 0 }));
  return page;
}

const streams = (page: Page): Promise<number> =>
  page.evaluate(async () => (await (window as unknown as { vivarium: { status(): Promise<{ streams: number }> } }).vivarium.status()).streams);

type Told = { told: string[]; request: XMLHttpRequest };

/** Opens a stream of the document by XMLHttpRequest, as clients without `fetch` do; `window.told` holds its messages' types. */
function followByXhr(page: Page): Promise<void> {
  return page.evaluate((expression) => {
    const target = window as unknown as Told;
    target.told = [];
    const request = (target.request = new XMLHttpRequest());
    request.open('POST', '/stream?fields=action,document');
    request.setRequestHeader('Authorization', 'Bearer secret');
    request.setRequestHeader('X-FaunaDB-API-Version', '4');
    const note = (): void => {
      const types = request.responseText.split('\r\n').filter((line) => line !== '').map((line) => (JSON.parse(line) as { type: string }).type);
      target.told.splice(0, Infinity, ...types);
    };
    request.onprogress = note;
    for (const end of ['load', 'error', 'abort']) request.addEventListener(end, () => target.told.push(end));
    request.send(expression);
  }, JSON.stringify(spell));
}

/** What the driver tells when a stream is ended: our error event, and the end of the body as an error of its own. */
const ENDED = ['time out', 'network error'];

/** Opens a stream of the driver; `window.told` holds the types of its messages, and of errors what they say. */
function follow(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { faunadb, ...target } = window as unknown as { faunadb: typeof import('faunadb') } & Told;
    const { Client, query: q } = faunadb;
    const told = (target.told = [] as string[]);
    Object.assign(window, { told });
    const stream = new Client({ secret: 'secret' }).stream(q.Ref(q.Collection('spells'), '1'));
    for (const kind of ['start', 'version', 'history_rewrite'] as const) stream.on(kind, () => told.push(kind));
    stream.on('error', ((error: { code?: string; message: string }) => told.push(error.code ?? error.message)) as never);
    stream.start();
  });
}

const told = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as Told).told);
const abort = (page: Page): Promise<void> => page.evaluate(() => (window as unknown as Told).request.abort());

test('by XMLHttpRequest a page with an open database follows its own engine until it aborts', async ({ page }) => {
  await withSpell(page);
  await followByXhr(page);
  await expect.poll(() => told(page)).toEqual(['start']);
  expect(await streams(page)).toBe(1);
  await query(page, update(1));
  await query(page, update(2));
  await expect.poll(() => told(page)).toEqual(['start', 'version', 'version']);
  await abort(page);
  expect(await told(page)).toEqual(['start', 'version', 'version', 'abort']);
  await expect.poll(() => streams(page)).toBe(0);
});

test('by XMLHttpRequest another page follows over the service worker until it aborts, or is closed', async ({ page, context }) => {
  await withSpell(page);
  const plain = await openPlainPage(context);
  await followByXhr(plain);
  await expect.poll(() => told(plain)).toEqual(['start']);
  expect(await streams(page)).toBe(1);
  await query(page, update(1));
  await expect.poll(() => told(plain)).toEqual(['start', 'version']);
  await abort(plain);
  await expect.poll(() => streams(page)).toBe(0);
  await followByXhr(plain);
  await expect.poll(() => streams(page)).toBe(1);
  await plain.close();
  await expect.poll(() => streams(page), { timeout: 20_000 }).toBe(0);
});

test('when the service worker ends its streams end in the engines that served them', inChromium, async ({ page, context }) => {
  await withSpell(page);
  const plain = await openPlainPage(context);
  const devtools = await context.newCDPSession(plain);
  for (let round = 0; round < 2; round++) {
    // A service worker that has just begun may be faster itself than an engine it does not know yet.
    await expect(async () => {
      await followByXhr(plain);
      await expect.poll(() => told(plain)).toEqual(['start']);
      if ((await streams(page)) === 0) await abort(plain);
      expect(await streams(page)).toBe(1);
    }).toPass();
    await stopServiceWorker(devtools);
    await expect.poll(() => streams(page)).toBe(0);
  }
});

test('when its page goes out of use a stream ends, and the page can open another on its return', async ({ page }) => {
  await withSpell(page);
  await loadDriver(page, '4.8.2');
  await follow(page);
  await expect.poll(() => told(page)).toEqual(['start']);
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await expect.poll(() => told(page)).toEqual(['start', ...ENDED]);
  expect(await streams(page)).toBe(0);
  await follow(page);
  await expect.poll(() => told(page)).toEqual(['start']);
  await query(page, update(1));
  await expect.poll(() => told(page)).toEqual(['start', 'version']);
});

test('a stream of a page that is left is forgotten, and other pages go on', async ({ page, context }) => {
  await withSpell(page);
  const leaving = await openControlled(await context.newPage());
  for (const each of [page, leaving]) {
    await loadDriver(each, '4.8.2');
    await follow(each);
    await expect.poll(() => told(each)).toEqual(['start']);
  }
  await leaving.goto('about:blank');
  await query(page, update(1));
  await expect.poll(() => told(page)).toEqual(['start', 'version']);
  expect(await streams(page)).toBe(1);
});

test('when another tab deletes all data streams end with an error, once, and can be opened again', async ({ page, context }) => {
  await withSpell(page);
  await loadDriver(page, '4.8.2');
  await follow(page);
  await expect.poll(() => told(page)).toEqual(['start']);
  const other = await openControlled(await context.newPage());
  await other.evaluate(() => (window as unknown as { vivarium: { reset(): Promise<void> } }).vivarium.reset());
  await query(other, createCollections('spells'));
  await query(other, create(spell, { level: 7 }));
  await expect.poll(() => told(page)).toEqual(['start', ...ENDED]);
  await follow(page);
  await expect.poll(() => told(page)).toEqual(['start']);
  await query(other, update(8));
  await expect.poll(() => told(page)).toEqual(['start', 'version']);
  expect(await streams(page)).toBe(1);
});

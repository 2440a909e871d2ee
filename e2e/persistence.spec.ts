// Whatever ends without warning, a tab, its worker or the whole browser: what was
// acknowledged is there, and of the rest each transaction as a whole or not at all.
import type { BrowserContext, Page } from 'playwright/test';
import type { BrowserProcess } from './support/browser-process.ts';
import { controlled, cutNetwork, openIn, openOffline, PLAIN, ready } from './support/page.ts';
import { create, createCollections, field, idsOf, increment, query, queryByPageApi, ref } from './support/queries.ts';
import { expect, inChromium, test } from './support/test.ts';
import { keepWorkers } from './support/threads.ts';

/** Tells the numbers of the transactions acknowledged so far, as another tab has heard of them. */
type Acknowledged = () => Promise<readonly number[]>;

/**
 * Has the page write on and on, several transactions at a time, each a pair of documents with
 * its number as their id. Resolves once sixty are acknowledged; the page goes on.
 */
async function writePairs(page: Page): Promise<Acknowledged> {
  const witness = await page.context().newPage();
  await witness.goto(new URL(PLAIN, page.url()).href);
  await witness.evaluate(listen);
  const acknowledged: Acknowledged = () => witness.evaluate(() => (window as unknown as { acknowledged: number[] }).acknowledged);
  await query(page, createCollections('left', 'right'));
  await page.evaluate(writeForever, JSON.stringify([create(ref('left', '#'), { n: '#' }), create(ref('right', '#'), { n: '#' })]));
  await expect.poll(async () => (await acknowledged()).length).toBeGreaterThanOrEqual(60);
  return acknowledged;
}

/** Runs in the page that lives on. */
function listen(): void {
  const acknowledged: number[] = [];
  const channel = new BroadcastChannel('acknowledged');
  channel.onmessage = ({ data }) => {
    acknowledged.push(data as number);
    channel.postMessage(data);
  };
  Object.assign(window, { acknowledged });
}

/** Runs in the page; `#` stands for the transaction's number. */
function writeForever(pair: string): void {
  const channel = new BroadcastChannel('acknowledged');
  /** Resolves once another tab has heard of it. */
  const acknowledge = (n: number): Promise<void> =>
    new Promise((resolve) => {
      const heard = ({ data }: MessageEvent): void => {
        if (data !== n) return;
        channel.removeEventListener('message', heard);
        resolve();
      };
      channel.addEventListener('message', heard);
      channel.postMessage(n);
    });
  let next = 1;
  const work = async (): Promise<void> => {
    for (;;) {
      const n = next++;
      const headers = { Authorization: 'Bearer secret', 'X-FaunaDB-API-Version': '4' };
      const response = await fetch('./', { method: 'POST', headers, body: pair.replaceAll('#', String(n)) });
      // Waited for, so that the page does not run ahead of what others have heard.
      if (response.ok) await acknowledge(n);
    }
  };
  for (let workers = 0; workers < 4; workers++) void work();
}

/** A new tab in a context whose network may be cut. */
async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/');
  await ready(page);
  return page;
}

async function expectWholeAndComplete(page: Page, acknowledged: readonly number[]): Promise<void> {
  // In one transaction: a write that was under way may still come.
  const [left, right] = await idsOf(page, 'left', 'right');
  expect(right).toEqual(left);
  expect(left).toEqual(expect.arrayContaining([...acknowledged]));
}

test.describe('nothing acknowledged is lost when', () => {
  test('the page is reloaded in the middle of writing', async ({ page }) => {
    await openOffline(page);
    const acknowledged = await writePairs(page);
    await page.reload();
    await ready(page);
    await expectWholeAndComplete(page, await acknowledged());
  });

  test('the tab is closed in the middle of writing', async ({ page, context }) => {
    await openOffline(page);
    const acknowledged = await writePairs(page);
    await page.close({ runBeforeUnload: false });
    await expectWholeAndComplete(await openTab(context), await acknowledged());
  });

  test('the tab crashes in the middle of writing', inChromium, async ({ page, context }) => {
    await openOffline(page);
    const acknowledged = await writePairs(page);
    const crashed = page.waitForEvent('crash');
    const devtools = await context.newCDPSession(page);
    // Its answer never comes.
    devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    await expectWholeAndComplete(await openTab(context), await acknowledged());
  });

  test('the browser is killed in the middle of writing, and starts again without a network', async ({ profile, baseURL }) => {
    const before = await profile.start();
    const writing = await before.context.newPage();
    await writing.goto(baseURL ?? '');
    await ready(writing);
    await controlled(writing);
    await cutNetwork(before.context);
    const acknowledgedNow = await writePairs(writing);
    let acknowledged: readonly number[] = [];
    // For as long as the browser lives.
    void (async () => {
      for (;;) acknowledged = await acknowledgedNow();
    })().catch(() => undefined);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
    await before.kill();

    const { context } = await profile.start();
    await cutNetwork(context);
    const page = await context.newPage();
    await page.goto(baseURL ?? '');
    await ready(page);
    await expectWholeAndComplete(page, acknowledged);
  });
});

test('documents so large that the browser keeps them as files are read again by a busy page, and after a kill', async ({ profile, baseURL }) => {
  test.setTimeout(180_000);
  const ids = Array.from({ length: 60 }, (_, at) => at + 1);
  // Text that nothing can be pressed out of, or it would be no file.
  const noise = (length: number): string => Array.from({ length }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('');
  const open = async (browser: BrowserProcess): Promise<Page> => {
    const page = await browser.context.newPage();
    await page.goto(baseURL ?? '');
    await ready(page);
    return page;
  };
  const readAll = async (page: Page): Promise<void> => {
    const found = await Promise.all(ids.map((id) => queryByPageApi(page, field(ref('books', id), 'id'))));
    expect(found).toEqual(ids);
  };
  const before = await profile.start();
  const page = await open(before);
  await query(page, createCollections('books'));
  for (const id of ids) await query(page, create(ref('books', id), { id, text: noise(100_000) }));
  for (let round = 0; round < 4; round++) {
    await page.reload();
    await ready(page);
    await readAll(page);
  }
  await before.kill();
  await readAll(await open(await profile.start()));
});

test.describe('twenty increments under way are each written once when', () => {
  const counter = ref('counters', 1);

  test.beforeEach(async ({ page }) => {
    await page.goto(PLAIN);
    await page.evaluate(keepWorkers);
    await openIn(page);
    await controlled(page);
    await cutNetwork(page.context());
    await query(page, createCollections('counters'));
    await query(page, create(counter, { n: 0 }));
  });

  test('the worker ends in silence: another engine answers', async ({ page }) => {
    const statuses = await page.evaluate(async (body) => {
      const { started } = window as unknown as { started: Worker[] };
      const headers = { Authorization: 'Bearer secret', 'X-FaunaDB-API-Version': '4' };
      const sending = Array.from({ length: 20 }, () => fetch('./', { method: 'POST', headers, body }).then(({ status }) => status));
      await Promise.race(sending);
      started[0]?.terminate();
      return Promise.all(sending);
    }, JSON.stringify(increment(counter)));
    expect(statuses).toEqual(Array(20).fill(200));
    expect(await query(page, field(counter, 'n'))).toBe(20);
  });

  test('the worker fails: it is started again', async ({ page }) => {
    const state = await page.evaluate(async (expression) => {
      const { started, vivarium } = window as unknown as {
        started: Worker[];
        vivarium: { query(expression: unknown): Promise<unknown>; status(): Promise<{ worker: string }> };
      };
      const sending = Array.from({ length: 20 }, () => vivarium.query(expression));
      await Promise.race(sending);
      // An error alone is no end: it has to fall silent as well. The other way round WebKit would not tell of it.
      started[0]?.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
      started[0]?.terminate();
      await Promise.all(sending);
      return (await vivarium.status()).worker;
    }, increment(counter));
    expect(state).toBe('restarted');
    expect(await query(page, field(counter, 'n'))).toBe(20);
  });
});

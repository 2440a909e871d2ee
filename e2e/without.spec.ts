// Browsers that lack something, or hold more than this build knows: without locks, without
// channels, without storage, and with a database of a newer version.
import type { BrowserContext, Page } from 'playwright/test';
import { counter, incrementOften } from './support/increments.ts';
import { LENGTHS, lengths } from './support/lengths.ts';
import { ready } from './support/page.ts';
import { ask, create, createCollections, field, query, queryByPageApi, ref } from './support/queries.ts';
import { expect, inChromium, notInWebKit, test } from './support/test.ts';

// What is taken away is taken out of the worker's script on its way, which a service worker would keep.
test.use({ serviceWorkers: 'block' });

const WITHOUT = {
  'navigator.locks': 'Object.defineProperty(navigator, "locks", { value: undefined });',
  BroadcastChannel: 'globalThis.BroadcastChannel = undefined;',
  indexedDB: 'Object.defineProperty(globalThis, "indexedDB", { value: undefined });',
  // As in private windows of some browsers.
  'leave to store': `for (const [of, name] of [[IDBFactory.prototype, 'open'], [globalThis, 'BroadcastChannel']])
    of[name] = function () { throw new DOMException('not here', 'SecurityError'); };`,
} as const;

/** Runs code in every engine's worker of a context before anything else. */
async function prepare(context: BrowserContext, code: string): Promise<void> {
  await context.route('**/vivarium/worker-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code}\n${await response.text()}` });
  });
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/');
  await ready(page);
  return page;
}

interface Status {
  readonly backend: string;
  readonly persistent: boolean;
  readonly answeredBy: string;
  readonly serviceWorker: { readonly state: string; readonly reason?: string };
}

const statusOf = (page: Page): Promise<Status> =>
  page.evaluate(() => (window as unknown as { vivarium: { status(): Promise<Status> } }).vivarium.status());

test('where service workers are blocked, the page answers itself, and the status says why', async ({ context }) => {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto('/');
  await ready(page);
  // That is tried once the page has time for it.
  await expect.poll(() => statusOf(page)).toMatchObject({
    answeredBy: 'shim',
    serviceWorker: { state: 'failed', reason: expect.stringContaining('service workers are blocked') },
  });
  await expect(page.locator('#offline')).toContainText('the page itself is loaded from the network');
  expect(errors).toEqual([]);
});

test('by plain HTTP from another machine the page says where it would open, and offers to delete nothing', notInWebKit, async ({ page, baseURL }) => {
  await page.route('http://elsewhere.test/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: new URL(pathname, baseURL ?? '').href }) });
  });
  await page.goto('http://elsewhere.test/');
  await expect(page.getByRole('alert')).toContainText('https');
  await expect(page.getByTestId('discard')).toBeHidden();
});

test('an answer by the page itself says how long it is', async ({ context }) => {
  expect(await lengths(await openTab(context))).toEqual(LENGTHS);
});

// In workers, into which Chromium alone lets one look.
for (const missing of [['navigator.locks'], ['BroadcastChannel'], ['navigator.locks', 'BroadcastChannel']] as const) {
  test(`without ${missing.join(' and ')}, two tabs lose no increment, and each reads at once what the other wrote`, inChromium, async ({ context }) => {
    await prepare(context, missing.map((what) => WITHOUT[what]).join('\n'));
    const [first, second] = [await openTab(context), await openTab(context)];
    for (const what of missing) expect(await first.workers()[0]?.evaluate(`typeof ${what}`)).toBe('undefined');
    await query(first, createCollections('counters'));
    await query(second, create(counter, { n: 0 }));
    const outcomes = await Promise.all([first, second].map((page) => incrementOften(page, 40)));
    const acknowledged = outcomes.reduce((sum, outcome) => sum + outcome.acknowledged, 0);
    expect(acknowledged).toBeGreaterThan(40);
    expect(outcomes.flatMap(({ refusals }) => refusals).filter((code) => code !== 'contended transaction')).toEqual([]);
    for (const page of [first, second]) expect(await query(page, field(counter, 'n'))).toBe(acknowledged);
    for (let n = 0; n < 20; n++) {
      const [writer, reader] = n % 2 === 0 ? [first, second] : [second, first];
      await query(writer, { update: counter, params: { object: { data: { object: { n } } } } });
      expect(await queryByPageApi(reader, field(counter, 'n'))).toBe(n);
    }
  });
}

for (const missing of ['indexedDB', 'leave to store'] as const) {
  test(`without ${missing} data live in memory, and the status says so`, async ({ context }) => {
    await prepare(context, WITHOUT[missing]);
    const page = await openTab(context);
    expect(await statusOf(page)).toMatchObject({ backend: 'memory', persistent: false });
    await expect(page.getByTestId('status')).toContainText('memory only');
    // Of its writes none is on a disk.
    await expect(page.getByTestId('status')).not.toContainText('Writes');
    await query(page, createCollections('counters'));
    await query(page, create(counter, { n: 7 }));
    expect(await query(page, field(counter, 'n'))).toBe(7);
    // Its engine is closed while it is frozen, or kept for the back button.
    for (const rest of ['freeze', 'pagehide']) {
      await page.evaluate((type) => (type === 'freeze' ? document : window).dispatchEvent(new Event(type)), rest);
      expect(await query(page, field(counter, 'n'))).toBe(7);
    }
    await page.reload();
    await ready(page);
    expect(await query(page, { exists: { collection: 'counters' } })).toBe(false);
  });
}

test('a newer build that takes the database over is not written into: this one says so, asks for a reload, and leaves all as it is', async ({ context }) => {
  const page = await openTab(context);
  await query(page, createCollections('counters'));
  await query(page, create(counter, { n: 1 }));
  // The other build's tab.
  const other = await openTab(context);
  const stored = await other.evaluate(upgrade);

  for (const asked of [create(ref('counters', 2), { n: 2 }), field(counter, 'n')]) {
    const { status, body } = await ask(page, asked);
    expect([status, body.errors?.[0]?.code]).toEqual([503, 'storage format newer']);
  }
  await expect(queryByPageApi(page, field(counter, 'n'))).rejects.toThrow('storage format newer');
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('written by a newer version of Vivarium. Reload to get that version.');
  expect(await page.evaluate(upgrade)).toEqual(stored);
  // It can be kept all the same.
  expect(await page.evaluate(copyTo, 'vivarium, copied')).toBe(true);
});

/** Runs in the page: copies the database as it is; tells whether the copy makes the same file again. */
async function copyTo(name: string): Promise<boolean> {
  const { exportStores, importStores } = (await import(new URL('raw-copy.js', location.href).href)) as typeof import('../src/storage/raw-copy.ts');
  const file = await new Response(exportStores()).blob();
  await importStores(file, { name });
  return (await new Response(exportStores({ name })).text()) === (await file.text());
}

/** Runs in the page: raises version and format as an upgrade does, the floor with them; tells how much is stored. */
function upgrade(): Promise<readonly number[]> {
  return new Promise((resolve) => {
    indexedDB.open('vivarium', 99).onsuccess = (opened) => {
      const db = (opened.target as IDBOpenDBRequest).result;
      const transaction = db.transaction(['meta', 'log', 'blocks'], 'readwrite');
      const meta = transaction.objectStore('meta');
      meta.get('header').onsuccess = (found) => {
        const header = (found.target as IDBRequest<{ floor: number }>).result;
        meta.put({ ...header, format: 99, floor: 1_000_000 }, 'header');
      };
      const counts = (['meta', 'log', 'blocks'] as const).map((name) => transaction.objectStore(name).count());
      transaction.oncomplete = () => {
        db.close();
        resolve(counts.map(({ result }) => result));
      };
    };
  });
}

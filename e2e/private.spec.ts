// Private windows as browsers have them. What lacks storage altogether is simulated in without.spec.ts.
import type { BrowserContext, Page } from 'playwright/test';
import { controlled, openIn } from './support/page.ts';
import { create, createCollections, field, query, queryByPageApi, ref } from './support/queries.ts';
import { expect, inChromium, test } from './support/test.ts';

const [byPageApi, byFetch] = [ref('spells', 1), ref('spells', 2)];

// A browser is started three times.
test.describe.configure({ timeout: 120_000 });

async function openTab(context: BrowserContext, address: string | undefined): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${address}reference.html`);
  await openIn(page);
  await controlled(page);
  return page;
}

const isEmpty = async (page: Page): Promise<boolean> => !(await query<boolean>(page, { exists: { collection: 'spells' } }));

interface Status {
  readonly backend: string;
  readonly persistent: boolean;
  readonly answeredBy: string;
  readonly serviceWorker: object;
}

const statusOf = (page: Page): Promise<Status> =>
  page.evaluate(() => (window as unknown as { vivarium: { status(): Promise<Status> } }).vivarium.status());

/** Whatever kind a window is of: one tab writes, and each reads it, also when it is loaded anew. */
async function use(context: BrowserContext, address: string | undefined): Promise<void> {
  const page = await openTab(context, address);
  expect(await isEmpty(page)).toBe(true);
  await query(page, createCollections('spells'));
  await queryByPageApi(page, create(byPageApi, { name: 'Fire Beak' }));
  await query(page, create(byFetch, { name: "Water Dragon's Claw" }));
  const other = await openTab(context, address);
  for (const tab of [page, other]) {
    await tab.reload();
    await openIn(tab);
    expect(await query(tab, field(byPageApi, 'name'))).toBe('Fire Beak');
    expect(await queryByPageApi(tab, field(byFetch, 'name'))).toBe("Water Dragon's Claw");
  }
  // As in any other window: a page is not told that this one is private.
  await expect.poll(() => statusOf(other)).toMatchObject({ backend: 'indexeddb', persistent: true, answeredBy: 'service-worker', serviceWorker: { state: 'registered' } });
}

test('a private window has a database of its own, which goes with it', async ({ profile, baseURL }) => {
  const visit = async (how: 'start' | 'startPrivate', act: (context: BrowserContext) => Promise<void>): Promise<void> => {
    const { context, kill } = await profile[how]();
    await act(context);
    await kill();
  };
  await visit('startPrivate', (context) => use(context, baseURL));
  await visit('start', (context) => use(context, baseURL));
  await visit('startPrivate', async (context) => expect(await isEmpty(await openTab(context, baseURL))).toBe(true));
});

test('one beside a normal window, too', inChromium, async ({ profile, baseURL }) => {
  const { context } = await profile.start();
  const browser = context.browser();
  if (browser === null) throw new Error('The context has no browser.');
  const normal = await openTab(context, baseURL);
  const first = await browser.newContext();
  await use(first, baseURL);
  expect(await isEmpty(normal)).toBe(true);
  await use(context, baseURL);
  await first.close();
  const second = await browser.newContext();
  expect(await isEmpty(await openTab(second, baseURL))).toBe(true);
  await second.close();
});

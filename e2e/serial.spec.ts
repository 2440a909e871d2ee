// Tabs and the service worker at once, each with an engine of its own: one serial order explains
// what all of them were told, also while a tab is frozen.
import type { Page } from 'playwright/test';
import { engineName } from '../scripts/engines/index.ts';
import { Gen } from '../src/testing/gen.ts';
import { unexplained } from '../src/testing/serial/check.ts';
import { type Exchange, INITIAL, MARKS, marksAtFault, operationsOf, SET_UP, type Step, steps } from '../src/testing/serial/workload.ts';
import { freezer, freezeTab } from './support/freeze.ts';
import { cutNetwork, openControlled, openIn, openPlainPage, PLAIN } from './support/page.ts';
import { create, createCollections, field, increment, query, ref } from './support/queries.ts';
import { expect, inChromium, test } from './support/test.ts';

const SEED = Number(process.env['VIVARIUM_SEED'] ?? Date.now() % 1_000_000);
const REQUESTS = 240;

/** Clocks of two processes may differ by so many milliseconds. */
const CLOCKS_DIFFER = 2;

/** Runs in the page: sends all bodies, three at a time. */
async function play(bodies: readonly string[]): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const left = [...bodies.entries()];
  const headers = { Authorization: 'Bearer secret', 'X-FaunaDB-API-Version': '4' };
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, body] = next;
      const invoked = Date.now();
      const response = await fetch('./', { method: 'POST', headers, body });
      const text = await response.text();
      exchanges[at] = { invoked, responded: Date.now(), status: response.status, ts: Number(response.headers.get('x-txn-time')), text };
    }
  };
  await Promise.all([work(), work(), work()]);
  return exchanges;
}

async function playIn(page: Page, own: readonly Step[]): Promise<(readonly [Step, Exchange])[]> {
  const exchanges = await page.evaluate(play, own.map(({ body }) => body));
  return own.map((step, at) => [step, { ...exchanges[at]!, responded: exchanges[at]!.responded + CLOCKS_DIFFER }] as const);
}

/** From when to when a tab was frozen. */
interface Frozen {
  readonly from: number;
  readonly to: number;
}

/** Freezes the tab for a while: for longer than any lease. */
async function freeze(page: Page): Promise<Frozen> {
  const thaw = await freezeTab(page);
  const from = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const to = Date.now();
  await thaw();
  return { from, to };
}

const [meanwhile, disturb] = engineName === null ? [', one of them frozen meanwhile', freeze] : ['', async () => null];

/** Has all pages play parts of one workload at once, and looks whether one serial order explains what they saw. @returns what each of them saw */
async function playAll<T>(pages: readonly Page[], meanwhile: () => Promise<T>): Promise<{ readonly seen: readonly (readonly (readonly [Step, Exchange])[])[]; readonly happened: T }> {
  for (const body of SET_UP) await query(pages[0]!, JSON.parse(body));
  const all = steps(new Gen(SEED), REQUESTS);
  const playing = pages.map((page, tab) => playIn(page, all.filter(({ number }) => number % pages.length === tab)));
  const happened = await meanwhile();
  const seen = await Promise.all(playing);

  const marks = await query<[number, number][]>(pages.at(-1)!, JSON.parse(MARKS));
  const exchanges = seen.flat();
  expect([...unexplained(INITIAL, operationsOf(exchanges, marks)), ...marksAtFault(exchanges, marks)]).toEqual([]);
  expect(exchanges.filter(([, { status }]) => status >= 402).map(([{ name }, { text }]) => `${name}: ${text}`)).toEqual([]);
  expect(marks.length).toBeGreaterThan(REQUESTS / 5);
  return { seen, happened };
}

for (const count of [2, 4, 8]) {
  test(`one serial order explains ${REQUESTS} requests of ${count} tabs${meanwhile}, and of a page without an engine`, async ({ context }) => {
    console.log(`  ${count} tabs, seed ${SEED}`);
    const pages: Page[] = [];
    for (let tab = 0; tab < count; tab++) pages.push(await openControlled(await context.newPage()));
    pages.push(await openPlainPage(context));
    await cutNetwork(context);
    const { seen, happened: frozen } = await playAll(pages, () => disturb(pages[0]!));
    if (frozen === null) return;
    const [ofFrozen = 0, ...ofOthers] = seen.map((own) => own.filter(([, { responded }]) => responded > frozen.from + CLOCKS_DIFFER && responded < frozen.to).length);
    expect(ofFrozen, 'answers that the frozen tab has seen while it was').toBe(0);
    // Nobody waited for the thaw, and it went on after that.
    expect(Math.min(...ofOthers), `answered while one tab was frozen, by tab: ${ofOthers}`).toBeGreaterThan(0);
    expect(seen[0]?.filter(([, { responded }]) => responded >= frozen.to).length).toBeGreaterThan(0);
  });
}

for (const count of [1, 3]) {
  test(`one serial order explains ${REQUESTS} requests of ${count} tabs, and of a page that the service worker’s own engine answers meanwhile`, async ({ context }) => {
    console.log(`  ${count} tabs and the service worker, seed ${SEED}`);
    const visit = await openControlled(await context.newPage());
    const pages: Page[] = [];
    for (let tab = 0; tab < count; tab++) {
      const page = await context.newPage();
      await page.goto(PLAIN);
      // It answers itself, and is of no use to the service worker.
      await openIn(page, { serviceWorker: false });
      pages.push(page);
    }
    pages.push(await openPlainPage(context));
    await visit.close();
    await cutNetwork(context);
    await playAll(pages, async () => undefined);
    const engines = await pages[0]!.evaluate(async () => (await navigator.locks.query()).held?.filter(({ name }) => name?.startsWith('vivarium-here:')).length);
    expect(engines, 'one of each tab, and that of the service worker').toBe(count + 1);
  });
}

test('a counter that four tabs fight over is never refused, and counts every increment', async ({ context }) => {
  const pages = [await openControlled(await context.newPage()), await openControlled(await context.newPage()), await openControlled(await context.newPage()), await openControlled(await context.newPage())];
  const counter = ref('counters', 1);
  await query(pages[0] as Page, createCollections('counters'));
  await query(pages[0] as Page, create(counter, { n: 0 }));
  const bodies = Array.from({ length: 40 }, () => JSON.stringify(increment(counter)));
  const seen = (await Promise.all(pages.map((page) => page.evaluate(play, bodies)))).flat();
  expect(seen.map(({ status }) => status)).toEqual(Array(160).fill(200));
  expect(await query(pages[1] as Page, field(counter, 'n'))).toBe(160);
});

test('a tab frozen inside a native transaction holds up the others no longer than their time limit, and all go on after the thaw', inChromium, async ({ context }) => {
  const [frozen, other] = [await openControlled(await context.newPage()), await openControlled(await context.newPage())];
  const counter = ref('counters', 1);
  await query(other, createCollections('counters'));
  await query(other, create(counter, { n: 0 }));
  const held = await freezer(context);
  await frozen.workers()[0]!.evaluate(freezeInNextWrite);

  const body = JSON.stringify(increment(counter));
  const stuck = frozen.evaluate(play, [body]);
  await held.frozen(1);
  const refused = await other.evaluate(play, [body]);
  // The limit is ten seconds.
  expect(refused.map(({ invoked, responded }) => responded - invoked)[0]).toBeLessThan(15_000);
  expect(refused.map(({ status, text }) => [status, JSON.parse(text) as unknown])).toEqual([
    [503, { errors: [{ code: 'time out', description: 'the database did not answer within the time limit' }] }],
  ]);
  held.thaw();
  const goneOn = await other.evaluate(play, [body, body]);
  expect(goneOn.map(({ status }) => status)).toEqual([200, 200]);
  const counted = [...(await stuck), ...goneOn].filter(({ status }) => status === 200).length;
  const n = await query<number>(other, field(counter, 'n'));
  expect(await query(frozen, field(counter, 'n'))).toBe(n);
  // What was refused may have been applied after all, and nothing more than that.
  expect(n).toBeGreaterThanOrEqual(counted);
  expect(n).toBeLessThanOrEqual(4);
});

/** Runs in the engine's worker: the next writing transaction is begun, and then nothing runs on until the thaw. */
function freezeInNextWrite(): void {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<IDBDatabase['transaction']>) {
    const begun = transaction.apply(this, args);
    if (args[1] !== 'readwrite') return begun;
    IDBDatabase.prototype.transaction = transaction;
    const waiting = new XMLHttpRequest();
    waiting.open('GET', '/thaw', false);
    waiting.send();
    return begun;
  };
}

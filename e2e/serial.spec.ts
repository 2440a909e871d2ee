// Tabs and the service worker at once, each with an engine of its own: one serial order explains
// what all of them were told, also while one of them is frozen.
import type { Page } from 'playwright/test';
import { engineName } from '../scripts/engines/index.ts';
import { Gen } from '../src/testing/gen.ts';
import { unexplained } from '../src/testing/serial/check.ts';
import { type Exchange, INITIAL, MARKS, marksAtFault, operationsOf, SET_UP, type Step, steps } from '../src/testing/serial/workload.ts';
import { cutNetwork, openControlled, openPlainPage } from './support/page.ts';
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

/** Freezes the tab for a while, as the browser does with one in the background: for longer than any lease. */
async function freeze(page: Page): Promise<Frozen> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  const from = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const to = Date.now();
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await devtools.detach();
  return { from, to };
}

const [meanwhile, disturb] = engineName === null ? [', one of them frozen meanwhile', freeze] : ['', async () => null];

for (const count of [2, 4, 8]) {
  test(`one serial order explains ${REQUESTS} requests of ${count} tabs${meanwhile}, and of a page without an engine`, async ({ context }) => {
    console.log(`  ${count} tabs, seed ${SEED}`);
    const pages: Page[] = [];
    for (let tab = 0; tab < count; tab++) pages.push(await openControlled(await context.newPage()));
    pages.push(await openPlainPage(context));
    const [first, last] = [pages[0] as Page, pages.at(-1) as Page];
    await cutNetwork(context);
    for (const body of SET_UP) await query(first, JSON.parse(body));

    const all = steps(new Gen(SEED), REQUESTS);
    const playing = pages.map((page, tab) => playIn(page, all.filter(({ number }) => number % pages.length === tab)));
    const frozen = await disturb(first);
    const [ofFirst, ...ofOthers] = await Promise.all(playing);
    const seen = [...(ofFirst ?? []), ...ofOthers.flat()];

    const marks = await query<[number, number][]>(last, JSON.parse(MARKS));
    expect([...unexplained(INITIAL, operationsOf(seen, marks)), ...marksAtFault(seen, marks)]).toEqual([]);
    expect(seen.filter(([, { status }]) => status >= 402).map(([{ name }, { text }]) => `${name}: ${text}`)).toEqual([]);
    expect(marks.length).toBeGreaterThan(REQUESTS / 5);
    if (frozen === null) return;
    // Nobody waited for the thaw.
    const meanwhile = ofOthers.map((own) => own.filter(([, { responded }]) => responded > frozen.from && responded < frozen.to).length);
    expect(Math.min(...meanwhile), `answered while one tab was frozen, by tab: ${meanwhile}`).toBeGreaterThan(0);
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
  let thaw = (): void => undefined;
  const held = new Promise<void>((resolve) => (thaw = resolve));
  let hasBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  await context.route('**/thaw', async (route) => {
    hasBegun();
    await held;
    await route.fulfill({ body: 'thawed' });
  });
  await frozen.workers()[0]!.evaluate(freezeInNextWrite);

  const body = JSON.stringify(increment(counter));
  const stuck = frozen.evaluate(play, [body]);
  await begun;
  const refused = await other.evaluate(play, [body]);
  // The limit is ten seconds.
  expect(refused.map(({ invoked, responded }) => responded - invoked)[0]).toBeLessThan(15_000);
  expect(refused.map(({ status, text }) => [status, JSON.parse(text) as unknown])).toEqual([
    [503, { errors: [{ code: 'time out', description: 'the database did not answer within the time limit' }] }],
  ]);
  thaw();
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

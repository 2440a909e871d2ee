// Tabs and the service worker at once, each with an engine of its own: one serial order explains
// what all of them were told, also while a tab is frozen.
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import { engineName } from '../scripts/engines/index.ts';
import { Gen } from '../src/testing/gen.ts';
import { unexplained } from '../src/testing/serial/check.ts';
import { type Exchange, INITIAL, MARKS, marksAtFault, operationsOf, SET_UP, type Step, steps } from '../src/testing/serial/workload.ts';
import { freezable, freezer, STAND_STILL } from './support/freeze.ts';
import { cutNetwork, openControlled, openIn, openPlainPage, PLAIN } from './support/page.ts';
import { create, createCollections, field, increment, query, ref } from './support/queries.ts';
import { expect, inChromium, test } from './support/test.ts';

/** Nine pages are opened one after the other, and each change waits until it stands on the disk. */
test.setTimeout(180_000);

const SEED = Number(process.env['VIVARIUM_SEED'] ?? Date.now() % 1_000_000);
const REQUESTS = 240;

/** Clocks of two processes may differ by so many milliseconds. */
const CLOCKS_DIFFER = 2;

/** Runs in the page: sends all bodies, three at a time. `underWay` is the name of an event for its window, at the first answer: others are on their way then. */
async function play({ bodies, underWay }: { readonly bodies: readonly string[]; readonly underWay?: string | undefined }): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const left = [...bodies.entries()];
  let isTold = false;
  const headers = { Authorization: 'Bearer secret', 'X-FaunaDB-API-Version': '4' };
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, body] = next;
      const invoked = Date.now();
      const response = await fetch('./', { method: 'POST', headers, body });
      const text = await response.text();
      exchanges[at] = { invoked, responded: Date.now(), status: response.status, ts: Number(response.headers.get('x-txn-time')), text };
      if (underWay !== undefined && !isTold) dispatchEvent(new Event(underWay));
      isTold = true;
    }
  };
  await Promise.all([work(), work(), work()]);
  return exchanges;
}

/** What one page was told, by request. */
type Seen = readonly (readonly [Step, Exchange])[];

/** Has every page play its share. @returns what each of them saw */
type Play = (pages: readonly Page[], shares: readonly (readonly Step[])[]) => Promise<readonly Seen[]>;

async function playIn(page: Page, own: readonly Step[], underWay?: string): Promise<Seen> {
  const exchanges = await page.evaluate(play, { bodies: own.map(({ body }) => body), underWay });
  return own.map((step, at) => [step, { ...exchanges[at]!, responded: exchanges[at]!.responded + CLOCKS_DIFFER }] as const);
}

const playAtOnce: Play = (pages, shares) => Promise.all(pages.map((page, tab) => playIn(page, shares[tab] ?? [])));

/** A tab is frozen for longer than any lease. */
const FROZEN_MS = 3_000;

/** The first tab is frozen with requests under way, and thawed when all others have played their shares. */
const playWithOneFrozen: Play = async (pages, shares) => {
  const third = (share: readonly Step[], n: number): readonly Step[] => share.slice(Math.floor((n * share.length) / 3), Math.floor(((n + 1) * share.length) / 3));
  const [tab, ...others] = pages as [Page, ...Page[]];
  const [ofTab = [], ...ofOthers] = shares;
  const before = await playAtOnce(pages, shares.map((share) => third(share, 0)));

  const { frozen, thaw } = await freezable(tab);
  const playing = playIn(tab, [...third(ofTab, 1), ...third(ofTab, 2)], STAND_STILL);
  const onTheWay = await playAtOnce(others, ofOthers.map((share) => third(share, 1)));
  await frozen;
  const from = Date.now();
  const [meanwhile] = await Promise.all([playAtOnce(others, ofOthers.map((share) => third(share, 2))), setTimeout(FROZEN_MS)]);
  const to = Date.now();
  await thaw();
  const after = await playing;

  expect(after.filter(([, { responded }]) => responded > from + CLOCKS_DIFFER && responded < to), 'answers that the frozen tab has seen while it was').toEqual([]);
  expect(after.filter(([, { responded }]) => responded >= to).length, 'answers that it has seen after that').toBeGreaterThan(0);
  return [after, ...onTheWay, ...meanwhile, ...before];
};

const [oneFrozen, playTabs] = engineName === null ? [', one of them frozen meanwhile', playWithOneFrozen] : ['', playAtOnce];

/** Has all pages play parts of one workload, and looks whether one serial order explains what they saw. */
async function playAll(pages: readonly Page[], play: Play): Promise<void> {
  for (const body of SET_UP) await query(pages[0]!, JSON.parse(body));
  const all = steps(new Gen(SEED), REQUESTS);
  const exchanges = (await play(pages, pages.map((_, tab) => all.filter(({ number }) => number % pages.length === tab)))).flat();
  expect(exchanges.length).toBe(REQUESTS);

  const marks = await query<[number, number][]>(pages.at(-1)!, JSON.parse(MARKS));
  expect([...unexplained(INITIAL, operationsOf(exchanges, marks)), ...marksAtFault(exchanges, marks)]).toEqual([]);
  expect(exchanges.filter(([, { status }]) => status >= 402).map(([{ name }, { text }]) => `${name}: ${text}`)).toEqual([]);
  expect(marks.length).toBeGreaterThan(REQUESTS / 5);
}

for (const count of [2, 4, 8]) {
  test(`one serial order explains ${REQUESTS} requests of ${count} tabs${oneFrozen}, and of a page without an engine`, async ({ context }) => {
    console.log(`  ${count} tabs, seed ${SEED}`);
    const pages: Page[] = [];
    for (let tab = 0; tab < count; tab++) pages.push(await openControlled(await context.newPage()));
    pages.push(await openPlainPage(context));
    await cutNetwork(context);
    await playAll(pages, playTabs);
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
    await playAll(pages, playAtOnce);
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
  const seen = (await Promise.all(pages.map((page) => page.evaluate(play, { bodies })))).flat();
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
  const stuck = frozen.evaluate(play, { bodies: [body] });
  await held.frozen(1);
  // Its page shows what is there, and looks for changes once a second: by then such a look is waiting, too.
  await setTimeout(1_500);
  const refused = await other.evaluate(play, { bodies: [body] });
  // The limit is ten seconds.
  expect(refused.map(({ invoked, responded }) => responded - invoked)[0]).toBeLessThan(15_000);
  expect(refused.map(({ status, text }) => [status, JSON.parse(text) as unknown])).toEqual([
    [503, { errors: [{ code: 'time out', description: 'the database did not answer within the time limit' }] }],
  ]);
  held.thaw();
  const goneOn = await other.evaluate(play, { bodies: [body, body] });
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

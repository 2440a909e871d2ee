// The system's clock is set forward by a year, back, and back by another year under what is open: all goes on, in order.
import type { Page } from 'playwright/test';
import { type ClockSite, PATIENCE_MS, underClock } from './support/clock.ts';
import { controlled, openIn } from './support/page.ts';
import { create, createCollections, field, increment, object, query, ref } from './support/queries.ts';
import { expect, inChromium, notInWebKit, test } from './support/test.ts';
import { keepWorkers } from './support/threads.ts';
import { V4 } from './support/wire.ts';
import { inspect, prepareLoad, stopLoad, writeLoad } from './support/write-load.ts';

const YEAR = 365 * 86_400_000;
const AHEAD = [YEAR, 0, -YEAR];
/** The changes of the clock, and before them the time as it is. */
const TIMES = [0, 1, 2, 3];
const FORWARD = 1;

test.describe.configure({ timeout: PATIENCE_MS });

async function openTab(site: ClockSite): Promise<Page> {
  const page = await site.openPage();
  await page.evaluate(keepWorkers);
  await openIn(page);
  await controlled(page);
  return page;
}

/** Microseconds: what a write was told, and the page's clock around it. */
interface Told {
  readonly before: number;
  readonly now: number;
  readonly ts: number;
  readonly after: number;
}

type Write = (page: Page, expression: unknown) => Promise<Told>;

const byFetch: Write = (page, expression) =>
  page.evaluate(
    async ({ body, headers }) => {
      const before = Date.now() * 1000;
      const response = await fetch('./', { method: 'POST', body, headers });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      const [, now] = (JSON.parse(text) as { resource: [unknown, number] }).resource;
      return { before, now, ts: Number(response.headers.get('x-txn-time')), after: Date.now() * 1000 };
    },
    { body: JSON.stringify(expression), headers: V4.headers },
  );

const byPageApi: Write = (page, expression) =>
  page.evaluate(async (given) => {
    const { vivarium } = window as unknown as { vivarium: { query(expression: unknown): Promise<[{ ts: number }, number]> } };
    const before = Date.now() * 1000;
    const [{ ts }, now] = await vivarium.query(given);
    return { before, now, ts, after: Date.now() * 1000 };
  }, expression);

/** What two threads read from one clock may differ by a little, in Firefox on purpose. */
const SLACK = 10_000;

/** One document, written again and again; whoever writes and whatever the clock says. */
class Story {
  private readonly told: Told[] = [];
  private readonly document = ref('spells', 1);

  async begin(page: Page): Promise<void> {
    await query(page, { create_collection: object({ name: 'spells', history_days: null }) });
  }

  async write(how: Write, writer: Page, readers: readonly Page[]): Promise<void> {
    const n = this.told.length;
    const data = object({ data: object({ n }) });
    const last = this.told.at(-1)?.ts ?? 0;
    const told = await how(writer, [n === 0 ? { create: this.document, params: data } : { update: this.document, params: data }, { to_micros: { now: null } }]);
    this.told.push(told);
    const { before, now, ts, after } = told;
    const all = `as told: ${JSON.stringify(this.told)}`;
    // The present is that of the clock, or the last commit's where the clock is behind it.
    expect(now, all).toBeGreaterThanOrEqual(Math.max(last, before - SLACK));
    expect(now, all).toBeLessThanOrEqual(Math.max(last, after + SLACK));
    expect(ts, all).toBeGreaterThanOrEqual(Math.max(last + 1, now));
    expect(ts, all).toBeLessThanOrEqual(Math.max(last + 1, after + SLACK));
    for (const reader of [writer, ...readers]) expect(await query(reader, field(this.document, 'n'))).toBe(n);
  }

  /** All of it, as any page reads it. */
  async expectWhole(page: Page): Promise<void> {
    const events = await query(page, { select: 'data', from: { paginate: { events: this.document }, size: 1000 } });
    expect(events).toMatchObject(this.told.map(({ ts }, n) => ({ ts, data: { n } })));
    const thens = this.told.map(({ ts }) => ({ at: ts, expr: field(this.document, 'n') }));
    expect(await query(page, thens)).toEqual(this.told.map((_, n) => n));
  }
}

test('tabs that live on write and read on, by the page API and by fetch', async ({ context }) => {
  await underClock(AHEAD, context, async (site) => {
    const [first, second] = [await openTab(site), await openTab(site)];
    const story = new Story();
    await story.begin(first);
    for (const nth of TIMES) {
      if (nth > 0) await site.reach(nth);
      for (const how of [byPageApi, byFetch]) {
        await story.write(how, first, [second]);
        await story.write(how, second, [first]);
      }
      await story.expectWhole(second);
    }
    await second.reload();
    await openIn(second);
    await story.write(byPageApi, second, [first]);
    for (const page of [first, second, await openTab(site)]) await story.expectWhole(page);
  });
});

test("so does the service worker's own engine, by turns with one that is opened and closed each time", async ({ context }) => {
  await underClock(AHEAD, context, async (site) => {
    const tab = await openTab(site);
    const close = (): Promise<void> => tab.evaluate(() => (window as unknown as { vivarium: { close(): Promise<void> } }).vivarium.close());
    const plain = await site.openPage();
    const story = new Story();
    await story.begin(tab);
    await close();
    for (const nth of TIMES) {
      if (nth > 0) await site.reach(nth);
      await story.write(byFetch, plain, []);
      await openIn(tab);
      for (const how of [byPageApi, byFetch]) await story.write(how, tab, [plain]);
      await close();
      await story.write(byFetch, plain, []);
      await story.expectWhole(plain);
    }
  });
});

/** Milliseconds that a worker has for them. */
const AHEAD_OF_TIME = 1500;

/** Runs in the page: its worker carries calls out and ends, its answers unheard, as the clock is set. Resolves to when each was carried out. */
async function endUnheard({ time, lead, expression, calls }: { readonly time: number; readonly lead: number; readonly expression: unknown; readonly calls: number }): Promise<number[]> {
  const { started, vivarium } = window as unknown as { started: Worker[]; vivarium: { query(expression: unknown): Promise<{ ts: number }> } };
  const left = (): number => time - (performance.timeOrigin + performance.now());
  await new Promise((resolve) => setTimeout(resolve, left() - lead));
  const answering = Array.from({ length: calls }, () => vivarium.query(expression));
  // They are on their way; whatever is answered from here on is not taken.
  await new Promise((resolve) => setTimeout(resolve));
  while (left() > 2);
  // Without an error its silence would be waited for.
  started[0]?.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
  started[0]?.terminate();
  return (await Promise.all(answering)).map(({ ts }) => ts);
}

// In WebKit a worker's IndexedDB waits for its page, which is kept busy here.
test('calls that a worker carried out before it ended unheard are applied once, though the clock was set back before they are sent again', notInWebKit, async ({ context }) => {
  await underClock([-YEAR], context, async (site) => {
    const tab = await openTab(site);
    const counter = ref('counters', 1);
    await query(tab, createCollections('counters'));
    await query(tab, create(counter, { n: 0 }));
    const calls = 8;
    const time = site.due(1);
    const times = await tab.evaluate(endUnheard, { time, lead: AHEAD_OF_TIME, expression: increment(counter), calls });
    // What is carried out only then gets the time after the last one before it, which is seconds old.
    expect(Math.max(...times), 'carried out before').toBeGreaterThan((time - AHEAD_OF_TIME) * 1000);
    await site.reach(1);
    expect(await query(tab, field(counter, 'n'))).toBe(calls);
  });
});

/** Ends a thread under a page that writes, at a moment of the system's clock. */
type Kill = (page: Page, time: number) => Promise<void>;

const KILLS: readonly (readonly [what: string, where: object, kill: Kill])[] = [
  [
    'worker',
    {},
    (page, time) =>
      page.evaluate(async (time) => {
        const left = (): number => time - (performance.timeOrigin + performance.now());
        await new Promise((resolve) => setTimeout(resolve, left() - 20));
        while (left() > 2);
        for (const worker of (window as unknown as { started: Worker[] }).started.splice(0)) worker.terminate();
      }, time),
  ],
  [
    'service worker',
    inChromium,
    async (page, time) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('ServiceWorker.enable');
      await new Promise((resolve) => setTimeout(resolve, time - Date.now() - 10));
      await devtools.send('ServiceWorker.stopAllWorkers');
      await devtools.detach();
    },
  ],
];

for (const [what, where, kill] of KILLS) {
  test(`a ${what} that ends in the middle of writing as the clock is set: what is sent again is applied once`, where, async ({ context }) => {
    await underClock(AHEAD, context, async (site) => {
      const load = await writeLoad();
      const bystander = await openTab(site);
      await prepareLoad(bystander);
      for (const nth of TIMES.slice(1)) {
        const page = await openTab(site);
        const trial = await load.begin(page);
        await load.acknowledged(8);
        await kill(page, site.due(nth));
        await site.reach(nth);
        await load.acknowledged(trial.acknowledged.size + 8);
        await stopLoad(page);
        // What was under way when the clock was set forward was sent a year ago: it is refused, and may have been applied.
        const late = nth === FORWARD ? trial.refused.filter((text) => /^503 .*time out/s.test(text)) : [];
        expect(trial.refused).toEqual(late);
        expect(late.length, 'as many as are under way at once').toBeLessThanOrEqual(4);
        expect(trial.acknowledged.size).toBe(trial.sent - late.length);
        await inspect(bystander, trial);
        await page.close();
      }
      await load.end();
    });
  });
}

// Tab, worker, service worker and whole browser end at random points of a write load, or a page is loaded anew. After
// each: every acknowledged write is there, every other one is there as a whole or not at all,
// and none is there twice, however often the browser sent it. `npm run test:faults` kills more.
import type { BrowserContext, Page } from 'playwright/test';
import { Gen } from '../src/testing/gen.ts';
import { controlled, openIn } from './support/page.ts';
import { expect, inChromium, test } from './support/test.ts';
import { type Stored, stored } from './support/stored.ts';
import { keepWorkers, stopServiceWorker } from './support/threads.ts';
import { type Findings, inspect, prepareLoad, stopLoad, strike, type Trial, type WriteLoad, writeLoad } from './support/write-load.ts';

const KILLS = Number(process.env['VIVARIUM_KILLS'] ?? 20);
const SEED = Number(process.env['VIVARIUM_SEED'] ?? Date.now() % 1_000_000);
const DURABILITIES = ['strict', 'relaxed'] as const;

/** A load is hit when a random number below this was acknowledged, and at most so many milliseconds later. */
const ACKNOWLEDGED = 24;
const LATER = 60;

/** A random point of a load. However slow the machine is, something was acknowledged by then (but one time in `ACKNOWLEDGED`). */
async function randomPoint(gen: Gen, load: WriteLoad): Promise<void> {
  await load.acknowledged(gen.below(ACKNOWLEDGED));
  await new Promise((resolve) => setTimeout(resolve, gen.below(LATER)));
}

interface Site {
  readonly address: string;
  readonly durability: string;
}

/** A page that opens no database of its own. One of a route's would have to come past the service worker, which asks the host. */
async function openPage(context: BrowserContext, { address }: Site): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${address}reference.html`);
  return page;
}

/** Opens the database in it. What keeps it from that is thrown: a browser that has lost it, above all. */
async function openDatabase(page: Page, { durability }: Site): Promise<void> {
  await page.evaluate(keepWorkers);
  await openIn(page, { durability });
  await controlled(page);
}

async function openTab(context: BrowserContext, site: Site): Promise<Page> {
  const page = await openPage(context, site);
  await openDatabase(page, site);
  return page;
}

interface Scene {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly trial: Trial;
  /** A tab of the site that nothing happens to. */
  readonly bystander: Page;
}

/** Of a page that lives on: whatever it had sent is answered, and with success, also what had to be sent again. */
async function endLoad(page: Page, trial: Trial): Promise<void> {
  await stopLoad(page);
  expect(trial.refused, 'no answer but a success').toEqual([]);
  expect(trial.acknowledged.size, `of ${trial.sent} sent, so many acknowledged`).toBe(trial.sent);
}

/** Ends something under a page that writes. Resolves to a page that can be asked. */
type Kill = (scene: Scene) => Promise<Page>;

const KINDS: readonly (readonly [name: string, where: object, kill: Kill])[] = [
  [
    'a tab closed',
    {},
    async ({ page, bystander, trial }) => {
      trial.isClosing = true;
      await page.close({ runBeforeUnload: false });
      return bystander;
    },
  ],
  [
    'a tab reloaded',
    {},
    async ({ page, bystander, trial }) => {
      trial.isClosing = true;
      await page.reload();
      return bystander;
    },
  ],
  [
    'a tab crashed',
    inChromium,
    async ({ context, page, bystander }) => {
      const crashed = page.waitForEvent('crash');
      const devtools = await context.newCDPSession(page);
      // Its answer never comes.
      devtools.send('Page.crash').catch(() => undefined);
      await crashed;
      await page.close();
      return bystander;
    },
  ],
  [
    'the worker ended',
    {},
    async ({ page, trial }) => {
      const workers = await page.evaluate(() => {
        const { started, strike } = window as unknown as { started: Worker[]; strike(): void };
        for (const worker of started) worker.terminate();
        strike();
        return started.length;
      });
      expect(workers, 'a page has one worker').toBe(1);
      await endLoad(page, trial);
      return page;
    },
  ],
  [
    'the service worker ended',
    inChromium,
    async ({ context, page, trial }) => {
      await strike(page);
      await stopServiceWorker(await context.newCDPSession(page));
      await strike(page);
      await endLoad(page, trial);
      return page;
    },
  ],
];

/** Of so many that were under way some were carried out before: about every other one is. */
const MANY = 60;

/** Characters of a transaction in every other load: more than one part of a record holds, and so many that the log goes into blocks meanwhile. */
const HEAVY = 70_000;
const weightOf = (round: number): number => (round % 2 === 0 ? HEAVY : 0);

/** In some of so many heavy loads the log went into blocks, and some of as many ends of a whole browser came in the middle of that. */
const MANY_HEAVY = 15;

class Tally {
  private readonly all: Findings[] = [];
  private before: Stored = { manifest: 0, loose: [] };
  private heavy = 0;
  private tidied = 0;
  private unfinished = 0;

  /** Looks at the stores before a load. */
  async begin(page: Page): Promise<void> {
    this.before = await stored(page);
  }

  /** The same after it, when it was a heavy one. */
  async look(page: Page): Promise<void> {
    const { manifest, loose } = await stored(page);
    this.heavy++;
    if (manifest > this.before.manifest) this.tidied++;
    if (loose.some((base) => !this.before.loose.includes(base))) this.unfinished++;
  }

  async add(page: Page, trial: Trial): Promise<void> {
    expect(trial.refused, 'no answer but a success').toEqual([]);
    this.all.push(await inspect(page, trial));
  }

  /** Says what was found. @param isAll whether everything had ended, so that nobody else can have gone on with its upkeep */
  tell(what: string, isAll = false): void {
    const sum = (key: keyof Findings): number => this.all.reduce((total, findings) => total + findings[key], 0);
    const [underWay, carriedOut] = [sum('interrupted'), sum('carriedOut')];
    const again = underWay > 0 ? `; ${underWay} were under way and answered later, ${carriedOut} of them carried out before, all once` : '';
    console.log(`  ${what}: ${this.all.length} kills: ${sum('acknowledged')} acknowledged, all there; of the others ${sum('whole')} whole, ${sum('absent')} absent${again}`);
    console.log(`  ${what}: of ${this.heavy} heavy loads, upkeep had done something in ${this.tidied} by then, and had something unfinished in ${this.unfinished}`);
    if (this.heavy >= MANY_HEAVY) {
      expect(this.tidied, 'heavy loads during which the log went into blocks').toBeGreaterThan(0);
      if (isAll) expect(this.unfinished, 'heavy loads that ended with upkeep under way').toBeGreaterThan(0);
    }
    if (underWay >= MANY) expect(carriedOut, 'requests sent again that were carried out before').toBeGreaterThan(0);
  }
}

/** Each kind as often as the others, in both durabilities. */
const times = Math.ceil(KILLS / (KINDS.length + 1) / DURABILITIES.length);
test.describe.configure({ timeout: 60_000 + times * 20_000 });

for (const durability of DURABILITIES) {
  for (const [at, [name, where, kill]] of KINDS.entries()) {
    test(`${times} × ${name} in the middle of writing, ${durability}`, where, async ({ context, baseURL }) => {
      console.log(`  ${name}, ${durability}, seed ${SEED + at}`);
      const gen = new Gen(SEED + at);
      const site = { address: baseURL ?? '', durability };
      const load = await writeLoad();
      const bystander = await openTab(context, site);
      await prepareLoad(bystander);
      const tally = new Tally();
      for (let round = 0; round < times; round++) {
        const page = await openTab(context, site);
        await tally.begin(bystander);
        const trial = await load.begin(page, weightOf(round));
        await randomPoint(gen, load);
        const witness = await kill({ context, page, trial, bystander });
        if (weightOf(round) > 0) await tally.look(bystander);
        await tally.add(witness, trial);
        if (!page.isClosed()) await page.close();
      }
      await load.end();
      tally.tell(`${name}, ${durability}`);
    });
  }

  test(`${times} × the browser killed in the middle of writing, ${durability}`, async ({ profile, baseURL }) => {
    console.log(`  the browser killed, ${durability}, seed ${SEED}`);
    const gen = new Gen(SEED);
    const site = { address: baseURL ?? '', durability };
    const load = await writeLoad();
    const tally = new Tally();
    let last: Trial | null = null;
    for (let round = 0; round <= times; round++) {
      const { context, kill } = await profile.start();
      const page = await openPage(context, site);
      if (last !== null && weightOf(round - 1) > 0) await tally.look(page);
      await openDatabase(page, site);
      if (last === null) await prepareLoad(page);
      else await tally.add(page, last);
      if (round === times) break;
      await tally.begin(page);
      last = await load.begin(page, weightOf(round));
      await randomPoint(gen, load);
      await kill();
    }
    await load.end();
    tally.tell(`the browser killed, ${durability}`, true);
  });
}

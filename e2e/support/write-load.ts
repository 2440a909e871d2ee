// A load of writes by which every loss shows: each transaction creates a pair of documents with
// its number, found by index, and adds one to the counter of its trial.
import { expect, type BrowserContext, type Page } from 'playwright/test';
import { create, createCollections, increment, object, query, ref } from './queries.ts';
import { V4 } from './wire.ts';

/** Numbers of one trial's transactions lie below those of the next. */
const TRIAL = 100_000;

const byNumber = (collection: string): unknown => ({
  create_index: object({ name: `${collection}_by_n`, source: { collection }, values: [object({ field: ['data', 'n'] })] }),
});

/** Makes the collections and indexes the load writes to. */
export async function prepareLoad(page: Page): Promise<void> {
  await query(page, createCollections('left', 'right', 'counters'));
  await query(page, ['left', 'right'].map(byNumber));
}

/** What this process has heard of one trial. */
export interface Trial {
  readonly number: number;
  /** The transactions sent, by this count. */
  sent: number;
  readonly acknowledged: Set<number>;
  /** Answers that were neither a success nor the end of the page. */
  readonly refused: string[];
}

export interface WriteLoad {
  /** Has the page write, four transactions at a time, until it ends or is told to stop. */
  begin(page: Page): Promise<Trial>;
}

/** Connects this process to all pages of a context. */
export async function writeLoad(context: BrowserContext, first: number): Promise<WriteLoad> {
  let trial: Trial = { number: first - 1, sent: 0, acknowledged: new Set(), refused: [] };
  await context.exposeFunction('sent', (n: number) => {
    if (Math.floor(n / TRIAL) === trial.number) trial.sent = Math.max(trial.sent, n % TRIAL);
  });
  await context.exposeFunction('answered', (n: number, status: number, text: string) => {
    // An answer to a trial before this one comes too late to be counted.
    if (Math.floor(n / TRIAL) !== trial.number) return;
    if (status === 200) trial.acknowledged.add(n);
    else trial.refused.push(`${status} ${text}`);
  });
  return {
    async begin(page) {
      trial = { number: trial.number + 1, sent: 0, acknowledged: new Set(), refused: [] };
      const counter = ref('counters', trial.number);
      await query(page, create(counter, { n: 0 }));
      const pair = [create({ collection: 'left' }, { n: '#' }), create({ collection: 'right' }, { n: '#' }), increment(counter)];
      await page.evaluate(writeOn, { body: JSON.stringify(pair).replaceAll('"#"', '#'), headers: V4.headers, from: trial.number * TRIAL });
      return trial;
    },
  };
}

/** Runs in the page; `#` stands for the transaction's number. `stopLoad()` resolves when all are answered. */
function writeOn({ body, headers, from }: { readonly body: string; readonly headers: Readonly<Record<string, string>>; readonly from: number }): void {
  const { sent, answered } = window as unknown as {
    sent(n: number): Promise<void>;
    answered(n: number, status: number, text: string): Promise<void>;
  };
  let next = from + 1;
  let stopped = false;
  const work = async (): Promise<void> => {
    while (!stopped) {
      const n = next++;
      await sent(n);
      const answer = await fetch('./', { method: 'POST', headers, body: body.replaceAll('#', String(n)) }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      );
      // Waited for, so that the page does not run ahead of what this process has heard.
      await answered(n, answer.status, answer.text);
    }
  };
  const working = Promise.all([work(), work(), work(), work()]);
  Object.assign(window, {
    stopLoad: async () => {
      stopped = true;
      await working;
    },
  });
}

/** Has a page that lives end its load; resolves when everything it sent is answered. */
export function stopLoad(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { stopLoad(): Promise<void> }).stopLoad());
}

export interface Findings {
  readonly acknowledged: number;
  /** Of those that were not acknowledged. */
  readonly whole: number;
  readonly absent: number;
}

/** Reads back what a trial has left: nothing acknowledged missing, nothing in part, nothing twice. */
export async function inspect(page: Page, { number, sent, acknowledged }: Trial): Promise<Findings> {
  const numbers = (collection: string): unknown => ({
    select: 'data',
    from: { paginate: { range: { match: { index: `${collection}_by_n` } }, from: number * TRIAL, to: (number + 1) * TRIAL - 1 }, size: 10_000 },
  });
  const counted = { select: ['data', 'n'], from: { get: ref('counters', number) } };
  const [left, right, count] = await query<[number[], number[], number]>(page, [numbers('left'), numbers('right'), counted]);
  expect(right, 'each pair is whole').toEqual(left);
  expect(new Set(left).size, 'nothing is there twice').toBe(left.length);
  expect(count, 'each is counted once').toBe(left.length);
  expect([...acknowledged].filter((n) => !left.includes(n)), 'acknowledged, but not there').toEqual([]);
  expect(left.filter((n) => n - number * TRIAL > sent), 'there, but never sent').toEqual([]);
  return { acknowledged: acknowledged.size, whole: left.length - acknowledged.size, absent: sent - left.length };
}

// A load of writes by which every loss shows: each transaction creates a pair of documents with
// its number, found by index, and adds one to the counter of its trial.
import { createServer } from 'node:http';
import { expect, type Page } from 'playwright/test';
import { create, createCollections, increment, object, query, ref } from './queries.ts';
import { listen } from './server.ts';
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
  /** Whether its page is being closed. In WebKit that runs on for a moment, and tells that its requests are called off. */
  isClosing: boolean;
  /** Answers that were neither a success nor the end of the page. */
  readonly refused: string[];
  /** Answers to what was under way when that which serves the page had ended (`strike`). */
  interrupted: number;
  /** Of these: what was carried out before that, and answered only after it. */
  carriedOut: number;
}

const newTrial = (number: number): Trial => ({ number, sent: 0, acknowledged: new Set(), isClosing: false, refused: [], interrupted: 0, carriedOut: 0 });

/** When a transaction of the load was carried out, in microseconds: the time of what it has made. */
const timeOf = (text: string): number => (JSON.parse(text) as { resource: [{ ts: number }] }).resource[0].ts;

export interface WriteLoad {
  /** Has the page write, four transactions at a time, until it ends or is told to stop. @param weight characters that each of them writes besides */
  begin(page: Page, weight?: number): Promise<Trial>;
  /** Resolves when so many transactions of the trial of now were acknowledged, or one was refused. */
  acknowledged(count: number): Promise<void>;
  /** Listens no longer. */
  end(): Promise<void>;
}

/** What a page tells: that it sends a transaction, or what that was answered; and since when, in milliseconds, whoever served it then was ended. */
type Word = { readonly sent: number } | { readonly answered: number; readonly status: number; readonly text: string; readonly struck?: number };

/** Pages tell this process by requests of what they do: what is heard once is known, whatever ends next. */
export async function writeLoad(): Promise<WriteLoad> {
  let trial = newTrial(0);
  let heard = (): void => undefined;
  const hear = (word: Word): void => {
    const n = 'sent' in word ? word.sent : word.answered;
    // What is said of a trial before this one comes too late to be counted.
    if (Math.floor(n / TRIAL) !== trial.number) return;
    if ('sent' in word) trial.sent = Math.max(trial.sent, n % TRIAL);
    else if (word.status === 200) {
      trial.acknowledged.add(n);
      if (word.struck === undefined) return;
      trial.interrupted++;
      if (timeOf(word.text) < word.struck * 1000) trial.carriedOut++;
    }
    else if (word.status !== 0 || !trial.isClosing) trial.refused.push(`${word.status} ${word.text}`);
  };
  const server = createServer((request, response) => {
    let said = '';
    request.on('data', (chunk) => (said += String(chunk)));
    request.on('end', () => {
      hear(JSON.parse(said) as Word);
      heard();
      response.writeHead(204, { 'access-control-allow-origin': '*' }).end();
    });
  });
  // A test that fails does not end it.
  server.unref();
  const { port, stop } = await listen(server);
  const listener = `http://localhost:${port}/`;
  return {
    async begin(page, weight = 0) {
      trial = newTrial(trial.number + 1);
      const counter = ref('counters', trial.number);
      await query(page, create(counter, { n: 0 }));
      const pair = [create({ collection: 'left' }, { n: '#', ...(weight > 0 && { pad: 'x'.repeat(weight) }) }), create({ collection: 'right' }, { n: '#' }), increment(counter)];
      await page.evaluate(writeOn, { body: JSON.stringify(pair).replaceAll('"#"', '#'), headers: V4.headers, from: trial.number * TRIAL, listener });
      return trial;
    },
    acknowledged: (count) =>
      new Promise((resolve) => {
        heard = () => (trial.acknowledged.size >= count || trial.refused.length > 0) && resolve();
        heard();
      }),
    end: stop,
  };
}

interface Load {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: number;
  readonly listener: string;
}

/**
 * Runs in the page; `#` stands for the transaction's number. `stopLoad()` resolves when all are answered. `strike()` notes
 * what is under way: once where what serves the page ends at that moment, otherwise before its end and after it.
 */
function writeOn({ body, headers, from, listener }: Load): void {
  let next = from + 1;
  let stopped = false;
  const underWay = new Set<number>();
  let interrupted: ReadonlySet<number> | null = null;
  let struck = 0;
  // Waited for, so that the page does not run ahead of what is heard of it.
  const tell = (word: Word): Promise<unknown> => fetch(listener, { method: 'POST', body: JSON.stringify(word) });
  const work = async (): Promise<void> => {
    while (!stopped) {
      const n = next++;
      await tell({ sent: n });
      underWay.add(n);
      const answer = await fetch('./', { method: 'POST', headers, body: body.replaceAll('#', String(n)) }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      );
      underWay.delete(n);
      await tell({ answered: n, ...answer, ...(interrupted?.has(n) && { struck }) });
    }
  };
  const working = Promise.all([work(), work(), work(), work()]);
  Object.assign(window, {
    strike: () => {
      if (interrupted === null) struck = Date.now();
      interrupted = new Set([...(interrupted ?? underWay)].filter((n) => underWay.has(n)));
    },
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

export function strike(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { strike(): void }).strike());
}

export interface Findings {
  readonly acknowledged: number;
  /** Of those that were not acknowledged. */
  readonly whole: number;
  readonly absent: number;
  /** Of a page that lives on, as in its trial. */
  readonly interrupted: number;
  readonly carriedOut: number;
}

/** Reads back what a trial has left: nothing acknowledged missing, nothing in part, nothing twice. */
export async function inspect(page: Page, trial: Trial): Promise<Findings> {
  const { number } = trial;
  // A page that is closed may run on while this is read.
  const acknowledged = [...trial.acknowledged];
  const numbers = (collection: string): unknown => ({
    select: 'data',
    from: { paginate: { range: { match: { index: `${collection}_by_n` } }, from: number * TRIAL, to: (number + 1) * TRIAL - 1 }, size: 10_000 },
  });
  const counted = { select: ['data', 'n'], from: { get: ref('counters', number) } };
  const [left, right, count] = await query<[number[], number[], number]>(page, [numbers('left'), numbers('right'), counted]);
  const { sent } = trial;
  expect(right, 'each pair is whole').toEqual(left);
  expect(new Set(left).size, 'nothing is there twice').toBe(left.length);
  expect(count, 'each is counted once').toBe(left.length);
  expect(acknowledged.filter((n) => !left.includes(n)), 'acknowledged, but not there').toEqual([]);
  expect(left.filter((n) => n - number * TRIAL > sent), 'there, but never sent').toEqual([]);
  return {
    acknowledged: acknowledged.length,
    whole: left.length - acknowledged.length,
    absent: sent - left.length,
    interrupted: trial.interrupted,
    carriedOut: trial.carriedOut,
  };
}

// Random concurrent histories, in one engine and in several on one log: one serial order
// explains every answer. A seed in a test's name repeats its history: VIVARIUM_SEED=… vitest.
import { describe, expect, it } from 'vitest';
import type { LogStore } from '../kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { testClient, type TestClient } from '../../testing/client.ts';
import { faulty, type Schedule } from '../../testing/faulty-store.ts';
import { Gen } from '../../testing/gen.ts';
import { testPlatform } from '../../testing/platform.ts';
import { unexplained } from '../../testing/serial/check.ts';
import { type Exchange, INITIAL, MARKS, marksAtFault, operationsOf, SET_UP, type Step, steps } from '../../testing/serial/workload.ts';

const { VIVARIUM_SEED } = process.env;
const FRESH = Date.now() % 1_000_000;
const SEEDS = VIVARIUM_SEED === undefined ? [1, 2, 3, FRESH, FRESH + 1] : [Number(VIVARIUM_SEED)];
/** Requests under way at a time, of each client. */
const WIDTH = 6;

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Every call waits for some turns, before or after it takes effect. */
function slowly(gen: Gen): Schedule {
  return () => ({ when: gen.bool() ? 'before' : 'after', until: turns(gen.below(4)) });
}

interface Making {
  readonly gen: Gen;
  readonly engines: number;
  readonly wrap?: (store: LogStore, gen: Gen) => LogStore;
}

/** Engines on one log that is flushed again and again. */
async function clientsOn({ gen, engines, wrap = (store) => faulty(store, slowly(gen)) }: Making): Promise<TestClient[]> {
  const log = memoryLog();
  const isCold = gen.below(4) === 0;
  const setUp = await testClient(memoryLogStore(log));
  for (const body of SET_UP) expect((await setUp.query(body)).status).toBeLessThan(300);
  const options = { flushAt: 3000, cacheBytes: isCold ? 0 : 2 ** 20 };
  return Promise.all(Array.from({ length: engines }, () => testClient(wrap(memoryLogStore(log), gen), testPlatform(), options)));
}

/** Has the clients send the steps, several at a time, and keeps what they saw. Its clock counts what happens. */
async function play(clients: readonly TestClient[], gen: Gen, left: Step[]): Promise<[Step, Exchange][]> {
  let clock = 0;
  const seen: [Step, Exchange][] = [];
  const work = async (client: TestClient): Promise<void> => {
    for (let step = left.pop(); step !== undefined; step = left.pop()) {
      const invoked = clock++;
      const { status, headers, text } = await client.query(step.body);
      seen.push([step, { invoked, responded: clock++, status, ts: Number(headers['x-txn-time']), text }]);
      if (gen.below(20) === 0) void client.engine.upkeep();
      await turns(gen.below(4));
    }
  };
  await Promise.all(clients.flatMap((client) => Array.from({ length: WIDTH }, () => work(client))));
  return seen;
}

async function expectSerial(making: Making, count: number): Promise<readonly Exchange[]> {
  const clients = await clientsOn(making);
  const seen = await play(clients, making.gen, steps(making.gen, count));
  for (const client of clients) {
    const marks = (JSON.parse((await client.query(MARKS)).text) as { resource: [number, number][] }).resource;
    expect([...unexplained(INITIAL, operationsOf(seen, marks)), ...marksAtFault(seen, marks)]).toEqual([]);
    // The history was worth checking.
    expect(marks.length).toBeGreaterThan(count / 5);
  }
  return seen.map(([, exchange]) => exchange);
}

/** Where nothing is kept in memory, everything waits; on a busy machine for long. */
const options = { timeout: 120_000 };

describe('one serial order explains 300 requests', () => {
  it.each(SEEDS)('to one engine, seed %i', options, async (seed) => {
    const seen = await expectSerial({ gen: new Gen(seed), engines: 1 }, 300);
    expect(seen.filter(({ status }) => status >= 402)).toEqual([]);
  });

  it.each(SEEDS.flatMap((seed) => [2, 4].map((engines) => [engines, seed] as const)))('to %i engines on one log, seed %i', options, async (engines, seed) => {
    await expectSerial({ gen: new Gen(seed), engines }, 300);
  });
});

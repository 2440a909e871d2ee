// A collection of which most was deleted costs its readers no more than what is left of it, once nobody may
// ask for what it was.
import { describe, expect, it } from 'vitest';
import { testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import type { Ts } from '../base/platform.ts';
import { decodeManifest, type Manifest } from '../kv/manifest.ts';
import { encodeManifest } from '../kv/manifest-writer.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../kv/memory.ts';

const MINUTE: Ts = 60_000_000;
const DOCUMENTS = 1500;
const { utf8 } = testPlatform();
const THINGS = '{"documents":{"collection":"things"}}';
const doc = (id: number, collection = 'things'): string => `{"ref":{"collection":"${collection}"},"id":"${id}"}`;
const manifestOf = (log: MemoryLog): Manifest => decodeManifest(log.header, utf8);
const bytesIn = (log: MemoryLog): number => [...log.blocks.values()].reduce((sum, block) => sum + block.length, 0);

interface Life {
  readonly client: TestClient;
  pass(time: Ts): void;
  /** Writes something else, until the log has gone into blocks. */
  goOn(): Promise<void>;
  all(query: (id: number) => string, from: number, to: number): Promise<void>;
}

async function life(log: MemoryLog, historyDays = 0): Promise<Life> {
  let now: Ts = 1_577_836_800_000_000;
  const platform = { ...testPlatform(), now: () => now };
  const client = await testClient(memoryLogStore(log), platform, { flushAt: 60_000, cacheBytes: 2 ** 20 });
  const ask = async (query: string): Promise<void> => {
    const { status, text } = await client.query(query);
    if (status >= 300) throw new Error(text);
  };
  for (const name of ['things', 'others']) await ask(`{"create_collection":{"object":{"name":"${name}","history_days":${historyDays}}}}`);
  await ask('{"create_index":{"object":{"name":"all","source":{"collection":"things"}}}}');
  let others = 0;
  const all = async (query: (id: number) => string, from: number, to: number): Promise<void> => {
    for (let at = from; at <= to; at += 100) {
      now += 1000;
      await ask(`[${Array.from({ length: Math.min(100, to - at + 1) }, (_, nth) => query(at + nth)).join()}]`);
    }
    await client.engine.upkeep();
  };
  return {
    client,
    all,
    pass: (time) => void (now += time),
    goOn: () => all((id) => `{"create":${doc(id, 'others')},"params":{"object":{"data":{"object":{"text":"${'x'.repeat(500)}"}}}}}`, others + 1, (others += 120)),
  };
}

const create = (id: number): string => `{"create":${doc(id)},"params":{"object":{"data":{"object":{"n":${id}}}}}}`;
const erase = (id: number): string => `{"delete":${doc(id)}}`;

/** Rows that were read for the first page of what is left, by the bytes they are billed as. */
async function costOf({ client }: Life, set = THINGS): Promise<number> {
  const { status, headers } = await client.query(`{"paginate":${set},"size":5}`);
  expect(status).toBe(200);
  return Number(headers['x-storage-bytes-read']);
}

describe('rows that say that there is nothing', () => {
  it.each([0, 30])('are merged away once nobody may ask for what was before (%i days of history)', async (days) => {
    const log = memoryLog();
    const one = await life(log, days);
    await one.all(create, 1, DOCUMENTS);
    await one.all(erase, 1, DOCUMENTS - 10);
    const sets = [THINGS, '{"match":{"index":"all"}}'];
    const before = await Promise.all(sets.map((set) => costOf(one, set)));
    for (const cost of before) expect(cost).toBeGreaterThan(20_000);
    const bytes = bytesIn(log);

    // Somebody may still ask for what was before, or whether a request was applied.
    one.pass(14 * MINUTE);
    await one.goOn();
    expect(await costOf(one)).toBeGreaterThan(20_000);

    one.pass(17 * MINUTE);
    await one.goOn();
    for (const set of sets) expect(await costOf(one, set)).toBeLessThan(1000);
    expect(manifestOf(log).segments.at(-1)?.holes?.count).toBe(0);
    if (days === 0) expect(bytesIn(log)).toBeLessThan(bytes);
    const left = await one.client.query(`{"select":["data"],"from":{"paginate":${THINGS},"size":100}}`);
    expect((JSON.parse(left.text) as { resource: unknown[] }).resource).toHaveLength(10);
    expect((await one.client.query(`{"exists":${doc(1)}}`)).text).toBe('{"resource":false}');
    if (days > 0) expect((await one.client.query(`{"count":{"events":${doc(1)}}}`)).text).toBe('{"resource":2}');
  });

  it('stay where they are few among the rest, and nothing is written anew for them', async () => {
    const log = memoryLog();
    const one = await life(log);
    await one.all(create, 1, 10 * DOCUMENTS);
    await one.all(erase, 1, DOCUMENTS);
    const oldest = manifestOf(log).segments.at(-1)?.base;
    one.pass(31 * MINUTE);
    await one.goOn();
    await one.goOn();
    expect(manifestOf(log).segments.at(-1)?.base).toBe(oldest);
  });

  it('are not known of in what an earlier build has written', async () => {
    const log = memoryLog();
    const one = await life(log);
    await one.all(create, 1, DOCUMENTS);
    await one.all(erase, 1, DOCUMENTS);
    await one.client.engine.close();
    const { segments, ...rest } = manifestOf(log);
    const unaware = segments.map(({ holes: _, ...segment }) => segment);
    log.header = { ...log.header, manifest: encodeManifest({ ...rest, segments: unaware }, utf8) };
    expect(manifestOf(log).segments.map(({ holes }) => holes)).toEqual(unaware.map(() => undefined));
    const client = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 60_000, cacheBytes: 2 ** 20 });
    await client.engine.upkeep();
    expect((await client.query(`{"count":${THINGS}}`)).text).toBe('{"resource":0}');
  });
});

// A collection of which most was deleted costs its readers no more than what is left of it, once nobody may
// ask for what it was.
import { describe, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';
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
const oldestOf = (log: MemoryLog): number | undefined => manifestOf(log).segments.at(-1)?.base;
const bytesIn = (log: MemoryLog): number => [...log.blocks.values()].reduce((sum, block) => sum + block.length, 0);

/** When the next life begins. */
let began: Ts = 1_577_836_800_000_000;

interface Life {
  readonly client: TestClient;
  pass(time: Ts): void;
  /** Writes something else: so many documents that their log goes into blocks. */
  write(count: number): Promise<void>;
  /** Bytes of blocks that were written. */
  written(): number;
  all(query: (id: number) => string, from: number, to: number): Promise<void>;
}

/** @param historyDays of new collections; `null` where they are there */
async function life(log: MemoryLog, historyDays: number | null = 0): Promise<Life> {
  let now = began;
  began += 10_000_000;
  let written = 0;
  const store = memoryLogStore(log);
  const { writeBlocks } = store;
  store.writeBlocks = (blocks) => {
    written += blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return writeBlocks.call(store, blocks);
  };
  const platform = { ...testPlatform(), now: () => now };
  const client = await testClient(store, platform, { flushAt: 60_000, cacheBytes: 2 ** 20 });
  const ask = async (query: string): Promise<void> => {
    succeeded(await client.query(query));
  };
  if (historyDays !== null) for (const name of ['things', 'others']) await ask(`{"create_collection":{"object":{"name":"${name}","history_days":${historyDays}}}}`);
  if (historyDays !== null) await ask('{"create_index":{"object":{"name":"all","source":{"collection":"things"}}}}');
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
    write: (count) => all((id) => `{"create":${doc(id, 'others')},"params":{"object":{"data":{"object":{"text":"${'x'.repeat(500)}"}}}}}`, others + 1, (others += count)),
    written: () => written,
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
    await one.write(120);
    expect(await costOf(one)).toBeGreaterThan(20_000);

    one.pass(17 * MINUTE);
    await one.write(120);
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
    const oldest = oldestOf(log);
    one.pass(31 * MINUTE);
    await one.write(120);
    await one.write(120);
    expect(oldestOf(log)).toBe(oldest);
  });

  it('stay while what was before them may have to stay', async () => {
    const log = memoryLog();
    const one = await life(log);
    await one.all(create, 1, DOCUMENTS);
    await one.all(erase, 1, DOCUMENTS);
    const oldest = oldestOf(log);
    one.pass(20 * MINUTE);
    await one.write(150);
    expect(oldestOf(log)).toBe(oldest);
    one.pass(11 * MINUTE);
    await one.write(150);
    expect(oldestOf(log)).not.toBe(oldest);
  });

  it('stay while an index is built, whose entries may come beneath them', async () => {
    const log = memoryLog();
    const one = await life(log);
    await one.all(create, 1, 3 * DOCUMENTS);
    await one.all(erase, 1, 3 * DOCUMENTS);
    await one.client.query('{"create_index":{"object":{"name":"late","source":{"collection":"things"},"values":[{"object":{"field":["data","n"]}}]}}}');
    one.pass(40 * MINUTE);
    await one.write(1);
    // Merged while the index was built, the rows would have stayed.
    expect(bytesIn(log)).toBeLessThan(100_000);
    expect((await one.client.query('{"count":{"match":{"index":"late"}}}')).text).toBe('{"resource":0}');
  });

  it('are not known of in what an earlier build has written: it stays as it is', async () => {
    const log = memoryLog();
    const former = await life(log);
    await former.all(create, 1, DOCUMENTS);
    await former.all(erase, 1, DOCUMENTS);
    await former.client.engine.close();
    const { segments, ...rest } = manifestOf(log);
    const unaware = segments.map(({ holes: _, ...segment }) => segment);
    log.header = { ...log.header, manifest: encodeManifest({ ...rest, segments: unaware }, utf8) };
    expect(manifestOf(log).segments.map(({ holes }) => holes)).toEqual(unaware.map(() => undefined));
    const oldest = oldestOf(log);
    const one = await life(log, null);
    one.pass(31 * MINUTE);
    await one.write(150);
    expect(manifestOf(log).segments.length).toBe(unaware.length + 1);
    expect(oldestOf(log)).toBe(oldest);
    expect((await one.client.query(`{"count":${THINGS}}`)).text).toBe('{"resource":0}');
  });

  it('are written anew a few times at most, where all history stays', async () => {
    const log = memoryLog();
    const one = await life(log, 30);
    for (let round = 0; round < 60; round++) {
      await one.all(create, 300 * round + 1, 300 * round + 300);
      await one.all(erase, 300 * round + 1, 300 * round + 300);
      one.pass(5 * MINUTE);
    }
    // What was deleted of late is stepped over yet. Merged whenever there are a thousand, they would cost half as much
    // again to write as they do, never merged a third more to read.
    expect(await costOf(one)).toBeLessThan(250_000);
    expect(one.written() / bytesIn(log)).toBeLessThan(5);
  });
});

// How many blocks are read for what: a document costs what it takes, wherever it lies and
// however much lies around it.
import { describe, expect, it } from 'vitest';
import type { LogStore } from '../kv/log-store.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../kv/memory.ts';
import { decodeManifest } from '../kv/manifest.ts';
import { testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { Gen } from '../../testing/gen.ts';

const FLUSH_AT = 100_000;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const doc = (id: number): string => `{"ref":{"collection":"spells"},"id":"${id}"}`;
const padded = (id: number, bytes: number): string => `{"create":${doc(id)},"params":{"object":{"data":{"object":{"n":${id},"pad":"${'x'.repeat(bytes)}"}}}}}`;
const small = (id: number): string => padded(id, 200);
/** Each has a block to itself. */
const large = (id: number): string => padded(id, 40_000);
const change = (id: number): string => `{"update":${doc(id)},"params":{"object":{"data":{"object":{"pad":"${'y'.repeat(200)}"}}}}}`;

/** A log with documents of even ids, some of them changed, in blocks. */
async function filled(documents: number, put = small): Promise<MemoryLog> {
  const log = memoryLog();
  const client = await testClient(memoryLogStore(log), testPlatform(), { flushAt: FLUSH_AT });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let from = 0; from < documents; from += 100) {
    expect((await client.query(`[${upTo(100).map((at) => put(2 * (from + at) + 2)).join()}]`)).status).toBe(200);
    await client.query(`[${upTo(10).map((at) => change(2 * (from + 10 * at) + 2)).join()}]`);
    await client.engine.upkeep();
  }
  await client.engine.close();
  return log;
}

/** An engine that has read nothing yet, and the blocks that it reads from then on. */
async function counted(log: MemoryLog, cacheBytes = 64 * 2 ** 20): Promise<{ readonly client: TestClient; blocksOf(work: () => Promise<unknown>): Promise<number>; all(): number; calls(): number }> {
  const store: LogStore = memoryLogStore(log);
  const read = store.readBlocks.bind(store);
  let [blocks, calls] = [0, 0];
  store.readBlocks = (ids) => {
    blocks += ids.length;
    calls++;
    return read(ids);
  };
  const blocksOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = blocks;
    await work();
    return blocks - before;
  };
  return { client: await testClient(store, testPlatform(), { flushAt: FLUSH_AT, cacheBytes }), blocksOf, all: () => blocks, calls: () => calls };
}

const segmentsOf = (log: MemoryLog): number => decodeManifest(log.header, testPlatform().utf8).segments.length;

describe('blocks that are read', () => {
  it('for a document are one, where its place is known; for one that is not there mostly none', async () => {
    const log = await filled(4_000);
    expect(segmentsOf(log)).toBeGreaterThan(1);
    const { client, blocksOf } = await counted(log);
    const get = (id: number): Promise<number> => blocksOf(() => client.query(`{"exists":${doc(id)}}`));
    // Reads the filters of all segments, and what says where things lie.
    for (const at of upTo(8)) await get(1000 * at + 2);
    const gen = new Gen(1);
    const [there, absent] = [0, 1].map((odd) => upTo(300).map(() => 2 * gen.below(4_000) + 2 + odd)) as [number[], number[]];
    let missed = 0;
    for (const id of absent) missed += await get(id);
    expect(missed).toBeLessThan(5);
    const found: number[] = [];
    for (const id of there) found.push(await get(id));
    expect(Math.max(...found)).toBe(1);
    expect(found.reduce((sum, blocks) => sum + blocks, 0)).toBeGreaterThan(15);
  });

  it('for opening and the first document are a few for each segment, however many documents there are', async () => {
    for (const documents of [500, 1_000, 8_000]) {
      const log = await filled(documents);
      const opened = await counted(log);
      const reply = await opened.client.query(`{"get":${doc(documents)}}`);
      expect(reply.status).toBe(200);
      expect(opened.all(), `${documents} documents, ${segmentsOf(log)} segments`).toBeLessThanOrEqual(9);
      // What any first request reads, and the document: each call waits for the disk.
      expect(opened.calls()).toBeLessThanOrEqual(2);
    }
  });

  it('are kept, fewer of them while the page is hidden', async () => {
    const log = await filled(2_000);
    const { client, blocksOf } = await counted(log, 4_000_000);
    const readAll = (): Promise<number> => blocksOf(async () => expect((await client.query('{"count":{"filter":{"lambda":"x","expr":{"exists":{"var":"x"}}},"collection":{"documents":{"collection":"spells"}}}}')).text).toBe('{"resource":2000}'));
    expect(await readAll()).toBeGreaterThan(10);
    expect(await readAll()).toBe(0);
    client.engine.hide(true);
    expect(await readAll()).toBeGreaterThan(10);
    expect(await readAll()).toBeGreaterThan(10);
    client.engine.hide(false);
    await readAll();
    expect(await readAll()).toBe(0);
  });

  it('for pages of documents are those they lie in', async () => {
    const log = await filled(4_000);
    const { client, blocksOf } = await counted(log);
    const page = (after: number): string => `{"map":{"lambda":"x","expr":{"get":{"var":"x"}}},"collection":{"paginate":{"documents":{"collection":"spells"}},"size":64,"after":[${doc(after)}]}}`;
    await blocksOf(() => client.query(page(2)));
    const blocks: number[] = [];
    for (const at of upTo(20)) blocks.push(await blocksOf(() => client.query(page(2 + at * 390))));
    expect(Math.max(...blocks)).toBeLessThanOrEqual(6);
  });

  it.each([
    ['map', 'small', '{"map":{"lambda":["m","x"],"expr":{"get":{"var":"x"}}},"collection":PAGE}'],
    ['map', 'large', '{"map":{"lambda":["m","x"],"expr":{"exists":{"var":"x"}}},"collection":PAGE}'],
    ['foreach', 'small', '{"foreach":{"lambda":["m","x"],"expr":{"get":{"var":"x"}}},"collection":PAGE}'],
    ['filter', 'small', '{"filter":{"lambda":["m","x"],"expr":{"exists":{"var":"x"}}},"collection":PAGE}'],
  ])('for documents that lie all over are asked for together (%s, %s ones)', async (_what, size, query) => {
    const [documents, put] = size === 'large' ? [200, large] : [4_000, small];
    const log = await filled(documents, put);
    const { client, blocksOf, calls } = await counted(log);
    const page = `[${upTo(64).map((at) => `[${at},${doc(2 * ((at * 1_237) % documents) + 2)}]`).join()}]`;
    await client.query(`{"get":${doc(2)}}`);
    const asked = calls();
    const blocks = await blocksOf(async () => expect((await client.query(query.replace('PAGE', page))).status).toBe(200));
    expect(blocks).toBeGreaterThan(20);
    expect(calls() - asked).toBeLessThan(10);
  });

  it('ahead are no more than a few, however many documents are named', async () => {
    const { client, blocksOf } = await counted(await filled(400, large));
    const named = upTo(4).map((at) => `[${upTo(90).map((n) => doc(2 * (90 * at + n) + 2)).join()}]`);
    await client.query(`{"get":${doc(2)}}`);
    const blocks = await blocksOf(() => client.query(`{"map":{"lambda":"x","expr":{"exists":{"select":0,"from":{"var":"x"}}}},"collection":[${named.join()}]}`));
    expect(blocks).toBeLessThan(90);
  });
});

// The data are removed underneath: that is said once, in the system's form, and what follows is
// an empty database with the settings of before. Nothing of the old one is told as if it were there.
import { describe, expect, it } from 'vitest';
import { StorageError } from '../kv/log-store.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../kv/memory.ts';
import { evictable, type Evictable } from '../../testing/evictable.ts';
import { openStream } from '../../testing/stream.ts';
import { testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { withResolvers } from '../txn/waiting.ts';

const COLLECTION = '{"create_collection":{"object":{"name":"spells"}}}';
const COUNT = '{"count":{"documents":{"collection":"spells"}}}';
const put = (id: number): string => `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(200)}"}}}}}`;
const EVICTED = { status: 503, text: '{"errors":[{"code":"storage evicted","description":"the data was removed underneath"}]}' };
const told = async (client: TestClient, query: string): Promise<{ status: number; text: string }> => {
  const { status, text } = await client.query(query);
  return { status, text };
};

/** An engine on some documents, in blocks and in the log. */
async function filled(options: Parameters<typeof testClient>[2] = {}): Promise<Evictable & { readonly client: TestClient }> {
  const place = evictable(memoryLog());
  const client = await testClient(place.store, testPlatform(), { flushAt: 2_000, cacheBytes: 0, ...options });
  expect((await client.query(COLLECTION)).status).toBe(201);
  for (let id = 1; id <= 20; id++) expect((await client.query(put(id))).status).toBe(201);
  await client.engine.upkeep();
  return { ...place, client };
}

describe('a database that was evicted', () => {
  it.each([
    ['a read', COUNT],
    ['a write', put(100)],
  ])('is reported to %s, and is empty from then on', async (_, query) => {
    const { client, evict, log } = await filled();
    evict();
    expect(await told(client, query)).toEqual(EVICTED);
    expect((await client.query(COUNT)).text).toContain('invalid ref');
    expect(log().records).toEqual([]);
    expect((await client.query(COLLECTION)).status).toBe(201);
    expect((await client.query(put(1))).status).toBe(201);
    expect((await client.query(COUNT)).text).toBe('{"resource":1}');
    expect((await client.engine.status()).applied).toBe(2);
  });

  it('is reported also where the engine is alone and has not looked: at the append, to all who wait in line', async () => {
    const { client, evict, log } = await filled({ solitude: { period: () => 1 } });
    evict();
    const replies = await Promise.all([told(client, put(100)), told(client, put(101)), told(client, put(102))]);
    expect(replies).toEqual(replies.map(() => EVICTED));
    expect(log().records).toEqual([]);
    expect((await client.query(COUNT)).text).toContain('invalid ref');
  });

  it('takes nothing of a group whose append was under way', async () => {
    const { client, store, evict, log } = await filled();
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const append = store.append;
    store.append = async (after, plan) => {
      arrived();
      await new Promise((resolve) => setTimeout(resolve, 10));
      return append(after, plan);
    };
    const writing = [told(client, put(100)), told(client, put(101))];
    await arrival;
    evict();
    const [first, second] = await Promise.all(writing);
    expect(first).toEqual(EVICTED);
    // It was run again, and found what is there now.
    expect(second?.text).toContain('invalid ref');
    expect(log().records).toEqual([]);
  });

  it('takes what was appended with it, also where its end is seen only after another has come in its place', async () => {
    const { client, store, evict, log } = await filled();
    const { append } = store;
    const [appended, ended] = [withResolvers<void>(), withResolvers<void>()];
    store.append = async (after, plan) => {
      const result = await append(after, plan);
      appended.resolve();
      await ended.promise;
      return result;
    };
    const writing = told(client, put(100));
    await appended.promise;
    evict();
    expect(await told(client, COUNT)).toEqual(EVICTED);
    store.append = append;
    ended.resolve();
    expect(await writing).toEqual(EVICTED);
    expect((await client.query('{"exists":{"collection":"spells"}}')).text).toBe('{"resource":false}');
    expect((await client.query(COLLECTION)).status).toBe(201);
    expect((await client.query(COUNT)).text).toBe('{"resource":0}');
    expect(log().records.length).toBe(1);
  });

  it('keeps its settings, the secret of the root among them', async () => {
    const place = evictable(memoryLog());
    const client = await testClient(place.store, testPlatform(), { settings: { durability: 'relaxed', rootSecret: '1:c2FsdA==:Qe9LsLI2YeZjAarDYGaRLawDeCe0rmOnsRZaWqk-1Os=' } });
    const before = place.log().header.settings;
    place.evict();
    expect((await client.query(COUNT)).status).toBe(503);
    expect((await client.query(COUNT)).status).toBe(401);
    expect(place.log().header.settings).toEqual(before);
  });

  it.each([
    ['install', 'not alone', {}],
    ['install', 'alone', { solitude: { period: () => 1 } }],
    ['readBlocks', 'not alone', {}],
  ] as const)('keeps them, too, and is reported to who asks next, where upkeep or a read looks for what is there just then (%s, %s)', async (method, _, options) => {
    const place = evictable(memoryLog());
    const client = await testClient(place.store, testPlatform(), { flushAt: 2_000, cacheBytes: 0, settings: { durability: 'relaxed' }, ...options });
    await client.query(COLLECTION);
    for (let id = 1; id <= 20; id++) await client.query(put(id));
    await client.engine.upkeep();
    const removed = async (): Promise<void> => {
      place.evict();
      // Somebody else is told first.
      await place.store.tail(0).catch(() => undefined);
    };
    const { install, readBlocks } = place.store;
    place.store.install = async (change) => {
      const installed = await install(change);
      if (method === 'install') await removed();
      return installed;
    };
    place.store.readBlocks = async (ids) => {
      if (method !== 'readBlocks') return readBlocks(ids);
      await removed();
      // As where another engine has merged it.
      return ids.map(() => undefined);
    };
    if (method === 'install') {
      for (let id = 21; id <= 40; id++) await client.query(put(id));
      await client.engine.upkeep().catch(() => undefined);
    }
    expect(await told(client, COUNT)).toEqual(EVICTED);
    Object.assign(place.store, { install, readBlocks });
    expect((await client.query(COLLECTION)).status).toBe(201);
    expect(place.log().header.settings).toEqual({ durability: 'relaxed' });
    expect((await client.query(COUNT)).text).toBe('{"resource":0}');
  });

  it('ends the streams on it', async () => {
    const { client, evict } = await filled();
    const stream = await openStream(client, '{"ref":{"collection":"spells"},"id":"1"}');
    expect(await stream.next()).toMatchObject({ type: 'start' });
    evict();
    expect(await told(client, COUNT)).toEqual(EVICTED);
    expect(await stream.next()).toMatchObject({ type: 'error' });
    expect(await stream.line()).toBeNull();
  });

  it('is another one also where it has come as far as the one before', async () => {
    const { client, evict, store, log } = await filled();
    evict();
    // Another tab was faster: it was told, and has made a database of the same name.
    await store.tail(0).catch(() => undefined);
    await store.open();
    const other = await testClient(memoryLogStore(log()), testPlatform(), { flushAt: 2_000, cacheBytes: 0 });
    await other.query(COLLECTION);
    for (let id = 501; id <= 540; id++) await other.query(put(id));
    await other.engine.upkeep();
    await client.query(COUNT);
    expect((await client.query(COUNT)).text).toBe('{"resource":40}');
    expect((await client.query('{"exists":{"ref":{"collection":"spells"},"id":"1"}}')).text).toBe('{"resource":false}');
  });

  it.each([
    ['alone', () => 1],
    ['among others', () => null],
  ])('is also one in whose place an older copy of it was put: from the first write on that is what there is (%s)', async (_, period) => {
    const log = memoryLog();
    const client = await testClient(memoryLogStore(log), testPlatform(), { solitude: { period } });
    await client.query(COLLECTION);
    await client.query(put(1));
    const older = { header: log.header, records: [...log.records] };
    await client.query(put(2));
    await client.query(put(3));
    Object.assign(log, older);
    expect(await told(client, put(4))).toEqual(EVICTED);
    expect((await client.query(COUNT)).text).toBe('{"resource":1}');
    expect((await client.query(put(5))).status).toBe(201);
    expect((await client.query(COUNT)).text).toBe('{"resource":2}');
    const reopened = await testClient(memoryLogStore(log), testPlatform());
    expect((await reopened.query(COUNT)).text).toBe('{"resource":2}');
  });

  it('is told of as soon as it can be opened again: until then nothing of the old one is told, even from memory', async () => {
    const { client, store, evict } = await filled({ solitude: { period: () => 1 } });
    evict();
    const { open } = store;
    store.open = async () => {
      store.open = open;
      throw new StorageError('quota', 'the disk is full');
    };
    expect((await client.query(COUNT)).status).toBe(507);
    expect(await told(client, '{"collection":"spells"}')).toEqual(EVICTED);
    expect((await client.query('{"count":{"collections":null}}')).text).toBe('{"resource":0}');
  });

  it('is also one in whose place a copy was put that has come further, by fewer manifests', async () => {
    const [log, further] = [memoryLog(7), memoryLog(7)];
    const fill = async (at: MemoryLog, documents: number, often: boolean): Promise<TestClient> => {
      const filling = await testClient(memoryLogStore(at), testPlatform(), { flushAt: 500 });
      await filling.query(COLLECTION);
      for (let id = 1; id <= documents; id++) {
        await filling.query(put(id));
        if (often || id === documents) await filling.engine.upkeep();
      }
      return filling;
    };
    const client = await fill(log, 10, true);
    await fill(further, 40, false);
    expect(further.header.manifestNumber).toBeLessThan(log.header.manifestNumber);
    expect(further.header.floor).toBeGreaterThan(log.header.floor + log.records.length);
    Object.assign(log, further);
    expect((await client.query(COUNT)).text).toBe('{"resource":40}');
    expect((await client.query(put(41))).status).toBe(201);
    expect((await client.query(COUNT)).text).toBe('{"resource":41}');
  });

  it('is read from its log on, too, by an engine that is alone and was told of it by a read', async () => {
    const { client, store, log } = await filled({ solitude: { period: () => 1 } });
    await client.query(put(21));
    const older = { header: log().header, records: [...log().records] };
    await client.query(put(22));
    const { readBlocks } = store;
    store.readBlocks = async () => {
      Object.assign(log(), older);
      store.readBlocks = readBlocks;
      throw new StorageError('evicted', 'the data was removed underneath');
    };
    expect(await told(client, COUNT)).toEqual(EVICTED);
    expect((await client.query(COUNT)).text).toBe('{"resource":21}');
  });

  it('is begun anew once, however many calls have failed: what was acknowledged since is there', async () => {
    const { store, evict } = evictable(memoryLog());
    const client = await testClient(store, testPlatform(), { solitude: { period: () => 1 } });
    await client.query(COLLECTION);
    const { open, append } = store;
    let opened = 0;
    const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
    // All that fails opens it again; all but the first take long.
    store.open = async (settings) => {
      const isFirst = opened++ === 0;
      const header = await open(settings);
      if (!isFirst) await pause(20);
      return header;
    };
    store.append = async (after, plan) => {
      const appended = await append(after, plan);
      await pause(15);
      return appended;
    };
    evict();
    // Its append fails, which is told to the line of writers and to the request.
    const failing = told(client, put(1));
    while (opened === 0) await pause(0);
    for (const name of ['one', 'two', 'three']) expect((await client.query(`{"create_collection":{"object":{"name":"${name}"}}}`)).status).toBe(201);
    expect(await failing).toEqual(EVICTED);
    await pause(30);
    expect((await client.query('{"count":{"collections":null}}')).text).toBe('{"resource":3}');
    const reopened = await testClient(store, testPlatform());
    expect((await reopened.query('{"count":{"collections":null}}')).text).toBe('{"resource":3}');
  });
});

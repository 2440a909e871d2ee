// Flushing and merging seen from outside: nothing is lost, nothing comes twice, and an
// engine that starts on blocks answers like the one that wrote them.
import { describe, expect, it, vi } from 'vitest';
import { rangeOf } from '../kv/epochs.ts';
import type { HttpResponse } from '../http/message.ts';
import { StorageError } from '../kv/log-store.ts';
import { memoryLog, memoryLogStore, type MemoryLog } from '../kv/memory.ts';
import { basesOf, decodeManifest } from '../kv/manifest.ts';
import { faultAt, faulty, type Method } from '../../testing/faulty-store.ts';
import { queryRequest, testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';

const SMALL = { flushAt: 3000, cacheBytes: 0 };
const platform = testPlatform();

const open = (log: MemoryLog, options = SMALL): Promise<TestClient> => testClient(memoryLogStore(log), testPlatform(), options);
const create = (n: number): string => `{"create":{"class":"things"},"params":{"object":{"data":{"object":{"n":${n}}}}}}`;
const ALL = '{"select":["data"],"from":{"paginate":{"match":{"index":"by_n"}},"size":1000}}';
const HISTORY = '{"select":["data"],"from":{"paginate":{"events":{"match":{"index":"by_n"}}},"size":1000}}';
async function numbers(client: TestClient): Promise<unknown> {
  const reply = await client.query(ALL);
  return reply.status === 200 ? (JSON.parse(reply.text) as { resource: unknown }).resource : reply.text;
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

async function schema(client: TestClient): Promise<void> {
  await client.query('{"create_class":{"object":{"name":"things"}}}');
  await client.query('{"create_index":{"object":{"name":"by_n","source":{"class":"things"},"values":[{"object":{"field":["data","n"]}}]}}}');
}

describe('upkeep', () => {
  it('moves a log that has grown into blocks and trims it', async () => {
    const log = memoryLog();
    const client = await open(log);
    await schema(client);
    for (const n of upTo(60)) await client.query(create(n));
    await client.engine.upkeep();
    expect(log.header.floor).toBeGreaterThan(0);
    expect(log.records.length).toBeLessThan(20);
    expect(await numbers(client)).toEqual(upTo(60));
  });

  it('moves a smaller one into blocks at once where it is hidden or closed, unless it is very small', async () => {
    const log = memoryLog();
    const never = { ...testPlatform(), later: (ms: number) => (ms < 1000 ? platform.later(ms) : new Promise<void>(() => {})) };
    const opened = (): Promise<TestClient> => testClient(memoryLogStore(log), never, { flushAt: 10_000, cacheBytes: 0 });
    let client = await opened();
    await schema(client);
    await client.engine.close(true);
    expect([log.header.floor, log.records.length]).toEqual([0, 2]);
    client = await opened();
    for (const n of upTo(12)) await client.query(create(n));
    await client.engine.close(false);
    expect(log.records).toHaveLength(14);
    client = await opened();
    await client.engine.close(true);
    expect(log.records).toEqual([]);
    client = await opened();
    for (const n of [12, 13, 14, 15, 16, 17, 18, 19]) await client.query(create(n));
    client.engine.hide(true);
    await vi.waitFor(() => expect(log.records).toEqual([]));
    expect(await numbers(client)).toEqual(upTo(20));
  });

  it('keeps the hashes of very many requests in blocks of a bounded size, and knows each of them', async () => {
    const log = memoryLog();
    const client = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 2 ** 18, cacheBytes: 0 });
    await schema(client);
    const send = (n: number, resent = false): Promise<HttpResponse> =>
      Promise.resolve(client.engine.handle({ method: 'POST', path: '/', search: '', headers: { authorization: 'Bearer secret' }, body: new TextEncoder().encode(create(n)), id: `many ${n}`, resent }));
    const count = 5000;
    await Promise.all(upTo(count).map((n) => send(n)));
    await client.engine.upkeep();
    expect(log.header.floor).toBeGreaterThan(0);
    const bases = decodeManifest(log.header, platform.utf8).hashes.map(({ base }) => base);
    const blocks = bases.map((base) => log.blocks.get(base)?.length ?? 0);
    expect(blocks.length).toBeGreaterThan(1);
    expect(Math.max(...blocks)).toBeLessThan(60_000);
    for (let n = 0; n < count; n += 83) expect((await send(n, true)).status).toBe(201);
    expect((await client.query('{"count":{"match":{"index":"by_n"}}}')).text).toBe(`{"resource":${count}}`);
  });

  it('looks for a request that is sent again in what was applied last, then in all the rest together', async () => {
    const log = memoryLog();
    const client = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 500, cacheBytes: 0 });
    await schema(client);
    const send = (to: TestClient, id: string, resent: boolean): Promise<HttpResponse> =>
      Promise.resolve(to.engine.handle({ method: 'POST', path: '/', search: '', headers: { authorization: 'Bearer secret' }, body: new TextEncoder().encode(create(0)), id, resent }));
    const bases = (): number[] => decodeManifest(log.header, platform.utf8).hashes.map(({ base }) => base);
    let sent = 0;
    while (bases().length < 20) {
      await send(client, `request ${sent++}`, false);
      await client.engine.upkeep();
    }
    const reads = async (id: string): Promise<number[]> => {
      const store = memoryLogStore(log);
      const reading = vi.spyOn(store, 'readBlocks');
      const later = await testClient(store, testPlatform(), { cacheBytes: 2 ** 24 });
      expect((await send(later, id, true)).status).toBe(201);
      return reading.mock.calls.map(([ids]) => ids.filter((block) => bases().includes(block)).length).filter((found) => found > 0);
    };
    expect(await reads(`request ${sent - 1}`)).toEqual([1]);
    expect(await reads('another')).toEqual([1, 16, bases().length - 17]);
  });

  it('merges what lives have left that were too short for it', async () => {
    const log = memoryLog();
    let most = 0;
    for (let life = 0; life < 30; life++) {
      const client = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 10 ** 6, cacheBytes: 0 });
      if (life === 0) await schema(client);
      for (const n of upTo(66)) await client.query(create(life * 100 + n));
      await client.engine.close(true);
      expect(log.records).toEqual([]);
      most = Math.max(most, decodeManifest(log.header, platform.utf8).segments.length);
    }
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThan(20);
  });

  it('gives up merging where it is closed, and leaves little in the log nevertheless', async () => {
    const log = memoryLog();
    const characters = (): number => log.records.reduce((sum, { body }) => sum + body.length, 0);
    const segments = (): number => decodeManifest(log.header, platform.utf8).segments.length;
    // From the first step of upkeep on, the next one waits until the test lets it.
    let isHolding = false;
    let release: (() => void) | null = null;
    const later = (ms: number): Promise<void> => (isHolding && ms === 0 ? new Promise((resolve) => (release = resolve)) : platform.later(ms));
    const client = await testClient(memoryLogStore(log), { ...testPlatform(), later }, { flushAt: 3000, cacheBytes: 0 });
    await schema(client);
    // With one more, they are to be merged.
    for (let n = 0; segments() < 3; n++) {
      await client.query(create(n));
      await client.engine.upkeep();
    }
    isHolding = true;
    for (let n = 100; release === null; n++) {
      await client.query(create(n));
      await platform.later(1);
    }
    for (const n of upTo(8)) await client.query(create(200 + n));
    expect(characters()).toBeGreaterThan(3000);
    isHolding = false;
    const closing = client.engine.close(true);
    (release as () => void)();
    await closing;
    expect(characters()).toBeLessThan(3000 / 8);
    expect(segments()).toBeGreaterThan(3);
  });

  it('moves a smaller one into blocks when nothing is written for a while', async () => {
    const log = memoryLog();
    let pass: () => void = () => {};
    const waiting = { ...testPlatform(), later: (ms: number) => (ms !== 2000 ? platform.later(ms) : new Promise<void>((resolve) => (pass = resolve))) };
    const client = await testClient(memoryLogStore(log), waiting, { flushAt: 10_000, cacheBytes: 0 });
    const quiet = async (): Promise<void> => {
      pass();
      await platform.later(0);
      await client.engine.upkeep();
    };
    await schema(client);
    for (const n of upTo(8)) await client.query(create(n));
    expect(log.header.floor).toBe(0);
    // Somebody has written meanwhile: that begins anew.
    const first = pass;
    await client.query(create(8));
    await quiet();
    expect(log.header.floor).toBe(0);
    expect(pass).not.toBe(first);
    await quiet();
    expect(log.header.floor).toBeGreaterThan(0);
    expect(log.records).toEqual([]);
    expect(await numbers(client)).toEqual(upTo(9));
    // Of next to nothing no block is made.
    const { floor } = log.header;
    await client.query(create(9));
    await quiet();
    expect(log.header.floor).toBe(floor);
  });

  it('also where it is only many records', async () => {
    const log = memoryLog();
    const opened = (): Promise<TestClient> => testClient(memoryLogStore(log), testPlatform(), { flushAt: 10 ** 6, cacheBytes: 0 });
    const client = await opened();
    await schema(client);
    for (const n of upTo(40)) await client.query(create(n));
    await client.engine.close(true);
    expect(log.records).toHaveLength(42);
    const next = await opened();
    for (const n of upTo(22)) await next.query(create(40 + n));
    await next.engine.close(true);
    expect(log.records).toEqual([]);
  });

  it('also when the last of it came while upkeep was under way', async () => {
    const log = memoryLog();
    let pass: () => void = () => {};
    const waiting = { ...testPlatform(), later: (ms: number) => (ms !== 2000 ? platform.later(ms) : new Promise<void>((resolve) => (pass = resolve))) };
    let end: () => void = () => {};
    const exclusively = (work: () => Promise<void>): Promise<void> => work().then(() => new Promise((resolve) => (end = resolve)));
    const client = await testClient(memoryLogStore(log), waiting, { flushAt: 10_000, cacheBytes: 0, exclusively });
    await schema(client);
    let count = 0;
    while (log.header.floor === 0) {
      await client.query(create(count++));
      await platform.later(0);
    }
    const { floor } = log.header;
    for (const n of upTo(8)) await client.query(create(count + n));
    // Of what came before: upkeep is under way.
    pass();
    await platform.later(0);
    end();
    await platform.later(0);
    pass();
    await vi.waitFor(() => expect(log.header.floor).toBeGreaterThan(floor));
    expect(log.records).toEqual([]);
  });

  it('merges segments, so that there are few however much was written', async () => {
    const log = memoryLog();
    const client = await open(log);
    await schema(client);
    for (const n of upTo(300)) {
      await client.query(create(n));
      await client.engine.upkeep();
    }
    const { segments } = decodeManifest(log.header, platform.utf8);
    expect(segments.length).toBeLessThan(10);
    // No block is left that nothing refers to.
    const kept = basesOf(decodeManifest(log.header, platform.utf8)).map(rangeOf);
    expect([...log.blocks.keys()].filter((id) => !kept.some(({ from, to }) => from <= id && id < to))).toEqual([]);
    expect(await numbers(client)).toEqual(upTo(300));
  });

  it('an engine that starts on the blocks has the same present and the same history', async () => {
    const log = memoryLog();
    const client = await open(log);
    await schema(client);
    for (const n of upTo(80)) await client.query(create(n));
    await client.engine.upkeep();
    const late = await open(log);
    expect(await numbers(late)).toEqual(upTo(80));
    expect((await late.query(HISTORY)).text).toBe((await client.query(HISTORY)).text);
    expect((await late.engine.status()).lastCommit).toBe((await client.engine.status()).lastCommit);
  });

  it('an engine that slept through flush and merge wakes up to the state of now', async () => {
    const log = memoryLog();
    const [writer, sleeper] = [await open(log), await open(log)];
    await schema(writer);
    await writer.query(create(0));
    expect(await numbers(sleeper)).toEqual([0]);
    for (const n of upTo(200).slice(1)) {
      await writer.query(create(n));
      await writer.engine.upkeep();
    }
    expect(await numbers(sleeper)).toEqual(upTo(200));
    expect((await sleeper.query(create(200))).status).toBe(201);
    expect(await numbers(writer)).toEqual(upTo(201));
  });

  it('two engines that tidy up at the same time lose nothing', async () => {
    const log = memoryLog();
    const clients = [await open(log), await open(log)];
    await schema(clients[0] as TestClient);
    for (let n = 0; n < 200; n += 2) {
      await Promise.all(clients.map((client, at) => client.query(create(n + at))));
      await Promise.all(clients.map((client) => client.engine.upkeep()));
    }
    for (const client of clients) expect(await numbers(client)).toEqual(upTo(200));
  });

  it('writers wait for it where they outrun it: what lies in memory stays within bounds', async () => {
    const log = memoryLog();
    const store = memoryLogStore(log);
    const flushAt = 10_000;
    const most = { waiting: 0, refused: 0 };
    const slow = faulty(store, (method) => {
      most.waiting = Math.max(most.waiting, log.records.reduce((size, { body }) => size + body.length, 0));
      return method === 'writeBlocks' ? { when: 'before', until: new Promise((resolve) => setTimeout(resolve, 5)) } : undefined;
    });
    const client = await testClient(slow, testPlatform(), { flushAt, cacheBytes: 0 });
    await schema(client);
    const pad = 'x'.repeat(2_000);
    const writer = async (nth: number): Promise<void> => {
      for (const n of upTo(40)) {
        const { status } = await client.query(`{"create":{"ref":{"collection":"things"},"id":"${nth * 100 + n}"},"params":{"object":{"data":{"object":{"pad":"${pad}"}}}}}`);
        if (status !== 201) most.refused++;
      }
    };
    await Promise.all(upTo(5).map((nth) => writer(nth + 1)));
    // Sixteen times what is due, and what was on its way.
    expect(most.waiting).toBeGreaterThan(14 * flushAt);
    expect(most.waiting).toBeLessThan(19 * flushAt);
    expect(most.refused).toBe(0);
    await client.engine.upkeep();
    expect((await client.query('{"count":{"documents":{"collection":"things"}}}')).text).toBe('{"resource":200}');
  });

  it('and where much goes into blocks each of them waits for a part of it, none for all', async () => {
    const log = memoryLog();
    const flushAt = 400_000;
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let goOn = (): void => {};
    let written = 0;
    const slow = faulty(memoryLogStore(log), (method) => (method === 'writeBlocks' ? (written++, { when: 'before', until: new Promise<void>((resolve) => (goOn = resolve)) }) : undefined));
    const client = await testClient(slow, testPlatform(), { flushAt, cacheBytes: 0, exclusively: (work) => begun.then(work) });
    await schema(client);
    const pad = 'x'.repeat(flushAt / 10);
    let answered = 0;
    const write = async (): Promise<void> => {
      await client.query(`{"create":{"class":"things"},"params":{"object":{"data":{"object":{"pad":"${pad}"}}}}}`);
      answered++;
    };
    // More than upkeep waits for requests with, and less than writers wait for upkeep with.
    for (let n = 0; n < 90; n++) await write();
    begin();
    await vi.waitFor(() => expect(written).toBe(1));
    const writing = (async () => {
      for (let n = 0; n < 60; n++) await write();
    })();
    const counts: number[] = [];
    while (log.header.floor === 0) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      counts.push(answered - 90);
      goOn();
    }
    const quarters = [0, 0.25, 0.5, 0.75].map((part) => counts[Math.floor(part * counts.length)] ?? NaN);
    // None before the first slice, then more and more.
    expect(quarters[0]).toBe(0);
    expect(new Set(quarters).size).toBe(4);
    expect(quarters).toEqual(quarters.toSorted((a, b) => a - b));
    const loose = setInterval(() => goOn(), 1);
    await writing;
    clearInterval(loose);
  });

  it('writers go on where upkeep fails, or is left to an engine that does nothing', async () => {
    const full = new StorageError('quota', 'no room');
    const log = memoryLog();
    const failing = await testClient(faulty(memoryLogStore(log), (method) => (method === 'writeBlocks' ? { when: 'before', error: full } : undefined)), testPlatform(), { flushAt: 1_000 });
    await schema(failing);
    const idle = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 1_000, exclusively: async () => {} });
    for (const n of upTo(40)) {
      expect((await failing.query(create(2 * n))).status).toBe(201);
      expect((await idle.query(create(2 * n + 1))).status).toBe(201);
    }
    expect(await numbers(await open(log))).toEqual(upTo(80));
  });

  it('a request sent again after its record went into blocks is not applied again', async () => {
    const log = memoryLog();
    const client = await open(log);
    await schema(client);
    const send = async (engine: TestClient['engine'], resent: boolean): Promise<string> => {
      const response = await engine.handle(queryRequest(create(0), { id: 'again', resent }));
      return platform.utf8.decode(response.body as Uint8Array);
    };
    const first = await send(client.engine, false);
    for (const n of upTo(100).slice(1)) await client.query(create(n));
    await client.engine.upkeep();
    expect(await send((await open(log)).engine, true)).toBe(first);
    expect(await numbers(client)).toEqual(upTo(100));
  });

  const METHODS: readonly Method[] = ['writeBlocks', 'install', 'readBlocks', 'deleteBlocks', 'tail', 'append', 'open'];
  it.each(METHODS.flatMap((method) => (['before', 'after'] as const).map((when) => ({ method, when }))))(
    'a failing $method ($when it took effect) loses no acknowledged write',
    async ({ method, when }) => {
      for (let nth = 2; nth < 14; nth += 3) {
        const log = memoryLog();
        const store = faulty(memoryLogStore(log), faultAt(method, nth, { when, error: new StorageError('lost', 'a test cut the line', { uncertain: true }) }));
        await schema(await open(log));
        // Whoever cannot open the database tries again.
        const start = (): Promise<TestClient> => testClient(store, testPlatform(), SMALL);
        const client = await start().catch(start);
        const acknowledged: number[] = [];
        for (const n of upTo(40)) {
          if ((await client.query(create(n))).status === 201) acknowledged.push(n);
          await client.engine.upkeep();
        }
        const late = (await numbers(await open(log))) as number[];
        expect(late.filter((n) => acknowledged.includes(n))).toEqual(acknowledged);
        expect(new Set(late).size).toBe(late.length);
      }
    },
  );
});

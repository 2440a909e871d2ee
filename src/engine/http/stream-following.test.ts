// Streams while several engines write to one log: nothing is missed and nothing told twice,
// however the log is read, trimmed, or its client slow.
import { describe, expect, it } from 'vitest';
import { type MemoryLog, memoryLog, memoryLogStore } from '../kv/memory.ts';
import type { CommitHint } from '../kv/commit-hint.ts';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { openStream, type TestStream } from '../../testing/stream.ts';

const REF = '{"ref":{"collection":"spells"},"id":"1"}';
const ALL = '{"match":{"index":"all"}}';
const put = (n: number, pad = ''): string => `{"update":${REF},"params":{"object":{"data":{"object":{"n":${n},"pad":"${pad}"}}}}}`;
const add = (n: number): string => `{"create":{"collection":"spells"},"params":{"object":{"data":{"object":{"n":${n}}}}}}`;

async function ok(client: TestClient, json: string): Promise<number> {
  const { headers } = succeeded(await client.query(json));
  return Number(headers['x-txn-time']);
}

async function setUp(client: TestClient): Promise<void> {
  await ok(client, '{"create_collection":{"object":{"name":"spells"}}}');
  await ok(client, '{"create_index":{"object":{"name":"all","source":{"collection":"spells"},"values":[{"object":{"field":["data","n"]}}]}}}');
  await ok(client, `{"create":${REF},"params":{"object":{"data":{"object":{"n":0}}}}}`);
}

/** Three engines on one log, and a document in it. */
async function engines(): Promise<readonly [TestClient, TestClient, TestClient]> {
  const log = memoryLog();
  const open = (): Promise<TestClient> => testClient(memoryLogStore(log), testPlatform());
  const clients = [await open(), await open(), await open()] as const;
  await setUp(clients[0]);
  return clients;
}

/** An engine that learns nothing of its log from `fallAsleep()` until what that gives is called. */
async function asleepAtWill(): Promise<{ readonly log: MemoryLog; readonly sleeper: TestClient; fallAsleep(): () => void }> {
  const log = memoryLog();
  let asleep: Promise<void> | undefined;
  const store = faulty(memoryLogStore(log), (method) => (method === 'tail' && asleep !== undefined ? { when: 'before', until: asleep } : undefined));
  const sleeper = await testClient(store, testPlatform(), { flushAt: 2 ** 20, cacheBytes: 1e7 });
  const fallAsleep = (): (() => void) => {
    let wake = (): void => {};
    asleep = new Promise((resolve) => (wake = resolve));
    return () => {
      asleep = undefined;
      wake();
    };
  };
  return { log, sleeper, fallAsleep };
}

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const numberOf = (event: unknown): number => (event as { document: { data: { n: number } } }).document.data.n;

describe('a stream', () => {
  it('begins where its start says, while others write', async () => {
    const [client] = await engines();
    let n = 0;
    let done = false;
    const commits: { ts: number; n: number }[] = [];
    const writing = (async () => {
      while (!done) {
        commits.push({ n: ++n, ts: await ok(client, put(n)) });
        await aTurn();
      }
    })();
    const streams: TestStream[] = [];
    for (let at = 0; at < 20; at++) {
      streams.push(await openStream(client, REF));
      await aTurn();
    }
    done = true;
    await writing;
    for (const stream of streams) {
      const start = await stream.next();
      const expected = commits.filter(({ ts }) => ts > start.txn);
      const told = await stream.take(expected.length);
      expect(told.map(({ txn, event }) => ({ ts: txn, n: numberOf(event) }))).toEqual(expected);
      await stream.close();
    }
    expect((await client.engine.status()).streams).toBe(0);
  });

  it('tells the commits of all engines, in the one order of the log', async () => {
    const clients = await engines();
    const streams = await Promise.all(clients.map((client) => openStream(client, ALL, { path: '/stream?fields=index' })));
    await Promise.all(streams.map((stream) => stream.next()));
    await Promise.all(clients.map(async (client, at) => {
      for (let n = 1; n <= 20; n++) await ok(client, add(at * 100 + n));
    }));
    // Each learns of the others' by looking at the log.
    const told = await Promise.all(streams.map((stream) => stream.take(60)));
    const numbers = told.map((messages) => messages.map(({ txn, event }) => [txn, ...(event as { index: { values: number[] } }).index.values]));
    expect(numbers[1]).toEqual(numbers[0]);
    expect(numbers[2]).toEqual(numbers[0]);
    expect(numbers[0]?.map(([, n]) => n).sort((a = 0, b = 0) => a - b)).toEqual([0, 1, 2].flatMap((at) => Array.from({ length: 20 }, (_, n) => at * 100 + n + 1)));
    const times = numbers[0]?.map(([txn = 0]) => txn) ?? [];
    expect(times.every((txn, at) => at === 0 || txn > (times[at - 1] ?? 0))).toBe(true);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('tells a commit of its own engine once, also when a look at the log finds it first', async () => {
    const log = memoryLog();
    let acknowledge = (): void => {};
    let held: Promise<unknown> | undefined;
    // Upkeep would wait for the append, so it is not done after each request.
    const slow = faulty(memoryLogStore(log), (method) => (method === 'append' && held !== undefined ? { when: 'after', until: held } : undefined));
    const client = await testClient(slow, testPlatform(), {});
    await setUp(client);
    const stream = await openStream(client, REF);
    await stream.next();
    held = new Promise<void>((resolve) => (acknowledge = resolve));
    const { length } = log.records;
    const writing = ok(client, put(1));
    await expect.poll(() => log.records.length).toBe(length + 1);
    await client.query('1'); // looks at the log
    const first = await stream.next();
    held = undefined;
    acknowledge();
    expect(first.txn).toBe(await writing);
    const second = await ok(client, put(2));
    expect((await stream.next()).txn).toBe(second);
    await stream.close();
  });

  it('hears of another engine’s commit by a hint, before it looks', async () => {
    const log = memoryLog();
    const hints: CommitHint[] = [];
    const make = (): Promise<TestClient> => {
      const platform = testPlatform();
      const hint: CommitHint = { onHint: () => {}, tell: () => hints.forEach((other) => other !== hint && other.onHint()) };
      hints.push(hint);
      // Seconds do not pass here: without the hint it would wait for ever.
      const later: typeof platform.later = (ms) => (ms < 500 ? platform.later(ms) : new Promise(() => {}));
      return testClient(memoryLogStore(log), { ...platform, later }, { hint });
    };
    const [writer, reader] = [await make(), await make()];
    await setUp(writer);
    const stream = await openStream(reader, REF);
    await stream.next();
    const ts = await ok(writer, put(1));
    expect((await stream.next()).txn).toBe(ts);
    await stream.close();
  });

  it('misses nothing when the log was trimmed while its engine slept', async () => {
    const { log, sleeper, fallAsleep } = await asleepAtWill();
    await setUp(sleeper);
    const past = await ok(sleeper, put(0));
    const other = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 2000, cacheBytes: 1e7 });
    const document = await openStream(sleeper, REF);
    const set = await openStream(sleeper, ALL, { path: '/stream?fields=action,index' });
    await Promise.all([document.next(), set.next()]);
    const wake = fallAsleep();
    const applied = log.header.floor;
    const times: number[] = [];
    for (let n = 1; n <= 40; n++) {
      times.push(await ok(other, put(n, 'x'.repeat(200))));
      await other.engine.upkeep();
    }
    const rewritten = await ok(other, `{"insert":${REF},"ts":${past - 5000},"action":"create","params":{"object":{"data":{"object":{"n":-1}}}}}`);
    await other.engine.upkeep();
    const afterTrim = await ok(other, put(41));
    expect(log.header.floor).toBeGreaterThan(applied + 30);
    wake();
    expect((await document.take(40)).map(({ type, txn, event }) => [type, txn, numberOf(event)])).toEqual(times.map((ts, at) => ['version', ts, at + 1]));
    expect((await document.take(2)).map(({ type, txn }) => [type, txn])).toEqual(Array(2).fill(['history_rewrite', rewritten]));
    expect((await document.next()).txn).toBe(afterTrim);
    const told = (await set.take(82)).map(({ txn, event }) => {
      const { action, index } = event as { action: string; index: { values: number[] } };
      return [txn, action, ...index.values];
    });
    expect(told).toEqual([...times, afterTrim].flatMap((ts, at) => [[ts, 'remove', at], [ts, 'add', at + 1]]));
    await Promise.all([document.close(), set.close()]);
  });

  it('that cannot be told all of it says so and ends', async () => {
    const { log, sleeper, fallAsleep } = await asleepAtWill();
    const { platform } = sleeper;
    await ok(sleeper, '{"create_collection":{"object":{"name":"spells","history_days":0}}}');
    const other = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 1, cacheBytes: 1e7 });
    const stream = await openStream(sleeper, '{"documents":{"collection":"spells"}}');
    await stream.next();
    const wake = fallAsleep();
    await ok(other, add(1));
    await other.engine.upkeep();
    platform.setNow(platform.now() + 3_600_000_000);
    wake();
    expect(await stream.next()).toEqual({ type: 'error', txn: 0, event: { code: 'time out', description: 'Stream was unexpectedly closed by its source.' } });
    expect(await stream.line()).toBeNull();
  });

  it.each([
    ['and the log was trimmed since', 40],
    ['and the log holds all that came since', 1],
  ])('ends, and tells nothing of others, when all data were deleted while its engine slept, %s', async (_what, writes) => {
    const { log, sleeper, fallAsleep } = await asleepAtWill();
    await setUp(sleeper);
    const other = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 2000, cacheBytes: 1e7 });
    const streams = [await openStream(sleeper, REF), await openStream(sleeper, ALL), await openStream(sleeper, '{"documents":{"collection":"spells"}}')];
    await Promise.all(streams.map((stream) => stream.next()));
    const wake = fallAsleep();
    await other.engine.reset();
    await setUp(other);
    const { floor } = log.header;
    for (let n = 1; n <= writes; n++) {
      await ok(other, put(n, 'x'.repeat(200)));
      await other.engine.upkeep();
    }
    expect(log.header.floor > floor).toBe(writes > 1);
    wake();
    for (const stream of streams) {
      expect(await stream.next()).toEqual({ type: 'error', txn: 0, event: { code: 'time out', description: 'Stream was unexpectedly closed by its source.' } });
      expect(await stream.line()).toBeNull();
    }
    expect((await sleeper.engine.status()).streams).toBe(0);
    // Opened again, it follows the new database.
    const again = await openStream(sleeper, REF);
    await again.next();
    const ts = await ok(other, put(1000));
    expect(await again.next()).toMatchObject({ type: 'version', txn: ts });
    await again.close();
  });

  it('ends with an error when its engine closes, and when all data are deleted', async () => {
    const [first, second] = await engines();
    const [closed, emptied] = [await openStream(first, REF), await openStream(second, REF)];
    await Promise.all([closed.next(), emptied.next()]);
    await first.engine.close();
    await second.engine.reset();
    for (const stream of [closed, emptied]) {
      expect(await stream.next()).toMatchObject({ type: 'error', event: { code: 'time out' } });
      expect(await stream.line()).toBeNull();
    }
  });

  it('whose client goes is given up, at any moment of its life', async () => {
    const [client] = await engines();
    const [unread, started, waiting] = [await openStream(client, REF), await openStream(client, REF), await openStream(client, REF)];
    await started.next();
    await waiting.next();
    const line = waiting.line();
    expect((await client.engine.status()).streams).toBe(3);
    await Promise.all([unread, started, waiting].map((stream) => stream.close()));
    expect(await line).toBeNull();
    expect((await client.engine.status()).streams).toBe(0);
  });

  it('of a client that does not read on holds a bounded number of transactions', async () => {
    const [client] = await engines();
    const stream = await openStream(client, ALL);
    await stream.next();
    for (let at = 0; at < 42; at++) await Promise.all(Array.from({ length: 100 }, (_, n) => ok(client, add(at * 100 + n))));
    const messages: string[] = [];
    for (let line = await stream.line(); line !== null; line = await stream.line()) messages.push(line);
    expect(messages).toEqual(['{"type":"error","txn":0,"event":{"code":"time out","description":"Stream closed due to congestion after accumulating 4096 items."}}']);
    expect((await client.engine.status()).streams).toBe(0);
  }, 90_000);

  it('of a client that reads on when what was before is not kept any more says so and ends', async () => {
    const client = await testClient(memoryLogStore(), testPlatform(), { flushAt: 2_000, cacheBytes: 0 });
    await setUp(client);
    await ok(client, '{"update":{"collection":"spells"},"params":{"object":{"history_days":0}}}');
    const stream = await openStream(client, REF, { path: '/stream?fields=action,diff,prev' });
    await stream.next();
    await ok(client, put(1));
    expect((await stream.next()).event).toMatchObject({ action: 'update' });
    for (const n of [2, 3]) await ok(client, put(n));
    client.platform.setNow(client.platform.now() + 40 * 60_000_000);
    for (let n = 0; n < 100; n++) {
      await ok(client, add(n));
      await client.engine.upkeep();
    }
    expect(await stream.next()).toMatchObject({ type: 'error', event: { code: 'time out' } });
    expect(await stream.line()).toBe(null);
  });

  it('is one of a thousand at most', async () => {
    const [client] = await engines();
    const streams = await Promise.all(Array.from({ length: 1000 }, () => openStream(client, REF)));
    const more = await openStream(client, REF);
    expect(await more.next()).toEqual({ type: 'error', txn: 0, event: { code: 'too many requests', description: 'Too many open streams.' } });
    expect(await more.line()).toBeNull();
    expect(await streams[999]?.next()).toMatchObject({ type: 'start' });
    await Promise.all(streams.map((stream) => stream.close()));
  });
});

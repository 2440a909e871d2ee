// Upkeep that can wait lets requests go first, but not for ever: seen from outside, where a
// test says when the waits end.
import { describe, expect, it } from 'vitest';
import { toBase64 } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';
import type { EngineOptions } from '../engine.ts';
import { StorageError } from '../kv/log-store.ts';
import { decodeManifest } from '../kv/manifest.ts';
import { memoryLog, memoryLogStore, type MemoryLog } from '../kv/memory.ts';
import { faulty, type Method } from '../../testing/faulty-store.ts';
import { ask, create, definition, expectBuilt, populatedLog, THINGS, upTo } from '../../testing/index-builds.ts';
import { testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';

const FLUSH_AT = 1500;
/** Milliseconds from one look for requests to the next, and how many looks a request holds up a slice. */
const LOOK = 5;
const LOOKS = 10;

/** What the requests of a test client bring. */
const ROOT = 'secret';

const utf8 = testPlatform().utf8;
const segments = (log: MemoryLog): number => decodeManifest(log.header, utf8).segments.length;
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
};

interface Scene {
  readonly client: TestClient;
  /** Waits of upkeep for requests so far. */
  readonly waits: () => number;
  /** Ends the wait that is under way, and all that come after it if it is said so. */
  pass(all?: boolean): Promise<void>;
  /** Calls of a method of the store so far. */
  readonly calls: (method: Method) => number;
  /** Sends a request that waits for the check of its secret until it is told to go on. */
  hang(): { readonly reply: Promise<unknown>; goOn(): void };
}

/** An engine whose waits for requests the test ends. */
async function scene(log: MemoryLog, options: Partial<EngineOptions> = {}): Promise<Scene> {
  let waits = 0;
  let isOver = false;
  let end = (): void => {};
  const platform = testPlatform();
  const later = (milliseconds: number): Promise<void> => {
    if (milliseconds !== LOOK) return platform.later(milliseconds);
    waits++;
    return isOver ? platform.later(0) : new Promise((resolve) => (end = resolve));
  };
  const counts = new Map<Method, number>();
  const store = faulty(memoryLogStore(log), (method) => void counts.set(method, (counts.get(method) ?? 0) + 1));
  let goOn = (): void => {};
  const checked = new Promise<void>((resolve) => (goOn = resolve));
  const digest = (secret: Uint8Array): Uint8Array => platform.pbkdf2(secret, utf8.encode('salt'), 1) as Uint8Array;
  const pbkdf2 = (secret: Uint8Array): MaybePromise<Uint8Array> => (utf8.decode(secret) === ROOT ? digest(secret) : checked.then(() => digest(secret)));
  const settings = { rootSecret: `1:${toBase64(utf8.encode('salt'))}:${toBase64(digest(utf8.encode(ROOT)))}` };
  const client = await testClient(store, { ...platform, later, pbkdf2 }, { flushAt: FLUSH_AT, cacheBytes: 2 ** 20, settings, ...options });
  return {
    client,
    waits: () => waits,
    calls: (method) => counts.get(method) ?? 0,
    async pass(all = false) {
      isOver = all;
      end();
      await turns();
    },
    hang: () => ({ reply: client.send('POST', '/', '1', { authorization: 'Bearer another' }), goOn }),
  };
}

/** A log of so many segments that were never merged, as reading them failed. */
async function unmerged(count: number): Promise<MemoryLog> {
  const log = memoryLog();
  let isBroken = false;
  const store = faulty(memoryLogStore(log), (method) => (isBroken && method === 'readBlocks' ? { when: 'before', error: new StorageError('lost', 'a test cut the line') } : undefined));
  const exclusively = async (work: () => Promise<void>): Promise<void> => (isBroken ? work() : undefined);
  const client = await testClient(store, testPlatform(), { flushAt: FLUSH_AT, exclusively });
  await ask(client, '{"create_collection":{"object":{"name":"things"}}}');
  for (let n = 0; segments(log) < count; n++) {
    await ask(client, `[${upTo(20).map((at) => create(20 * n + at)).join()}]`);
    isBroken = true;
    await client.engine.upkeep();
    isBroken = false;
  }
  await client.engine.close();
  return log;
}

/** Creates of some 1,800 characters: enough to be due. */
const FILL = (from: number): string => `[${upTo(20).map((at) => create(1000 + from + at)).join()}]`;
/** So many times what is due is put into blocks at once. */
const HASTE = 8;

describe('putting the log into blocks', () => {
  it('gives way to a request that is under way, for so many looks a slice', async () => {
    const log = await unmerged(1);
    const { client, waits, calls, pass, hang } = await scene(log);
    const filled = client.query(FILL(0));
    await expect.poll(waits).toBe(1);
    await filled;
    hang();
    const { floor } = log.header;
    const written = calls('writeBlocks');
    // Once before it begins, and before its slice of rows.
    for (let look = 1; look < 2 * LOOKS; look++) {
      await pass();
      expect(waits()).toBe(look + 1);
    }
    expect(calls('writeBlocks')).toBe(written + 1);
    expect(log.header.floor).toBe(floor);
    await pass();
    await expect.poll(() => calls('writeBlocks')).toBeGreaterThan(written + 1);
    await pass(true);
    await expect.poll(() => log.header.floor).toBeGreaterThan(floor);
  });

  it('does nothing any more where another engine has done it meanwhile', async () => {
    const log = await unmerged(1);
    const { client, waits, calls, pass } = await scene(log);
    const filled = client.query(FILL(0));
    await expect.poll(waits).toBe(1);
    await filled;
    const other = await testClient(memoryLogStore(log), testPlatform(), { flushAt: FLUSH_AT });
    await other.query('1');
    await other.engine.upkeep();
    const { manifestNumber } = log.header;
    await client.query('1');
    await pass(true);
    await client.engine.upkeep();
    expect([log.header.manifestNumber, calls('writeBlocks'), calls('install')]).toEqual([manifestNumber, 0, 0]);
  });

  it('waits for nobody where its page is hidden', async () => {
    const log = await unmerged(1);
    const { client, waits, hang } = await scene(log);
    for (let n = 0; n < 2; n++) await client.query(create(1000 + n));
    hang();
    const { floor } = log.header;
    client.engine.hide(true);
    await expect.poll(() => log.header.floor).toBeGreaterThan(floor);
    expect(waits()).toBe(0);
  });

  it.each([
    [1, 'waits for'],
    [HASTE, 'does not wait for'],
  ])('of %i times what is due, %s an append that is under way', async (times) => {
    const log = await unmerged(1);
    let isSlow = false;
    let end = (): void => {};
    const store = faulty(memoryLogStore(log), (method) => (isSlow && method === 'append' ? { when: 'before', until: new Promise<void>((resolve) => (end = resolve)) } : undefined));
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const client = await testClient(store, testPlatform(), { flushAt: FLUSH_AT, exclusively: (work) => begun.then(work) });
    for (let n = 0; n < times; n++) await client.query(FILL(100 * n));
    isSlow = true;
    const late = client.query(create(5000));
    await turns();
    const { floor } = log.header;
    begin();
    // Much longer than it gives way to a request, before it begins and before each of its slices.
    await new Promise((resolve) => setTimeout(resolve, 10 * LOOK * LOOKS));
    if (times === HASTE) await expect.poll(() => log.header.floor).toBeGreaterThan(floor);
    else expect(log.header.floor).toBe(floor);
    end();
    expect((await late).status).toBe(201);
    await expect.poll(() => log.header.floor).toBeGreaterThan(floor);
  });

  it('waits no longer once much more lies in memory', async () => {
    const log = await unmerged(1);
    const { client, waits, pass, hang } = await scene(log);
    hang();
    for (let n = 0; n < HASTE; n++) await client.query(FILL(100 * n));
    expect(waits()).toBe(1);
    const { floor } = log.header;
    await pass();
    await expect.poll(() => log.header.floor).toBeGreaterThan(floor);
    expect(waits()).toBe(1);
  });

  it.each([
    [2, 'due', 100_000],
    [8, 'late', 30_000],
  ])('stores %i blocks at once where it is %s', async (most, _, flushAt) => {
    const slices: number[] = [];
    const store = memoryLogStore(memoryLog());
    const { writeBlocks } = store;
    store.writeBlocks = (blocks) => (slices.push(blocks.length), writeBlocks.call(store, blocks));
    const client = await testClient(store, testPlatform(), { flushAt });
    await ask(client, '{"create_collection":{"object":{"name":"things"}}}');
    await ask(client, `{"foreach":{"lambda":"n","expr":{"create":{"collection":"things"},"params":{"object":{"data":{"object":{"text":"${'x'.repeat(10_000)}"}}}}}},"collection":[${upTo(30).join()}]}`);
    await client.engine.upkeep();
    expect(Math.max(...slices)).toBe(most);
  });
});

describe('merging', () => {
  /** Merging is due, a request is under way, and merging gives it the way. */
  async function underWay(): Promise<Scene & { readonly log: MemoryLog; readonly request: ReturnType<Scene['hang']> }> {
    const log = await unmerged(4);
    const made = await scene(log);
    await made.client.query(FILL(0));
    const request = made.hang();
    // What was filled goes into blocks first, and gives way, too.
    while (segments(log) === 4) await made.pass();
    return { ...made, log, request };
  }

  it('waits while a request is under way, and has a slice written after so many looks', async () => {
    const { waits, calls, pass, log } = await underWay();
    for (let round = 0; round < 2; round++) {
      const written = calls('writeBlocks');
      const before = waits();
      // The first wait has begun.
      for (let look = before; look < before + LOOKS - 1; look++) {
        await pass();
        expect(waits()).toBe(look + 1);
        expect(calls('writeBlocks')).toBe(written);
      }
      await pass();
      expect(calls('writeBlocks')).toBe(written + 1);
    }
    expect(segments(log)).toBe(5);
  });

  it('goes on where a request never ends', async () => {
    const { pass, log } = await underWay();
    await pass(true);
    await expect.poll(() => segments(log)).toBe(1);
  });

  it('goes on without a wait when none has come since the last look', async () => {
    const { waits, pass, log, request } = await underWay();
    await pass();
    request.goOn();
    await request.reply;
    expect(segments(log)).toBe(5);
    const before = waits();
    await pass();
    await expect.poll(() => segments(log)).toBe(1);
    expect(waits()).toBe(before);
  });

  it('does not wait when somebody waits for it, nor does what is put into blocks before it', async () => {
    const log = await unmerged(4);
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const { client, waits, hang } = await scene(log, { exclusively: (work) => opened.then(work) });
    await client.query(FILL(0));
    hang();
    const settled = client.engine.upkeep();
    open();
    await settled;
    expect(segments(log)).toBe(1);
    expect(waits()).toBe(0);
  });

  it('nor when there are too many segments, but what it has replaced is deleted in peace', async () => {
    const log = await unmerged(15);
    const { client, calls, pass, hang } = await scene(log);
    await client.query(FILL(0));
    hang();
    while (segments(log) === 15) await pass();
    // Nobody ends a wait now.
    await expect.poll(() => segments(log)).toBe(1);
    await turns();
    const deleted = calls('deleteBlocks');
    const blocks = log.blocks.size;
    for (let look = 1; look < LOOKS; look++) await pass();
    expect(calls('deleteBlocks')).toBe(deleted);
    await pass();
    expect(calls('deleteBlocks')).toBeGreaterThan(deleted);
    expect(blocks - log.blocks.size).toBeGreaterThan(0);
    expect(blocks - log.blocks.size).toBeLessThanOrEqual(64);
  });

  it('merges the oldest of many segments first, sixteen at a time', async () => {
    const log = await unmerged(40);
    const counts: number[] = [];
    const store = faulty(memoryLogStore(log), (method) => void (method === 'install' && counts.push(segments(log))));
    const client = await testClient(store, testPlatform(), { flushAt: FLUSH_AT });
    await client.query(FILL(0));
    await client.engine.upkeep();
    counts.push(segments(log));
    const merged = counts.slice(1).map((count, at) => (counts[at] ?? 0) - count + 1);
    expect(merged.slice(0, 4)).toEqual([0, 16, 16, expect.any(Number)]);
    expect(Math.max(...merged)).toBe(16);
    expect(segments(log)).toBeLessThan(5);
  });
});

describe('building an index', () => {
  it('gives way too, and is the same in the end', async () => {
    const log = await populatedLog();
    const { client, waits, calls, pass, hang } = await scene(log, { flushAt: 12_000 });
    await ask(client, definition('built', THINGS));
    hang();
    await expect.poll(waits).toBe(1);
    // It is the first slice that waits.
    expect((await client.engine.status()).builds).toMatchObject([{ versions: 0 }]);
    const written = calls('writeBlocks');
    for (let look = 1; look < LOOKS; look++) await pass();
    expect(calls('writeBlocks')).toBe(written);
    await pass();
    expect(calls('writeBlocks')).toBe(written + 1);
    await pass(true);
    await expectBuilt(client);
  });
});

// What upkeep has made superfluous takes no room once it is quiet: the store is told to give it back.
import { beforeEach, expect, it, vi } from 'vitest';
import { testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import type { EngineOptions } from '../engine.ts';
import { StorageError } from '../kv/log-store.ts';
import { decodeManifest } from '../kv/manifest.ts';
import { memoryLog, memoryLogStore, type MemoryLog } from '../kv/memory.ts';

const FLUSH_AT = 10_000;
const QUIET = 2000;
const create = (n: number): string => `{"create":{"class":"things"},"params":{"object":{"data":{"object":{"n":${n}}}}}}`;

let log: MemoryLog;
let reclaims: number;
/** Up to where the log had gone into blocks at each of them. */
let floors: number[];
let pass: () => void;
let client: TestClient;

const { later: timer, utf8 } = testPlatform();

/** An engine whose quiet times the test ends. */
function opened(exclusively?: EngineOptions['exclusively']): Promise<TestClient> {
  const later = (ms: number): Promise<void> => (ms !== QUIET ? timer(ms) : new Promise((resolve) => (pass = resolve)));
  const reclaim = async (): Promise<void> => {
    reclaims++;
    floors.push(log.header.floor);
  };
  const store = Object.assign(memoryLogStore(log), { reclaim });
  return testClient(store, { ...testPlatform(), later }, { flushAt: FLUSH_AT, cacheBytes: 0, ...(exclusively && { exclusively }) });
}

beforeEach(async () => {
  log = memoryLog();
  reclaims = 0;
  floors = [];
  pass = () => {};
  client = await opened();
  await client.query('{"create_class":{"object":{"name":"things"}}}');
});

/** Writes until a log has gone into blocks, and nothing of it is left but what is not worth a block. */
async function burst(): Promise<void> {
  const { floor } = log.header;
  for (let n = 0; log.header.floor === floor; n++) {
    await client.query(create(n));
    await client.engine.upkeep();
  }
}

/** The time is over in which nothing must be written. */
async function passed(): Promise<void> {
  pass();
  await timer(0);
  await client.engine.upkeep();
}

/** Twice: if something was written while the first one went by, that begins the second one. */
async function quiet(): Promise<void> {
  await passed();
  await passed();
}

it('once after all of a burst, and not while it goes on', async () => {
  for (let nth = 0; nth < 5; nth++) await burst();
  await client.query(create(0));
  expect(reclaims).toBe(0);
  await quiet();
  expect(reclaims).toBe(1);
  // What little is left in the log stays there.
  expect(log.records).toHaveLength(1);
  await quiet();
  await client.query(create(0));
  await quiet();
  expect(reclaims).toBe(1);
});

it('somebody writes meanwhile: that begins anew', async () => {
  await burst();
  await passed();
  await client.query(create(0));
  await passed();
  expect(reclaims).toBe(0);
  await passed();
  expect(reclaims).toBe(1);
});

it.each([
  ['after what is put into blocks because it is quiet', 60, 1],
  ['not for little', 20, 0],
])('%s', async (_, count, times) => {
  for (let n = 0; n < count; n++) await client.query(create(n));
  expect(log.header.floor).toBe(0);
  await quiet();
  expect(log.records).toEqual([]);
  expect(floors).toEqual(Array.from({ length: times }, () => log.header.floor));
});

it('after little again and again, and after what is merged then', async () => {
  const segments = (): number => decodeManifest(log.header, utf8).segments.length;
  const counts = [];
  for (let nth = 0; nth < 4; nth++) {
    for (let n = 0; n < 20; n++) await client.query(create(n));
    await quiet();
    counts.push([segments(), reclaims]);
  }
  expect(counts).toEqual([[1, 0], [2, 0], [3, 1], [1, 2]]);
  expect(floors.at(-1)).toBe(log.header.floor);
});

it.each([
  ['is closed', () => client.engine.close(true)],
  ['has a page that was hidden', async () => client.engine.hide(true)],
])('at once where the engine %s', async (_, go) => {
  await burst();
  await go();
  await vi.waitFor(() => expect(reclaims).toBe(1));
});

it('once left to another engine, not asked for again and again', async () => {
  let asked = 0;
  let isLeft = false;
  const exclusively = async (work: () => Promise<void>): Promise<void> => {
    asked++;
    if (!isLeft) await work();
  };
  client = await opened(exclusively);
  await burst();
  [isLeft, asked] = [true, 0];
  for (let nth = 0; nth < 5; nth++) await quiet();
  expect(asked).toBe(1);
});

it('by an engine that is closed, also where it gives up what there is to merge', async () => {
  for (let life = 1; life < 6; life++) {
    for (let n = 0; n < 60; n++) await client.query(create(n));
    await client.engine.close(true);
    expect(reclaims).toBe(life);
    client = await opened();
  }
});

it('not by an engine that has made nothing superfluous', async () => {
  await client.query(create(0));
  await quiet();
  await client.engine.close(true);
  expect(reclaims).toBe(0);
});

it('later where upkeep fails before', async () => {
  await burst();
  const { header } = log;
  // As where the connection is lost.
  Object.defineProperty(log, 'header', { configurable: true, get: () => { throw new StorageError('lost', 'a test cut the line'); } });
  await quiet();
  expect(reclaims).toBe(0);
  Object.defineProperty(log, 'header', { configurable: true, writable: true, value: header });
  await client.query(create(0));
  await quiet();
  expect(reclaims).toBe(1);
});

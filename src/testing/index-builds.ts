// A collection with much in it, an index that knew it from the start, and one that is built now.
import { expect } from 'vitest';
import { type MemoryLog, memoryLog, memoryLogStore } from '../engine/kv/memory.ts';
import { succeeded, type TestClient, testClient } from './client.ts';
import { testPlatform } from './platform.ts';

/** Slices of a few documents each. */
export const SMALL = { flushAt: 12_000, cacheBytes: 0 };
export const MANY = 140;

export const open = (log: MemoryLog, options: Parameters<typeof testClient>[2] = SMALL): Promise<TestClient> => testClient(memoryLogStore(log), testPlatform(), options);
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
export const doc = (n: number, collection = 'things'): string => `{"ref":{"collection":"${collection}"},"id":"${n + 1}"}`;
export const fields = (n: number): string => `"params":{"object":{"data":{"object":{"n":${n},"tags":["all","t${n % 3}"]}}}}`;
export const create = (n: number, collection?: string): string => `{"create":${doc(n, collection)},${fields(n)}}`;
export const update = (n: number, to: number): string => `{"update":${doc(n)},${fields(to)}}`;

export async function ask(client: TestClient, query: string): Promise<string> {
  const { text } = succeeded(await client.query(query), query);
  return text.slice('{"resource":'.length, -1);
}

/** Two indexes of one definition: one that knew every document from the start, one that is made now. */
export const definition = (name: string, source: string): string =>
  `{"create_index":{"object":{"name":"${name}","source":${source},"terms":[{"object":{"field":["data","tags"]}}],
    "values":[{"object":{"field":["data","n"],"reverse":true}},{"object":{"field":["ts"]}},{"object":{"binding":"twice"}}]}}}`;
export const bound = (collections: string): string =>
  `{"object":{"collection":${collections},"fields":{"object":{"twice":{"query":{"lambda":"d","expr":{"multiply":[2,{"select":["data","n"],"from":{"var":"d"}}]}}}}}}}`;
export const THINGS = bound('{"collection":"things"}');

/** Logs that were filled once, by the sources of the index that knew all from the start. */
const filled = new Map<string, MemoryLog>();

/** A log of its own with many documents. */
export async function populatedLog(source = THINGS): Promise<MemoryLog> {
  const known = filled.get(source);
  const { header, records, blocks } = known ?? (await fill(source));
  return { header, records: [...records], blocks: new Map(blocks) };
}

export async function populated(source = THINGS): Promise<TestClient> {
  return open(await populatedLog(source));
}

async function fill(source: string): Promise<MemoryLog> {
  const log = memoryLog();
  filled.set(source, log);
  const client = await open(log);
  await ask(client, '[{"create_collection":{"object":{"name":"things","history_days":null}}},{"create_collection":{"object":{"name":"parts","history_days":null}}}]');
  await ask(client, definition('known', source));
  await ask(client, `[${upTo(MANY).map((n) => create(n)).join()}]`);
  await ask(client, `[${upTo(MANY).filter((n) => n % 5 === 0).map((n) => update(n, n + 1000)).join()}]`);
  await ask(client, `[${upTo(MANY).filter((n) => n % 7 === 0).map((n) => `{"delete":${doc(n)}}`).join()}]`);
  await ask(client, `[${upTo(40).map((n) => create(n, 'parts')).join()}]`);
  await client.engine.upkeep();
  await client.engine.close();
  return log;
}

export const match = (name: string, term: string): string => `{"match":{"index":"${name}"},"terms":"${term}"}`;
export const all = (set: string): string => `{"select":["data"],"from":{"paginate":${set},"size":100000}}`;

/** All that an index answers: what it holds now and what happened, under each of its terms. */
async function contents(client: TestClient, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const term of ['all', 't0', 't1', 't2']) {
    found.push(await ask(client, all(match(name, term))), await ask(client, all(`{"events":${match(name, term)}}`)));
  }
  return found;
}

/** Waits until an index is built, by whichever engine, and compares it. */
export async function expectBuilt(client: TestClient, name = 'built'): Promise<void> {
  await client.engine.upkeep();
  await expect.poll(async () => (await client.engine.status()).builds, { timeout: 15_000 }).toEqual([]);
  expect(await ask(client, `{"select":"active","from":{"get":{"index":"${name}"}}}`)).toBe('true');
  const expected = await contents(client, 'known');
  expect(expected.join().length).toBeGreaterThan(5000);
  expect(await contents(client, name)).toEqual(expected);
}

// A clock that is set back while a transaction runs.
import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const BEGIN = 1_577_836_800_000_000;
const MINUTE = 60_000_000;

it('a document that had expired, and is made again meanwhile, leaves no entry of the former one', async () => {
  let now = BEGIN;
  let isSetBack = false;
  const store = faulty(memoryLogStore(memoryLog()), (method) => {
    if (method === 'readBlocks' && isSetBack) now = BEGIN + 10 * MINUTE;
    return undefined;
  });
  const client = await testClient(store, { ...testPlatform(), now: () => now }, { flushAt: 1, cacheBytes: 0 });
  await client.query('{"create_collection":{"object":{"name":"s"}}}');
  await client.query('{"create_index":{"object":{"name":"by_n","source":{"collection":"s"},"terms":[{"object":{"field":["data","n"]}}]}}}');
  const create = (n: number, ttl = ''): string => `{"create":{"ref":{"collection":"s"},"id":"1"},"params":{"object":{"data":{"object":{"n":${n}}}${ttl}}}}`;
  expect((await client.query(create(1, `,"ttl":{"epoch":${BEGIN + 60 * MINUTE},"unit":"microseconds"}`))).status).toBe(201);
  await client.engine.upkeep();
  now = BEGIN + 61 * MINUTE;
  isSetBack = true;
  expect((await client.query(create(2))).status).toBe(201);
  isSetBack = false;
  expect((await client.query('{"paginate":{"match":{"index":"by_n"},"terms":2}}')).text).toContain('"id":"1"');
  expect((await client.query('{"paginate":{"match":{"index":"by_n"},"terms":1}}')).text).toBe('{"resource":{"data":[]}}');
});

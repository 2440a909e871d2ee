import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { evictable } from '../../testing/evictable.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const COLLECTION = '{"create_collection":{"object":{"name":"spells"}}}';
const COUNT = '{"count":{"documents":{"collection":"spells"}}}';
const put = (id: number): string => `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(200)}"}}}}}`;

it('upkeep that began on a database that was removed does nothing to the one that follows', async () => {
  const place = evictable(memoryLog());
  const platform = testPlatform();
  let hold: Promise<void> | null = null;
  const { later } = platform;
  let pauses = 0;
  Object.assign(platform, { later: async (ms: number) => { const held = ms === 0 ? hold : null; if (held !== null) pauses++; await (held ?? later(ms)); } });
  const client = await testClient(place.store, platform, { flushAt: 4_000, cacheBytes: 0 });
  await client.query(COLLECTION);
  for (let id = 1; id <= 3; id++) await client.query(put(id));
  let go = (): void => {};
  hold = new Promise<void>((resolve) => (go = resolve));
  // The flush begins, and gives others a turn.
  for (let id = 4; id <= 30; id++) await client.query(put(id));
  for (let n = 0; n < 200 && pauses === 0; n++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(pauses).toBeGreaterThan(0);
  place.evict();
  expect((await client.query(COUNT)).status).toBe(503);
  // Another database, acknowledged writes.
  expect((await client.query(COLLECTION)).status).toBe(201);
  expect((await client.query(put(901))).status).toBe(201);
  expect((await client.query(COUNT)).text).toBe('{"resource":1}');
  hold = null;
  go();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const reopened = await testClient(memoryLogStore(place.log()), testPlatform());
  expect((await reopened.query(`{"exists":{"ref":{"collection":"spells"},"id":"901"}}`)).text).toBe('{"resource":true}');
  expect((await reopened.query(COUNT)).text).toBe('{"resource":1}');
});

import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const put = (id: number): string => `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(200)}"}}}}}`;

it('a read whose block was merged away while its engine slept is no mistake of ours', async () => {
  const log = memoryLog();
  let now = 1_577_836_800_000_000;
  const platform = () => ({ ...testPlatform(), now: () => (now += 10) });
  const a = await testClient(memoryLogStore(log), platform(), { flushAt: 1 });
  await a.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let id = 1; id <= 20; id++) await a.query(put(id));
  await a.engine.upkeep();
  let go = (): void => {};
  let isFrozen = true;
  const held = new Promise<void>((resolve) => (go = resolve));
  const store = faulty(memoryLogStore(log), (method) => {
    if (method !== 'readBlocks' || isFrozen) return undefined;
    isFrozen = true;
    return { when: 'before', until: held };
  });
  const b = await testClient(store, platform(), { flushAt: 2 ** 30, cacheBytes: 0 });
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  isFrozen = false;
  const reading = b.query('{"get":{"ref":{"collection":"spells"},"id":"7"}}');
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  // The laptop sleeps, or the tab is frozen, for three minutes.
  now += 180_000_000;
  for (let n = 0; n < 20; n++) await a.query(put(1000 + n));
  await a.engine.upkeep();
  go();
  const reply = await reading;
  expect([200, 503]).toContain(reply.status);
});

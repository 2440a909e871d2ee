import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { putSpell, settled, withSleeper } from '../../testing/sleeper.ts';

it('a read whose block was merged away while its engine slept is no mistake of ours', async () => {
  const { awake, sleeper, sleepAt, hasCome, wake, pass } = await withSleeper('readBlocks');
  sleepAt(1);
  const reading = sleeper.query('{"get":{"ref":{"collection":"spells"},"id":"7"}}');
  await settled();
  expect(hasCome()).toBe(true);
  // The laptop sleeps, or the tab is frozen, for three minutes.
  pass(180_000_000);
  for (let n = 0; n < 20; n++) await awake.query(putSpell(1000 + n));
  await awake.engine.upkeep();
  wake();
  expect([200, 503]).toContain((await reading).status);
});

it('a block that nothing stands for is told of at once, as damage, to requests and to who exports; what needs it not goes on', async () => {
  const log = memoryLog();
  const client = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 2_000, cacheBytes: 0 });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let n = 0; n < 20; n++) await client.query(putSpell(n));
  await client.engine.upkeep();
  expect(log.blocks.size).toBeGreaterThan(1);
  log.blocks.clear();
  const { status, text } = await client.query('{"get":{"ref":{"collection":"spells"},"id":"7"}}');
  expect({ status, text }).toMatchObject({ status: 503, text: expect.stringContaining('"code":"storage corrupt"') as unknown });
  const exporting = async (): Promise<void> => {
    for await (const bytes of client.engine.exportDatabase()) expect(bytes).toBeInstanceOf(Uint8Array);
  };
  await expect(exporting()).rejects.toMatchObject({ code: 'corrupt' });
  expect((await client.query('{"add":[1,2]}')).text).toBe('{"resource":3}');
});

// What an engine reads by itself as it opens must not outlive the database it was read from.
import { describe, expect, it } from 'vitest';
import { memoryLog, memoryLogStore, type MemoryLog } from '../kv/memory.ts';
import { testClient } from '../../testing/client.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';

const LATER = { flushAt: 2 ** 20 };
const moment = (milliseconds = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function withCollection(): Promise<{ log: MemoryLog; first: Awaited<ReturnType<typeof testClient>> }> {
  const log = memoryLog();
  const first = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 1 });
  await first.query('{"create_collection":{"object":{"name":"things"}}}');
  await first.engine.upkeep();
  return { log, first };
}

describe('the schema is that of the database as it is', () => {
  it.each([1, 2, 3, 4])('where another engine empties it while it is read (block %i)', async (at) => {
    const { log, first } = await withCollection();
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const store = faulty(memoryLogStore(log), (method, nth) => (method === 'readBlocks' && nth === at ? { when: 'after', until: held } : undefined));
    const second = await testClient(store, testPlatform(), LATER);
    await moment();
    await first.engine.reset();
    // It learns of that.
    await second.engine.status();
    answer();
    await moment();
    expect((await second.query('{"create":{"collection":"things"}}')).status).toBe(400);
  });

  it('where it is emptied as soon as it is open', async () => {
    for (let turns = 0; turns < 40; turns++) {
      const { log } = await withCollection();
      const second = await testClient(memoryLogStore(log), testPlatform(), LATER);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await second.engine.reset();
      await moment(1);
      expect((await second.query('{"create":{"collection":"things"}}')).status).toBe(400);
    }
  });
});

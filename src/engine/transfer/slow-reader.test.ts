import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { evictable } from '../../testing/evictable.ts';
import { testPlatform } from '../../testing/platform.ts';
import { chunked } from '../../testing/transfer.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const MINUTE = 60_000_000;
const put = (id: number): string => `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"n":1,"pad":"${'x'.repeat(4000)}"}}}}}`;
const update = (id: number): string => `{"update":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"n":2}}}}}`;

/** What becomes of a file whose reader pauses twelve times in the middle, while everything is changed. @returns how many documents it has */
async function readSlowly(pause: number): Promise<string> {
  let now = 1_577_836_800_000_000;
  const platform = { ...testPlatform(), now: () => (now += 10) };
  const client = await testClient(memoryLogStore(), platform, { flushAt: 20_000, cacheBytes: 0 });
  await client.query('{"create_collection":{"object":{"name":"spells","history_days":0}}}');
  for (let id = 1; id <= 100; id++) await client.query(put(id));
  await client.engine.upkeep();
  const pieces: Uint8Array[] = [];
  let at = 0;
  for await (const piece of client.engine.exportDatabase()) {
    pieces.push(piece);
    if (at++ !== 2) continue;
    for (let round = 0; round < 12; round++) {
      for (let id = 1; id <= 100; id++) await client.query(update(id));
      await client.engine.upkeep();
      now += pause;
    }
  }
  const other = await testClient(memoryLogStore(), { ...testPlatform(), now: () => (now += 10) });
  await other.engine.importDatabase(chunked(new Uint8Array(Buffer.concat(pieces))));
  return (await other.query('{"count":{"documents":{"collection":"spells"}}}')).text;
}

it('a file that is read slowly is the state at its first step', async () => {
  expect(await readSlowly(MINUTE)).toBe('{"resource":100}');
});

it('or it is refused, where that can no longer be told', async () => {
  await expect(readSlowly(20 * MINUTE)).rejects.toMatchObject({ name: 'TransferError', code: 'database changed' });
});

it('or where another database has come in the place of the one that was read', async () => {
  const place = evictable(memoryLog());
  const client = await testClient(place.store, testPlatform(), { flushAt: 20_000, cacheBytes: 0 });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let id = 1; id <= 100; id++) await client.query(put(id));
  await client.engine.upkeep();
  const readOn = async (): Promise<void> => {
    let at = 0;
    for await (const _piece of client.engine.exportDatabase()) {
      if (at++ !== 2) continue;
      place.evict();
      expect((await client.query('{"collections":null}')).status).toBe(503);
      expect((await client.query('{"create_collection":{"object":{"name":"spells"}}}')).status).toBe(201);
    }
  };
  await expect(readOn()).rejects.toMatchObject({ code: 'database changed' });
});

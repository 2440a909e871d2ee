import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { exported } from '../../testing/transfer.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const put = (id: number): string => `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(4000)}"}}}}}`;

it('what an import has written that was cut off is swept once much else was written, and not before', async () => {
  const from = await testClient();
  await from.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let id = 1; id <= 300; id++) await from.query(put(id));
  const file = await exported(from.engine);

  const log = memoryLog();
  const first = await testClient(memoryLogStore(log), testPlatform());
  async function* cut(): AsyncGenerator<Uint8Array> {
    yield file.subarray(0, Math.floor(file.length * 0.8));
    await first.engine.close();
    yield file.subarray(Math.floor(file.length * 0.8));
  }
  await expect(first.engine.importDatabase(cut())).rejects.toThrow();
  const bytes = (): number => [...log.blocks.values()].reduce((sum, { length }) => sum + length, 0);
  const left = bytes();
  expect(left).toBeGreaterThan(500_000);

  const later = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 1 });
  const writeTo = async (manifest: number): Promise<void> => {
    while (log.header.manifestNumber < manifest) {
      await later.query('{"create_function":{"object":{"name":"f","body":{"query":{"lambda":"x","expr":1}}}}}');
      await later.query('{"delete":{"function":"f"}}');
      await later.engine.upkeep();
    }
  };
  await writeTo(200);
  expect(bytes()).toBeGreaterThan(left);
  await writeTo(300);
  expect(bytes()).toBeLessThan(left / 2);
});

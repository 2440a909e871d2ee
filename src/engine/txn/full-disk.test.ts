import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { settled } from '../../testing/sleeper.ts';
import { type LogStore, StorageError } from '../kv/log-store.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../kv/memory.ts';

const put = (id: number): string => `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(900)}"}}}}}`;

/** A disk of so many bytes. */
function disk(log: MemoryLog): { store: LogStore; room: { total: number }; used(): number; blocks(): number } {
  const store = memoryLogStore(log);
  const room = { total: Infinity };
  const blocks = (): number => [...log.blocks.values()].reduce((sum, { length }) => sum + length, 0);
  const used = (): number => blocks() + log.records.reduce((sum, { body }) => sum + body.length, 0) + (log.header.manifest?.length ?? 0);
  const need = (bytes: number): void => {
    if (used() + bytes > room.total) throw new StorageError('quota', 'there is no room left for more data');
  };
  const { writeBlocks, install, append } = store;
  store.writeBlocks = async (written) => { need(written.reduce((sum, { bytes }) => sum + bytes.length, 0)); return writeBlocks.call(store, written); };
  store.install = async (change) => { need(change.manifest.length); return install.call(store, change); };
  store.append = async (after, plan) => append.call(store, after, (unseen) => { const body = plan(unseen); if (body !== null) need(body.length); return body; });
  return { store, room, used, blocks };
}

it('a flush for which there is no room leaves nothing behind, and is done once there is room for it', async () => {
  const log = memoryLog();
  const { store, room, used, blocks } = disk(log);
  const client = await testClient(store, testPlatform(), { flushAt: 200_000, cacheBytes: 0 });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let id = 1; id <= 180; id++) await client.query(put(id));
  // Room for half of what goes into blocks.
  room.total = used() + 120_000;
  for (let id = 181; id <= 220; id++) { await client.query(put(id)); await client.engine.upkeep(); }
  const garbage = blocks();
  // The user makes room: enough for all of the log twice over.
  room.total = 2.2 * (used() - garbage);
  for (let n = 0; n < 5; n++) await client.engine.upkeep();
  const again = await testClient(store, testPlatform(), { flushAt: 200_000, cacheBytes: 0 });
  for (let n = 0; n < 5; n++) await again.engine.upkeep();
  expect(garbage).toBe(0);
  expect(log.header.manifestNumber).toBeGreaterThan(0);
});

it('blocks for which there was no room are not taken for those of another engine that has the same ids', async () => {
  const log = memoryLog();
  const { store, room, used } = disk(log);
  const platform = (): ReturnType<typeof testPlatform> => ({ ...testPlatform(), random: (length) => new Uint8Array(length) });
  const client = await testClient(store, platform(), { flushAt: 200_000 });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let id = 1; id <= 220; id++) await client.query(put(id));
  room.total = used() + 120_000;
  await client.engine.upkeep();
  expect(log.header.manifestNumber).toBe(0);

  room.total = Infinity;
  const other = await testClient(store, platform(), { flushAt: 200_000 });
  for (let id = 221; id <= 230; id++) await other.query(put(id).replaceAll('x', 'y'));
  for (let id = 1; id <= 20; id++) await other.query(`{"delete":{"ref":{"collection":"spells"},"id":"${id}"}}`);
  await other.engine.upkeep();
  expect(log.header.manifestNumber).toBeGreaterThan(0);
  const all = '{"count":{"documents":{"collection":"spells"}}}';
  expect((await client.query(all)).text).toBe('{"resource":210}');
  const page = '{"map":{"lambda":"r","expr":{"get":{"var":"r"}}},"collection":{"paginate":{"documents":{"collection":"spells"}},"size":1000}}';
  expect((await client.query(page)).text).toBe((await other.query(page)).text);
});

it('an engine that finds no room for its blocks deletes none that another has installed', async () => {
  // All draws are alike: two engines draw the same place for their blocks once in 1,024 times.
  const platform = () => ({ ...testPlatform(), random: (length: number) => new Uint8Array(length).fill(1) });
  const log = memoryLog();
  const writer = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 2 ** 30 });
  await writer.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let id = 1; id <= 900; id++) await writer.query(put(id));
  await writer.engine.close();
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  const full = faulty(memoryLogStore(log), (method, nth) => (method === 'writeBlocks' && nth === 4 ? { when: 'before', until: held, error: new StorageError('quota', 'full') } : undefined));
  const one = await testClient(full, platform(), { flushAt: 100_000 });
  const other = await testClient(memoryLogStore(log), platform(), { flushAt: 100_000 });
  await other.engine.upkeep();
  go();
  await settled();
  await one.engine.upkeep().catch(() => undefined);
  const fresh = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 2 ** 30 });
  expect((await fresh.query('{"count":{"documents":{"collection":"spells"}}}')).text).toBe('{"resource":900}');
});

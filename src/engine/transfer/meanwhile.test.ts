// Imports, and what others do to the database meanwhile.
import { expect, it } from 'vitest';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { queryRequest, testClient } from '../../testing/client.ts';
import { evictable } from '../../testing/evictable.ts';
import { testPlatform } from '../../testing/platform.ts';
import { putSpell, settled, withSleeper } from '../../testing/sleeper.ts';
import { chunked, exported } from '../../testing/transfer.ts';

const COLLECTION = '{"create_collection":{"object":{"name":"spells"}}}';
const COUNT = '{"count":{"documents":{"collection":"spells"}}}';

it('a database whose blocks are merged at that moment is not empty, nor damaged', async () => {
  // Should it read a block, it is merged meanwhile.
  const { awake, sleeper, sleepAt, wake } = await withSleeper('readBlocks');
  const file = await exported(awake.engine);
  await sleeper.query('{"exists":{"collection":"spells"}}');
  sleepAt(1);
  const importing = sleeper.engine.importDatabase(chunked(file)).catch((error: unknown) => error);
  await settled();
  for (let id = 100; id < 120; id++) {
    await awake.query(putSpell(id));
    await awake.engine.upkeep();
  }
  wake();
  expect(await importing).toMatchObject({ code: 'database not empty' });
});

it('an import that fails deletes nothing of a database that has come in the place of its own', async () => {
  // All draws are alike: two engines draw the same place for their blocks once in 1,024 times.
  const platform = () => ({ ...testPlatform(), random: (length: number) => new Uint8Array(length).fill(1) });
  const source = await testClient(memoryLogStore(), testPlatform());
  await source.query(COLLECTION);
  for (let id = 1; id <= 50; id++) await source.query(putSpell(id));
  const file = await exported(source.engine);

  const { store, evict, log } = evictable(memoryLog());
  const client = await testClient(store, platform());
  let go = (): void => {};
  const until = new Promise<void>((resolve) => (go = resolve));
  async function* slowly() {
    yield file.subarray(0, 2000);
    await until;
    // Cut off.
    yield file.subarray(2000, 4000);
  }
  const importing = client.engine.importDatabase(slowly()).catch((error: unknown) => error);
  await expect.poll(() => log().header.manifestNumber).toBe(1);
  evict();
  expect((await client.query(COUNT)).status).toBe(503);
  const other = await testClient(memoryLogStore(log()), platform(), { flushAt: 2000, cacheBytes: 0 });
  await other.query(COLLECTION);
  for (let id = 1; id <= 20; id++) expect((await other.query(putSpell(id))).status).toBe(201);
  await other.engine.upkeep();
  go();
  expect(await importing).toBeInstanceOf(Error);
  const fresh = await testClient(memoryLogStore(log()), platform());
  expect((await fresh.query(COUNT)).text).toBe('{"resource":20}');
  // Which looks for its hash in the blocks.
  expect(await fresh.engine.handle(queryRequest(putSpell(21), { id: 'sent again', resent: true }))).toMatchObject({ status: 201 });
});

it('an import that finds others where its blocks belong says so, changes nothing, and works the next time', async () => {
  const source = await testClient(memoryLogStore(), testPlatform());
  await source.query(COLLECTION);
  await source.query(putSpell(1));
  const file = await exported(source.engine);
  const store = memoryLogStore();
  const writeBlocks = store.writeBlocks.bind(store);
  store.writeBlocks = async () => false;
  const client = await testClient(store, testPlatform());
  await expect(client.engine.importDatabase(chunked(file))).rejects.toMatchObject({ code: 'database changed' });
  store.writeBlocks = writeBlocks;
  expect((await client.query(COUNT)).status).toBe(400);
  await client.engine.importDatabase(chunked(file));
  expect((await client.query(COUNT)).text).toBe('{"resource":1}');
});

it.each([['at once', false], ['out of blocks', true]])('a request whose answer was lost is found %s, and not applied again to a file that holds what it did', async (_, isFlushed) => {
  const log = memoryLog();
  const page = await testClient(memoryLogStore(log), testPlatform(), { flushAt: isFlushed ? 1 : 2 ** 30 });
  await page.query(COLLECTION);
  const request = queryRequest('{"create":{"collection":"spells"},"params":{"object":{}}}', { id: 'the-very-same-request' });
  expect((await page.engine.handle(request)).status).toBe(201);
  await page.engine.upkeep();
  await page.engine.importDatabase(chunked(await exported(page.engine)), { replace: true });
  const other = await testClient(memoryLogStore(log), testPlatform());
  expect((await other.engine.handle({ ...request, resent: true })).status).toBe(201);
  expect((await other.query(COUNT)).text).toBe('{"resource":1}');
});

it('an import ends while another engine writes on and on, and none of its requests is applied again afterwards', async () => {
  const log = memoryLog();
  const store = memoryLogStore(log);
  const { writeBlocks } = store;
  const importer = await testClient(store, testPlatform(), { flushAt: 2 ** 30 });
  const writer = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 2 ** 30 });
  await importer.query(COLLECTION);
  const file = await exported(importer.engine);
  const requests: ReturnType<typeof queryRequest>[] = [];
  const write = async (): Promise<void> => {
    const request = queryRequest('{"create":{"collection":"spells"},"params":{"object":{}}}', { id: `request ${requests.length}` });
    requests.push(request);
    expect((await writer.engine.handle(request)).status).toBe(201);
  };
  for (let nth = 0; nth < 1500; nth++) await write();
  // Whenever the importer has put hashes into blocks, something more was written: ten times over.
  store.writeBlocks = async (blocks) => {
    const written = await writeBlocks.call(store, blocks);
    if (requests.length < 1510) await write();
    return written;
  };
  await importer.engine.importDatabase(chunked(file), { replace: true });
  expect(requests.length).toBe(1510);
  const other = await testClient(memoryLogStore(log), testPlatform());
  for (const at of [0, 1023, 1024, 1499, 1500, 1509]) await other.engine.handle({ ...(requests[at] as (typeof requests)[0]), resent: true });
  expect((await other.query(COUNT)).text).toBe('{"resource":0}');
});

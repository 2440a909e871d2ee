// What an engine that is alone has seen of the log counts for nothing once its end was not seen.
import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { evictable } from '../../testing/evictable.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { StorageError } from '../kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const COUNT = '{"count":{"collections":null}}';

it('a connection that is lost while the log is looked at is not taken for one that was looked at since', async () => {
  const place = evictable(memoryLog());
  let held: Promise<void> | undefined;
  const store = faulty(place.store, (method) => (method === 'tail' && held !== undefined ? { when: 'after', until: held } : undefined));
  let period = 1;
  const client = await testClient(store, testPlatform(), { solitude: { period: () => period } });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  let go = (): void => {};
  held = new Promise<void>((resolve) => (go = resolve));
  period = 2;
  const reading = client.query(COUNT);
  await new Promise((resolve) => setTimeout(resolve, 5));
  held = undefined;
  // The log was read, but not told yet: the browser closes the connection, as the database is removed.
  place.evict();
  store.onLost();
  go();
  await reading;
  expect((await client.query(COUNT)).status).toBe(503);
});

it('nor is a look that began before an append whose end was not seen', async () => {
  const log = memoryLog();
  let held: Promise<void> | undefined;
  let late = (): void => {};
  let broken = false;
  const inner = memoryLogStore(log);
  const store = faulty(inner, (method) => {
    if (method === 'tail' && broken) return { when: 'before', error: new StorageError('timeout', 'no answer') };
    return method === 'tail' && held !== undefined ? { when: 'after', until: held } : undefined;
  });
  let period = 1;
  const client = await testClient(store, testPlatform(), { solitude: { period: () => period } });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  const { append } = store;
  let go = (): void => {};
  held = new Promise<void>((resolve) => (go = resolve));
  const writing = (async () => {
    store.append = async (after, plan) => { period = 2; void client.query(COUNT).catch(() => undefined); await new Promise((r) => setTimeout(r, 5)); await append(after, plan); throw new StorageError('timeout', 'no answer', { uncertain: true }); };
    return client.query('{"create_collection":{"object":{"name":"more"}}}');
  })();
  await new Promise((resolve) => setTimeout(resolve, 30));
  held = undefined;
  broken = true;
  go();
  expect((await writing).status).toBe(503);
  broken = false;
  late();
  const other = await testClient(memoryLogStore(log), testPlatform());
  expect((await other.query(COUNT)).text).toBe('{"resource":2}');
  expect((await client.query(COUNT)).text).toBe('{"resource":2}');
});

it('an engine that is alone sees a reset of its own whose end it has not seen', async () => {
  const log = memoryLog();
  const store = faulty(memoryLogStore(log), (method) => (method === 'reset' ? { when: 'after', error: new StorageError('timeout', 'no answer', { uncertain: true }) } : undefined));
  const client = await testClient(store, testPlatform(), { solitude: { period: () => 1 } });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  expect((await client.query('{"count":{"collections":null}}')).text).toBe('{"resource":1}');
  await client.engine.reset().catch(() => undefined);
  // Somebody who only reads does not end its being alone.
  const reader = await testClient(memoryLogStore(log), testPlatform());
  expect((await reader.query('{"count":{"collections":null}}')).text).toBe('{"resource":0}');
  expect((await client.query('{"count":{"collections":null}}')).text).toBe('{"resource":0}');
});

it.each(['tail', 'header'] as const)('nor is what was seen before a reset, where what is there after it cannot be seen at once (%s)', async (method) => {
  let broken = false;
  const store = faulty(memoryLogStore(), (called) => (called === method && broken ? { when: 'before', error: new StorageError('timeout', 'no answer') } : undefined));
  const client = await testClient(store, testPlatform(), { solitude: { period: () => 1 } });
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  expect((await client.query(COUNT)).text).toBe('{"resource":1}');
  broken = true;
  await expect(client.engine.reset()).rejects.toMatchObject({ code: 'timeout' });
  expect((await client.query(COUNT)).status).toBe(503);
  broken = false;
  expect((await client.query(COUNT)).text).toBe('{"resource":0}');
});

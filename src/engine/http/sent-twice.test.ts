// One request with two engines: it is applied once, however late one of them gets to it.
import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

it('a request that reaches a thawed engine late, after another engine has answered the second sending of it, is applied once', async () => {
  const log = memoryLog();
  let now = 1_577_836_800_000_000;
  const platform = () => ({ ...testPlatform(), now: () => (now += 10) });
  const page = await testClient(memoryLogStore(log), platform());
  await page.query('{"create_collection":{"object":{"name":"log"}}}');
  const query = '{"create":{"collection":"log"},"params":{"object":{"data":{"object":{"n":1}}}}}';
  const request = { method: 'POST', path: '/', search: '', headers: { authorization: 'Bearer secret', 'x-faunadb-api-version': '4' }, body: query, id: 'the-very-same-request', sentAt: now };
  // The message with it waits before the page's worker, which is frozen. After twelve seconds the service worker gives up, and has its own engine answer.
  now += 12_000_000;
  const own = await testClient(memoryLogStore(log), platform(), { flushAt: 1 });
  expect((await own.engine.handle({ ...request, resent: true })).status).toBe(201);
  await own.engine.upkeep();
  now += 10_000_000;
  // The worker goes on with what waits.
  await page.engine.handle(request);
  expect((await page.query('{"count":{"documents":{"collection":"log"}}}')).text).toBe('{"resource":1}');
});

const put = (id: number): string => `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(200)}"}}}}}`;

it.each(Array.from({ length: 14 }, (_, at) => at + 1))('a request sent to two engines is applied once (waits at block %i)', async (waitsAt) => {
  const log = memoryLog();
  const a = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 1 });
  await a.query('{"create_collection":{"object":{"name":"spells"}}}');
  await a.query('{"create_collection":{"object":{"name":"log"}}}');
  for (let id = 1; id <= 20; id++) await a.query(put(id));
  await a.engine.upkeep();

  let go = (): void => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  let counting = false;
  let reads = 0;
  const store = faulty(memoryLogStore(log), (method) => {
    if (method !== 'readBlocks' || !counting || ++reads !== waitsAt) return undefined;
    counting = false;
    return { when: 'before', until: held };
  });
  const platform = testPlatform();
  const b = await testClient(store, platform, { flushAt: 2 ** 30, cacheBytes: 0 });
  platform.setNow(a.platform.now() + 5_000_000);
  // Adds an entry of its own; reads something else before.
  const query = '{"do":[{"get":{"ref":{"collection":"spells"},"id":"7"}},{"create":{"collection":"log"},"params":{"object":{"data":{"object":{"n":1}}}}}]}';
  const request = { method: 'POST', path: '/', search: '', headers: { authorization: 'Bearer secret', 'x-faunadb-api-version': '4' }, body: query, id: 'the-very-same-request' };
  counting = true;
  const second = Promise.resolve(b.engine.handle({ ...request, resent: true }));
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  const first = await a.engine.handle(request);
  expect(first.status).toBe(201);
  await b.engine.status();
  await a.engine.upkeep();
  await b.engine.status();
  go();
  await second;
  expect((await a.query('{"count":{"documents":{"collection":"log"}}}')).text).toBe('{"resource":1}');
});

const MINUTE = 60_000_000;

it.each([
  ['before its writer ran', 'readBlocks'],
  ['at its append', 'append'],
] as const)('an engine that was frozen for 40 minutes %s applies nothing that another one has applied meanwhile', async (_, where) => {
  const log = memoryLog();
  let now = 1_577_836_800_000_000;
  const platform = () => ({ ...testPlatform(), now: () => (now += 10) });
  const a = await testClient(memoryLogStore(log), platform(), { flushAt: 1 });
  await a.query('{"create_collection":{"object":{"name":"spells"}}}');
  await a.query('{"create_collection":{"object":{"name":"log"}}}');
  for (let id = 1; id <= 20; id++) await a.query(put(id));
  await a.engine.upkeep();

  let go = (): void => {};
  let isFrozen = true;
  const held = new Promise<void>((resolve) => (go = resolve));
  const store = faulty(memoryLogStore(log), (method) => {
    if (method !== where || isFrozen) return undefined;
    isFrozen = true;
    return { when: 'before', until: held };
  });
  const b = await testClient(store, platform(), { flushAt: 2 ** 30, cacheBytes: where === 'append' ? 2 ** 26 : 0 });
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  isFrozen = false;
  const query = '{"do":[{"get":{"ref":{"collection":"spells"},"id":"7"}},{"create":{"collection":"log"},"params":{"object":{"data":{"object":{"n":1}}}}}]}';
  const request = { method: 'POST', path: '/', search: '', headers: { authorization: 'Bearer secret', 'x-faunadb-api-version': '4' }, body: query, id: `the-very-same-request ${where}`, sentAt: now };
  const late = Promise.resolve(b.engine.handle(request));
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isFrozen).toBe(true);
  // The service worker takes it for dead, and has another engine answer.
  expect((await a.engine.handle({ ...request, resent: true })).status).toBe(201);
  // That one goes on writing, and does its upkeep.
  for (let n = 0; n < 40; n++) {
    now += MINUTE;
    await a.query(put(1000 + n));
    await a.engine.upkeep();
  }
  go();
  await late;
  expect((await a.query('{"count":{"documents":{"collection":"log"}}}')).text).toBe('{"resource":1}');
});

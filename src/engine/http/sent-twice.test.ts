// One request with two engines: it is applied once, however late one of them gets to it.
import { expect, it } from 'vitest';
import { queryRequest, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { putSpell, settled, withSleeper } from '../../testing/sleeper.ts';
import { decodeManifest } from '../kv/manifest.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

it.each([
  ['', 0, 10_000_000],
  [', and the clock was set back meanwhile', 60_000_000, 10_000_000],
  [', and the clock was set back meanwhile and has come as far again', 60_000_000, 60_000_000],
])('a request that reaches a thawed engine late, after another engine has answered the second sending of it%s, is applied once', async (_, back, later) => {
  const log = memoryLog();
  let now = 1_577_836_800_000_000;
  const platform = () => ({ ...testPlatform(), now: () => (now += 10) });
  const page = await testClient(memoryLogStore(log), platform());
  await page.query('{"create_collection":{"object":{"name":"log"}}}');
  now += 5_000_000;
  const query = '{"create":{"collection":"log"},"params":{"object":{"data":{"object":{"n":1}}}}}';
  const request = queryRequest(query, { id: 'the-very-same-request', sentAt: now });
  // The message with it waits before the page's worker, which is frozen. After twelve seconds the service worker gives up, and has its own engine answer.
  now += 12_000_000 - back;
  const own = await testClient(memoryLogStore(log), platform(), { flushAt: 1 });
  expect((await own.engine.handle({ ...request, resent: true })).status).toBe(201);
  await own.engine.upkeep();
  now += later;
  // The worker goes on with what waits.
  await page.engine.handle(request);
  expect((await page.query('{"count":{"documents":{"collection":"log"}}}')).text).toBe('{"resource":1}');
});

it.each(['tail', 'append'] as const)('a request is applied once where the clock is set back while its first copy waits at %s', async (where) => {
  const { awake, sleeper, sleepAt, hasCome, wake, time, pass } = await withSleeper(where, 2 ** 26);
  await sleeper.engine.status();
  // The log is quiet for more than clocks may differ.
  pass(1_500_000);
  sleepAt(1);
  const request = { ...REQUEST, sentAt: time() };
  const late = Promise.resolve(sleeper.engine.handle(request));
  await settled();
  expect(hasCome()).toBe(true);
  pass(500_000 - 2_000_000);
  expect((await awake.engine.handle({ ...request, resent: true })).status).toBe(201);
  await awake.engine.upkeep();
  pass(300_000);
  wake();
  await late;
  expect((await awake.query(COUNT)).text).toBe('{"resource":1}');
});

/** Adds an entry of its own; reads something else before. */
const QUERY = '{"do":[{"get":{"ref":{"collection":"spells"},"id":"7"}},{"create":{"collection":"log"},"params":{"object":{"data":{"object":{"n":1}}}}}]}';
const REQUEST = queryRequest(QUERY, { id: 'the-very-same-request' });
const COUNT = '{"count":{"documents":{"collection":"log"}}}';

it.each(Array.from({ length: 14 }, (_, at) => at + 1))('a request sent to two engines is applied once (waits at block %i)', async (waitsAt) => {
  const { awake, sleeper, sleepAt, wake, pass } = await withSleeper('readBlocks');
  pass(5_000_000);
  sleepAt(waitsAt);
  const second = Promise.resolve(sleeper.engine.handle({ ...REQUEST, resent: true }));
  await settled();
  expect((await awake.engine.handle(REQUEST)).status).toBe(201);
  await sleeper.engine.status();
  await awake.engine.upkeep();
  await sleeper.engine.status();
  wake();
  await second;
  expect((await awake.query(COUNT)).text).toBe('{"resource":1}');
});

const MINUTE = 60_000_000;

it.each([
  ['before its writer ran', 'readBlocks', 0],
  ['at its append', 'append', 2 ** 26],
] as const)('an engine that was frozen for 40 minutes %s applies nothing that another one has applied meanwhile', async (_, where, cacheBytes) => {
  const { awake, sleeper, sleepAt, hasCome, wake, time, pass } = await withSleeper(where, cacheBytes);
  sleepAt(1);
  const request = { ...REQUEST, sentAt: time() };
  const late = Promise.resolve(sleeper.engine.handle(request));
  await settled();
  expect(hasCome()).toBe(true);
  // The service worker takes it for dead, and has another engine answer.
  expect((await awake.engine.handle({ ...request, resent: true })).status).toBe(201);
  // That one goes on writing, and does its upkeep.
  for (let n = 0; n < 40; n++) {
    pass(MINUTE);
    await awake.query(putSpell(1000 + n));
    await awake.engine.upkeep();
  }
  wake();
  await late;
  expect((await awake.query(COUNT)).text).toBe('{"resource":1}');
});

it('a request is known for eleven minutes, however often the log has gone into blocks since; from then on it is refused', async () => {
  const { awake, time, pass } = await withSleeper('append');
  const sentAt = time();
  const again = async (): Promise<number> => (await awake.engine.handle({ ...REQUEST, sentAt, resent: true })).status;
  expect((await awake.engine.handle({ ...REQUEST, sentAt })).status).toBe(201);
  // More often than blocks of hashes are kept whatever their age.
  for (let n = 0; n < 40; n++) {
    await awake.query(putSpell(1000 + n));
    await awake.engine.upkeep();
    pass((10.9 * MINUTE) / 40);
  }
  expect(await again()).toBe(201);
  pass(0.2 * MINUTE);
  expect(await again()).toBe(503);
  expect((await awake.query(COUNT)).text).toBe('{"resource":1}');
});

const YEAR = 365 * 24 * 60 * MINUTE;

it.each([
  ['far ahead', YEAR],
  ['far behind', -YEAR],
])('so it is where the clock was %s for a moment, and what is older goes', async (_, off) => {
  const { awake, log, time, pass } = await withSleeper('append');
  const meanwhile = { ...REQUEST, id: 'sent meanwhile' };
  pass(off);
  expect((await awake.engine.handle(meanwhile)).status).toBe(201);
  await awake.engine.upkeep();
  pass(-off);
  const blocks: number[] = [];
  for (let n = 0; n < 8; n++) {
    const request = { ...REQUEST, id: `request ${n}`, sentAt: time() };
    expect((await awake.engine.handle(request)).status).toBe(201);
    // More often than blocks are kept whatever their age.
    for (let step = 0; step < 40; step++) {
      await awake.query(putSpell(1000 + 40 * n + step));
      await awake.engine.upkeep();
      pass((10 * MINUTE) / 40);
    }
    expect((await awake.engine.handle({ ...request, resent: true })).status).toBe(201);
    if (n === 0) expect((await awake.engine.handle({ ...meanwhile, resent: true })).status).toBe(201);
    blocks.push(decodeManifest(log.header, testPlatform().utf8).hashes.length);
  }
  expect((await awake.query(COUNT)).text).toBe('{"resource":9}');
  // Those of the last quarter of an hour, and one that was written while the clock was ahead.
  expect(Math.max(...blocks)).toBeLessThan(90);
});

it('so it is where the clock is far ahead for a moment after the log has gone into blocks often', async () => {
  const { awake, time, pass } = await withSleeper('append');
  const request = { ...REQUEST, sentAt: time() };
  expect((await awake.engine.handle(request)).status).toBe(201);
  // More often than blocks are kept whatever their age.
  for (let n = 0; n < 20; n++) {
    await awake.query(putSpell(1000 + n));
    await awake.engine.upkeep();
    pass(1_000_000);
  }
  pass(60 * MINUTE);
  await awake.query(putSpell(2000));
  await awake.engine.upkeep();
  pass(-60 * MINUTE);
  expect((await awake.engine.handle({ ...request, resent: true })).status).toBe(201);
  expect((await awake.query(COUNT)).text).toBe('{"resource":1}');
});

import { expect, it } from 'vitest';
import { succeeded, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const MINUTE = 60_000_000;
const pad = 'x'.repeat(100);
const doc = (id: number): string => `{"ref":{"collection":"spells"},"id":"${id}"}`;
const put = (id: number, n = id): string => `{"create":${doc(id)},"params":{"object":{"data":{"object":{"n":${n},"tag":"all","pad":"${pad}"}}}}}`;
const update = (id: number, n: number): string => `{"update":${doc(id)},"params":{"object":{"data":{"object":{"n":${n}}}}}}`;

it.each([2, 14, 16, 31, 61])('an index whose build pauses %i minutes', async (minutes) => {
  let now = 1_577_836_800_000_000;
  let idle = false;
  const log = memoryLog();
  const exclusively = (work: () => Promise<void>): Promise<void> => (idle ? Promise.resolve() : work());
  const client = await testClient(memoryLogStore(log), { ...testPlatform(), now: () => (now += 10) }, { flushAt: 5_000, cacheBytes: 0, exclusively });
  const ask = async (query: string): Promise<string> => succeeded(await client.query(query)).text;
  await ask('{"create_collection":{"object":{"name":"spells","history_days":0}}}');
  for (let round = 0; round < 3; round++) {
    for (let id = 1; id <= 60; id++) await ask(put(1000 * (round + 1) + id));
    await client.engine.upkeep();
  }
  idle = true;
  // The index, and in the same transaction versions of documents.
  await ask(`[{"create_index":{"object":{"name":"built","source":{"collection":"spells"},"terms":[{"object":{"field":["data","tag"]}}],"values":[{"object":{"field":["data","n"]}},{"object":{"field":["ref"]}}]}}},${update(1001, 7001)},${put(9001)}]`);
  await ask(update(1001, 7002));
  await ask(`{"delete":${doc(9001)}}`);
  await ask(update(1002, 7003));
  for (let id = 1; id <= 60; id++) await ask(put(5000 + id));
  now += minutes * MINUTE;
  for (let id = 1; id <= 60; id++) await ask(put(6000 + id));
  idle = false;
  await client.engine.upkeep();
  for (let n = 0; n < 30; n++) { if ((await client.engine.status()).builds.length === 0) break; await new Promise((r) => setTimeout(r, 100)); await client.engine.upkeep(); }
  const found = await ask('{"paginate":{"match":{"index":"built"},"terms":"all"},"size":10000}');
  const ns = [...found.matchAll(/\[(\d+),\{"@ref":\{"id":"(\d+)"/g)].map(([, n, id]) => `${id}:${n}`);
  const all = await ask('{"map":{"lambda":"r","expr":{"select":["data","n"],"from":{"get":{"var":"r"}}}},"collection":{"paginate":{"documents":{"collection":"spells"}},"size":10000}}');
  const expected = JSON.parse(all).resource.data as number[];
  expect(ns.map((x) => Number(x.split(':')[1])).sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
});

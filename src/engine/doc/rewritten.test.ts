// What follows from versions that are put into the past or taken out of it (reference: data/documents.md §2).
import { beforeEach, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLogStore } from '../kv/memory.ts';

let client: TestClient;
const run = async (query: string): Promise<unknown> => (JSON.parse(succeeded(await client.query(query), query).text) as { resource: unknown }).resource;
const signsIn = async (secret: string): Promise<number> => (await client.queryAs(secret, '1')).status;

beforeEach(async () => {
  client = await testClient();
});

const keyOf = (id: string): string => `{"ref":{"keys":null},"id":"${id}"}`;
const insertKey = (ref: string, ts: string, more = ''): string =>
  `{"insert":${ref},"ts":${ts},"action":"create","params":{"object":{"role":"server"${more}}}}`;

it('a key that was deleted and is inserted again opens the database with its secret', async () => {
  const { secret, ref } = (await run('{"create_key":{"object":{"role":"server"}}}')) as { secret: string; ref: { '@ref': { id: string } } };
  const key = keyOf(ref['@ref'].id);
  expect(await signsIn(secret)).toBe(200);
  await run(`{"delete":${key}}`);
  expect(await signsIn(secret)).toBe(401);
  await run(insertKey(key, '{"now":null}', `,"secret":"${secret}"`));
  expect(await run(`{"exists":${key}}`)).toBe(true);
  expect(await signsIn(secret)).toBe(200);
  await run(`{"delete":${key}}`);
  expect(await signsIn(secret)).toBe(401);
});

it('a key to whose past a version is added as it is made opens the database nevertheless', async () => {
  const past = '{"time_subtract":{"now":null},"offset":1,"unit":"minute"}';
  const secret = await run(
    `{"let":{"k":{"create_key":{"object":{"role":"server"}}}},"in":{"let":{"i":${insertKey('{"select":"ref","from":{"var":"k"}}', past)}},"in":{"select":"secret","from":{"var":"k"}}}}`,
  );
  expect(await signsIn(String(secret))).toBe(200);
});

it.each([
  ['taken out', (ts: number) => `{"remove":{"ref":{"collection":"c"},"id":"1"},"ts":${ts},"action":"create"}`, []],
  ['replaced', (ts: number) => `{"insert":{"ref":{"collection":"c"},"id":"1"},"ts":${ts},"action":"create","params":{"object":{"data":{"object":{"n":2}}}}}`, [2]],
])('a version that had run out when it was made leaves no events where it is %s', async (_, change, left) => {
  let now = 1_600_000_000_000_000;
  client = await testClient(memoryLogStore(), { ...testPlatform(), now: () => (now += 1000) });
  await run('{"create_collection":{"object":{"name":"c"}}}');
  await run('{"create_index":{"object":{"name":"n","source":{"collection":"c"},"values":[{"object":{"field":["data","n"]}}]}}}');
  const ts = await run('{"select":"ts","from":{"create":{"ref":{"collection":"c"},"id":"1"},"params":{"object":{"data":{"object":{"n":1}},"ttl":{"epoch":0,"unit":"second"}}}}}');
  const events = async (set: string): Promise<unknown[]> => ((await run(`{"paginate":{"events":${set}}}`)) as { data: unknown[] }).data;
  expect(await events('{"match":{"index":"n"}}')).toHaveLength(1);
  await run(change(Number(ts)));
  const valuesOf = (items: unknown[]): unknown[] => items.map((item) => (item as { data: unknown }).data);
  expect(valuesOf(await events('{"match":{"index":"n"}}')).flat()).toEqual(left);
  expect(await events('{"documents":{"collection":"c"}}')).toHaveLength(left.length);
});

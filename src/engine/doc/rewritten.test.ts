// What follows from versions that are put into the past or taken out of it (reference: data/documents.md §2).
import { beforeEach, describe, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { LETTERS } from '../base/z-base32.ts';
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

describe('a key that is inserted', () => {
  const inserted = async (secret: string, id: string, fields: string): Promise<string> => {
    const { text } = await client.queryAs(secret, `{"insert":${keyOf(id)},"ts":{"now":null},"action":"create","params":{"object":{${fields}}}}`);
    const { errors } = JSON.parse(text) as { errors: { code: string; position: string[]; failures?: { field: string[]; code: string }[] }[] };
    return errors.map(({ code, position, failures = [] }) => [code, ...position, ...failures.map((failure) => `${failure.field.join('.')}: ${failure.code}`)].join(' ')).join();
  };

  it('opens no database that has been moved away, as none that is made does', async () => {
    for (const name of ['a', 'b']) await run(`{"create_database":{"object":{"name":"${name}"}}}`);
    const within = async (query: string): Promise<unknown> => succeeded(await client.queryAs('secret:a:admin', query), query);
    await within('{"create_database":{"object":{"name":"c"}}}');
    await within('{"create_collection":{"object":{"name":"k"}}}');
    await within('{"create":{"ref":{"collection":"k"},"id":"1"},"params":{"object":{"data":{"object":{"db":{"database":"c"}}}}}}');
    await run('{"move_database":{"database":"c","scope":{"database":"a"}},"to":{"database":"b"}}');
    const moved = '"role":"admin","secret":"fnAAAAAAAAAABQ","database":{"select":["data","db"],"from":{"get":{"ref":{"collection":"k"},"id":"1"}}}';
    expect(await inserted('secret:a:admin', '5', moved)).toBe('validation failed database: invalid reference');
    expect(await signsIn('fnAAAAAAAAAABQ')).toBe(401);
  });

  it('has no role that is not there', async () => {
    expect(await inserted('secret', '5', '"role":"nobody"')).toMatch(/^validation failed role: /);
  });

  it('does not have the id of a database, which its own keys would not be found by any more', async () => {
    await run('{"create_database":{"object":{"name":"child"}}}');
    const letters = String(await run('{"select":"global_id","from":{"get":{"database":"child"}}}'));
    const number = [...letters].reduce((sum, letter) => sum * 32n + BigInt(LETTERS.indexOf(letter)), 0n) >> 1n;
    const secret = await run('{"select":"secret","from":{"create_key":{"object":{"role":"server","database":{"database":"child"}}}}}');
    expect(await signsIn(String(secret))).toBe(200);
    expect(await inserted('secret', String(number), '"role":"client"')).toBe('instance already exists');
    expect(await signsIn(String(secret))).toBe(200);
  });
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

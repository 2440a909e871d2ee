// Keys, tokens and passwords that came from the original with their hashes, as its exports and documents show them.
import { hashSync } from 'bcryptjs';
import { expect, it } from 'vitest';
import { type TestClient, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { toBase64 } from '../base/bytes.ts';
import { memoryLogStore } from '../kv/memory.ts';

const USER = '{"ref":{"collection":"users"},"id":"7"}';
const ID = 300_000_000_000_000_001n;

/** A secret as the original made them: version, kind, ids, and what is random. */
function secretOf(kind: number, ids: readonly bigint[], random: Uint8Array): string {
  const bytes = new Uint8Array(2 + 8 * ids.length + random.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7e, kind]);
  for (const [at, id] of ids.entries()) view.setBigInt64(2 + 8 * at, id);
  bytes.set(random, 2 + 8 * ids.length);
  return toBase64(bytes, 'url');
}

async function clientWithUser(platform = testPlatform()): Promise<TestClient> {
  const client = await testClient(memoryLogStore(), platform);
  await client.query('{"create_collection":{"object":{"name":"users"}}}');
  await client.query(`{"create":${USER}}`);
  return client;
}

const random = Uint8Array.from({ length: 20 }, (_, at) => 11 * at);
const hash = hashSync(toBase64(random, 'url'), 5).replace('$2b', '$2a');

it.each([
  ['key', 0x70, [ID], '"role":"server"', '{"exists":{"collection":"users"}}', 'true'],
  ['token', 0x71, [ID, 5n], `"instance":${USER}`, '{"select":"id","from":{"current_identity":null}}', '"7"'],
] as const)('a %s that is written with its hash is opened by its secret, and by no other', async (kind, mark, ids, fields, query, expected) => {
  const client = await clientWithUser();
  const made = await client.query(`{"create":{"@ref":{"id":"${ID}","collection":{"@ref":{"id":"${kind}s"}}}},"params":{"object":{${fields},"hashed_secret":"${hash}"}}}`);
  expect(made.status).toBe(201);
  const as = (secret: string) => client.queryAs(secret, query);
  expect(await as(secretOf(mark, ids, random))).toMatchObject({ status: 200, text: `{"resource":${expected}}` });
  expect(await as(secretOf(mark, ids, random.map((byte) => byte ^ 1)))).toMatchObject({ status: 401 });
});

it('a password that is written with its hash signs in, and can be changed', async () => {
  const client = await clientWithUser();
  const { secret } = (JSON.parse((await client.query('{"create_key":{"object":{"role":"server"}}}')).text) as { resource: { secret: string } }).resource;
  const ask = async (query: string): Promise<string> => (await client.queryAs(secret, query)).text;
  const identify = (password: string): Promise<string> => ask(`{"identify":${USER},"password":"${password}"}`);
  await ask(`{"create":{"@ref":{"id":"credentials"}},"params":{"object":{"instance":${USER},"hashed_password":"${hashSync('sésame', 5)}"}}}`);
  expect(await Promise.all(['sésame', 'sesame', ''].map(identify))).toEqual(['{"resource":true}', '{"resource":false}', '{"resource":false}']);
  expect(await ask(`{"login":${USER},"params":{"object":{"password":"sésame"}}}`)).toContain('"secret":');
  expect(await ask(`{"login":${USER},"params":{"object":{"password":"sesame"}}}`)).toContain('authentication failed');
  await ask(`{"update":${USER},"params":{"object":{"credentials":{"object":{"password":"new"}}}}}`);
  expect(await Promise.all(['sésame', 'new'].map(identify))).toEqual(['{"resource":false}', '{"resource":true}']);
});

it('a key that is written with its hash is in no second database, as who has its secret could mean either', async () => {
  const client = await clientWithUser();
  const make = (secret: string) => client.send('POST', '/', `{"create":{"@ref":{"id":"${ID}","collection":{"@ref":{"id":"keys"}}}},"params":{"object":{"role":"server","hashed_secret":"${hashSync('same', 5)}"}}}`, { authorization: `Bearer ${secret}`, 'x-faunadb-api-version': '4' });
  await client.query('{"create_database":{"object":{"name":"child"}}}');
  expect((await make('secret')).status).toBe(201);
  expect(await make('secret:child:admin')).toMatchObject({ status: 400, text: expect.stringContaining('duplicate value') as string });
});

it('while many passwords are tried others have their turns', async () => {
  const client = await clientWithUser({ ...testPlatform(), now: () => Date.now() * 1000 });
  const { secret } = (JSON.parse((await client.query('{"create_key":{"object":{"role":"server"}}}')).text) as { resource: { secret: string } }).resource;
  await client.queryAs(secret, `{"create":{"@ref":{"id":"credentials"}},"params":{"object":{"instance":${USER},"hashed_password":"${hashSync('sesame', 9)}"}}}`);
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  await client.queryAs(secret, `{"map":{"lambda":"_","expr":{"identify":${USER},"password":"x"}},"collection":[${Array.from({ length: 30 }, (_, at) => at).join()}]}`);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(2);
});

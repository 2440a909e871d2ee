// Secrets of what the same request has deleted (the original's auth/Auth.scala: databases are looked for outside of the
// transaction, documents in it).
import { expect, it } from 'vitest';
import { populate } from '../../../testing/cases.ts';
import { testClient } from '../../../testing/client.ts';

const USER = '{"ref":{"collection":"users"},"id":"1"}';
const USERS = ['{"create_collection":{"object":{"name":"users"}}}', `{"create":${USER},"params":{"object":{}}}`];
const TOKEN = `{"select":"secret","from":{"create":{"tokens":null},"params":{"object":{"instance":${USER}}}}}`;
const keyOf = (role: string): string => `{"select":"secret","from":{"create_key":{"object":{"role":"${role}","database":{"database":"child"}}}}}`;

async function world() {
  const client = await testClient();
  await populate(client, ['{"create_database":{"object":{"name":"child"}}}', ...USERS]);
  const secretOf = async (query: string, secret = 'secret'): Promise<string> => {
    const { text } = await client.send('POST', '/', query, { authorization: `Bearer ${secret}` });
    return (JSON.parse(text) as { resource: string }).resource;
  };
  return { client, secretOf, count: async (what: string) => (await client.query(`{"count":{"${what}":null}}`)).text };
}

const asked = (secret: string): string => `{"key_from_secret":"${secret}"}`;
const gone = (secret: string): string => `{"delete":{"select":"ref","from":${asked(secret)}}}`;
const DROP = '{"delete":{"database":"child"}}';

it('a key goes by its secret after its database, as in the tests of faunadb-lens', async () => {
  const { client, secretOf, count } = await world();
  const secret = await secretOf(keyOf('server'));
  // One that is deleted itself is not there.
  expect((await client.query(`{"do":[${gone(secret)},${DROP},${gone(secret)}]}`)).text).toContain('No key found');
  expect(await count('keys')).toBe('{"resource":1}');
  expect(await client.query(`{"do":[${DROP},${gone(secret)}]}`)).toMatchObject({ status: 200 });
  expect(await count('keys')).toBe('{"resource":0}');
});

it('a token of a database that is deleted is found, too, and by later requests no secret of it', async () => {
  const { client, secretOf } = await world();
  const key = await secretOf(keyOf('admin'));
  for (const query of USERS) await secretOf(query, key);
  const token = await secretOf(TOKEN, key);
  const found = (secret: string): string => `{"is_object":${asked(secret)}}`;
  expect((await client.query(`{"do":[${DROP},[${found(key)},${found(token)}]]}`)).text).toBe('{"resource":[true,true]}');
  for (const secret of [key, token]) expect((await client.query(asked(secret))).text).toContain('No key found');
});

it.each([
  ['document', `{"delete":${USER}}`],
  ['collection', '{"delete":{"collection":"users"}}'],
])('a token whose %s is deleted is not found', async (_, deletion) => {
  const { client, secretOf, count } = await world();
  const secret = await secretOf(TOKEN);
  expect((await client.query(`{"do":[${deletion},${asked(secret)}]}`)).text).toContain('No key found');
  expect((await client.query(`{"do":[${gone(secret)},${deletion}]}`)).status).toBe(200);
  expect(await count('tokens')).toBe('{"resource":0}');
});

// Of a secret whose database goes in the same request (the original looks at secrets outside of the transaction).
import { expect, it } from 'vitest';
import { populate } from '../../../testing/cases.ts';
import { testClient } from '../../../testing/client.ts';

it('a key whose database the request has deleted can be deleted by its secret in that request, as the Lens of ptpaterson does, and in no other', async () => {
  const client = await testClient();
  await populate(client, ['{"create_database":{"object":{"name":"child"}}}']);
  const made = await client.query('{"select":"secret","from":{"create_key":{"object":{"role":"server","database":{"database":"child"}}}}}');
  const { resource: secret } = JSON.parse(made.text) as { resource: string };
  const asked = `{"key_from_secret":"${secret}"}`;
  const gone = `{"delete":{"select":"ref","from":${asked}}}`;
  const dropping = (before = ''): string => `{"do":[${before}{"delete":{"database":"child"}},${gone}]}`;
  const keys = async (): Promise<string> => (await client.query('{"count":{"keys":null}}')).text;

  // One that is deleted itself is not there.
  expect((await client.query(dropping(`${gone},`))).text).toContain('No key found');
  expect(await keys()).toBe('{"resource":1}');
  expect(await client.query(dropping())).toMatchObject({ status: 200 });
  expect(await keys()).toBe('{"resource":0}');
});

it('of a key that stays when its database goes, later requests know nothing', async () => {
  const client = await testClient();
  await populate(client, ['{"create_database":{"object":{"name":"child"}}}']);
  const made = await client.query('{"select":"secret","from":{"create_key":{"object":{"role":"server","database":{"database":"child"}}}}}');
  const { resource: secret } = JSON.parse(made.text) as { resource: string };
  const asked = `{"select":"role","from":{"key_from_secret":"${secret}"}}`;
  expect((await client.query(`{"do":[{"delete":{"database":"child"}},${asked}]}`)).text).toBe('{"resource":"server"}');
  expect((await client.query(asked)).text).toContain('No key found');
});

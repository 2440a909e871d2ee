import { expect, it } from 'vitest';
import { populate } from '../../testing/cases.ts';
import { testClient } from '../../testing/client.ts';

it('a moved database keeps its data, its keys and its number', async () => {
  const client = await testClient();
  await populate(client, ['{"create_database":{"object":{"name":"a"}}}', '{"create_database":{"object":{"name":"b"}}}']);
  const made = JSON.parse((await client.query('{"create_key":{"object":{"role":"admin","database":{"database":"a"}}}}')).text) as {
    resource: { secret: string };
  };
  const inside = (query: string) =>
    client.queryAs(made.resource.secret, query).then(({ text }) => text);
  await inside('{"create_collection":{"object":{"name":"kept"}}}');
  const globalId = '{"select":"global_id","from":{"get":{"database":"a"}}}';
  const before = (await client.query(globalId)).text;

  expect((await client.query('{"move_database":{"database":"a"},"to":{"database":"b"}}')).status).toBe(200);

  expect(await inside('{"exists":{"collection":"kept"}}')).toBe('{"resource":true}');
  expect((await client.query('{"exists":{"database":"a"}}')).text).toBe('{"resource":false}');
  expect((await client.query('{"count":{"keys":null}}')).text).toBe('{"resource":0}');
  expect((await client.query('{"count":{"keys":{"database":"b"}}}')).text).toBe('{"resource":1}');
  const nested = '{"database":"a","scope":{"database":"b"}}';
  expect((await client.query(`{"select":"global_id","from":{"get":${nested}}}`)).text).toBe(before);
  expect((await client.query(`{"exists":{"collection":"kept","scope":${nested}}}`)).text).toBe('{"resource":true}');
  // Its old name is free, its new place is taken.
  await populate(client, ['{"create_database":{"object":{"name":"a"}}}']);
  expect((await client.query('{"move_database":{"database":"a"},"to":{"database":"b"}}')).text).toContain('"code":"instance already exists"');
});

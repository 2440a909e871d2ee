// Requests of the page API, which reads nothing of an answer but its status and its text.
import { expect, it } from 'vitest';
import { queryRequest, testClient } from '../../testing/client.ts';

const client = await testClient();
let requests = 0;
const ask = (path: string, body: string): ReturnType<typeof client.engine.handle> =>
  client.engine.handle(queryRequest(body, { path, bare: true, id: `bare-${++requests}` }));

it.each([
  ['a query', '/', '{"concat":["é","🌙"]}', 200, '{"resource":"é🌙"}'],
  ['a fault of it', '/', 'not json', 400, '{"errors":[{"position":[],"code":"invalid expression","description":"Request body is not valid JSON."}]}'],
  ['a path that is none', '/nothing', '', 404, '{"errors":[{"code":"not found","description":"Not Found"}]}'],
  ['FQL 10', '/query/1', '{"query":{"fql":["1"]}}', 400, '{"error":{"code":"invalid_request","message":"FQL version 10 is not supported: this database answers FQL version 4 (the driver faunadb) and GraphQL."},"summary":""}'],
  ['a path that only begins like it', '/query/10', '', 404, '{"errors":[{"code":"not found","description":"Not Found"}]}'],
  ['the gateway', '/graphql', '{"query":"{ __typename }"}', 200, '{"data":null,"errors":[{"message":"Must provide schema definition with query type or a type named Query."}]}'],
])('answers %s as text, without headers', async (_, path, body, status, text) => {
  expect(await ask(path, body)).toEqual({ status, headers: {}, body: text });
});

it('counts the bytes of a text, not its characters', async () => {
  const tooMuch = JSON.stringify('é'.repeat(4_194_304));
  expect(await ask('/', tooMuch)).toMatchObject({ status: 413 });
  expect(await ask('/', tooMuch.slice(3).replace(/^/, '"'))).toMatchObject({ status: 200 });
});

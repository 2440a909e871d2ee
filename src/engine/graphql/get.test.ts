// Queries of the gateway in an address, as urql sends short ones unless it is told otherwise.
import { beforeAll, describe, expect, it } from 'vitest';
import { testClient, type TestClient } from '../../testing/client.ts';

const FAILS = { status: 405, text: '{"errors":[{"code":"method not allowed","description":"Allowed methods are POST."}]}' };

let client: TestClient;
const get = async (parameters: Record<string, string>, headers = {}): Promise<{ status: number; text: string }> => {
  const { status, text } = await client.send('GET', `/graphql?${new URLSearchParams(parameters).toString()}`, undefined, headers);
  return { status, text };
};

beforeAll(async () => {
  client = await testClient();
  await client.query('{"create_collection":{"object":{"name":"written"}}}');
  await client.query('{"create_function":{"object":{"name":"write","body":{"query":{"lambda":[],"expr":{"do":[{"create":{"collection":"written"}},1]}}}}}}');
  await client.send('POST', '/import', 'type Todo { title: String! n: Long } type Query { todos: [Todo!] todo(title: String!): Todo write: Int @resolver(name: "write") }');
  await client.send('POST', '/graphql', '{"query":"mutation { createTodo(data: { title: \\"a b&c\\", n: 7 }) { n } }"}');
});

describe('GET /graphql', () => {
  it('answers a query, with its variables and the name of its operation', async () => {
    const query = 'query One($title: String!) { todo(title: $title) { n } } query All { todos { data { title } } }';
    expect(await get({ query, operationName: 'One', variables: '{"title":"a b&c"}' })).toEqual({ status: 200, text: '{"data":{"todo":{"n":7}}}' });
    expect(await get({ query, operationName: 'All', extensions: '{}' })).toEqual({ status: 200, text: '{"data":{"todos":{"data":[{"title":"a b&c"}]}}}' });
    expect(await get({ query: '{ todos { data { n } } }', operationName: '', variables: '' })).toEqual({ status: 200, text: '{"data":{"todos":{"data":[{"n":7}]}}}' });
  });

  it('changes nothing, by a mutation or by a function', async () => {
    expect(await get({ query: 'mutation { createTodo(data: { title: "x" }) { n } }' })).toEqual({
      status: 200,
      text: '{"data":null,"errors":[{"message":"A mutation is only taken from a POST request."}]}',
    });
    expect(await get({ query: '{ write }' })).toEqual({
      status: 200,
      text: '{"errors":[{"message":"Call performs a write, which is not allowed in get requests.","extensions":{"code":"invalid expression"}}]}',
    });
    expect((await client.query('[{"count":{"documents":{"collection":"Todo"}}},{"count":{"documents":{"collection":"written"}}}]')).text).toBe('{"resource":[1,0]}');
  });

  it('needs a secret, a query, and JSON for variables', async () => {
    expect(await get({ query: '{ todos { data { n } } }' }, { authorization: 'Bearer nope' })).toEqual({ status: 200, text: '{"errors":[{"message":"Invalid database secret."}]}' });
    expect(await get({ q: '1' })).toEqual(FAILS);
    for (const variables of ['{', '1']) expect((await get({ query: '{ todos { data { n } } }', variables })).text).toContain('The request body must be a JSON object');
  });
});

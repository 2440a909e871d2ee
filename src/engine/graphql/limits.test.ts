// A query of the gateway that asks for more than there is time for.
import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';

it('tells the first hundred mistakes of a schema, each with its part of the line', async () => {
  const client = await testClient();
  const types = Array.from({ length: 20_000 }, (_, n) => `type T${n} { f: Unknown${n} }`).join(' ');
  const { status, text } = await client.send('POST', '/import', types);
  expect(status).toBe(400);
  expect(text.match(/Unknown type/g)).toHaveLength(100);
  expect(text.length).toBeLessThan(500_000);
  const ofOne = Array.from({ length: 200 }, (_, n) => `f${n}: Unknown${n}`).join(' ');
  expect((await client.send('POST', '/import', `type T { ${ofOne} }`)).text.match(/Unknown type/g)).toHaveLength(100);
  const [, line = '', caret = ''] = /Unknown type 'Unknown99'[^\n]*\n([^\n]*)\n( *)\^/.exec(text) ?? [];
  expect(line.slice(caret.length)).toMatch(/^Unknown99 /);
});

it('tells the first twenty mistakes of a variable, as each of them shows all of it', async () => {
  const client = await testClient();
  await client.send('POST', '/import', 'type Item { n: Int! day: Date } type List { items: [Item] @relation }');
  const create = Array.from({ length: 1_000 }, (_, n) => ({ n, day: '2024-01-01T00:00:00Z' }));
  const body = { query: 'mutation($data: ListInput!) { createList(data: $data) { _id } }', variables: { data: { items: { create } } } };
  const { status, text } = await client.send('POST', '/graphql', JSON.stringify(body));
  expect(status).toBe(200);
  const { errors } = JSON.parse(text) as { errors: { message: string }[] };
  const reasons = errors.map(({ message }) => /Reason: (.*) \(line/.exec(message)?.[1]);
  // The gateway named the first place for any.
  expect(reasons).toEqual(Array.from({ length: 20 }, () => "'items.create[0].day' Date value expected"));
});

it('ends when its time is up, and others are answered before', { timeout: 60_000 }, async () => {
  const client = await testClient(undefined, { ...testPlatform(), now: () => Date.now() * 1000 });
  await client.send('POST', '/import', 'type User { name: String todos: [Todo!] @relation } type Todo { n: Int user: User! } type Query { users: [User!] }');
  const todos = Array.from({ length: 50 }, (_, n) => `{ n: ${n} }`).join();
  const graphql = (query: string, headers = {}): ReturnType<typeof client.send> => client.send('POST', '/graphql', JSON.stringify({ query }), headers);
  expect((await graphql(`mutation { createUser(data: { name: "a", todos: { create: [${todos}] } }) { name } }`)).text).toBe('{"data":{"createUser":{"name":"a"}}}');
  // Fifty times as much with each level.
  const nested = (levels: number): string => (levels === 0 ? 'name' : `todos { data { user { ${nested(levels - 1)} } } }`);
  let answered = 0;
  const far = graphql(`{ users { data { ${nested(7)} } } }`, { 'x-query-timeout': '3000' }).then(({ status }) => ({ status, answered }));
  for (let asked = 0; asked < 3; asked++) {
    expect((await graphql('{ users { data { name } } }')).text).toBe('{"data":{"users":{"data":[{"name":"a"}]}}}');
    answered++;
  }
  expect(await far).toEqual({ status: 503, answered: 3 });
});

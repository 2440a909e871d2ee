import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { memoryLogStore } from '../kv/memory.ts';
import { testPlatform } from '../../testing/platform.ts';

it('what functions behind fields of Query write, the fields after them see, even where every read has to wait', async () => {
  const client = await testClient(memoryLogStore(), testPlatform(), { flushAt: 1, cacheBytes: 0 });
  await client.send('POST', '/import', 'type Counter { n: Int! } type Query { next: Counter! @resolver counters: [Counter!] }');
  const ref = { ref: { collection: 'Counter' }, id: '1' };
  await client.query(JSON.stringify({ create: ref, params: { object: { data: { object: { n: 0 } } } } }));
  const n = { add: [1, { select: ['data', 'n'], from: { get: ref } }] };
  const body = { query: { lambda: [], expr: { update: ref, params: { object: { data: { object: { n } } } } } } };
  await client.query(JSON.stringify({ update: { function: 'next' }, params: { object: { body } } }));
  await client.engine.upkeep();
  const query = 'query A { a: next { n } ...More __schema { mutationType { name } } } fragment More on Query { b: next { n __typename } counters { data { n } } c: next { n } __typename } query B { counters { data { n } } }';
  const { text } = await client.send('POST', '/graphql', JSON.stringify({ query, operationName: 'A' }));
  expect(JSON.parse(text)).toEqual({
    data: { a: { n: 1 }, b: { n: 2, __typename: 'Counter' }, counters: { data: [{ n: 2 }] }, c: { n: 3 }, __typename: 'Query', __schema: { mutationType: { name: 'Mutation' } } },
  });
});

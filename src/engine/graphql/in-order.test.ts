import { getOperationAST, type GraphQLSchema, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { memoryLogStore } from '../kv/memory.ts';
import { testPlatform } from '../../testing/platform.ts';
import { expand } from './expand.ts';
import { inOrder } from './in-order.ts';
import { planImport } from './import-plan.ts';
import { EMPTY_MODEL } from './model.ts';

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

it.each([
  ['{ all { data { n } } a: all { data { n next } } __typename }', false],
  ['{ ...F } fragment F on Query { all { data { n } } }', false],
  ['mutation { createA(data: {}) { next } }', false],
  ['{ all { data { n } } a: next }', true],
  ['{ all { data { n } } ...F } fragment F on Query { ... { ...G } } fragment G on Query { next }', true],
])('only what asks for such a function runs in sequence: reads beside each other wait at the same time (%s)', (text, isSo) => {
  const { model } = planImport('type A { n: Int next: Int } type Query { all: [A] next: Int @resolver }', 'merge', EMPTY_MODEL);
  const run = { schema: expand(model, () => () => null) as GraphQLSchema, document: parse(text) };
  const found = inOrder(run, getOperationAST(run.document) as OperationDefinitionNode, model);
  expect(found !== run).toBe(isSo);
});

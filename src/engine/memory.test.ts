// What an engine keeps between requests, so that they are quicker, is bounded: neither their number nor what else they were sent with counts.
import { expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../testing/client.ts';
import { heap } from '../testing/measured.ts';
import { testPlatform } from '../testing/platform.ts';
import { memoryLogStore } from './kv/memory.ts';
import { Catalog } from './schema/catalog.ts';
import { counting } from './set/lazy.ts';
import { NATIVE, Ref, ROOT_SCOPE } from './value/ref.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

async function ok(client: TestClient, query: string): Promise<void> {
  succeeded(await client.query(query));
}

/** How much more of the heap is in use after something was done often than after it was done once, MB. */
async function grows(times: number, act: (n: number) => Promise<void>): Promise<number> {
  await act(0);
  const began = heap();
  for (const n of upTo(times)) await act(n + 1);
  return heap() - began;
}

const makes = (name: string): string => `{"create_function":{"object":{"name":"${name}","body":{"query":{"lambda":"x","expr":{"add":[1,{"var":"x"}]}}}}}}`;

it('what was made of a function that is called keeps no catalog', async () => {
  const client = await testClient();
  await ok(client, `[${upTo(300).map((n) => makes(`other${n}`)).join()}]`);
  const grown = await grows(100, async (n) => {
    await ok(client, makes(`f${n}`));
    await ok(client, `{"call":"f${n}","arguments":1}`);
    await ok(client, `{"delete":{"function":"f${n}"}}`);
  });
  expect(grown).toBeLessThan(4);
});

it('a catalog keeps of schema that was deleted before no more than the highest id', () => {
  const catalog = new Catalog(ROOT_SCOPE, []);
  const began = heap();
  for (const n of upTo(100_000)) catalog.note(new Ref(NATIVE.collections, BigInt(n), ROOT_SCOPE), null);
  expect(heap() - began).toBeLessThan(2);
  expect(catalog.highestId(NATIVE.collections)).toBe(99_999n);
});

const MEGABYTE = 'x'.repeat(2 ** 20);

async function gateway(): Promise<(query: string, variables?: object) => Promise<void>> {
  const client = await testClient();
  await client.send('POST', '/import', 'type Spell { name: String } type Query { spells: [Spell!] }');
  return async (query, variables = {}) => {
    const { text } = await client.send('POST', '/graphql', JSON.stringify({ query, variables }));
    expect(text).toMatch(/^\{"data"/);
  };
}

it('a GraphQL document that is kept keeps nothing of the request it came with', async () => {
  const ask = await gateway();
  expect(await grows(20, (n) => ask(`query aQueryOfItsOwn${n} { __typename }`, { MEGABYTE }))).toBeLessThan(5);
});

it('GraphQL documents are kept up to a length of all of them', async () => {
  const ask = await gateway();
  const fields = (n: number): string => upTo(400).map((at) => `of${n}at${at}: __typename`).join(' ');
  expect(await grows(100, (n) => ask(`{ ${fields(n)} }`))).toBeLessThan(20);
});

it('a pattern that is kept keeps nothing of the request it came with', async () => {
  const client = await testClient();
  const search = (n: number): string => `{"containsstrregex":"a text","pattern":"(?<nameOfItsOwn${n}>a pattern of its own)"}`;
  expect(await grows(20, (n) => ok(client, `[${search(n)},{"length":"${MEGABYTE}"}]`))).toBeLessThan(5);
});

it('patterns are kept up to a length of all of them', async () => {
  const client = await testClient();
  const long = '[ab]c?'.repeat(10_000);
  expect(await grows(10, (n) => ok(client, `{"containsstrregex":"a text","pattern":"${long}${n}"}`))).toBeLessThan(30);
});

it('what is known of blocks keeps none of their texts', async () => {
  await expect.poll(counting).not.toBeNull();
  const client = await testClient(memoryLogStore(), testPlatform(), { flushAt: 2 ** 20, cacheBytes: 2 ** 20 });
  await ok(client, '{"create_collection":{"object":{"name":"things"}}}');
  const thing = (n: number): string => `{"create":{"collection":"things"},"params":{"object":{"data":{"object":{"name":"a name of its own ${n}","pad":"${'x'.repeat(3000)}"}}}}}`;
  // Twelve times what the cache may keep.
  for (const part of upTo(40)) await ok(client, `{"do":[${upTo(100).map((n) => thing(100 * part + n)).join()},1]}`);
  await client.engine.upkeep();
  const named = '{"count":{"filter":{"lambda":"x","expr":{"gte":[{"select":["data","name"],"from":{"get":{"var":"x"}}},"a name"]}},"collection":{"documents":{"collection":"things"}}}}';
  const began = heap();
  for (let round = 0; round < 2; round++) expect((await client.query(named)).text).toBe('{"resource":4000}');
  expect(heap() - began).toBeLessThan(2.5);
});

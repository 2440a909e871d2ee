// What answers show of values in the less trodden corners (reference: fql/wire.md §2–3, fql/functions.md §8 and §11).
import { beforeEach, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';

let client: TestClient;
const run = async (query: string, version = '4'): Promise<unknown> => (JSON.parse(succeeded(await client.query(query, version), query).text) as { resource: unknown }).resource;

beforeEach(async () => {
  client = await testClient();
});

it('a ref of a database below is printed as it is shown', async () => {
  await run('{"create_database":{"object":{"name":"annex"}}}');
  succeeded(await client.queryAs('secret:annex:admin', '{"create_collection":{"object":{"name":"spells"}}}'));
  const spells = '{"collection":"spells","scope":{"database":"annex"}}';
  const shown = { '@ref': { id: 'spells', class: { '@ref': { id: 'classes' } }, database: { '@ref': { id: 'annex', class: { '@ref': { id: 'databases' } } } } } };
  expect(JSON.parse(String(await run(`{"format":"%@","values":${spells}}`)))).toEqual(shown);
  expect(JSON.parse(String(await run(`{"format":"%@","values":[[${spells},1]]}`)))).toEqual([shown, 1]);
  // Who is in the database below sees it as its own, and what lies above not at all.
  const { text } = await client.queryAs('secret:annex:admin', '{"format":"%@","values":{"collection":"spells"}}');
  expect(text).not.toContain('annex');
});

it('the latest of some events is that of the latest time', async () => {
  await run('{"create_collection":{"object":{"name":"spells"}}}');
  const one = '{"ref":{"collection":"spells"},"id":"1"}';
  await run(`{"create":${one},"params":{"object":{"data":{"object":{"cost":1}}}}}`);
  for (const cost of [9, 3]) await run(`{"update":${one},"params":{"object":{"data":{"object":{"cost":${cost}}}}}}`);
  expect(await run(`{"select":["data",0,"data"],"from":{"max":{"paginate":{"events":${one}}}}}`)).toEqual({ cost: 3 });
});

it('a document is found by itself in an index of copies', async () => {
  await run('{"create_collection":{"object":{"name":"c"}}}');
  await run('{"create_index":{"object":{"name":"copies","source":{"collection":"c"},"terms":[{"object":{"field":["data","copy"],"mva":false}}]}}}');
  const one = '{"get":{"ref":{"collection":"c"},"id":"1"}}';
  await run('{"create":{"ref":{"collection":"c"},"id":"1"},"params":{"object":{"data":{"object":{"x":1}}}}}');
  await run(`{"create":{"ref":{"collection":"c"},"id":"2"},"params":{"object":{"data":{"object":{"copy":${one}}}}}}`);
  expect(await run(`{"count":{"match":{"index":"copies"},"terms":${one}}}`)).toBe(1);
});

it('a function that has captured an undefined ref is refused, not a mistake of ours', async () => {
  const { status, text } = await client.query('{"let":{"c":{"collection":"nope"}},"in":{"create_function":{"object":{"name":"f","body":{"query":{"lambda":"x","expr":{"create":{"var":"c"}}}}}}}}');
  expect(status).toBe(400);
  expect(text).toContain('An undefined ref cannot be stored.');
  expect(await run('{"exists":{"function":"f"}}')).toBe(false);
});

it('an element that has vanished is left out together with its sources', async () => {
  for (const name of ['c', 'owners']) await run(`{"create_collection":{"object":{"name":"${name}"}}}`);
  await run('{"create_index":{"object":{"name":"i","source":{"collection":"c"},"values":[{"object":{"field":["data","owner"]}}]}}}');
  await run('{"create":{"ref":{"collection":"owners"},"id":"1"},"params":{"object":{}}}');
  await run('{"create":{"collection":"c"},"params":{"object":{"data":{"object":{"owner":{"ref":{"collection":"owners"},"id":"1"}}}}}}');
  const page = '{"paginate":{"match":{"index":"i"}},"sources":true}';
  expect(await run(page)).toMatchObject({ data: [{ value: {}, sources: [{}] }] });
  await run('{"delete":{"collection":"owners"}}');
  expect(await run(page)).toEqual({ data: [] });
});

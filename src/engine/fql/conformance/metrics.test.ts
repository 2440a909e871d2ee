// What requests cost (reference: fql/wire.md §5.3; the original's specification of its metrics).
import { beforeAll, describe, expect, it } from 'vitest';
import { populate } from '../../../testing/cases.ts';
import { type TestClient, testClient } from '../../../testing/client.ts';

let client: TestClient;
let key = '';
beforeAll(async () => {
  client = await testClient();
  await populate(client, [
    '{"create_collection":{"object":{"name":"spells"}}}',
    '{"create_index":{"object":{"name":"by_name","source":{"collection":"spells"},"terms":[{"object":{"field":["data","name"]}}]}}}',
    '{"create_index":{"object":{"name":"all","source":{"collection":"spells"},"partitions":8}}}',
    '{"create_index":{"object":{"name":"one","source":{"collection":"spells"},"values":[{"object":{"field":["data","name"]}}],"unique":true}}}',
    '{"create_function":{"object":{"name":"same","body":{"query":{"lambda":"x","expr":{"var":"x"}}}}}}',
    '{"create_function":{"object":{"name":"stop","body":{"query":{"lambda":"x","expr":{"abort":"stop"}}}}}}',
    ...Array.from({ length: 100 }, (_, at) => `{"create":{"ref":{"collection":"spells"},"id":${at + 1}},"params":{"object":{"data":{"object":{"name":"n${at}"}}}}}`),
    `{"create":{"ref":{"collection":"spells"},"id":1000},"params":{"object":{"data":{"object":{"name":"${'x'.repeat(9000)}"}}}}}`,
  ]);
  const made = await client.query('{"select":"secret","from":{"create_key":{"object":{"role":"server"}}}}');
  key = (JSON.parse(made.text) as { resource: string }).resource;
});

async function cost(query: string, expected = 200): Promise<readonly [compute: number, reads: number, writes: number, bytesRead: number, bytesWritten: number]> {
  const { status, text, headers } = await client.queryAs(key, query);
  if (status >= 300 && status !== expected) throw new Error(text);
  const number = (name: string): number => Number(headers[name]);
  return [number('x-compute-ops'), number('x-byte-read-ops'), number('x-byte-write-ops'), number('x-storage-bytes-read'), number('x-storage-bytes-write')];
}

const ref = (id: number): string => `{"ref":{"collection":"spells"},"id":${id}}`;
const get = (id: number): string => `{"get":${ref(id)}}`;
const ALL = '{"match":{"index":"all"}}';
const NUMBERS = JSON.stringify(Array.from({ length: 1000 }, (_, at) => at));

describe('what requests cost', () => {
  it('is nothing but computing when nothing is read: who asks is not billed', async () => {
    expect(await cost('{"add":[1,2]}')).toEqual([1, 0, 0, 0, 0]);
  });

  it.each([
    ['one document', get(1), 1],
    ['a document again', `[${get(1)},${get(1)}]`, 1],
    ['documents in turns', `[${get(1)},${get(2)},${get(1)},${get(2)}]`, 2],
    ['documents, each for itself', `[${get(1)},${get(2)},${get(3)}]`, 3],
    ['a large document', get(1000), 3],
    ['a document that is not there', `{"exists":${ref(5555)}}`, 1],
    ['a document that is not there, again', `[{"exists":${ref(5555)}},{"exists":${ref(5555)}}]`, 1],
    ['a set, and the partitions of its index', `{"count":${ALL}}`, Math.ceil((101 * 40) / 4096) + 7],
    ['a set of one partition', '{"is_empty":{"match":{"index":"by_name"},"terms":"n1"}}', 1],
    ['a unique index without terms, which has one', '{"is_empty":{"match":{"index":"one"}}}', 1],
    ['two sets, each for itself', '[{"paginate":{"match":{"index":"by_name"},"terms":"n1"}},{"is_empty":{"match":{"index":"by_name"},"terms":"n2"}}]', 2],
    ['a union, and each of its sets', '{"paginate":{"union":[{"match":{"index":"by_name"},"terms":"n1"},{"match":{"index":"by_name"},"terms":"n2"},{"match":{"index":"all"}}]}}', 1 + 2 + 7],
    ['a union of one', '{"paginate":{"union":[{"match":{"index":"by_name"},"terms":"n1"}]}}', 1],
    ['an intersection', '{"paginate":{"intersection":[{"match":{"index":"by_name"},"terms":"n1"},{"match":{"index":"by_name"},"terms":"n1"}]}}', 2],
    ['a set and the document it leads to', '{"get":{"match":{"index":"by_name"},"terms":"n1"}}', 1],
    ['a page, and each of its documents', '{"map":{"lambda":"x","expr":{"get":{"var":"x"}}},"collection":{"paginate":{"documents":{"collection":"spells"}},"size":5}}', 1 + 7 + 5],
    ['an empty set', '{"is_empty":{"match":{"index":"by_name"},"terms":"nobody"}}', 1],
    ['documents of a collection: they are an index of eight partitions', '{"is_empty":{"documents":{"collection":"spells"}}}', 1 + 7],
    ['a native collection', '{"is_empty":{"indexes":null}}', 1 + 7],
    ['a singleton', `{"paginate":{"singleton":${ref(1)}}}`, 1],
    ['a union of singletons', `{"paginate":{"union":[{"singleton":${ref(1)}},{"singleton":${ref(2)}}]}}`, 2],
    ['a join to singletons', `{"paginate":{"join":{"union":[{"singleton":${ref(1)}},{"singleton":${ref(2)}}]},"with":{"lambda":"x","expr":{"singleton":{"var":"x"}}}}}`, 2],
    ['a singleton and its document', `[{"paginate":{"singleton":${ref(1)}}},${get(1)}]`, 1],
    ['events of a document', `{"paginate":{"events":${ref(1)}}}`, 1],
    ['events of a singleton', `{"paginate":{"events":{"singleton":${ref(1)}}}}`, 1],
    ['events of an intersection, and the partitions of all its sets', `{"paginate":{"events":{"intersection":[${ALL},{"union":[${ALL},{"match":{"index":"by_name"},"terms":"n1"}]}]}},"size":5}`, 8 + 8 + 1],
    ['events of documents', '{"is_empty":{"events":{"documents":{"collection":"spells"}}}}', 1 + 7],
  ])('counts read operations of %s', async (_what, query, reads) => {
    expect((await cost(query))[1]).toBe(reads);
  });

  it.each([
    ['create', `{"create":${ref(2001)}}`],
    ['update', `{"update":${ref(1)},"params":{"object":{"data":{"object":{"level":1}}}}}`],
    ['replace', `{"replace":${ref(2)},"params":{"object":{"data":{"object":{"level":1}}}}}`],
    ['delete', `{"delete":${ref(3)}}`],
  ])('bills %s as writing only', async (_what, query) => {
    const [, reads, writes, , bytes] = await cost(query);
    expect([reads, writes]).toEqual([0, Math.ceil(bytes / 1024)]);
    expect(bytes).toBeGreaterThan(0);
  });

  it('bills nothing of reading what the query has written, but other documents, and what was before', async () => {
    const both = `[${get(4)},${get(5)},{"exists":${ref(4)}}]`;
    const readOps = async (write: string, read: string): Promise<number> => Number((await client.query(`{"do":[${write},${read}]}`)).headers['x-byte-read-ops']);
    expect(await readOps(`{"update":${ref(4)}}`, both)).toBe(1);
    const { resource } = JSON.parse((await client.query(`{"select":"ts","from":${get(6)}}`)).text) as { resource: number };
    await populate(client, [`{"update":${ref(6)}}`]);
    expect(await readOps(`{"update":${ref(6)}}`, `{"get":${ref(6)},"ts":${resource}}`)).toBe(1);
    // Rows of an index that is built, or of history.
    expect(await readOps('{"create_index":{"object":{"name":"late","source":{"collection":"spells"}}}}', both)).toBe(2);
    expect(await readOps(`{"insert":${ref(6000)},"ts":1,"action":"create","params":{"object":{}}}`, both)).toBe(2);
  });

  it('bills a sign-in as one read', async () => {
    await populate(client, [`{"create":{"ref":{"collection":"spells"},"id":7000},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}`]);
    expect((await cost(`{"identify":${ref(7000)},"password":"owl"}`))[1]).toBe(1);
    const below = JSON.parse((await client.query('{"do":[{"create_database":{"object":{"name":"below"}}},{"select":"secret","from":{"create_key":{"object":{"role":"admin","database":{"database":"below"}}}}}]}')).text).resource as string;
    await client.queryAs(below, '{"create_collection":{"object":{"name":"spells"}}}');
    await client.queryAs(below, `{"create":${ref(7000)},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}`);
    for (const secret of [key, below]) {
      const { headers } = await client.queryAs(secret, `{"login":${ref(7000)},"params":{"object":{"password":"owl"}}}`);
      expect(headers['x-byte-read-ops']).toBe('1');
    }
    const secret = JSON.parse((await client.query('{"create_key":{"object":{"role":"client"}}}')).text).resource.secret as string;
    expect(Number((await client.query(`{"key_from_secret":"${secret}"}`)).headers['x-byte-read-ops'])).toBe(1);
  });

  it('bills what indexes select of each state of a document, and of all where they are built', async () => {
    const made = Array.from({ length: 50 }, () => '{"create":{"collection":"spells"}}').join();
    // The create, the collection, one term and one value.
    expect((await cost(`[${made}]`))[0]).toBe(4);
    const updated = Array.from({ length: 50 }, () => `{"update":${ref(5)}}`).join();
    expect((await cost(`[${updated}]`))[0]).toBe(3 + 2 * 2);
    await populate(client, ['{"create_collection":{"object":{"name":"few"}}}', ...Array.from({ length: 100 }, () => '{"create":{"collection":"few"}}')]);
    const index = '{"create_index":{"object":{"name":"few","source":{"collection":"few"},"terms":[{"object":{"field":["data","x"]}},{"object":{"field":["data","y"]}}],"values":[{"object":{"field":["data","z"]}}]}}}';
    expect((await client.query(index)).headers['x-compute-ops']).toBe(String(Math.ceil((1 + 3 * 100) / 50)));
  });

  it.each([
    ['what is not there', `{"get":${ref(5555)}}`, 404],
    ['a query that fails after it has read', `[${get(1)},{"get":${ref(5555)}}]`, 404],
    ['an abort that a function makes', `{"do":[${get(1)},{"call":"stop","arguments":1}]}`, 400],
  ])('bills nothing of %s', async (_what, query, status) => {
    expect(await cost(query, status)).toEqual([1, 0, 0, 0, 0]);
  });

  it('bills what was read before an abort', async () => {
    const [compute, reads, writes, bytesRead] = await cost(`{"if":{"exists":${ref(1)}},"then":{"abort":"stop"},"else":null}`, 400);
    expect([compute, reads, writes]).toEqual([1, 1, 0]);
    expect(bytesRead).toBeGreaterThan(0);
  });

  it('counts write operations of each document for itself, with its entries', async () => {
    const written = (id: number, text: string): string => `{"create":${ref(id)},"params":{"object":{"data":{"object":{"v":"${text}"}}}}}`;
    expect((await cost(`[${written(4001, 'a')},${written(4002, 'b')},${written(4003, 'c'.repeat(1500))}]`))[2]).toBe(4);
  });

  it('counts bytes, not characters', async () => {
    const written = async (id: number, text: string): Promise<number> => (await cost(`{"create":${ref(id)},"params":{"object":{"data":{"object":{"v":"${text}"}}}}}`))[4];
    const [latin, accents, faces] = [await written(3001, 'aaaa'), await written(3002, 'éééé'), await written(3003, '😀😀')];
    expect([accents - latin, faces - latin]).toEqual([4, 4]);
    const read = async (id: number): Promise<number> => (await cost(get(id)))[3];
    expect([(await read(3002)) - (await read(3001)), (await read(3003)) - (await read(3001))]).toEqual([4, 4]);
  });

  it.each([
    ['if', '{"if":true,"then":CALL,"else":0}', [1, 1]],
    ['do', '{"do":[CALL]}', [1, 1]],
    ['at', '{"at":{"now":null},"expr":CALL}', [2, 2]],
    ['let, object and var', '{"let":{"x":CALL},"in":{"object":{"y":{"var":"x"}}}}', [1, 1]],
    ['quote', '{"add":[CALL,{"quote":1}]}', [2, 2]],
    ['call, but the function', '{"call":"same","arguments":1}', [1, 1]],
    ['and, from version 3 on', '{"and":[{"not":false}]}', [2, 1]],
    ['or, from version 3 on', '{"or":[{"not":false}]}', [2, 1]],
    ['select, from version 3 on', '{"select":0,"from":[CALL]}', [2, 1]],
    ['select_all, from version 3 on', '{"select_all":0,"from":[CALL]}', [2, 1]],
    ['a function', '{"abs":CALL}', [2, 2]],
  ])('bills functions, and nothing that is part of the language: %s', async (_what, expression, steps) => {
    const query = JSON.stringify(Array.from({ length: 50 }, () => JSON.parse(expression.replace('CALL', '{"abs":1}'))));
    const billed = async (version: string): Promise<number> => Number((await client.query(query, version)).headers['x-compute-ops']);
    expect([await billed('2.12'), await billed('4')]).toEqual(steps);
  });

  it('bills what a predicate does in the same way', async () => {
    const filter = (expr: string): string => `{"count":{"filter":{"lambda":"x","expr":${expr}},"collection":{"documents":{"collection":"spells"}}}}`;
    const [compute] = await cost(filter('{"and":[{"equals":[{"select":["data","none"],"from":{"get":{"var":"x"}},"default":1},2]}]}'));
    const elements = Number(JSON.parse((await client.query('{"count":{"documents":{"collection":"spells"}}}')).text).resource);
    // The application, the get and the comparison of each.
    expect(compute).toBe(Math.ceil((3 * elements + 3) / 50));
  });

  it.each(['count', 'sum', 'mean'])('bills each element of a %s', async (fold) => {
    expect((await cost(`{"${fold}":${NUMBERS}}`))[0]).toBe(21);
  });

  it.each(['max', 'min'])('does not bill elements that are only compared, as by %s', async (fold) => {
    expect((await cost(`{"${fold}":${NUMBERS}}`))[0]).toBe(1);
  });

  it('bills a reduction by what its lambda does, over arrays as over sets', async () => {
    const reduce = (over: string, add: string): string => `{"reduce":{"lambda":["a","x"],"expr":{"add":[{"var":"a"},${add}]}},"initial":0,"collection":${over}}`;
    expect((await cost(reduce(NUMBERS, '{"var":"x"}')))[0]).toBe(41);
    const elements = Number(JSON.parse((await client.query(`{"count":${ALL}}`)).text).resource);
    expect((await cost(reduce(ALL, '1')))[0]).toBe(Math.ceil((2 * elements + 2) / 50));
  });
});

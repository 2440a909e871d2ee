// Pages of sets whose members are not alike: joins that lead nowhere, different numbers of values, sets of refs beside an
// index with the order of version 2.0 (reference: data/sets.md §4 and §7).
import { beforeAll, describe, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';

const index = (name: string, source: string, more: string): string =>
  `{"create_index":{"object":{"name":"${name}","source":{"collection":"${source}"},${more}}}}`;
const put = (collection: string, id: number, data: string): string =>
  `{"create":{"ref":{"collection":"${collection}"},"id":"${id}"},"params":{"object":{"data":{"object":{${data}}}}}}`;
const field = (name: string): string => `[{"object":{"field":["data","${name}"]}}]`;

interface Paged {
  readonly data: readonly unknown[];
  readonly after?: unknown;
  readonly before?: unknown;
}

let client: TestClient;

async function page(set: string, more: string, version: string): Promise<Paged> {
  const { text } = succeeded(await client.query(`{"paginate":${set},"size":1${more}}`, version));
  return (JSON.parse(text) as { resource: Paged }).resource;
}

const shown = (item: unknown): unknown => (item as { '@ref'?: { id: string } })['@ref']?.id ?? (Array.isArray(item) ? item.map(shown) : item);

/** All elements, page by page: forwards, and back from the end. */
async function walk(set: string, version = '4'): Promise<{ forwards: unknown[]; backwards: unknown[] }> {
  const forwards: unknown[] = [];
  const backwards: unknown[] = [];
  let last: unknown;
  let after: unknown;
  do {
    const { data, after: next } = await page(set, after === undefined ? '' : `,"after":${JSON.stringify(after)}`, version);
    forwards.push(...data.map(shown));
    if (forwards.length > 20) throw new Error(`pages without an end: ${JSON.stringify(forwards)}`);
    last = after;
    after = next;
  } while (after !== undefined);
  for (let before = last; before !== undefined; ) {
    const { data, before: next } = await page(set, `,"before":${JSON.stringify(before)}`, version);
    backwards.unshift(...data.map(shown));
    if (backwards.length > 20) throw new Error('pages back without an end');
    before = next;
  }
  return { forwards, backwards: [...backwards, ...forwards.slice(-1)] };
}

beforeAll(async () => {
  client = await testClient();
  for (const name of ['posts', 'members', 'tuples', 'olds']) succeeded(await client.query(`{"create_collection":{"object":{"name":"${name}"}}}`));
  const setUp = [
    index('in_group', 'posts', `"terms":${field('g')}`),
    index('groups', 'members', `"terms":${field('user')},"values":${field('g')}`),
    index('one', 'tuples', `"values":${field('n')}`),
    index('two', 'tuples', '"values":[{"object":{"field":["data","n"]}},{"object":{"field":["data","s"]}}]'),
    put('posts', 1, '"g":"x"'),
    put('posts', 2, '"g":"x"'),
    put('posts', 3, '"g":"x"'),
    put('members', 1, '"user":"me","g":"x"'),
    put('members', 2, '"user":"you","g":"empty"'),
    put('members', 3, '"user":"you","g":"me"'),
    put('tuples', 1, '"n":1,"s":"a"'),
    put('tuples', 2, '"n":2,"s":"b"'),
  ];
  for (const query of setUp) succeeded(await client.query(query));
  succeeded(await client.query(index('old', 'olds', `"values":${field('n')}`), '2.0'));
  for (const n of [1, 2, 3]) succeeded(await client.query(put('olds', n, `"n":${n}`), '2.0'));
});

const SECOND = '{"ref":{"collection":"posts"},"id":"2"}';
const posts = '{"lambda":"g","expr":{"match":{"index":"in_group"},"terms":{"var":"g"}}}';
const postsOf = (user: string): string => `{"join":{"match":{"index":"groups"},"terms":"${user}"},"with":${posts}}`;

describe('pages of joins by a lambda', () => {
  const nested = `{"join":{"match":{"index":"groups"},"terms":"you"},"with":{"lambda":"u","expr":{"join":{"match":{"index":"groups"},"terms":{"var":"u"}},"with":${posts}}}}`;
  it.each([
    ['in a union whose first one leads nowhere', `{"union":[${postsOf('nobody')},${postsOf('me')}]}`],
    ['in a union whose last one leads nowhere', `{"union":[${postsOf('me')},${postsOf('nobody')}]}`],
    ['in a join whose first one leads nowhere', nested],
  ])('%s', async (_, set) => {
    expect(await walk(set)).toEqual({ forwards: ['1', '2', '3'], backwards: ['1', '2', '3'] });
    expect((await client.query(`{"count":{"range":${set},"from":[${SECOND}],"to":[${SECOND}]}}`)).text).toBe('{"resource":1}');
  });

  it('none of which leads anywhere', async () => {
    const set = `{"union":[${postsOf('nobody')},${postsOf('no one')}]}`;
    for (const direction of ['after', 'before']) expect((await page(set, `,"${direction}":[${SECOND}]`, '4')).data).toEqual([]);
  });
});

describe('pages of sets that cover different numbers of values, each group once', () => {
  const [one, two] = ['{"match":{"index":"one"}}', '{"match":{"index":"two"}}'];
  it.each([
    ['a distinct union', `{"distinct":{"union":[${one},${two}]}}`],
    ['a union of distinct ones', `{"union":[{"distinct":${one}},{"distinct":${two}}]}`],
    ['a distinct union within another', `{"distinct":{"union":[{"union":[${two},${one}]},${one}]}}`],
  ])('%s', async (_, set) => {
    const all = JSON.parse(succeeded(await client.query(`{"paginate":${set}}`)).text).resource.data as unknown[];
    expect(all).toHaveLength(4);
    expect(await walk(set)).toEqual({ forwards: all, backwards: all });
  });
});

it.each([
  ['before', ['{"documents":{"collection":"olds"}}', '{"match":{"index":"old"}}']],
  ['behind', ['{"match":{"index":"old"}}', '{"documents":{"collection":"olds"}}']],
])('pages of an index with the order of version 2.0 and a set of refs %s it', async (_, members) => {
  const set = `{"union":[${members.join()}]}`;
  const refs = Array.from({ length: 3 }, () => expect.anything() as unknown);
  expect((await walk(set, '2.0')).forwards).toEqual([1, 2, 3, ...refs]);
  expect((await client.query(`{"count":{"range":${set},"from":1,"to":3}}`, '2.0')).text).toBe('{"resource":3}');
});

// Events of sets that are made of others, page by page: none is left out, none comes again (reference: data/sets.md §7, data/history.md §4–5).
import { beforeEach, describe, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLogStore } from '../kv/memory.ts';

let client: TestClient;
let now = 0;

const ask = async (query: string, version = '4'): Promise<unknown> => (JSON.parse(succeeded(await client.query(query, version), query).text) as { resource: unknown }).resource;
const collection = (name: string, more = ''): Promise<unknown> => ask(`{"create_collection":{"object":{"name":"${name}"${more}}}}`);
const field = (name: string, more = ''): string => `{"object":{"field":["data","${name}"]${more}}}`;
const index = (name: string, source: string, more: string, version = '4'): Promise<unknown> =>
  ask(`{"create_index":{"object":{"name":"${name}","source":{"collection":"${source}"},${more}}}}`, version);
const put = (of: string, id: number, data: string): Promise<unknown> => ask(`{"create":{"ref":{"collection":"${of}"},"id":"${id}"},"params":{"object":{"data":{"object":{${data}}}}}}`);
const update = (of: string, id: number, data: string): Promise<unknown> => ask(`{"update":{"ref":{"collection":"${of}"},"id":"${id}"},"params":{"object":{"data":{"object":{${data}}}}}}`);

interface Event {
  readonly action: string;
  readonly document: { readonly '@ref': { readonly id: string } };
  readonly data?: unknown;
}
const shown = ({ action, document, data }: Event): string => `${action} ${document['@ref'].id}${data === undefined ? '' : ` ${JSON.stringify(data)}`}`;

/** A cursor of an answer, as a query has it. */
const asQuery = ({ ts, action, document, data }: Event & { readonly ts: number }): string =>
  `{"object":{"ts":${ts},"action":"${action}","document":${JSON.stringify(document)}${data === undefined ? '' : `,"data":${JSON.stringify(data)}`}}}`;

const all = async (set: string): Promise<string[]> => ((await ask(`{"paginate":{"events":${set}}}`)) as { data: Event[] }).data.map(shown);

/** The same by small pages, forwards and back. */
async function walk(set: string, size: number): Promise<{ forwards: string[]; backwards: string[] }> {
  const forwards: string[] = [];
  const backwards: string[] = [];
  const page = async (cursor: string): Promise<{ data: Event[]; after?: Event & { ts: number }; before?: Event & { ts: number } }> =>
    (await ask(`{"paginate":{"events":${set}},"size":${size}${cursor}}`)) as never;
  let last: string | undefined;
  let left: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { data, after } = await page(cursor);
    left = data.map(shown);
    forwards.push(...left);
    if (forwards.length > 40) throw new Error(`pages without an end: ${forwards.join(', ')}`);
    last = cursor;
    cursor = after && `,"after":${asQuery(after)}`;
  }
  for (let cursor = last?.replace('after', 'before'); cursor !== undefined && cursor !== ''; ) {
    const { data, before } = await page(cursor);
    backwards.unshift(...data.map(shown));
    if (backwards.length > 40) throw new Error('pages back without an end');
    cursor = before && `,"before":${asQuery(before)}`;
  }
  return { forwards, backwards: [...backwards, ...left] };
}

beforeEach(async () => {
  now = 1_600_000_000_000_000;
  client = await testClient(memoryLogStore(), { ...testPlatform(), now: () => (now += 1000) });
});

describe('events of a join by a lambda, page by page', () => {
  const JOIN = '{"join":{"match":{"index":"by_k"},"terms":"x"},"with":{"lambda":"r","expr":{"match":{"index":"score"},"terms":{"var":"r"}}}}';
  it.each([
    ['in the order of version 2.0', '', '2.0', ['5', '6', '7']],
    ['of dates from the last down', ',"reverse":true', '4', ['{"date":"2020-01-01"}', '{"date":"2020-01-02"}', '{"date":"2020-01-03"}']],
    ['of lists from the last down', ',"reverse":true', '4', ['[1,2,3,4]', '[5]', '[6]']],
  ])('%s', async (_, more, version, values) => {
    await collection('c');
    await index('by_k', 'c', `"terms":[${field('k')}]`);
    await index('score', 'c', `"terms":[${field('of')}],"values":[${field('n', more)}]`, version);
    await put('c', 1, '"k":"x"');
    for (const [at, value] of values.entries()) await put('c', at + 2, `"of":{"ref":{"collection":"c"},"id":"1"},"n":${value}`);
    const events = await all(JOIN);
    expect(events.length).toBeGreaterThanOrEqual(3);
    for (const size of [1, 2]) expect(await walk(JOIN, size)).toEqual({ forwards: events, backwards: events });
  });

  it('nor are any of a union of refs and an index that is sorted from the last down', async () => {
    await collection('c');
    await index('both', 'c', `"values":[${field('a')},${field('b', ',"reverse":true')}]`);
    await ask(`{"do":[${[1, 2, 3].map((n) => `{"create":{"ref":{"collection":"c"},"id":"${n}"},"params":{"object":{"data":{"object":{"a":1,"b":[${n},true,{"date":"2020-01-0${n}"}]}}}}}`).join()}]}`);
    const union = '{"union":[{"documents":{"collection":"c"}},{"match":{"index":"both"}}]}';
    const events = await all(union);
    expect(events).toHaveLength(12);
    for (const size of [1, 2, 5]) expect(await walk(union, size)).toEqual({ forwards: events, backwards: events });
  });
});

describe('events of a join go on while what leads to them is there', () => {
  const JOIN = '{"join":{"union":[{"match":{"index":"by_state"},"terms":"open"},{"match":{"index":"by_state"},"terms":"busy"}]},"with":{"index":"in_room"}}';
  beforeEach(async () => {
    await collection('d');
    await index('by_state', 'd', `"terms":[${field('state')}],"values":[${field('room')}]`);
    await index('in_room', 'd', `"terms":[${field('in')}]`);
  });

  it('also where it goes from one member of the source to another', async () => {
    await put('d', 1, '"state":"open","room":"hall"');
    await update('d', 1, '"state":"busy"');
    await put('d', 3, '"in":"hall"');
    expect(await all(JOIN)).toEqual(['add 3']);
  });

  it('and where it leaves one of the two that it is in', async () => {
    await put('d', 1, '"state":["open","busy"],"room":"hall"');
    await update('d', 1, '"state":["busy"]');
    await put('d', 3, '"in":"hall"');
    expect(await all(JOIN)).toEqual(['add 3']);
    await update('d', 1, '"state":"shut"');
    await put('d', 4, '"in":"hall"');
    expect(await all(JOIN)).toEqual(['add 3']);
  });
});

it.each([['difference', []], ['intersection', []], ['union', ['add 1 [5]']]] as const)('a %s of sets that keep history for different times has events from the later edge on', async (kind, expected) => {
  await collection('long', ',"history_days":30');
  await collection('brief', ',"history_days":0');
  await index('a', 'long', `"values":[${field('v')}]`);
  await index('b', 'brief', `"values":[${field('v')}]`);
  // What is before the edge of the one with the short history is what counts for the other.
  if (kind === 'intersection') {
    await put('brief', 2, '"v":5');
    await put('long', 1, '"v":5');
    await ask('{"delete":{"ref":{"collection":"brief"},"id":"2"}}');
  } else {
    await put('long', 1, '"v":5');
    await put('brief', 2, '"v":5');
  }
  now += 20 * 60 * 1_000_000;
  expect(await all(`{"${kind}":[{"match":{"index":"a"}},{"match":{"index":"b"}}]}`)).toEqual(expected);
});

describe('events of documents that share what is covered', () => {
  const [shared, none] = ['{"match":{"index":"shared"}}', '{"match":{"index":"shared"},"terms":1}'];
  beforeEach(async () => {
    await collection('c', ',"history_days":null');
    await index('shared', 'c', `"values":[${field('v')}]`);
    for (const id of [1, 5]) await put('c', id, '"v":"a"');
    for (const id of [1, 5]) await ask(`{"delete":{"ref":{"collection":"c"},"id":"${id}"}}`);
  });

  it.each([
    `{"intersection":[${shared},${shared}]}`,
    `{"intersection":${shared}}`,
    `{"difference":[${shared},${none}]}`,
    `{"difference":${shared}}`,
  ])('each of them has its own: %s', async (set) => {
    const events = ['add 1 ["a"]', 'add 5 ["a"]', 'remove 1 ["a"]', 'remove 5 ["a"]'];
    expect(await all(shared)).toEqual(events);
    expect(await all(set)).toEqual(events);
    for (const size of [1, 3]) expect(await walk(set, size)).toEqual({ forwards: events, backwards: events });
  });

  it('and what another document has in common with them does not change it', async () => {
    await collection('d', ',"history_days":null');
    await index('others', 'd', `"values":[${field('v')}]`);
    await put('d', 3, '"v":"b"');
    for (const id of [1, 5]) await put('c', id, '"v":"b"');
    const others = '{"match":{"index":"others"}}';
    expect((await all(`{"difference":[${shared},${others}]}`)).slice(4)).toEqual(['add 1 ["b"]', 'add 5 ["b"]']);
    expect(await all(`{"intersection":[${shared},${others}]}`)).toEqual([]);
  });
});

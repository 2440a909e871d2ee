// The time of the running transaction among a document's data: what indexes make of it is what
// they would make of the Long that it is from the commit on.
import { beforeEach, expect, it } from 'vitest';
import { type TestClient, testClient } from '../../testing/client.ts';

let client: TestClient;

const C = '{"collection":"c"}';
const doc = (id: number): string => `{"ref":${C},"id":"${id}"}`;
const data = (fields: string): string => `{"object":{"data":{"object":{${fields}}}}}`;
/** Makes a document that has the time of its own transaction as `t`. */
const stamped = (id: number): string => `{"update":${doc(id)},"params":${data(`"t":{"select":"ts","from":{"create":${doc(id)},"params":${data('"n":0')}}}`)}}`;
const index = (name: string, more: string, source = C): string => `{"create_index":{"object":{"name":"${name}","source":${source},${more}}}}`;
const field = (...path: readonly string[]): string => `{"object":{"field":${JSON.stringify(path)}}}`;
const match = (name: string, ...terms: readonly string[]): string => `{"match":{"index":"${name}"},"terms":[${terms.join()}]}`;
const ids = (set: string): string => `{"select":"data","from":{"map":{"lambda":"r","expr":{"select":"id","from":{"var":"r"}}},"collection":{"paginate":${set}}}}`;

/** What a query answers, and the time of its transaction. */
async function ask(query: string): Promise<{ readonly is: unknown; readonly ts: string }> {
  const { text, headers } = await client.query(query);
  const { resource, errors } = JSON.parse(text) as { resource?: unknown; errors?: readonly { code: string }[] };
  return { is: errors?.map(({ code }) => code).join() ?? resource, ts: headers['x-txn-time'] ?? '' };
}

beforeEach(async () => {
  client = await testClient();
  await ask('{"create_collection":{"object":{"name":"c"}}}');
});

it('is found by the time, and leaves nothing behind', async () => {
  await ask(index('by_t', `"terms":[${field('data', 't')}]`));
  const found = async (term: string): Promise<unknown> => (await ask(ids(match('by_t', term)))).is;
  const { ts } = await ask(stamped(1));
  expect([await found(ts), await found('null')]).toEqual([['1'], []]);
  await ask(`{"update":${doc(1)},"params":${data('"t":5')}}`);
  expect([await found(ts), await found('5')]).toEqual([[], ['1']]);

  const { ts: second } = await ask(stamped(2));
  await ask(`{"delete":${doc(2)}}`);
  expect([await found(second), await found('null')]).toEqual([[], []]);
  const { is } = await ask(`{"map":{"lambda":"e","expr":{"select":"action","from":{"var":"e"}}},"collection":{"select":"data","from":{"paginate":{"events":${match('by_t', second)}}}}}`);
  expect(is).toEqual(['add', 'remove']);
});

it('is found within the transaction', async () => {
  await ask(index('by_t', `"terms":[${field('data', 't')}],"values":[${field('data', 't')},${field('ref')}]`));
  const time = `{"select":["data","t"],"from":{"get":${doc(1)}}}`;
  const { is } = await ask(`[${stamped(1)},{"count":${match('by_t', time)}},{"count":${match('by_t', 'null')}}]`);
  expect((is as unknown[]).slice(1)).toEqual([1, 0]);
});

it('is taken where it has to be unique, and by nobody else afterwards', async () => {
  await ask(index('by_t', `"unique":true,"terms":[${field('data', 't')}]`));
  expect((await ask(`[${stamped(1)},${stamped(2)}]`)).is).toBe('instance not unique');
  const { ts } = await ask(stamped(1));
  expect((await ask(stamped(2))).is).toMatchObject({ data: { n: 0 } });
  expect((await ask(`{"create":${doc(3)},"params":${data(`"t":${ts}`)}}`)).is).toBe('instance not unique');
  await ask(`{"delete":${doc(1)}}`);
  expect((await ask(`{"create":${doc(3)},"params":${data(`"t":${ts}`)}}`)).is).toMatchObject({ data: { t: Number(ts) } });
});

it('is found inside arrays and by bindings, beside the document’s own time, which is null', async () => {
  const source = `{"object":{"collection":${C},"fields":{"object":{"both":{"query":{"lambda":"d","expr":[{"select":"ts","from":{"var":"d"}},{"select":["data","t"],"from":{"var":"d"},"default":"none"}]}}}}}}`;
  await ask(index('by_list', `"terms":[${field('data', 'list')}],"values":[${field('data', 'list')}]`));
  await ask(index('by_both', '"terms":[{"object":{"binding":"both"}}]', source));
  const { ts } = await ask(`{"let":{"d":${stamped(1)}},"in":{"update":${doc(1)},"params":${data(`"list":[7,{"select":"ts","from":{"var":"d"}}]`)}}}`);
  const seen = async (): Promise<unknown[]> => [
    (await ask(`{"select":"data","from":{"paginate":${match('by_list', ts)}}}`)).is,
    (await ask(ids(match('by_both', ts)))).is,
    (await ask(ids(match('by_both', 'null')))).is,
  ];
  expect(await seen()).toEqual([[7, Number(ts)], ['1'], ['1']]);
  await ask(`{"delete":${doc(1)}}`);
  expect(await seen()).toEqual([[], [], []]);
});

it.each([
  ['taken out again', `{"remove":${doc(2)},"ts":TS,"action":"create"}`, []],
  ['replaced', `{"insert":${doc(2)},"ts":TS,"action":"create","params":${data('"t":5')}}`, ['2']],
])('leaves nothing behind in a version of the past that is %s in the same transaction', async (_, then, found) => {
  await ask(index('by_t', `"terms":[${field('data', 't')}],"values":[${field('data', 't')},${field('ref')}]`));
  const { ts: past } = await ask(`{"create":${doc(1)},"params":${data('"n":0')}}`);
  const insert = `{"insert":${doc(2)},"ts":${past},"action":"create","params":${data('"t":{"var":"t"}')}}`;
  const { ts } = await ask(`{"let":{"t":{"select":"ts","from":{"create":${doc(3)},"params":${data('"n":0')}}}},"in":[${insert},${then.replace('TS', past)}]}`);
  const [now, other] = [ts, '5'].map((term) => `{"count":${match('by_t', term)}}`);
  expect((await ask(`[${now},${other}]`)).is).toEqual([0, found.length]);
  expect((await ask(`{"count":{"events":${match('by_t', ts)}}}`)).is).toBe(0);
});

it('is the time of the commit, too, in a version that is put into the past', async () => {
  await ask(index('by_t', `"terms":[${field('data', 't')}],"values":[${field('data', 't')}]`));
  const { ts } = await ask(`{"let":{"t":{"select":"ts","from":{"create":${doc(1)},"params":${data('"n":0')}}}},"in":{"insert":${doc(2)},"ts":123,"action":"create","params":${data('"t":{"var":"t"}')}}}`);
  expect((await ask(`{"select":["data","t"],"from":{"get":${doc(2)}}}`)).is).toBe(Number(ts));
  expect((await ask(`{"select":"data","from":{"paginate":${match('by_t', ts)}}}`)).is).toEqual([Number(ts)]);
  await ask(`{"delete":${doc(2)}}`);
  expect((await ask(`{"select":"data","from":{"paginate":${match('by_t', ts)}}}`)).is).toEqual([]);
});

// What reading costs: counted in rows, it goes with what is asked for, not with what there is.
import { beforeAll, describe, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';

const MANY = 20_000;
const FEW = 40;
/** Bytes of a row with its text: those of the indexes are shorter, versions about as long. */
const ROW = 100;

let client: TestClient;
let past = 0;

const run = async (query: string): Promise<string> => succeeded(await client.query(query)).text;

/** About how many rows a query read. */
async function rows(query: string): Promise<number> {
  const { headers } = succeeded(await client.query(query));
  return Number(headers['x-storage-bytes-read']) / ROW;
}

beforeAll(async () => {
  client = await testClient();
  await run('{"create_collection":{"object":{"name":"c","history_days":null}}}');
  await run('{"create_collection":{"object":{"name":"d","history_days":null}}}');
  const field = (name: string): string => `[{"object":{"field":["data","${name}"]}}]`;
  const both = '"source":[{"collection":"c"},{"collection":"d"}]';
  await run(`[
    {"create_index":{"object":{"name":"by_kind",${both},"terms":${field('kind')}}}},
    {"create_index":{"object":{"name":"by_mark",${both},"terms":${field('mark')}}}},
    {"create_index":{"object":{"name":"numbers","source":{"collection":"c"},"values":${field('n')}}}},
    {"create_index":{"object":{"name":"kinds","source":{"collection":"c"},"values":${field('kind')}}}}
  ]`);
  const create = (at: number): string =>
    `{"create":{"ref":{"collection":"c"},"id":"${at}"},"params":{"object":{"data":{"object":{"kind":"big","n":${at % 2500}${at % (MANY / FEW) === 0 ? ',"mark":"rare"' : ''}}}}}}`;
  for (let at = 0; at < MANY; at += 5000) await run(`[${Array.from({ length: 5000 }, (_, offset) => create(at + offset)).join()}]`);
  past = Number((JSON.parse(await run('{"to_micros":{"now":null}}')) as { resource: number }).resource);
}, 120_000);

const big = '{"match":{"index":"by_kind"},"terms":"big"}';
const rare = '{"match":{"index":"by_mark"},"terms":"rare"}';
const numbers = '{"match":{"index":"numbers"}}';
const page = (set: string, more = ''): string => `{"paginate":${set}${more}}`;

describe('with a set of twenty thousand', () => {
  const cases: readonly (readonly [what: string, query: () => string, rows: number])[] = [
    ['an intersection with forty, the big one first', () => page(`{"intersection":[${big},${rare}]}`, ',"size":1000'), 3 * FEW],
    ['an intersection with forty, the small one first', () => page(`{"intersection":[${rare},${big}]}`, ',"size":1000'), 3 * FEW],
    ['an intersection read backward', () => page(`{"intersection":[${big},${rare}]}`, ',"before":null,"size":1000'), 3 * FEW],
    ['an intersection with all documents', () => page(`{"intersection":[{"documents":{"collection":"c"}},${rare}]}`, ',"size":1000'), 3 * FEW],
    ['counting an intersection', () => `{"count":{"intersection":[${big},${rare}]}}`, 3 * FEW],
    ['algebra five deep', () => page(`{"difference":[{"intersection":[{"union":[${big},${rare}]},{"difference":[${rare},{"match":{"index":"by_kind"},"terms":"none"}]}]},{"match":{"index":"by_mark"},"terms":"none"}]}`, ',"size":1000'), 8 * FEW],
    ['forty without the big one', () => page(`{"difference":[${rare},${big}]}`, ',"size":1000'), 3 * FEW],
    ['a page of ten', () => page(big, ',"size":10'), 20],
    ['a page of ten in the middle', () => page(big, ',"size":10,"after":{"ref":{"collection":"c"},"id":"10000"}'), 20],
    ['the last ten', () => page(big, ',"size":10,"before":null'), 20],
    ['ten of a union', () => page(`{"union":[${big},${rare}]}`, ',"size":10'), 40],
    ['ten of a reversed union', () => page(`{"reverse":{"union":[${big},${rare}]}}`, ',"size":10'), 40],
    ['ten of a range', () => page(`{"range":${numbers},"from":1250,"to":1500}`, ',"size":10'), 20],
    ['ten documents', () => page('{"documents":{"collection":"c"}}', ',"size":10'), 20],
    ['ten at a past time', () => page(big, `,"size":10,"ts":${past - 1000}`), 20],
    ['ten events', () => page(`{"events":${big}}`, ',"size":10'), 20],
    ['the last ten events', () => page(`{"events":${big}}`, ',"size":10,"before":null'), 20],
    ['the only different value', () => page('{"distinct":{"match":{"index":"kinds"}}}', ',"size":10'), 20],
    ['the only different value, backward', () => page('{"distinct":{"match":{"index":"kinds"}}}', ',"size":10,"before":[null]'), 20],
    ['ten different values', () => page(`{"distinct":${numbers}}`, ',"size":10'), 120],
    ['the first element', () => `{"first":${big}}`, 4],
    ['the last element', () => `{"last":${big}}`, 4],
    ['whether it holds an element', () => `{"contains_value":{"ref":{"collection":"c"},"id":"17777"},"in":${big}}`, 4],
    ['a filter that finds its ten at once', () => page(`{"filter":{"lambda":"x","expr":{"gte":[{"var":"x"},0]}},"collection":${numbers}}`, ',"size":10'), 20],
  ];
  it.each(cases)('%s reads few rows', async (_what, query, most) => {
    expect(await rows(query())).toBeLessThan(most);
  });

  describe('and its histories', () => {
    const INSTANTS = 300;
    const own = (term: string): string => `{"match":{"index":"by_mark"},"terms":"${term}"}`;
    beforeAll(async () => {
      const fields = (mark: string): string => `"params":{"object":{"data":{"object":{"mark":[${mark}]}}}}`;
      for (let at = 0; at < INSTANTS; at++) {
        const doc = `{"ref":{"collection":"d"},"id":"${1000 + at}"}`;
        await run(`{"create":${doc},${fields(at % 2 === 0 ? '"x","y"' : '"x"')}}`);
      }
    }, 120_000);

    const [x, y] = [own('x'), own('y')];
    it.each([
      ['documents', '{"documents":{"collection":"d"}}', 30],
      ['a match', x, 30],
      ['a distinct set', `{"distinct":${x}}`, 30],
      ['a union', `{"union":[${x},${y}]}`, 60],
      ['an intersection', `{"intersection":[${x},${y}]}`, 150],
      ['a difference', `{"difference":[${x},${y}]}`, 150],
      ['a set four deep', `{"distinct":{"union":[{"difference":[${x},${y}]},{"intersection":[${x},${y}]}]}}`, 400],
      ['a join', `{"join":{"singleton":{"ref":{"collection":"d"},"id":"1000"}},"with":{"lambda":"_","expr":${x}}}`, 60],
    ])('ten events of %s are read, from either end and from the middle', async (_what, set, most) => {
      const events = page(`{"events":${set}}`, ',"size":10');
      const middle = JSON.parse(await run(page(`{"events":${x}}`, ',"size":150'))) as { resource: { after: { ts: number } } };
      for (const more of ['', ',"before":null', `,"after":${middle.resource.after.ts}`, `,"before":${middle.resource.after.ts}`]) {
        const query = events.slice(0, -1) + more + '}';
        const { data } = (JSON.parse(await run(query)) as { resource: { data: unknown[] } }).resource;
        expect(data).toHaveLength(10);
        expect({ more, few: (await rows(query)) < most }).toEqual({ more, few: true });
      }
    });
  });

  it('events of an intersection are found instant by instant', async () => {
    const events = `{"events":{"intersection":[${rare},${big}]}}`;
    await run('{"create":{"ref":{"collection":"d"},"id":"1"},"params":{"object":{"data":{"object":{"kind":"big","mark":"rare"}}}}}');
    expect(await rows(page(events, ',"size":1,"before":null'))).toBeLessThan(2 * 5000);
    expect(await rows(page(events, `,"size":1,"before":null,"ts":${past - 1000}`))).toBeLessThan(4 * 5000);
  });
});

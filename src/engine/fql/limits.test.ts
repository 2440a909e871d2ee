// Depth and width: what is at the limit works, what is beyond gets the documented answer, and
// nothing brings the host down (issue: depth and width; reference: data/transactions.md §8).
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestClient, testClient } from '../../testing/client.ts';
import { FORMS } from './registry.ts';
import type { Param } from '../form/form.ts';
import { FAMILIES } from './functions/index.ts';

let client: TestClient;
beforeAll(async () => {
  client = await testClient();
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  await client.query('{"create_index":{"object":{"name":"by_cost","source":{"collection":"spells"},"terms":[{"object":{"field":["data","cost"]}}]}}}');
  await client.query('{"create_index":{"object":{"name":"values","source":{"collection":"spells"},"values":[{"object":{"field":["data","cost"]}}]}}}');
});

const NESTING = '{"errors":[{"position":[],"code":"invalid expression","description":"Request body JSON exceeds nesting limit."}]}';
const OVERFLOW = /^\{"errors":\[\{"position":\[.*\],"code":"stack overflow","description":"Call stack reached the maximum limit of 200\."\}\]\}$/;

/** `before` and `after` repeated around a core. */
const around = (times: number, before: string, core: string, after: string): string => before.repeat(times) + core + after.repeat(times);

describe('depth', () => {
  it.each([
    ['arrays', '[', '1', ']', 1000, 1],
    ['sums', '{"add":[', '1', ']}', 500, 2],
    ['objects', '{"object":{"a":', '1', '}}', 500, 2],
    ['ifs', '{"if":true,"then":', '1', ',"else":0}', 1000, 1],
    ['lets', '{"let":{"x":1},"in":', '{"var":"x"}', '}', 999, 1],
    ['dos', '{"do":[0,', '1', ']}', 500, 2],
    ['quotes', '{"quote":[', '1', ']}', 500, 2],
    ['wrapped objects', '{"@obj":', '{"add":[1]}', '}', 998, 1],
    ['lambdas in lambdas', '{"map":{"lambda":"x","expr":', '1', '},"collection":[0]}', 199, 2],
  ])('%s nested to the limit are answered, beyond it refused', async (_what, before, core, after, times, levels) => {
    expect((await client.query(around(times, before, core, after))).status).toBe(200);
    const deeper = await client.query(around(Math.ceil(1000 / levels) + 2, before, core, after));
    expect(deeper).toMatchObject({ status: 400, text: NESTING });
  });

  it('200 lambdas inside each other are the limit', async () => {
    const { status, text } = await client.query(around(201, '{"map":{"lambda":"x","expr":', '1', '},"collection":[0]}'));
    expect(status).toBe(400);
    expect(text).toMatch(OVERFLOW);
  });

  it('so are 200 calls', async () => {
    await client.query('{"create_function":{"object":{"name":"down","body":{"query":{"lambda":"n","expr":1}}}}}');
    await client.query(
      '{"update":{"function":"down"},"params":{"object":{"body":{"query":{"lambda":"n","expr":{"if":{"equals":[{"var":"n"},0]},"then":0,"else":{"call":{"function":"down"},"arguments":{"subtract":[{"var":"n"},1]}}}}}}}}',
    );
    expect((await client.query('{"call":"down","arguments":199}')).text).toBe('{"resource":0}');
    const { status, text } = await client.query('{"call":"down","arguments":200}');
    expect(status).toBe(400);
    expect(text).toMatch(OVERFLOW);
  });

  it.each([
    ['a value made deep', '{"reduce":{"lambda":["in","_"],"expr":[{"var":"in"}]},"initial":0,"collection":LIST}'],
    ['an object made deep', '{"reduce":{"lambda":["in","_"],"expr":{"object":{"a":{"var":"in"}}}},"initial":0,"collection":LIST}'],
    ['a deep value compared', '{"let":{"d":{"reduce":{"lambda":["in","_"],"expr":[{"var":"in"}]},"initial":0,"collection":LIST}},"in":{"lt":[{"var":"d"},{"var":"d"}]}}'],
    ['a deep value made equal', '{"let":{"d":{"reduce":{"lambda":["in","_"],"expr":[{"var":"in"}]},"initial":0,"collection":LIST}},"in":{"equals":[[{"var":"d"}],[{"var":"d"}]]}}'],
    ['a deep value written', '{"create":{"collection":"spells"},"params":{"object":{"data":{"object":{"d":{"reduce":{"lambda":["in","_"],"expr":[{"var":"in"}]},"initial":0,"collection":LIST}}}}}}'],
    ['deep sets', '{"reduce":{"lambda":["in","_"],"expr":{"distinct":{"var":"in"}}},"initial":{"documents":{"collection":"spells"}},"collection":LIST}'],
    ['a page of deep sets', '{"paginate":{"reduce":{"lambda":["in","_"],"expr":{"distinct":{"var":"in"}}},"initial":{"documents":{"collection":"spells"}},"collection":LIST}}'],
  ])('%s is answered or refused, and the engine lives on', async (_what, query) => {
    const list = JSON.stringify(Array.from({ length: 30_000 }, () => 0));
    const { status } = await client.query(query.replaceAll('LIST', list));
    expect([200, 201, 400]).toContain(status);
    expect((await client.query('1')).text).toBe('{"resource":1}');
  });
});

it('2,000 sets within each other are written, one more is refused', async () => {
  const within = (sets: number): string => `{"reduce":{"lambda":["in","_"],"expr":{"distinct":{"var":"in"}}},"initial":{"documents":{"collection":"spells"}},"collection":[${'0,'.repeat(sets - 2)}0]}`;
  expect((await client.query(within(2000))).status).toBe(200);
  expect((await client.query(within(2001))).status).toBe(400);
});

it('a set that holds another one twice, and that one another, is read until the time is up', async () => {
  const doubled = Array.from({ length: 60 }, () => '{"s":{"union":[{"var":"s"},{"var":"s"}]}}').join(',');
  const query = `{"let":[{"s":{"documents":{"collection":"spells"}}},${doubled}],"in":{"count":{"var":"s"}}}`;
  expect(await client.send('POST', '/', query, { 'x-query-timeout': '500' })).toMatchObject({ status: 503 });
  expect((await client.query('1')).text).toBe('{"resource":1}');
});

describe('width', () => {
  const many = (length: number): string => `[${Array.from({ length }, (_, at) => at).join(',')}]`;

  it('an array of 100,000 elements comes back', async () => {
    const array = many(100_000);
    expect((await client.query(array)).text).toBe(`{"resource":${array}}`);
  });

  it.each([
    ['mapped', '{"count":{"map":{"lambda":"x","expr":{"add":[{"var":"x"},1]}},"collection":LIST}}', '100000'],
    ['filtered', '{"count":{"filter":{"lambda":"x","expr":{"equals":[{"modulo":[{"var":"x"},2]},0]}},"collection":LIST}}', '50000'],
    ['summed', '{"sum":LIST}', '4999950000'],
    ['added', '{"add":LIST}', '4999950000'],
    ['reduced', '{"reduce":{"lambda":["a","b"],"expr":{"max":[{"var":"a"},{"var":"b"}]}},"initial":0,"collection":LIST}', '99999'],
    ['made distinct', '{"count":{"distinct":LIST}}', '100000'],
    ['united', '{"count":{"union":[LIST,LIST]}}', '100000'],
    ['taken from', '{"count":{"difference":[LIST,LIST]}}', '0'],
    ['joined', '{"length":{"concat":{"map":{"lambda":"_","expr":"ab"},"collection":LIST}}}', '200000'],
    ['of pairs made an object', '{"is_object":{"to_object":{"map":{"lambda":"x","expr":[{"to_string":{"var":"x"}},{"var":"x"}]},"collection":LIST}}}', 'true'],
    ['compared', '{"lt":LIST}', 'true'],
    ['done', '{"do":LIST}', '99999'],
  ])('can be %s', async (_what, query, result) => {
    expect((await client.query(query.replaceAll('LIST', many(100_000)))).text).toBe(`{"resource":${result}}`);
  });

  const upTo = (length: number, text: (at: number) => string): string => Array.from({ length }, (_, at) => text(at)).join();

  // Minutes, where each one costs a look at all others.
  it.each([
    ['arrays are united', `{"count":{"union":[${upTo(50_000, (at) => `[${at}]`)}]}}`, '50000'],
    ['arrays are taken from one', `{"count":{"difference":[${many(50_000)},${upTo(50_000, (at) => `[${at}]`)}]}}`, '0'],
    ['names are bound', `{"let":[${upTo(50_000, (at) => `{"n${at}":${at}}`)}],"in":{"var":"n49999"}}`, '49999'],
  ])('50,000 %s', async (_what, query, result) => {
    expect((await client.query(query)).text).toBe(`{"resource":${result}}`);
  });

  it('10,000 sets are united', async () => {
    await client.query('{"create_collection":{"object":{"name":"wide"}}}');
    const refs = (from: number, count: number): string[] => Array.from({ length: count }, (_, at) => `{"ref":{"collection":"wide"},"id":"${from + at + 1}"}`);
    for (let from = 0; from < 10_000; from += 1000) await client.query(`{"foreach":{"lambda":"r","expr":{"create":{"var":"r"},"params":{"object":{}}}},"collection":[${refs(from, 1000).join()}]}`);
    const sets = refs(0, 10_000).map((ref) => `{"singleton":${ref}}`);
    expect((await client.query(`{"count":{"union":[${sets.join()}]}}`)).text).toBe('{"resource":10000}');
  });

  it('an object of 50,000 fields comes back, and a field of it is found', async () => {
    const fields = Array.from({ length: 50_000 }, (_, at) => `"k${at}":${at}`).join(',');
    expect((await client.query(`{"object":{${fields}}}`)).text).toBe(`{"resource":{${fields}}}`);
    expect((await client.query(`{"select":"k49999","from":{"object":{${fields}}}}`)).text).toBe('{"resource":49999}');
  });
});

describe('size', () => {
  it('a body of 8 MiB is read and answered', async () => {
    const text = `"${'x'.repeat(8_388_606)}"`;
    const answer = await client.query(text);
    expect(answer.status).toBe(200);
    expect(answer.text.length).toBe(text.length + '{"resource":}'.length);
  });

  it('a document of more than 8 MiB is refused', async () => {
    const { status, text } = await client.query(`{"create":{"collection":"spells"},"params":{"object":{"data":{"object":{"a":{"let":{"x":"${'x'.repeat(5_000_000)}"},"in":[{"var":"x"},{"var":"x"}]}}}}}}`);
    expect(status).toBe(400);
    expect(text).toMatch(/^\{"errors":\[\{"code":"bad request","description":"Version bytes \(\d+\) exceeds threshold \(8388608\)"\}\]\}$/);
  });

  const bytes = (count: number): string => `"${'x'.repeat(count)}"`;
  const written = (count: number): string =>
    `{"let":{"x":${bytes(1_000_000)}},"in":{"foreach":{"lambda":"n","expr":{"create":{"collection":"large"},"params":{"object":{"data":{"object":{"x":{"var":"x"}}}}}}},"collection":[${Array.from({ length: count }, (_, n) => n).join()}]}}`;

  it('a transaction writes up to 16 MiB, and one of more nothing', async () => {
    await client.query('{"create_collection":{"object":{"name":"large"}}}');
    const { status, text } = await client.query(written(17));
    expect(status).toBe(400);
    expect(text).toMatch(/^\{"errors":\[\{"code":"bad request","description":"Transaction exceeded limit: got 170\d{5} bytes, limit 16777216 bytes"\}\]\}$/);
    expect((await client.query('{"count":{"documents":{"collection":"large"}}}')).text).toBe('{"resource":0}');
    expect((await client.query(written(16))).status).toBe(200);
    expect((await client.query('{"count":{"documents":{"collection":"large"}}}')).text).toBe('{"resource":16}');
  });

  it('entries of a document that would multiply beyond 16 MiB are refused before they are made', async () => {
    await client.query('{"create_collection":{"object":{"name":"bombs"}}}');
    const fields = (...names: readonly string[]): string => names.map((name) => `{"object":{"field":["data","${name}"]}}`).join();
    const bomb = (id: number, count: number): string => {
      const list = `[${Array.from({ length: count }, (_, at) => at).join()}]`;
      return `{"create":{"ref":{"collection":"bombs"},"id":${id}},"params":{"object":{"data":{"object":{"a":${list},"b":${list},"c":${list},"d":${list}}}}}}`;
    };
    // One that is there already refuses an index that is made at once.
    expect((await client.query(bomb(1, 1000))).status).toBe(201);
    const index = `{"create_index":{"object":{"name":"bomb","source":{"collection":"bombs"},"terms":[${fields('a', 'b')}],"values":[${fields('c', 'd')}]}}}`;
    expect(await client.query(index)).toMatchObject({
      status: 400,
      text: '{"errors":[{"code":"bad request","description":"Index entries for doc 1 in index bomb have estimated byte size 46000000000000 that exceeds limit 16777216"}]}',
    });
    expect((await client.query('{"exists":{"index":"bomb"}}')).text).toBe('{"resource":false}');
    // Not by what the same request has changed, or deleted.
    for (const change of [`{"delete":{"ref":{"collection":"bombs"},"id":1}}`, '{"update":{"ref":{"collection":"bombs"},"id":1},"params":{"object":{"data":{"object":{"a":[1],"b":[1],"c":[1]}}}}}']) {
      expect(await client.query(`{"do":[${change},${index},{"abort":"undone"}]}`)).toMatchObject({ status: 400, text: expect.stringContaining('undone') });
    }
    // It can be changed to what fits; what it was is left out.
    expect((await client.query('{"update":{"ref":{"collection":"bombs"},"id":1},"params":{"object":{"data":{"object":{"a":[1],"b":[1],"c":[1]}}}}}')).status).toBe(200);
    expect((await client.query(index)).status).toBe(201);
    expect((await client.query('{"count":{"match":{"index":"bomb"},"terms":[1,1]}}')).text).toBe('{"resource":1000}');
    expect(await client.query(bomb(2, 1000))).toMatchObject({
      status: 400,
      text: '{"errors":[{"code":"bad request","description":"Index entries for doc 2 in index bomb have estimated byte size 46000000000000 that exceeds limit 16777216"}]}',
    });
    expect((await client.query('{"exists":{"ref":{"collection":"bombs"},"id":2}}')).text).toBe('{"resource":false}');
    expect((await client.query(bomb(3, 8))).status).toBe(201);
    expect((await client.query('{"count":{"match":{"index":"bomb"},"terms":[1,1]}}')).text).toBe('{"resource":1064}');
    expect((await client.query('{"delete":{"ref":{"collection":"bombs"},"id":1}}')).status).toBe(200);
    expect((await client.query('{"count":{"match":{"index":"bomb"},"terms":[1,1]}}')).text).toBe('{"resource":64}');
  });

  const MIB = JSON.stringify('aB é😀 '.repeat(Math.ceil(2 ** 20 / 7)).slice(0, 2 ** 20 - 4));
  /** What the other arguments are, where a short string or an integer would not do. */
  const OTHERS: Readonly<Record<string, string>> = {
    values: '[1]', pattern: '"[a-c]+"', regexescape: '"a"', unit: '"day"', normalizer: '"NFC"', size: '3', first: 'true', params: '{"object":{}}',
  };

  const isLeftOut = (param: Param | undefined): boolean => param !== undefined && 'optional' in param && param.optional === true;
  const takesText = (param: Param | undefined): boolean => param !== undefined && 'names' in param && TEXT.some((name) => param.names.includes(name));
  const TEXT = ['String', 'Scalar', 'Any', 'Identifier'];

  /** Every place of every function that takes a string: as the registry has them, so none is forgotten. */
  const PLACES = FORMS.filter(({ until }) => until === undefined).flatMap((form) =>
    form.keys.filter((key) => takesText(form.params[key])).map((key) => ({ form, key })),
  );

  it('strings go into every function that takes one', () => {
    const names = new Set(PLACES.map(({ form }) => form.name));
    for (const { name } of FAMILIES.strings) expect(name === 'space' || names.has(name), name).toBe(true);
  });

  it.each(PLACES.map(({ form, key }) => [form.keys.join(' '), key, form] as const))('{ %s } takes a string of 1 MiB as %s', async (_keys, key, form) => {
    const given = form.keys.filter((each) => each === key || !isLeftOut(form.params[each]));
    const other = (each: string): string => OTHERS[each] ?? (takesText(form.params[each]) ? '"z"' : '1');
    const { status, text } = await client.query(`{${given.map((each) => `"${each}":${each === key ? MIB : other(each)}`).join(',')}}`);
    expect([200, 400, 404], text.slice(0, 300)).toContain(status);
  }, 60_000);
});

describe('values that share their parts', () => {
  /** `name0` twice in `name1`, that twice in `name2`, and so on: sixty take no room and have 2⁶⁰ parts. */
  const doubled = (name: string, seed: string, levels = 60, pair = (one: string): string => `[${one},${one}]`): string[] => [
    `{"${name}0":${seed}}`,
    ...Array.from({ length: levels }, (_, at) => `{"${name}${at + 1}":${pair(`{"var":"${name}${at}"}`)}}`),
  ];
  const pairOf = (one: string): string => `{"object":{"a":${one},"b":${one}}}`;
  const SPELL = '{"ref":{"collection":"spells"},"id":"1"}';
  const [X, Y] = ['{"var":"x60"}', '{"var":"y60"}'];
  const within = (query: string): string => `{"let":[${[...doubled('x', '1'), ...doubled('y', '1')].join()}],"in":${query}}`;
  const long = (query: string): string => `{"let":[${doubled('l', `[${Array.from({ length: 1000 }, () => 1).join()}]`, 20).join()}],"in":${query}}`;
  const TOO_LARGE = { status: 400, text: '{"errors":[{"code":"bad request","description":"The request is nested too deeply or makes too large a value."}]}' };

  it.each([
    ['shown', X],
    ['of objects', `{"let":[${doubled('o', '1', 60, pairOf).join()}],"in":{"var":"o60"}}`],
    ['written', `{"create":{"collection":"spells"},"params":{"object":{"data":{"object":{"x":${X}}}}}}`],
    ['compared', `{"lt":[${X},${Y}]}`],
    ['made equal', `{"equals":[${X},${Y}]}`],
    ['the greatest', `{"max":[${X},${Y}]}`],
    ['counted', `{"distinct":[${X},${Y}]}`],
    ['united', `{"union":[[${X}],[${Y}]]}`],
    ['merged', `{"merge":{"object":{"a":1}},"with":{"object":{"x":${X}}}}`],
    ['captured', `{"query":{"lambda":"_","expr":${X}}}`],
    ['in a function', `{"create_function":{"object":{"name":"endless","body":{"query":{"lambda":"_","expr":${X}}}}}}`],
    ['formatted', `{"format":"%@","values":[${X}]}`],
    ['in sets', `{"let":[${doubled('s', '{"documents":{"collection":"spells"}}', 60, (one) => `{"union":[${one},${one}]}`).join()}],"in":{"var":"s60"}}`],
    ['in a cursor', `{"paginate":{"documents":{"collection":"spells"}},"after":${X}}`],
    ['in a list as cursor', `{"paginate":{"documents":{"collection":"spells"}},"before":[${X}]}`],
    ['terms of an index', `{"select":["@set","match"],"from":{"match":{"index":"by_cost"},"terms":[${X}]}}`],
    ['selected', `{"select_all":[],"from":${X}}`],
    ['selected by a name', `{"select_all":"a","from":${X}}`],
    ['of long lists', long('{"var":"l20"}')],
    ['of long lists, written', long('{"create":{"collection":"spells"},"params":{"object":{"data":{"object":{"x":{"var":"l20"}}}}}}')],
    ['of long lists, selected', long('{"select_all":[],"from":{"var":"l20"}}')],
    ['in a cursor of events', `{"paginate":${SPELL},"events":true,"after":{"object":{"ts":1,"action":"create","document":${SPELL},"data":{"object":{"x":${X}}}}}}`],
    ['in a cursor of a set\'s events', `{"paginate":{"match":{"index":"values"}},"events":true,"after":{"object":{"ts":1,"action":"add","document":${SPELL},"data":[${X}]}}}`],
    ['sought in a set', `{"contains_value":${X},"in":{"match":{"index":"values"}}}`],
    ['appended to itself', `{"let":[{"a0":[1,1]},${Array.from({ length: 40 }, (_, at) => `{"a${at + 1}":{"append":{"var":"a${at}"},"collection":{"var":"a${at}"}}}`).join()}],"in":{"count":{"var":"a40"}}}`],
  ])('without end are refused: %s', async (_what, query) => {
    const before = (await client.query('{"count":{"documents":{"collection":"spells"}}}')).text;
    expect(await client.query(within(query))).toMatchObject(TOO_LARGE);
    expect((await client.query('{"count":{"documents":{"collection":"spells"}}}')).text).toBe(before);
  });

  it.each([
    ['distinct', (list: string) => `{"distinct":${list}}`],
    ['intersection', (list: string) => `{"intersection":[${list},${list}]}`],
    ['max', (list: string) => `{"max":${list}}`],
    ['format', (list: string) => `{"format":"%@ %@ %@ %@ %@ %@ %@ %@","values":${list}}`],
  ])('are counted over all elements: %s', async (_what, query) => {
    const large = `{"let":[${doubled('x', '1', 20).join()}],"in":${query(`[${Array.from({ length: 64 }, () => '{"var":"x20"}').join()}]`)}}`;
    expect(await client.query(large)).toMatchObject(TOO_LARGE);
  });

  it('are answered below the limit, each by itself', async () => {
    const equal = '{"equals":[{"var":"x20"},{"var":"y20"}]}';
    const query = `{"let":[${[...doubled('x', '1', 20), ...doubled('y', '1', 20)].join()}],"in":[${Array.from({ length: 6 }, () => equal).join()}]}`;
    expect((await client.query(query)).text).toBe('{"resource":[true,true,true,true,true,true]}');
  });

  it('are compared in seconds where they are objects', async () => {
    const pairs = [...doubled('x', '1', 20, pairOf), ...doubled('y', '1', 20, pairOf)].join();
    const query = `{"let":[${pairs}],"in":[${Array.from({ length: 8 }, () => '{"lte":[{"var":"x20"},{"var":"y20"}]}').join()}]}`;
    expect((await client.query(query)).text).toBe(`{"resource":[${Array.from({ length: 8 }, () => 'true').join()}]}`);
  });

  it('are answered where they have an end', async () => {
    const { status, text } = await client.query(`{"let":[${doubled('x', '1', 12).join()}],"in":{"var":"x12"}}`);
    expect(status).toBe(200);
    expect(text.match(/1/g)).toHaveLength(2 ** 12);
  });
});

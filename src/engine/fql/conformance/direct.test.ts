// What a predicate says of documents directly is what the evaluator says, and costs the same: every query is asked
// of both, and answers, errors, steps and reads have to agree.
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { populate } from '../../../testing/cases.ts';
import { type TestClient, testClient, told } from '../../../testing/client.ts';
import { Context } from '../context.ts';

const SPELLS = '{"collection":"spells"}';
const DOCUMENTS = `{"documents":${SPELLS}}`;
const FIELDS: readonly string[] = [
  '"a":1,"b":{"object":{"c":2,"d":"x"}},"ok":true',
  '"a":2.5,"b":{"object":{"d":"y","c":2}},"ok":false',
  '"a":"text","b":{"object":{}},"list":[1,2],"ok":1',
  '"b":7,"a":true,"ok":true,"t":{"@ts":"2020-01-01T00:00:00Z"}',
  '"a":1.0,"b":[{"object":{"c":2}}],"ok":false',
  '"z1":1,"z2":2,"z3":3,"z4":4,"z5":5,"z6":6,"z7":7,"z8":8,"z9":9,"a":9007199254740993,"ok":true',
];

let client: TestClient;
const secrets: Record<string, string> = { admin: 'secret' };
beforeAll(async () => {
  client = await testClient();
  await populate(client, [
    `{"create_collection":{"object":{"name":"spells"}}}`,
    `{"create_index":{"object":{"name":"all","source":${SPELLS}}}}`,
    ...FIELDS.map((fields, at) => `{"create":{"ref":${SPELLS},"id":${at + 1}},"params":{"object":{"data":{"object":{${fields}}}}}}`),
    `{"create":{"ref":${SPELLS},"id":"50"},"params":{"object":{"ttl":{"time":"2000-01-01T00:00:00Z"},"data":{"object":{"a":1,"ok":true}}}}}`,
    `{"create":{"ref":${SPELLS},"id":"51"},"params":{"object":{"data":{"object":{"a":1}}}}}`,
    `{"delete":{"ref":${SPELLS},"id":"51"}}`,
    // A user's role that shows some documents, and one built in that shows none.
    `{"create_role":{"object":{"name":"some","privileges":{"object":{"resource":${SPELLS},"actions":{"object":{"read":{"query":{"lambda":"x","expr":{"lt":[{"select":["id"],"from":{"var":"x"}},"3"]}}}}}}}}}}`,
  ]);
  for (const [name, role] of [['server', '"server"'], ['client', '"client"'], ['some', '{"role":"some"}']] as const) {
    const made = await client.query(`{"select":"secret","from":{"create_key":{"object":{"role":${role}}}}}`);
    secrets[name] = (JSON.parse(made.text) as { resource: string }).resource;
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Asks both. @returns the answer, and how many documents were told directly */
async function both(query: string, { version = '4', as = 'admin' } = {}): Promise<{ text: string; isDirect: boolean }> {
  const ask = () => client.send('POST', '/', query, { 'x-faunadb-api-version': version, authorization: `Bearer ${secrets[as]}` });
  const spied = vi.spyOn(Context.prototype, 'directly');
  const direct = await ask();
  const isDirect = spied.mock.results.some(({ value }) => value !== null);
  spied.mockReturnValue(null);
  const evaluated = await ask();
  spied.mockRestore();
  expect(told(direct), query).toEqual(told(evaluated));
  return { text: direct.text, isDirect };
}

const filter = (predicate: string, set = DOCUMENTS): string => `{"filter":{"lambda":"x","expr":${predicate}},"collection":${set}}`;
const GET = '{"get":{"var":"x"}}';
const select = (path: string, rest = '', from = GET): string => `{"select":${path},"from":${from}${rest}}`;

const PATHS = ['["data","a"]', '["data","b","c"]', '["data","b"]', '"data"', '["data","t"]', '["data","list",0]', '"ref"', '["ts"]', '[]', '["data","ok","no"]'];
const DEFAULTS = ['', ',"default":0', ',"default":null', ',"default":{"abort":"default"}', ',"default":{"@ref":{"id":"nowhere","collection":{"@ref":{"id":"collections"}}}}', ',"all":true'];
const OPERANDS = ['1', '2.5', '"text"', 'null', '[1,2]', '{"object":{"c":2,"d":"x"}}', '{"var":"x"}', `{"match":{"index":"nowhere"}}`];
const COMPARISONS = ['lt', 'lte', 'gt', 'gte', 'equals'];

describe('a predicate over documents, told directly and evaluated', () => {
  it.each(PATHS)('agree on the field %s', async (path) => {
    for (const otherwise of DEFAULTS) {
      for (const operand of OPERANDS) {
        for (const comparison of COMPARISONS) {
          await both(`{"count":${filter(`{"${comparison}":[${select(path, otherwise)},${operand}]}`)}}`);
        }
      }
    }
  });

  it.each([
    ['a field alone', select('["data","ok"]', ',"default":false')],
    ['what is no boolean', select('["data","ok"]')],
    ['not', `{"not":${select('["data","ok"]', ',"default":true')}}`],
    ['not of what is none', `{"not":${select('["data","a"]', ',"default":true')}}`],
    ['and', `{"and":[{"gte":[${select('["data","a"]')},1]},{"not":[${select('["data","ok"]')}]}]}`],
    ['or', `{"or":[{"lt":[${select('["data","a"]')},2]},{"equals":[${select('["data","b"]', ',"default":7')},7]}]}`],
    ['or that decides before it fails', `{"or":[true,{"abort":"late"}]}`],
    ['three operands', `{"lt":[0,${select('["data","a"]')},5]}`],
    ['one operand', `{"lt":${select('["data","a"]')}}`],
    ['a list as the one operand', `{"lt":${select('["data","list"]', ',"default":[2,1]')}}`],
    ['a choice', `{"if":{"lt":[${select('["data","a"]')},2]},"then":true,"else":false}`],
    ['a constant', 'true'],
    ['no boolean', '1'],
    ['the argument', '{"var":"x"}'],
    ['a document', GET],
    ['a document compared with itself', `{"equals":[${GET},${GET}]}`],
    ['a field of a field', `{"equals":[${select('"c"', ',"default":1', select('["data","b"]', ',"default":1'))},2]}`],
    ['a document at another time', `{"lt":[${select('["data","a"]', '', '{"get":{"var":"x"},"ts":{"time":"now"}}')},2]}`],
    ['a write', `{"lt":[{"select":["ts"],"from":{"update":{"var":"x"},"params":{"object":{}}}},2]}`],
  ])('agree on %s', async (_what, predicate) => {
    for (const version of ['2.12', '3', '4']) {
      for (const as of Object.keys(secrets)) {
        await both(`{"count":${filter(predicate)}}`, { version, as });
        await both(`{"paginate":${filter(predicate)},"size":2}`, { version, as });
        await both(`{"map":{"lambda":"x","expr":{"get":{"var":"x"}}},"collection":{"paginate":${filter(predicate)},"size":10}}`, { version, as });
        await both(`{"reduce":{"lambda":["all","x"],"expr":{"append":[{"select":"id","from":{"var":"x"}}],"collection":{"var":"all"}}},"initial":[],"collection":${filter(predicate)}}`, { version, as });
      }
    }
  });

  const IS_ONE = `{"equals":[${select('["data","a"]')},1]}`;

  it('agree through other sets, backwards, from a cursor on, and in the past', async () => {
    const ones = filter(IS_ONE);
    const sets = [
      filter(`{"not":${IS_ONE}}`, ones), filter(IS_ONE, filter('true')), `{"reverse":${ones}}`, filter(IS_ONE, `{"reverse":${DOCUMENTS}}`), `{"distinct":${ones}}`,
      `{"union":[${ones},${DOCUMENTS}]}`, `{"union":[${ones},${ones}]}`, `{"distinct":{"union":[${ones},${DOCUMENTS}]}}`, `{"intersection":[${ones},${DOCUMENTS}]}`, `{"difference":[${DOCUMENTS},${ones}]}`,
      filter(IS_ONE, '{"match":{"index":"all"}}'), filter(IS_ONE, `{"singleton":{"ref":${SPELLS},"id":1}}`), filter(IS_ONE, '{"collections":null}'),
      `{"join":${ones},"with":{"lambda":"y","expr":{"singleton":{"var":"y"}}}}`,
    ];
    for (const set of sets) {
      for (const query of [`{"count":${set}}`, `{"paginate":${set},"sources":true}`, `{"paginate":${set},"size":1,"after":{"ref":${SPELLS},"id":2}}`, `{"paginate":${set},"before":null}`]) {
        await both(query);
        await both(`{"at":{"time":"now"},"expr":${query}}`);
        await both(`{"at":${await firstTime()},"expr":${query}}`);
      }
    }
  });

  it('agree on what the query has written itself, and on variables of the surroundings', async () => {
    const change = `{"create":{"ref":${SPELLS},"id":70},"params":{"object":{"data":{"object":{"a":1,"ok":true}}}}}`;
    const undone = '{"abort":"undone"}';
    const counted = `{"let":{"n":1},"in":{"count":${filter(`{"equals":[${select('["data","a"]')},{"var":"n"}]}`)}}}`;
    expect((await both(counted)).text).toBe('{"resource":2}');
    expect((await both(`{"do":[${change},{"if":{"equals":[${counted},3]},"then":${undone},"else":0}]}`)).text).toContain('undone');
    expect((await both(`{"do":[{"delete":{"ref":${SPELLS},"id":1}},{"if":{"equals":[${counted},1]},"then":${undone},"else":0}]}`)).text).toContain('undone');
  });

  it('are told directly where all that is asked about are fields, by a caller with a built-in role that reads', async () => {
    const query = `{"count":${filter(`{"and":[{"lt":[${select('["data","a"]', ',"default":9')},3]},{"not":{"equals":[${select('["data","b","c"]', ',"default":0')},2]}}]}`)}}`;
    for (const [as, expected] of [['admin', true], ['server', true], ['client', false], ['some', false]] as const) {
      expect((await both(query, { as })).isDirect, as).toBe(expected);
    }
  });

  it('agree where the argument is ignored, and a variable has its name', async () => {
    for (const name of ['x', '_', 'y']) {
      const filtered = `{"filter":{"lambda":"_","expr":{"equals":[${select('["data","a"]', '', `{"get":{"var":"${name}"}}`)},1]}},"collection":${DOCUMENTS}}`;
      await both(`{"let":{"${name}":{"ref":${SPELLS},"id":1}},"in":{"count":${filtered}}}`);
    }
    await both(`{"let":{"me":{"get":{"ref":${SPELLS},"id":1}}},"in":{"count":${filter(`{"equals":[${select('["data","a"]', ',"default":9')},${select('["data","a"]', '', '{"var":"me"}')}]}`)}}}`);
  });

  it.each(['sum', 'mean', 'any', 'all', 'max', 'min', 'count'])('agree on which error of %s comes first', async (name) => {
    for (const field of ['["data","ok"]', '["data","a"]', '["data","b"]']) await both(`{"${name}":${filter(select(field))}}`);
  });

  it('cost of a document with many versions what it costs one by one, and a reduction sees what it has written', async () => {
    await populate(client, ['{"create_collection":{"object":{"name":"counters"}}}', '{"create":{"ref":{"collection":"counters"},"id":1},"params":{"object":{"data":{"object":{"n":0}}}}}']);
    for (let n = 1; n <= 20; n++) await client.query(`{"update":{"ref":{"collection":"counters"},"id":1},"params":{"object":{"data":{"object":{"n":${n}}}}}}`);
    const bytes = async (query: string): Promise<unknown> => (await client.query(query)).headers['x-storage-bytes-read'];
    const set = '{"documents":{"collection":"counters"}}';
    expect(await bytes(`{"count":${set}}`)).toBe(await bytes(`{"paginate":${set}}`));

    await populate(client, ['{"create_collection":{"object":{"name":"empty"}}}']);
    const created = [11, 12, 13, 14].map((id) => `{"create":{"ref":{"collection":"empty"},"id":${id}}}`).join();
    const step = `{"do":[{"if":{"equals":[{"select":"id","from":{"var":"x"}},"12"]},"then":{"delete":{"ref":{"collection":"empty"},"id":13}},"else":0},{"append":[{"select":"id","from":{"var":"x"}}],"collection":{"var":"all"}}]}`;
    const reduced = `{"reduce":{"lambda":["all","x"],"expr":${step}},"initial":[],"collection":{"documents":{"collection":"empty"}}}`;
    expect((await client.query(`{"do":[${created},${reduced}]}`)).text).toBe('{"resource":["11","12","14"]}');
  });

  it('agree on how deep a predicate may be applied', async () => {
    const deeper = `{"if":{"equals":[{"var":"n"},0]},"then":{"count":${filter(IS_ONE)}},"else":{"call":{"function":"deep"},"arguments":{"subtract":[{"var":"n"},1]}}}`;
    await populate(client, [
      `{"create_function":{"object":{"name":"deep","role":"admin","body":{"query":{"lambda":"n","expr":0}}}}}`,
      `{"update":{"function":"deep"},"params":{"object":{"body":{"query":{"lambda":"n","expr":${deeper}}}}}}`,
    ]);
    const texts = new Set<string>();
    for (let depth = 190; depth <= 202; depth++) texts.add((await both(`{"call":{"function":"deep"},"arguments":${depth}}`)).text.slice(0, 12));
    expect([...texts]).toEqual(['{"resource":', '{"errors":[{']);
  });

  const firstTime = async (): Promise<string> => {
    const { text } = await client.query(`{"select":["ts"],"from":{"get":{"ref":${SPELLS},"id":3}}}`);
    return String((JSON.parse(text) as { resource: number }).resource);
  };
});

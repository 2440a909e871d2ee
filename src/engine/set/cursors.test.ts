// Where cursors land (reference: data/sets.md §6–7; brief §4.2).
import { beforeAll, describe, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';

let client: TestClient;
let ts: Record<string, number> = {};

async function ask(query: string, version = '4'): Promise<string> {
  const { text } = await client.query(query, version);
  return text;
}

async function run(query: string): Promise<number> {
  const { headers } = succeeded(await client.query(query));
  return Number(headers['x-txn-time']);
}

const doc = (id: number): string => `{"ref":{"collection":"c"},"id":"${id}"}`;
const put = (id: number, data: string): string => `{"create":${doc(id)},"params":{"object":{"data":{"object":{${data}}}}}}`;

/** The ids or values on a page, in short. */
function short(text: string): string {
  const answer = JSON.parse(text) as { resource?: { data: unknown[] }; errors?: { code: string; position: unknown[]; description: string }[] };
  const [error] = answer.errors ?? [];
  if (error !== undefined) return `${error.code} @ ${error.position.join('/')}: ${error.description}`;
  return (answer.resource?.data ?? []).map(shown).join(' ');
}

function shown(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  if ('@ref' in item) return (item as { '@ref': { id: string } })['@ref'].id;
  const { action, document, data } = item as { action?: string; document?: unknown; data?: unknown };
  return action === undefined ? JSON.stringify(item) : `${action}${shown(document)}${data === undefined ? '' : JSON.stringify(data)}`;
}

const page = (set: string, more = ''): string => `{"paginate":${set}${more}}`;
const all = '{"match":{"index":"all"}}';
const numbers = '{"match":{"index":"numbers"}}';
const down = '{"match":{"index":"down"}}';

beforeAll(async () => {
  client = await testClient();
  await run('{"create_collection":{"object":{"name":"c","history_days":null}}}');
  await run('{"create_collection":{"object":{"name":"d"}}}');
  const source = '"source":{"collection":"c"}';
  await run(`[
    {"create_index":{"object":{"name":"all",${source}}}},
    {"create_index":{"object":{"name":"numbers",${source},"values":[{"object":{"field":["data","n"]}}]}}},
    {"create_index":{"object":{"name":"down",${source},"values":[{"object":{"field":["data","n"],"reverse":true}}]}}}
  ]`);
  const first = await run(`[${[put(1, '"n":3'), put(2, '"n":1'), put(3, '"n":2'), put(4, '"n":1'), put(5, '"n":"x"')].join()}]`);
  const second = await run(`[{"delete":${doc(5)}},{"update":${doc(3)},"params":{"object":{"data":{"object":{"n":5}}}}}]`);
  ts = { first, second };
});

describe('plain cursors', () => {
  const cases: readonly (readonly [set: string, cursor: string, ids: string])[] = [
    [all, '', '1 2 3 4'],
    [all, `,"after":${doc(3)}`, '3 4'],
    [all, `,"after":[${doc(3)}]`, '3 4'],
    [all, `,"before":${doc(3)}`, '1 2'],
    [all, `,"cursor":{"object":{"before":${doc(3)}}}`, '1 2'],
    [all, `,"cursor":{"object":{"after":[${doc(3)}]}}`, '3 4'],
    [all, ',"cursor":null', '1 2 3 4'],
    [all, `,"after":${doc(5)}`, ''],
    [all, `,"before":${doc(77)},"size":2`, '3 4'],
    [all, ',"after":0', '1 2 3 4'],
    [all, ',"after":"a"', '1 2 3 4'],
    [all, ',"after":null', ''],
    [all, ',"after":true', ''],
    [all, ',"after":{"date":"2020-01-01"}', ''],
    [all, ',"before":null,"size":3', '2 3 4'],
    [all, ',"before":0', ''],
    [numbers, '', '1 1 3 5'],
    [numbers, ',"after":3', '3 5'],
    [numbers, ',"after":[1]', '1 1 3 5'],
    [numbers, ',"before":[1]', ''],
    [numbers, ',"before":2', '1 1'],
    [numbers, `,"after":[1,${doc(4)}]`, '1 3 5'],
    [numbers, `,"before":[1,${doc(4)}]`, '1'],
    [numbers, ',"after":[1,0]', '1 1 3 5'],
    [numbers, ',"after":[1,null]', '3 5'],
    [numbers, ',"before":[1,{"date":"2020-01-01"}]', '1 1'],
    [numbers, ',"after":"x"', ''],
    [numbers, ',"before":null,"size":1', '5'],
    [down, '', '5 3 1 1'],
    [down, ',"after":3', '3 1 1'],
    [down, ',"before":3', '5'],
    [down, ',"after":null', '5 3 1 1'],
    [`{"reverse":${numbers}}`, '', '5 3 1 1'],
    [`{"reverse":${numbers}}`, ',"after":3', '3 1 1'],
    [`{"reverse":${numbers}}`, ',"before":[3]', '5'],
    [`{"reverse":${all}}`, `,"after":${doc(2)}`, '2 1'],
    [`{"reverse":${all}}`, `,"before":${doc(2)}`, '4 3'],
    [`{"distinct":${numbers}}`, ',"after":1', '1 3 5'],
    [`{"distinct":${numbers}}`, `,"after":[1,${doc(4)}]`, '1 3 5'],
    [`{"distinct":${numbers}}`, `,"before":[1,${doc(4)}]`, ''],
    [`{"reverse":{"distinct":${numbers}}}`, `,"after":[1,${doc(2)}]`, '1'],
    [`{"range":${numbers},"from":1,"to":3}`, ',"after":0', '1 1 3'],
    [`{"range":${numbers},"from":1,"to":3}`, `,"after":[4,${doc(1)}]`, ''],
    [`{"range":${numbers},"from":1,"to":3}`, `,"before":[9,${doc(1)}]`, '1 1 3'],
    [doc(1), '', '1'],
    [doc(1), `,"after":${doc(2)}`, ''],
    [doc(5), '', ''],
    [all, ',"after":{"ref":{"collection":"gone"},"id":"1"}', "invalid ref @ after: Ref refers to undefined collection 'gone'"],
    [all, ',"cursor":{"object":{"after":{"collection":"gone"}}}', "invalid ref @ cursor/after: Ref refers to undefined collection 'gone'"],
    [all, ',"cursor":{"object":{"around":1}}', "invalid argument @ cursor: Invalid cursor object. Expected an object with either 'before' or 'after' key in it."],
  ];
  it.each(cases)('%s%s: %s', async (set, cursor, ids) => {
    expect(short(await ask(`{"paginate":${set}${cursor}}`))).toBe(ids);
  });

  it('a page of no elements shows its cursor on both sides; a negative size only where it was', async () => {
    expect(await ask(`{"paginate":${numbers},"after":3,"size":0}`)).toBe('{"resource":{"before":[3],"after":[3],"data":[]}}');
    expect(await ask(`{"paginate":${numbers},"after":3,"size":-1}`)).toBe('{"resource":{"before":[3],"data":[]}}');
    expect(await ask(`{"paginate":${numbers},"before":3,"size":-1}`)).toBe('{"resource":{"after":[3],"data":[]}}');
    expect(await ask(`{"paginate":${numbers},"size":0}`)).toBe('{"resource":{"data":[]}}');
  });
});

describe('event cursors', () => {
  const events = `{"events":${numbers}}`;
  const at = (name: string, offset = 0): string => String((ts[name] ?? 0) + offset);
  const time = (name: string): string => `{"epoch":${at(name)},"unit":"microsecond"}`;
  const cases: readonly (readonly [what: string, set: string, cursor: () => string, found: string])[] = [
    ['all of them', events, () => '', 'add1[3] add2[1] add3[2] add4[1] add5["x"] remove3[2] remove5["x"] add3[5]'],
    ['from an instant on, its removes too', events, () => `,"after":${at('second')}`, 'remove3[2] remove5["x"] add3[5]'],
    ['after an instant', events, () => `,"after":${at('second', 1)}`, ''],
    ['up to an instant', events, () => `,"before":${at('second')},"size":2`, 'add4[1] add5["x"]'],
    ['from a time on', events, () => `,"after":${time('second')}`, 'remove3[2] remove5["x"] add3[5]'],
    ['from a date on', events, () => ',"after":{"date":"2020-01-01"},"size":1', 'add1[3]'],
    ['from a later date on', events, () => ',"after":{"date":"2020-01-02"}', ''],
    ['the end of time', events, () => ',"before":null,"size":1', 'add3[5]'],
    ['after the end of time', events, () => ',"after":null', ''],
    ['`{ts}` lies behind the adds of its instant', events, () => `,"after":{"object":{"ts":${at('first')}}}`, 'remove3[2] remove5["x"] add3[5]'],
    ['`{ts}` before', events, () => `,"before":{"object":{"ts":${at('first')}}},"size":1`, 'add5["x"]'],
    ['`{ts, action}`', events, () => `,"after":{"object":{"ts":${at('second')},"action":"remove"}}`, 'add3[5]'],
    ['`{ts, action, document}`', events, () => `,"after":{"object":{"ts":${at('first')},"action":"add","document":${doc(4)}}}`, 'add4[1] add5["x"] remove3[2] remove5["x"] add3[5]'],
    ['`{ts, action, resource}`', events, () => `,"before":{"object":{"ts":${at('first')},"action":"add","resource":${doc(4)}}}`, 'add1[3] add2[1] add3[2]'],
    ['`{ts, action, instance, data}`', events, () => `,"after":{"object":{"ts":${at('second')},"action":"remove","instance":${doc(5)},"data":["x"]}}`, 'remove5["x"] add3[5]'],
    ['a document: an instant', `{"events":${doc(3)}}`, () => `,"after":${at('second')}`, 'update3{"n":5}'],
    ['a document: `{ts}` is the same', `{"events":${doc(3)}}`, () => `,"after":{"object":{"ts":${at('second')}}}`, 'update3{"n":5}'],
    ['a document: `{ts}` before', `{"events":${doc(3)}}`, () => `,"before":{"object":{"ts":${at('second')}}}`, 'create3{"n":2}'],
    ['a document: `{ts, action}`', `{"events":${doc(5)}}`, () => `,"after":{"object":{"ts":${at('second')},"action":"delete"}}`, 'delete5null'],
    ['a singleton', `{"events":{"singleton":${doc(5)}}}`, () => '', 'add5 remove5'],
    ['a union has the adds of an instant first', `{"events":{"union":[${numbers},${numbers}]}}`, () => `,"after":${at('second')}`, 'add3[5] remove3[2] remove5["x"]'],
    ['a union: `{ts}` lies behind the adds', `{"events":{"union":[${numbers},${numbers}]}}`, () => `,"after":{"object":{"ts":${at('second')}}}`, 'remove3[2] remove5["x"]'],
    ...(['add', 'create'] as const).map((action) => [`\`${action}\` is what comes in`, events, () => `,"after":{"object":{"ts":${at('first')},"action":"${action}","document":${doc(4)}}}`, 'add4[1] add5["x"] remove3[2] remove5["x"] add3[5]'] as const),
    ...(['remove', 'delete'] as const).map((action) => [`\`${action}\` is what goes`, events, () => `,"after":{"object":{"ts":${at('second')},"action":"${action}","resource":${doc(5)}}}`, 'remove5["x"] add3[5]'] as const),
    ['`create` before', events, () => `,"before":{"object":{"ts":${at('first')},"action":"create","resource":${doc(2)}}}`, 'add1[3]'],
    ['`update` is no end', events, () => `,"after":{"object":{"ts":${at('second')},"action":"update","document":${doc(3)}}}`, 'add3[5]'],
    ['all documents: `create`', '{"events":{"documents":{"collection":"c"}}}', () => `,"after":{"object":{"ts":${at('first')},"action":"create","document":${doc(4)}}}`, 'add4 add5 remove5'],
    ['a singleton: `create`', `{"events":{"singleton":${doc(5)}}}`, () => `,"after":{"object":{"ts":${at('first')},"action":"create","document":${doc(5)}}}`, 'add5 remove5'],
    ['a union: `create`', `{"events":{"union":[${numbers},${numbers}]}}`, () => `,"after":{"object":{"ts":${at('second')},"action":"create","document":${doc(3)}}}`, 'add3[5] remove3[2] remove5["x"]'],
    ['a union: `delete`', `{"events":{"union":[${numbers},${numbers}]}}`, () => `,"after":{"object":{"ts":${at('second')},"action":"delete","document":${doc(5)}}}`, 'remove5["x"]'],
    ['a union with a document: `create` is the event of that name', `{"union":[{"events":${doc(3)}},{"events":{"singleton":${doc(3)}}}]}`, () => `,"after":{"object":{"ts":${at('first')},"action":"create","document":${doc(3)}}}`, 'create3{"n":2} update3{"n":5}'],
    ['a document: `add` is its beginning', `{"events":${doc(5)}}`, () => `,"after":{"object":{"ts":${at('first')},"action":"add","document":${doc(5)}}}`, 'create5{"n":"x"} delete5null'],
    ['a document: `remove` is its end', `{"events":${doc(5)}}`, () => `,"before":{"object":{"ts":${at('second', 1)},"action":"remove","document":${doc(5)}}}`, 'create5{"n":"x"} delete5null'],
    ['another type', events, () => ',"after":"x"', 'invalid argument @ after: Object, Integer, Time, or Date expected, String provided.'],
    ['other keys', events, () => ',"after":{"object":{"action":"add"}}', 'invalid argument @ after: Cannot create event cursor with keys action'],
    ['events of events', `{"events":${events}}`, () => '', 'invalid argument @ paginate: Set does not support events history.'],
    ['events of a union of events', `{"events":{"union":[${events},${events}]}}`, () => '', 'invalid argument @ paginate: Set does not support events history.'],
    ['events of a range', `{"events":{"range":${numbers},"from":1,"to":2}}`, () => '', 'invalid argument @ : Set does not support events history.'],
    ['a union of event sets', `{"union":[${events},{"events":${all}}]}`, () => `,"after":${at('second')}`, 'add3[5] remove3[2] remove5 remove5["x"]'],
    ['an intersection of event sets', `{"intersection":[{"events":${all}},{"events":{"documents":{"collection":"c"}}}]}`, () => `,"before":null,"size":2`, 'add5 remove5'],
  ];
  it.each(cases)('%s', async (_what, set, cursor, found) => {
    expect(short(await ask(`{"paginate":${set}${cursor()}}`))).toBe(found);
  });

  it.each(['', '2.1', '2.7', '4'])('of every kind of set its pages lead on by their cursors, one event at a time (version %s)', async (version) => {
    const others = `{"union":[{"events":${doc(3)}},{"events":{"singleton":${doc(3)}}}]}`;
    for (const set of [events, `{"events":${doc(3)}}`, `{"events":{"singleton":${doc(5)}}}`, `{"events":{"documents":{"collection":"c"}}}`, `{"events":{"distinct":${numbers}}}`, `{"events":{"union":[${numbers},${all}]}}`, others]) {
      type Told = { readonly resource: { readonly data: readonly unknown[]; readonly after?: unknown; readonly before?: unknown } };
      const page = async (rest: string): Promise<Told['resource']> => (JSON.parse(await ask(`{"paginate":${set}${rest}}`, version)) as Told).resource;
      const { data: expected } = await page('');
      const sent = (cursor: unknown): string => JSON.stringify(cursor).replace(/^\{/, '{"object":{').replace(/\}$/, '}}');
      const walked = async (direction: 'after' | 'before', start: string): Promise<unknown[]> => {
        const pages: (readonly unknown[])[] = [];
        for (let rest = start; rest !== '' && pages.length <= expected.length + 1; ) {
          const told = await page(`,"size":1${rest}`);
          pages.push(told.data);
          rest = told[direction] === undefined ? '' : `,"${direction}":${sent(told[direction])}`;
        }
        return (direction === 'after' ? pages : pages.toReversed()).flat();
      };
      expect(await walked('after', ',"after":0')).toEqual(expected);
      expect(await walked('before', ',"before":null')).toEqual(expected);
    }
  });

  it('the words for what comes and goes are the same in 2.0', async () => {
    const from = async (ts: string, action: string, id: number): Promise<number> =>
      (JSON.parse(await ask(`{"paginate":${events},"after":{"object":{"ts":${ts},"action":"${action}","resource":${doc(id)}}}}`, '')) as { resource: { data: unknown[] } }).resource.data.length;
    expect(await from(at('first'), 'create', 4)).toBe(5);
    expect(await from(at('second'), 'delete', 5)).toBe(2);
  });

  const object = (fields: string): string => `{"object":{${fields}}}`;
  const wrong: readonly (readonly [cursor: string, errors: string])[] = [
    [`"after":${object('"ts":"x"')}`, 'after/ts: Integer expected, String provided.'],
    [`"after":${object('"ts":{"time":"2020-01-01T00:00:00Z"}')}`, 'after/ts: Integer expected, Time provided.'],
    [`"cursor":${object(`"before":${object('"ts":"x"')}`)}`, 'cursor/before/ts: Integer expected, String provided.'],
    [`"after":${object('"ts":1,"action":"add","resource":1')}`, 'after/resource: Ref expected, Integer provided.'],
    [`"after":${object('"ts":1,"action":"add","document":null')}`, 'after/document: Ref expected, Null provided.'],
    [`"after":${object('"ts":1,"action":"add","document":{"collection":"gone"}')}`, "after/document: Ref refers to undefined collection 'gone'"],
    [`"before":${object('"ts":1,"action":"foo"')}`, "before/action: String 'create', 'update', or 'delete' expected, String provided."],
    [`"after":${object('"ts":"x","action":"foo","instance":1')}`,
      "after/ts: Integer expected, String provided.; after/instance: Ref expected, Integer provided.; after/action: String 'create', 'update', or 'delete' expected, String provided."],
    ['"after":{"collection":"gone"}', "after: Ref refers to undefined collection 'gone'"],
  ];
  it.each(wrong)('%s is refused, all that is wrong at once', async (cursor, errors) => {
    const answer = JSON.parse(await ask(`{"paginate":${events},${cursor}}`)) as { errors: { position: string[]; description: string }[] };
    expect(answer.errors.map(({ position, description }) => `${position.join('/')}: ${description}`).join('; ')).toBe(errors);
  });

  it('an instant that is shown again leads back to where it was in the history of a document', async () => {
    const page = JSON.parse(await ask(`{"paginate":{"events":${doc(3)}},"after":${at('second')},"size":1}`)) as { resource: { before: object } };
    const again = short(await ask(`{"paginate":{"events":${doc(3)}},"before":{"object":${JSON.stringify(page.resource.before)}},"size":1}`));
    expect(again).toBe('create3{"n":2}');
  });

  it('under 2.0 `{ts}` is inclusive after and exclusive before', async () => {
    const keys = async (cursor: string): Promise<number> =>
      (JSON.parse(await ask(`{"paginate":${events},${cursor}}`, '')) as { resource: { data: unknown[] } }).resource.data.length;
    expect(await keys(`"after":{"object":{"ts":${at('first')}}}`)).toBe(8);
    expect(await keys(`"before":{"object":{"ts":${at('second')}}}`)).toBe(5);
  });
});

describe('events of a join', () => {
  it('are those of its targets while what leads to them is in the source', async () => {
    const put2 = (id: number, data: string): string => `{"create":{"ref":{"collection":"d"},"id":"${id}"},"params":{"object":{"data":{"object":{${data}}}}}}`;
    const change = (id: number, data: string): string => `{"update":{"ref":{"collection":"d"},"id":"${id}"},"params":{"object":{"data":{"object":{${data}}}}}}`;
    const field = (name: string): string => `[{"object":{"field":["data","${name}"]}}]`;
    await run(`[
      {"create_index":{"object":{"name":"open","source":{"collection":"d"},"terms":${field('open')},"values":${field('room')}}}},
      {"create_index":{"object":{"name":"in_room","source":{"collection":"d"},"terms":${field('in')}}}}
    ]`);
    await run(put2(1, '"open":false,"room":"hall"'));
    await run(put2(2, '"in":"hall"'));
    await run(change(1, '"open":true'));
    await run(put2(3, '"in":"hall"'));
    await run(change(3, '"in":"attic"'));
    await run(change(1, '"open":false'));
    await run(put2(4, '"in":"hall"'));
    const join = '{"join":{"match":{"index":"open"},"terms":true},"with":{"index":"in_room"}}';
    expect(short(await ask(page(`{"events":${join}}`)))).toBe('add3 remove3');
    expect(short(await ask(page(`{"events":${join}}`, ',"before":null,"size":1')))).toBe('remove3');
    expect(short(await ask(page(join)))).toBe('');
  });
});

describe('sources', () => {
  const thing = (n: number): string => `{"match":{"index":"by_n"},"terms":${n}}`;
  const names = (text: string): string[] =>
    (JSON.parse(text) as { resource: { data: { value: unknown; sources: { '@set': { terms?: unknown; documents?: unknown } }[] }[] } }).resource.data.map(
      ({ value, sources }) => `${shown(value)}: ${sources.map((source) => String(source['@set'].terms ?? Object.keys(source['@set'])[0])).join(' ')}`,
    );
  beforeAll(() => {
    const field = '[{"object":{"field":["data","n"]}}]';
    return run(`[
      {"create_index":{"object":{"name":"by_n","source":{"collection":"c"},"terms":${field}}}},
      {"create_index":{"object":{"name":"n_by_n","source":{"collection":"c"},"terms":${field},"values":${field}}}}
    ]`);
  });

  it('name the sets an element came from', async () => {
    expect(names(await ask(`{"paginate":{"union":[${thing(1)},${thing(3)},{"documents":{"collection":"c"}}]},"sources":true}`))).toEqual([
      '1: 3 documents', '2: 1 documents', '3: documents', '4: 1 documents',
    ]);
    expect(names(await ask(`{"paginate":{"difference":[${thing(1)},${thing(3)}]},"sources":true}`))).toEqual(['2: 1', '4: 1']);
    expect(names(await ask(`{"paginate":{"range":${numbers},"from":3,"to":[]},"sources":true}`))).toEqual(['3: match', '5: match']);
  });

  it('are those of all that have the values, whichever document stands for them', async () => {
    await run(`[
      ${put(21, '"a":1,"v":5')}, ${put(22, '"b":1,"v":5')}, ${put(23, '"b":1,"v":5')}, ${put(24, '"b":1,"v":6')}
    ]`);
    const values = '"values":[{"object":{"field":["data","v"]}}]';
    const by = (name: string): string => `{"create_index":{"object":{"name":"${name}","source":{"collection":"c"},"terms":[{"object":{"field":["data","${name}"]}}],${values}}}}`;
    await run(`[${by('a')},${by('b')}]`);
    const [a, b] = ['{"match":{"index":"a"},"terms":1}', '{"match":{"index":"b"},"terms":1}'] as const;
    for (const version of ['', '4']) {
      const told = async (set: string, more = ''): Promise<string[]> => {
        const { resource } = JSON.parse(await ask(`{"paginate":${set},"sources":true${more}}`, version)) as { resource: { data: { value: number; sources: { '@set': { match: { '@ref': string | { id: string } } } }[] }[] } };
        const index = (ref: string | { id: string }): string => (typeof ref === 'string' ? ref.slice(-1) : ref.id);
        return resource.data.map(({ value, sources }) => `${value}: ${sources.map((source) => index(source['@set'].match['@ref'])).join(' ')}`);
      };
      expect(await told(`{"union":[${a},${b}]}`)).toEqual(['5: a b', '5: a b', '6: b']);
      expect(await told(`{"union":[${a},${b}]}`, ',"before":6,"size":1')).toEqual(['5: a b']);
      expect(await told(`{"intersection":[${b},${a}]}`)).toEqual(['5: b a']);
      expect(await told(`{"difference":[${b},${a}]}`)).toEqual(['6: b']);
    }
    await run(`[${[21, 22, 23, 24].map((id) => `{"delete":${doc(id)}}`).join()}]`);
  });

  it('are those of all copies where copies are one, each once', async () => {
    const union = `{"union":[${numbers},{"range":${numbers},"from":1,"to":1},{"match":{"index":"n_by_n"},"terms":1}]}`;
    expect(names(await ask(`{"paginate":{"distinct":${union}},"sources":true}`))).toEqual(['1: match 1', '3: match', '5: match']);
    const join = `{"join":${all},"with":{"lambda":"x","expr":{"union":[${thing(1)},${thing(5)}]}}}`;
    expect(names(await ask(`{"paginate":${join},"sources":true}`))[0]).toBe('2: 1');
  });

  it('of a reversed set are that set, whatever it is made of', async () => {
    const value = async (set: string): Promise<string> => JSON.stringify((JSON.parse(await ask(set)) as { resource: unknown }).resource);
    const told = async (set: string): Promise<unknown[]> =>
      (JSON.parse(await ask(`{"paginate":${set},"sources":true,"size":1}`)) as { resource: { data: { sources: unknown[] }[] } }).resource.data.map(({ sources }) => JSON.stringify(sources));
    for (const set of [`{"union":[${thing(1)},${thing(5)}]}`, `{"distinct":{"union":[${numbers},${numbers}]}}`, `{"join":${all},"with":{"lambda":"x","expr":${thing(1)}}}`]) {
      const back = `{"reverse":${set}}`;
      expect(await told(back)).toEqual([`[${await value(back)}]`]);
      expect(await told(`{"union":[${back},${back}]}`)).toEqual([`[${await value(back)}]`]);
    }
  });

  it('of events are the histories that are read, or what they are made of', async () => {
    const told = async (query: string): Promise<string[]> => {
      const { resource } = JSON.parse(await ask(query)) as { resource: { data: { sources: unknown[] }[] } };
      return [...new Set(resource.data.map(({ sources }) => JSON.stringify(sources)))];
    };
    const value = async (set: string): Promise<string> => JSON.stringify((JSON.parse(await ask(set)) as { resource: unknown }).resource);
    const [x, y] = [thing(1), '{"documents":{"collection":"c"}}'] as const;
    for (const set of [x, y, `{"singleton":${doc(1)}}`, doc(1)]) {
      const history = await value(`{"events":${set}}`);
      expect(await told(`{"paginate":{"events":${set}},"sources":true}`)).toEqual([`[${history}]`]);
      expect(await told(`{"paginate":${set},"events":true,"sources":true}`)).toEqual([`[${history}]`]);
      expect(await told(`{"paginate":{"union":{"events":${set}}},"sources":true}`)).toEqual([`[${history}]`]);
      expect(await told(`{"paginate":{"intersection":[{"events":${set}},{"events":${set}}]},"sources":true}`)).toEqual([`[${history}]`]);
    }
    expect(await told(`{"paginate":{"difference":[{"events":${x}},{"events":${thing(5)}}]},"sources":true}`)).toEqual([`[${await value(`{"events":${x}}`)}]`]);
    expect(await told(`{"paginate":{"events":{"union":[${x},${thing(5)}]}},"sources":true}`)).toEqual([`[${await value(x)}]`, `[${await value(thing(5))}]`]);
    expect(await told(`{"paginate":{"events":{"distinct":${x}}},"sources":true}`)).toEqual([`[${await value(x)}]`]);
  });
});

// Reference: fql/order.md §4.
describe('distinct tells 1 from 1.0, which have one place', () => {
  const like = '{"match":{"index":"like"}}';
  const distinct = `{"distinct":${like}}`;
  const values = (text: string): string => /"data":(.*?)\}$/.exec(text.replace(/\}$/, ''))?.[1] ?? text;
  beforeAll(async () => {
    await run('{"create_collection":{"object":{"name":"like"}}}');
    await run('{"create_index":{"object":{"name":"like","source":{"collection":"like"},"values":[{"object":{"field":["data","v"]}}]}}}');
    const all = ['1', '1', '1.0', '1.0', '1.0', '1.0', '1.0', '1.0', '1.0', '1', '2', '2', '"a"', '0'];
    await run(`[${all.map((v, at) => put(at + 1, `"v":${v}`).replace('"c"', '"like"')).join()}]`);
  });

  it('what is next to one of its kind appears once', async () => {
    expect(values(await ask(page(distinct)))).toBe('[0,1,1.0,1,2,"a"]');
    expect(values(await ask(page(`{"reverse":${distinct}}`)))).toBe('["a",2,1,1.0,1,0]');
    expect(await ask(`{"count":${distinct}}`)).toBe('{"resource":6}');
    expect(await ask(`{"contains_value":1.0,"in":${distinct}}`)).toBe('{"resource":true}');
    expect(values(await ask(page(distinct, ',"after":1.0')))).toBe('[1,1.0,1,2,"a"]');
  });

  it.each([
    [distinct, 'null'],
    [`{"reverse":${distinct}}`, '-1'],
    [`{"union":[${distinct},${distinct}]}`, 'null'],
    [`{"distinct":{"union":[${like},${like}]}}`, 'null'],
  ])('pages of %s meet', async (set, end) => {
    const all = values(await ask(page(set)));
    for (const size of [1, 2, 4]) {
      for (const direction of ['after', 'before'] as const) {
        const parts: string[] = [];
        for (let cursor: string | null = direction === 'after' ? '' : `,"before":[${end}]`; cursor !== null && parts.length < 9; ) {
          const text = await ask(page(set, `,"size":${size}${cursor}`));
          parts[direction === 'after' ? 'push' : 'unshift'](values(text).slice(1, -1));
          // As text: to JSON 1.0 is 1.
          const [, value, id] = new RegExp(`"${direction}":.([^,]+),{"@ref":{"id":"(\\d+)"`).exec(text) ?? [];
          cursor = value === undefined ? null : `,"${direction}":[${value},{"ref":{"collection":"like"},"id":"${id}"}]`;
        }
        expect(`[${parts.filter(Boolean).join()}]`).toBe(all);
      }
    }
  });
});

// What index entries come to in the odd cases (reference: data/indexes.md §5–7, fql/order.md §5).
import { beforeEach, describe, expect, it } from 'vitest';
import { type TestClient, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

let client: TestClient;

async function ask(query: string): Promise<string> {
  const { text } = await client.query(query);
  const answer = JSON.parse(text) as { resource?: { data: unknown[] }; errors?: { code: string }[] };
  if (answer.errors !== undefined) return answer.errors.map(({ code }) => code).join();
  const data = answer.resource?.data;
  return Array.isArray(data) ? data.map(shown).join(' ') : 'done';
}

function shown(item: unknown): string {
  if (typeof item !== 'object' || item === null) return JSON.stringify(item);
  if (Array.isArray(item)) return `[${item.map(shown).join()}]`;
  const { action, document, data } = item as { action?: string; document?: unknown; data?: unknown };
  if (action !== undefined) return `${action}${shown(document)}${data === undefined ? '' : shown(data)}`;
  return '@ref' in item ? `#${(item as { '@ref': { id: string } })['@ref'].id}` : JSON.stringify(item);
}

const doc = (id: number, collection = 'c'): string => `{"ref":{"collection":"${collection}"},"id":"${id}"}`;
const params = (data: string, more = ''): string => `"params":{"object":{"data":{"object":{${data}}}${more}}}`;
const put = (id: number, data: string, more = ''): string => `{"create":${doc(id)},${params(data, more)}}`;
const update = (id: number, data: string): string => `{"update":${doc(id)},${params(data)}}`;
const field = (name: string, more = ''): string => `{"object":{"field":["${name.split('.').join('","')}"]${more}}}`;
const index = (name: string, more: string, source = '{"collection":"c"}'): string => `{"create_index":{"object":{"name":"${name}","source":${source},${more}}}}`;
const page = (name: string, terms = ''): string => `{"paginate":{"match":{"index":"${name}"}${terms === '' ? '' : `,"terms":${terms}`}}}`;
const events = (name: string): string => `{"paginate":{"events":{"match":{"index":"${name}"}}}}`;

beforeEach(async () => {
  client = await testClient();
  await ask('{"create_collection":{"object":{"name":"c"}}}');
});

describe('numbers that are equal in order but not the same', () => {
  beforeEach(() => ask(index('tags', `"values":[${field('data.tags')}]`)));

  it('are one entry of their document, and leave with the last of them', async () => {
    await ask(put(1, '"tags":[1,1.0,2]'));
    expect(await ask(page('tags'))).toBe('1 2');
    await ask(update(1, '"tags":[1.0,2]'));
    expect(await ask(page('tags'))).toBe('1 2');
    await ask(update(1, '"tags":[2]'));
    expect(await ask(page('tags'))).toBe('2');
  });

  it('are different terms', async () => {
    await ask(index('by_tag', `"terms":[${field('data.tags')}]`));
    await ask(put(1, '"tags":[1]'));
    await ask(put(2, '"tags":[1.0]'));
    expect(await ask(page('by_tag', '1'))).toBe('#1');
    expect(await ask(page('by_tag', '1.0'))).toBe('#2');
    const join = (source: string): string => `{"paginate":{"join":${source},"with":{"index":"by_tag"}}}`;
    expect(await ask(join('{"match":{"index":"tags"}}'))).toBe('#1 #2');
  });
});

describe('a unique index', () => {
  it('with values lets terms be shared, and tells 1 from 1.0', async () => {
    await ask(index('u', `"unique":true,"terms":[${field('data.a')}],"values":[${field('data.n')}]`));
    expect(await ask(put(1, '"a":1,"n":1'))).toBe('done');
    expect(await ask(put(2, '"a":1,"n":2'))).toBe('done');
    expect(await ask(put(3, '"a":1,"n":1.0'))).toBe('done');
    expect(await ask(put(4, '"a":1,"n":1'))).toBe('instance not unique');
    expect(await ask(put(5, '"a":1,"n":1.0'))).toBe('instance not unique');
    expect(await ask(update(1, '"n":2'))).toBe('instance not unique');
    expect(await ask(`{"do":[{"delete":${doc(2)}},${update(1, '"n":2')}]}`)).toBe('done');
  });

  it('frees what ran out, and what was in a collection that is gone', async () => {
    await ask('{"create_collection":{"object":{"name":"d"}}}');
    await ask(index('u', `"unique":true,"terms":[${field('data.a')}]`, '[{"collection":"c"},{"collection":"d"}]'));
    expect(await ask(put(1, '"a":1', ',"ttl":{"time_add":{"now":null},"offset":1,"unit":"hour"}'))).toBe('done');
    expect(await ask(put(2, '"a":1'))).toBe('instance not unique');
    client.platform.setNow(client.platform.now() + 2 * 3_600_000_000);
    expect(await ask(put(2, '"a":1'))).toBe('done');
    await ask(`{"create":${doc(9, 'd')},${params('"a":2')}}`);
    expect(await ask(put(3, '"a":2'))).toBe('instance not unique');
    await ask('{"delete":{"collection":"d"}}');
    expect(await ask(put(3, '"a":2'))).toBe('done');
  });
});

describe('an index made in the middle of a transaction', () => {
  it('holds what the transaction wrote before and after, once', async () => {
    await ask(put(1, '"n":1'));
    await ask(put(2, '"n":1'));
    const make = index('numbers', `"values":[${field('data.n')}]`);
    await ask(`{"do":[${update(1, '"n":5')},${put(3, '"n":5')},${make},${update(1, '"n":6')},${update(2, '"n":6')},{"delete":${doc(3)}}]}`);
    expect(await ask(page('numbers'))).toBe('6 6');
    expect(await ask(events('numbers'))).toBe('add#1[1] add#2[1] remove#1[1] remove#2[1] add#1[6] add#2[6]');
  });
});

describe('indexes on what a document is', () => {
  it('ts as a value is the time of the commit, ref and collection are refs', async () => {
    await ask(index('by_ts', `"values":[${field('ts')},${field('ref')}]`));
    await ask(index('by_collection', `"terms":[${field('collection')}],"values":[${field('ref', ',"reverse":true')}]`, '"_"'));
    const { headers } = await client.query(put(1, '"n":1'));
    await ask(put(2, '"n":2'));
    expect(await ask(`{"paginate":{"match":{"index":"by_ts"}},"size":1}`)).toBe(`[${headers['x-txn-time']},#1]`);
    expect(await ask(page('by_collection', '{"collection":"c"}'))).toBe('#2 #1');
    await ask(update(1, '"n":1'));
    expect(await ask(page('by_ts'))).toMatch(/^\[\d+,#2\] \[\d+,#1\]$/);
  });

  describe('ts as a term', () => {
    const bound = (name: string, expr: string, more: string): string =>
      index(name, more, `{"object":{"collection":{"collection":"c"},"fields":{"object":{"b":{"query":{"lambda":"doc","expr":${expr}}}}}}}`);
    const binding = '{"object":{"binding":"b"}}';
    const TS = '{"select":"ts","from":{"var":"doc"}}';

    it('is null, by path and by binding', async () => {
      await ask(index('at', `"terms":[${field('ts')}]`));
      await ask(bound('bound', TS, `"terms":[${binding}]`));
      const { headers } = await client.query(put(1, '"n":1'));
      await ask(`{"insert":${doc(2)},"ts":123,"action":"create",${params('"n":2')}}`);
      for (const name of ['at', 'bound']) {
        expect(await ask(page(name, 'null'))).toBe('#1 #2');
        expect(await ask(page(name, headers['x-txn-time'] ?? ''))).toBe('');
        expect(await ask(page(name, '123'))).toBe('');
      }
    });

    it('leaves no entry behind, also of documents that were there before the index', async () => {
      await ask(put(1, '"x":"a","n":1'));
      await ask(index('at', `"terms":[${field('ts')},${field('data.x')}],"values":[${field('data.n')}]`));
      await ask(bound('bound', TS, `"terms":[${binding}],"values":[${field('data.n')}]`));
      await ask(bound('year', `{"year":{"epoch":${TS},"unit":"microseconds"}}`, `"values":[${binding},${field('data.n')}]`));
      await ask(put(2, '"x":"a","n":5'));
      const all = async (): Promise<string[]> => [await ask(page('at', '[null,"a"]')), await ask(page('bound', 'null')), await ask(page('year'))];
      expect(await all()).toEqual(['1 5', '1 5', '[null,1] [null,5]']);
      await ask(update(1, '"n":2'));
      await ask(update(2, '"n":6'));
      await ask(`{"insert":${doc(1)},"ts":{"time":"2019-12-31T00:00:00Z"},"action":"create",${params('"x":"a","n":0')}}`);
      expect(await all()).toEqual(['2 6', '2 6', '[null,2] [null,6]']);
      await ask(`{"delete":${doc(1)}}`);
      await ask(`{"delete":${doc(2)}}`);
      expect(await all()).toEqual(['', '', '']);
    });

    it('is like no other where they have to be unique', async () => {
      await ask(index('at', `"unique":true,"terms":[${field('ts')}]`));
      await ask(index('both', `"unique":true,"terms":[${field('ts')},${field('data.x')}]`));
      await ask(bound('bound', TS, `"unique":true,"terms":[${binding}]`));
      expect(await ask(`[${put(1, '"x":1')},${put(2, '"x":1')}]`)).toBe('done');
      expect(await ask(put(3, '"x":1'))).toBe('done');
      expect([await ask(page('at', 'null')), await ask(page('both', '[null,1]')), await ask(page('bound', 'null'))]).toEqual(['#1 #2 #3', '#1 #2 #3', '#1 #2 #3']);
    });
  });

  it('ts by a binding, as a value, is the time of the commit, and of the one before it when that goes', async () => {
    await ask(index('bound', '"values":[{"object":{"binding":"b"}}]', '{"object":{"collection":{"collection":"c"},"fields":{"object":{"b":{"query":{"lambda":"doc","expr":{"select":"ts","from":{"var":"doc"}}}}}}}}'));
    const { headers } = await client.query(put(1, '"n":1'));
    expect(await ask(page('bound'))).toBe(headers['x-txn-time']);
    const later = await client.query(update(1, '"n":2'));
    expect(await ask(page('bound'))).toBe(later.headers['x-txn-time']);
    await ask(`{"delete":${doc(1)}}`);
    expect(await ask(page('bound'))).toBe('');
  });

  it('casefold and bindings give terms', async () => {
    const source = `{"object":{"collection":{"collection":"c"},"fields":{"object":{"double":{"query":{"lambda":"doc","expr":{"multiply":[2,{"select":["data","n"],"from":{"var":"doc"}}]}}}}}}}`;
    await ask(index('by_double', `"terms":[{"object":{"binding":"double"}}],"values":[${field('data.name', ',"transform":"casefold"')}]`, source));
    await ask(put(1, '"n":2,"name":"OWL"'));
    await ask(put(2, '"n":"x","name":"fox"'));
    expect(await ask(page('by_double', '4'))).toBe('"owl"');
    expect(await ask(page('by_double', 'null'))).toBe('');
  });
});

describe('a term or value', () => {
  const made = async (more: string, data: string): Promise<string> => {
    await ask(index('made', `"values":[${field('data.a', more)},${field('ref')}]`));
    await ask(put(1, `"a":${data}`));
    const before = await ask(page('made'));
    await ask(`{"delete":${doc(1)}}`);
    expect(await ask(page('made'))).toBe('');
    return before;
  };

  it.each([
    ['"B"', '["b",#1]'],
    ['["B",1,["C","b"]]', '[1,#1] ["b",#1] ["c",#1]'],
    ['["B",{"object":{"c":1}}]', '[null,#1]'],
    ['{"object":{"c":1}}', '[null,#1]'],
    ['["B",[{"object":{}}]]', '[null,#1]'],
    ['[]', '[null,#1]'],
  ])('is folded where all of it is scalars (%s)', async (data, entries) => {
    expect(await made(',"transform":"casefold"', data)).toBe(entries);
  });

  it.each([
    ['"B"', '[null,#1]'],
    ['["B",1,["C","D"],["E"],[]]', '[["b",1,["c","d"],"e",[]],#1]'],
    ['["B",{"object":{"c":1}}]', '[null,#1]'],
    ['["B",[["C"]]]', '[null,#1]'],
    ['[]', '[[],#1]'],
  ])('that keeps arrays whole is folded where it is an array, and null elsewhere (%s)', async (data, entries) => {
    expect(await made(',"mva":false,"transform":"casefold"', data)).toBe(entries);
  });

  it.each([
    ['[{"object":{"b":1}},{"object":{"b":2}}]', '["data","a","b"]', '[null,#1]'],
    ['[{"object":{"b":1}},{"object":{"b":[2,3]}}]', '["data","a",1,"b"]', '[[2,3],#1]'],
    ['{"object":{"b":{"object":{"c":1}}}}', '["data","a","b"]', '[{"c":1},#1]'],
  ])('that keeps arrays whole enters none on its way (%s at %s)', async (data, at, entries) => {
    await ask(index('kept', `"values":[{"object":{"field":${at},"mva":false}},${field('ref')}]`));
    await ask(put(1, `"a":${data}`));
    expect(await ask(page('kept'))).toBe(entries);
    await ask(`{"delete":${doc(1)}}`);
    expect(await ask(page('kept'))).toBe('');
  });
});

describe('a binding', () => {
  const bound = (expr: string): string =>
    index('bound', '"values":[{"object":{"binding":"b"}}]', `{"object":{"collection":{"collection":"c"},"fields":{"object":{"b":{"query":{"lambda":"doc","expr":${expr}}}}}}}`);

  it('knows one time only, whenever it is asked, so that its entries go with their document', async () => {
    await ask(bound('[{"now":null},{"time":"now"}]'));
    await ask(put(1, '"n":1'));
    expect(await ask(page('bound'))).toBe('{"@ts":"+294247-01-10T04:00:54.775807Z"}');
    await ask(update(1, '"n":2'));
    expect(await ask(events('bound'))).toBe('add#1[{"@ts":"+294247-01-10T04:00:54.775807Z"}]');
    await ask(`{"delete":${doc(1)}}`);
    expect(await ask(page('bound'))).toBe('');
  });

  it('gives the same in requests of all versions', async () => {
    await ask(bound('{"format":"%^","values":{"select":"ref","from":{"var":"doc"}}}'));
    await client.query(put(1, '"n":1'), '2.0');
    await ask(`{"delete":${doc(1)}}`);
    expect(await ask(page('bound'))).toBe('');
  });

  it('gives the same whoever writes: there is no token, and nothing that may be read', async () => {
    await ask(index('all', '"active":true'));
    await ask(bound('[{"has_current_token":null},{"if":{"is_empty":{"documents":{"collection":"c"}}},"then":"none","else":"some"}]'));
    await ask(bound('{"is_empty":{"match":{"index":"all"}}}').replace('"name":"bound"', '"name":"of_index"'));
    const key = JSON.parse((await client.query('{"select":"secret","from":{"create_key":{"object":{"role":"server"}}}}')).text) as { resource: string };
    const headers = { authorization: `Bearer ${key.resource}`, 'x-faunadb-api-version': '4' };
    expect((await client.send('POST', '/', put(1, '"n":1'), headers)).status).toBe(201);
    await ask(put(2, '"n":1'));
    expect(await ask(page('bound'))).toBe('"none" "none" false false');
    expect(await ask(page('of_index'))).toBe('');
    expect((await client.send('POST', '/', `{"delete":${doc(2)}}`, headers)).status).toBe(200);
    await ask(`{"delete":${doc(1)}}`);
    expect(await ask(page('bound'))).toBe('');
  });

  it('is handed the document itself, whose collection it can select', async () => {
    await ask(bound('[{"select":"class","from":{"var":"doc"}},{"is_doc":{"var":"doc"}},{"select":["data","n"],"from":{"var":"doc"}}]'));
    await ask(put(1, '"n":1'));
    expect(await ask(page('bound'))).toBe('1 #c true');
  });

  it.each(['', ',"mva":false', ',"transform":"casefold"'])('gives scalars: in an array anything else is null, and so it is alone (%s)', async (more) => {
    const given = (name: string, expr: string): string => bound(expr).replace('"name":"bound"', `"name":"${name}"`).replace('"binding":"b"', `"binding":"b"${more}`);
    await ask(given('listed', '["B",["C"],{"var":"doc"},null,2]'));
    await ask(given('alone', '{"var":"doc"}'));
    await ask(put(1, '"n":1'));
    expect(await ask(page('listed'))).toBe('2 "B"');
    expect(await ask(page('alone'))).toBe('');
    await ask(`{"delete":${doc(1)}}`);
    expect(await ask(page('listed'))).toBe('');
  });
});

describe('a document that has run out', () => {
  it('leaves its sets at once and without an event; made again it is added again', async () => {
    await ask(index('numbers', `"values":[${field('data.n')}]`));
    await ask(put(1, '"n":1', ',"ttl":{"time_add":{"now":null},"offset":1,"unit":"hour"}'));
    expect(await ask(page('numbers'))).toBe('1');
    client.platform.setNow(client.platform.now() + 2 * 3_600_000_000);
    expect(await ask(page('numbers'))).toBe('');
    expect(await ask(events('numbers'))).toBe('add#1[1]');
    await ask(put(1, '"n":2'));
    expect(await ask(page('numbers'))).toBe('2');
    expect(await ask(events('numbers'))).toBe('add#1[1] add#1[2]');
    expect(await ask(`{"paginate":${doc(1)},"events":true}`)).toBe('create#1{"n":1} create#1{"n":2}');
    expect(await ask(`{"paginate":{"events":{"singleton":${doc(1)}}}}`)).toBe('add#1 add#1');
  });

  it('a ttl that changes shows as a remove and an add', async () => {
    await ask(index('numbers', `"values":[${field('data.n')}]`));
    await ask(put(1, '"n":1'));
    await ask(`{"update":${doc(1)},"params":{"object":{"ttl":{"time_add":{"now":null},"offset":1,"unit":"hour"}}}}`);
    expect(await ask(events('numbers'))).toBe('add#1[1] remove#1[1] add#1[1]');
    expect(await ask(page('numbers'))).toBe('1');
  });
});

it('three thousand versions of one document are read in either direction', async () => {
  await ask(put(1, '"n":0'));
  for (let count = 1; count < 3000; count++) await client.query(update(1, `"n":${count}`));
  await ask(`{"delete":${doc(1)}}`);
  expect(await ask(`{"paginate":{"events":{"singleton":${doc(1)}}}}`)).toBe('add#1 remove#1');
  expect(await ask(`{"paginate":{"events":{"singleton":${doc(1)}}},"before":null,"size":2}`)).toBe('add#1 remove#1');
  expect(await ask(`{"paginate":${doc(1)},"events":true,"before":null,"size":2}`)).toBe('update#1{"n":2999} delete#1null');
  expect((await ask(`{"paginate":${doc(1)},"events":true,"size":100000}`)).split(' ')).toHaveLength(3001);
});

describe('paths that lead into refs', () => {
  const owned = (id: number, owner: number, more = ''): string => put(id, `"owner":${doc(owner)}${more}`);
  const byOwner = index('by_owner', `"values":[${field('data.owner.id')},${field('ref')}]`);

  it('give what the refs are made of', async () => {
    await ask(byOwner);
    await ask(owned(2, 9));
    expect(await ask(page('by_owner'))).toBe('["9",#2]');
    await ask(update(2, `"owner":${doc(8)}`));
    expect(await ask(page('by_owner'))).toBe('["8",#2]');
  });

  it('ended there in indexes that earlier builds made, and bindings gave what is in arrays of arrays: those go on as they are, so that no entry stays behind', async () => {
    const log = memoryLog();
    client = await testClient(memoryLogStore(log));
    await ask('{"create_collection":{"object":{"name":"c"}}}');
    await ask(byOwner);
    await ask(index('folded', `"values":[${field('data.tags', ',"transform":"casefold"')},${field('ref')}]`));
    await ask(index('nested', '"values":[{"object":{"binding":"b"}}]', '{"object":{"collection":{"collection":"c"},"fields":{"object":{"b":{"query":{"lambda":"_","expr":[1,[2]]}}}}}}'));
    await client.engine.close();
    // As if it had not been noted: the name of the field is another one, as long.
    log.records = log.records.map(({ number, body }) => ({ number, body: renamed(body, '_into_refs', '_into_refx') }));

    client = await testClient(memoryLogStore(log));
    await ask(owned(1, 7, ',"tags":["B",{"object":{}}]'));
    await ask(owned(2, 9));
    expect(await ask(page('by_owner'))).toBe('[null,#1] [null,#2]');
    expect(await ask(page('folded'))).toBe('["b",#1] [null,#1] [null,#2]');
    await ask(update(1, `"owner":${doc(8)}`));
    await ask(`{"delete":${doc(2)}}`);
    await ask(`{"update":{"index":"by_owner"},"params":{"object":{"name":"old"}}}`);
    expect(await ask(page('old'))).toBe('[null,#1]');
    expect(await ask(page('nested'))).toBe('1 2');
    await ask(`{"delete":${doc(1)}}`);
    expect(await ask(page('nested'))).toBe('');
    expect(await ask(page('folded'))).toBe('');
  });

  function renamed(bytes: Uint8Array, name: string, other: string): Uint8Array {
    const text = Buffer.from(bytes).toString('latin1');
    return new Uint8Array(Buffer.from(text.replaceAll(name, other), 'latin1'));
  }
});

it('a version that is inserted at the query’s own moment lies before what the query writes, also where the clock stands still meanwhile', async () => {
  let now = 1_600_000_000_000_000;
  client = await testClient(memoryLogStore(), { ...testPlatform(), now: () => now });
  await ask('{"create_collection":{"object":{"name":"c"}}}');
  await ask(index('n', `"values":[${field('data.n')}]`));
  await ask(put(1, '"n":1'));
  now += 1000;
  await ask(`{"do":[${update(1, '"n":2')},{"insert":${doc(1)},"ts":{"now":null},"action":"create",${params('"n":3')}}]}`);
  expect(await ask(page('n'))).toBe('2');
  expect((await client.query(`{"select":["data","n"],"from":{"get":${doc(1)}}}`)).text).toBe('{"resource":2}');
  await ask(`{"delete":${doc(1)}}`);
  expect(await ask(page('n'))).toBe('');
});

it.each(['"ttl":{"time":"+999999999-12-31T23:59:59Z"}', '"ttl":{"time":"-999999999-01-01T00:00:00Z"}'])('an index is read also where a document in it runs out further away than 64 bits of microseconds reach (%s)', async (ttl) => {
  await ask('{"create_collection":{"object":{"name":"days"}}}');
  await ask(index('all', '"active":true', '"_"'));
  await ask(`{"create":${doc(1, 'days')},"params":{"object":{${ttl}}}}`);
  await client.engine.upkeep();
  expect(await ask(page('all'))).toBe(ttl.includes('-9') ? '' : '#1');
});

it('an index is made over a document with a hundred thousand entries', { timeout: 60_000 }, async () => {
  await ask(put(1, `"tags":[${Array.from({ length: 100_000 }, (_, n) => n).join()}]`));
  expect(await ask(index('by_tag', `"terms":[${field('data.tags')}]`))).toBe('done');
  expect(await ask(page('by_tag', '99999'))).toBe('#1');
});

describe('a value that a document has given up in a transaction', () => {
  it.each([
    ['by an update', update(1, '"a":2'), put(2, '"a":1'), update(1, '"a":1')],
    ['as it was deleted', `{"delete":${doc(1)}}`, put(2, '"a":1'), put(1, '"a":1')],
  ])('is not had again once another one has taken it: %s', async (_, ...steps) => {
    await ask(index('u', `"unique":true,"terms":[${field('data.a')}]`));
    await ask(put(1, '"a":1'));
    expect(await ask(`{"do":[${steps.join()}]}`)).toBe('instance not unique');
    // Nobody else has taken it here.
    expect(await ask(`{"do":[${steps[0]},${steps[2]}]}`)).toBe('done');
    expect(await ask(page('u', '1'))).toBe('#1');
  });

  it('is not asked for where the transaction has left it as it was, though others hold it since before the index', async () => {
    await ask(put(1, '"a":1'));
    await ask(put(2, '"a":1'));
    await ask(index('u', `"unique":true,"terms":[${field('data.a')}]`));
    expect(await ask(`{"do":[${update(1, '"b":1')},${update(1, '"b":2')}]}`)).toBe('done');
    expect(await ask(`{"do":[${update(1, '"a":2')},${update(1, '"a":1')}]}`)).toBe('instance not unique');
  });
});

// The operations of the query interface, one by one (brief §4.2).
import { type Database, inBothForms } from './support/database.ts';
import { create, createSpells, DATA, match, object, spell, SPELLS, type Times } from './support/spells.ts';
import { expect } from './support/test.ts';

/** JSON text of a spell as it is read. */
const shown = ({ wire }: Database, id: 1 | 2 | 3, ts: number, data: object = DATA[id]): string =>
  `{${wire.head(wire.document('spells', id), wire.collection('spells'), ts)},"data":${JSON.stringify(data)}}`;

const refs = ({ wire }: Database, ...ids: number[]): string => `[${ids.map((id) => wire.document('spells', id)).join(',')}]`;
const matched = ({ wire }: Database, index: string): string => `{"@set":{"match":${wire.index(index)}}}`;

inBothForms('get, select, identity and the constructors give what the brief says', async (db) => {
  const times = await createSpells(db);
  await get(db, times);
  await select(db);
  await construct(db);
  await db.fails({ identity: null }, 400, '[]', 'missing identity', 'Authentication does not contain an identity');
});

async function get(db: Database, times: Times): Promise<void> {
  await db.gives({ get: spell(1) }, shown(db, 1, times[1]));
  await db.gives({ get: { '@ref': 'classes/spells/2' } }, shown(db, 2, times[2]));
  await db.gives({ get: match('by_element', 'fire') }, shown(db, 1, times[1]));

  const changed = await db.write({ update: spell(1), params: object({ data: object({ level: 10 }) }) });
  const after = { name: 'Fire Beak', element: 'fire', level: 10 };
  await db.gives({ get: spell(1) }, shown(db, 1, changed, after));
  await db.gives({ get: spell(1), ts: changed - 1 }, shown(db, 1, times[1]));
  await db.gives({ get: spell(1), ts: { time: '9999-01-01T00:00:00Z' } }, shown(db, 1, changed, after));
  await db.fails({ get: spell(1), ts: times[1] - 1 }, 404, '[]', 'instance not found', `${db.wire.words.document} not found.`);
  await db.fails({ get: spell(99) }, 404, '[]', 'instance not found', `${db.wire.words.document} not found.`);

  await db.gives([{ get: spell(2) }, { get: spell(3) }], `[${shown(db, 2, times[2])},${shown(db, 3, times[3])}]`);
}

async function select(db: Database): Promise<void> {
  const from = { get: spell(2) };
  await db.gives({ select: ['data', 'name'], from }, '"Water Claw"');
  await db.gives({ select: 'data', from }, JSON.stringify(DATA[2]));
  await db.gives({ select: ['a', 1], from: object({ a: ['x', 'y'] }) }, '"y"');
  await db.gives({ select: 1, from: ['x', 'y'] }, '"y"');
  await db.gives({ select: ['data', 'owner'], from, default: 'nobody' }, '"nobody"');
  await db.gives({ select: ['data', 'owner'], from, default: null }, 'null');
  await db.fails({ select: ['data', 'owner'], from }, 404, '["from"]', 'value not found', 'Value not found at path [data,owner].');
  await db.gives({ select: 'id', from: spell(2) }, '"2"');
  await db.write({ create_database: object({ name: 'wizards' }) });
  await db.gives({ select: 'id', from: { '@ref': 'databases/wizards' } }, '"wizards"');
  await db.gives({ select: ['data', 0], from: { paginate: match('levels') } }, '2');
}

async function construct(db: Database): Promise<void> {
  await db.gives({ ref: SPELLS, id: '7' }, db.wire.document('spells', 7));
  await db.gives({ time: '1970-01-01T01:00:00.5+01:00' }, '{"@ts":"1970-01-01T00:00:00.500Z"}');
  await db.gives({ date: '1970-01-02' }, '{"@date":"1970-01-02"}');
  await db.gives({ object: { sum: { add: [1, 2, 3] }, list: [{ concat: ['a', 'b'] }] } }, '{"sum":6,"list":["ab"]}');
  await db.gives({ add: [1, 2] }, '3');
  await db.gives({ add: [1, 2.5] }, '3.5');
  await db.gives({ concat: ['Fire', 'Beak'], separator: ' ' }, '"Fire Beak"');
  await db.gives(
    [{ add: [1, 1] }, { concat: ['x', 'y'] }, { date: '2017-01-01' }, null],
    '[2,"xy",{"@date":"2017-01-01"},null]',
  );
  expect(await db.value({ new_id: null })).toMatch(/^\d{18}$/);
  expect(await db.value({ now: null })).toEqual({ '@ts': expect.stringMatching(/^\d{4}-.*Z$/) });
}

inBothForms('sets are made, combined and read as pages', async (db) => {
  const { wire } = db;
  const times = await createSpells(db);
  const all = match('all_spells');
  const water = match('by_element', 'water');

  await db.gives(all, `{"@set":{"match":${wire.index('all_spells')}}}`);
  await db.gives(water, `{"@set":{"match":${wire.index('by_element')},"terms":"water"}}`);
  await db.gives(match('by_element', ['water']), `{"@set":{"match":${wire.index('by_element')},"terms":"water"}}`);
  await db.gives(match('by_element_and_level', 'water', 3), `{"@set":{"match":${wire.index('by_element_and_level')},"terms":["water",3]}}`);
  await db.gives({ singleton: spell(1) }, `{"@set":{"singleton":${wire.document('spells', 1)}}}`);
  const both = `{"@set":{"match":${wire.index('by_element')},"terms":"water"}}`;
  await db.gives({ union: [all, water] }, `{"@set":{"union":[${matched(db, 'all_spells')},${both}]}}`);
  await db.gives({ intersection: [all, water] }, `{"@set":{"intersection":[${matched(db, 'all_spells')},${both}]}}`);
  const join = { join: all, with: { lambda: 'ref', expr: { singleton: { var: 'ref' } } } };
  await db.gives(join, `{"@set":{"join":${matched(db, 'all_spells')},"with":${wire.lambda('ref', '{"singleton":{"var":"ref"}}')}}}`);

  const page = (data: string): string => `{"data":${data}}`;
  await db.gives({ paginate: all }, page(refs(db, 1, 2, 3)));
  await db.gives({ paginate: water }, page(refs(db, 2, 3)));
  await db.gives({ paginate: match('by_element', ['water']) }, page(refs(db, 2, 3)));
  await db.gives({ paginate: match('by_element_and_level', 'water', 3) }, page(refs(db, 3)));
  await db.gives({ paginate: match('by_element', 'earth') }, page('[]'));
  await db.gives({ paginate: match('names', 'water') }, page(`[["Hippo Wallow",${wire.document('spells', 3)}],["Water Claw",${wire.document('spells', 2)}]]`));
  await db.gives({ paginate: spell(1) }, page(refs(db, 1)));
  await db.gives({ paginate: { singleton: spell(1) } }, page(refs(db, 1)));
  await db.gives({ paginate: { union: [match('by_element', 'fire'), water] } }, page(refs(db, 1, 2, 3)));
  await db.gives({ paginate: { intersection: [all, water] } }, page(refs(db, 2, 3)));
  await db.gives({ paginate: join }, page(refs(db, 1, 2, 3)));
  await db.gives({ paginate: { '@set': { match: { '@ref': 'indexes/by_element' }, terms: 'fire' } } }, page(refs(db, 1)));

  await db.gives({ paginate: all, ts: times[2] }, page(refs(db, 1, 2)));
  await db.gives({ paginate: all, ts: times[1] - 1 }, page('[]'));
  await db.gives(
    { paginate: { union: [match('by_element', 'fire'), all] }, size: 1, sources: true },
    `{"after":[${wire.document('spells', 2)}],"data":[{"value":${wire.document('spells', 1)},"sources":` +
      `[{"@set":{"match":${wire.index('by_element')},"terms":"fire"}},${matched(db, 'all_spells')}]}]}`,
  );
});

inBothForms('pages follow one another by their cursors', async (db) => {
  const { wire } = db;
  await createSpells(db);
  const ref = (id: number): string => wire.document('spells', id);
  const all = match('all_spells');
  await db.gives({ paginate: all, size: 2 }, `{"after":[${ref(3)}],"data":${refs(db, 1, 2)}}`);
  await db.gives({ paginate: all, size: 2, after: [spell(3)] }, `{"before":[${ref(3)}],"data":${refs(db, 3)}}`);
  await db.gives({ paginate: all, size: 2, after: spell(3) }, `{"before":[${ref(3)}],"data":${refs(db, 3)}}`);
  await db.gives({ paginate: all, size: 1, before: [spell(3)] }, `{"before":[${ref(2)}],"after":[${ref(3)}],"data":${refs(db, 2)}}`);
  await db.gives({ paginate: match('levels'), size: 2 }, `{"after":[3,${ref(3)}],"data":[1,2]}`);
  await db.gives({ paginate: match('levels'), after: 2 }, '{"before":[2],"data":[2,3]}');
  await db.gives({ paginate: match('levels'), after: [3, spell(3)] }, `{"before":[3,${ref(3)}],"data":[3]}`);
  await db.gives({ paginate: match('levels'), before: 2 }, '{"after":[2],"data":[1]}');
  await db.gives({ paginate: match('levels_down') }, '{"data":[3,2,1]}');
  await db.gives({ paginate: match('levels_down'), size: 2, after: 2 }, '{"before":[2],"data":[2,1]}');

  const down = { paginate: match('levels_down'), size: 2 };
  const [first, last] = wire.version === '2.0'
    ? [`{"after":[1,${ref(1)}],"data":[3,2]}`, `{"before":[2,${ref(2)}],"data":[2,1]}`]
    : ['{"after":[null],"data":[]}', '{"before":[0],"data":[]}'];
  await db.gives({ ...down, before: null }, first);
  await db.gives({ ...down, after: 0 }, last);

  const page = { paginate: match('levels'), size: 2 };
  const after = `"after":[3,${ref(3)}]`;
  await db.gives({ map: { lambda: 'level', expr: { add: [{ var: 'level' }, 10] } }, collection: page }, `{${after},"data":[11,12]}`);
  await db.gives({ filter: { lambda: 'level', expr: { equals: [{ var: 'level' }, 2] } }, collection: page }, `{${after},"data":[2]}`);
  await db.gives({ foreach: { lambda: 'level', expr: { var: 'level' } }, collection: [1, 2] }, '[1,2]');

  await db.value(Array.from({ length: 67 }, (_, at) => create(4 + at, { element: 'air' })));
  const air = await db.value<{ data: unknown[] }>({ paginate: match('by_element', 'air') });
  expect(air.data).toHaveLength(wire.version === '2.0' ? 16 : 64);
  const most = { paginate: match('by_element', 'air'), size: 1024 };
  expect((await db.value<{ data: unknown[] }>(most)).data).toHaveLength(67);
  const tooMany = { ...most, size: 1025 };
  if (wire.version === '2.0') await db.fails(tooMany, 400, '["size"]', 'invalid argument', 'Page size 1025 exceeds the maximum of 1024.');
  else expect((await db.value<{ data: unknown[] }>(tooMany)).data).toHaveLength(67);
});

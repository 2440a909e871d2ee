// Writing: classes, indexes, instances, keys and databases (brief §2.4, §2.7, §3, §5).
import { type Database, inBothForms } from './support/database.ts';
import { createIndex, createSpells, field, match, object, spell, SPELLS } from './support/spells.ts';
import { expect } from './support/test.ts';

inBothForms('instances are created, updated, replaced and deleted', async (db) => {
  const { wire } = db;
  await db.writes({ create_class: object({ name: 'spells' }) }, 201, (ts) =>
    `{${wire.head(wire.collection('spells'), wire.native('collections'), ts)},"history_days":30,"name":"spells"}`);
  const shown = (data: string) => (ts: number) => `{${wire.head(wire.document('spells', 1), wire.collection('spells'), ts)},"data":${data}}`;
  await db.writes({ create: spell(1), params: object({ data: object({ name: 'Beak', cost: object({ mana: 3, gold: 1 }) }) }) }, 201, shown('{"name":"Beak","cost":{"mana":3,"gold":1}}'));
  await db.writes({ update: spell(1), params: object({ data: object({ level: 1, cost: object({ gold: null }) }) }) }, 200, shown('{"name":"Beak","cost":{"mana":3},"level":1}'));
  const last = await db.writes({ replace: spell(1), params: object({ data: object({ name: 'Claw' }) }) }, 200, shown('{"name":"Claw"}'));
  await db.writes({ delete: spell(1) }, 200, () => shown('{"name":"Claw"}')(last));
  await db.gives({ exists: spell(1) }, 'false');
  await db.fails({ delete: spell(1) }, 404, '[]', 'instance not found', `${wire.words.document} not found.`);

  const created = await db.value<{ ref: { '@ref': unknown } }>({ create: SPELLS, params: object({ data: object({ n: 1 }) }) });
  const id = /\d{18}/.exec(JSON.stringify(created.ref))?.[0] ?? '';
  expect(JSON.stringify(created.ref)).toBe(wire.document('spells', id));
  await db.gives({ select: ['data', 'n'], from: { get: { ref: SPELLS, id } } }, '1');
  await db.gives({ paginate: { classes: null } }, `{"data":[${wire.collection('spells')}]}`);
});

inBothForms('indexes have the documented fields and rules', async (db) => {
  const { wire } = db;
  await createSpells(db);
  const index = (name: string, rest: string) => (ts: number) =>
    `{${wire.head(wire.index(name), wire.native('indexes'), ts)},"active":true,"serialized":true,"name":"${name}",${rest}}`;
  const source = `"source":${wire.collection('spells')}`;
  const get = async (name: string, rest: string): Promise<void> => {
    const { ts } = await db.value<{ ts: number }>({ get: { index: name } });
    await db.shows({ get: { index: name } }, index(name, rest)(ts));
  };
  await get('all_spells', `${source},"partitions":8`);
  await get('by_element', `${source},"terms":[{"field":["data","element"]}],"partitions":1`);
  await get('levels_down', `${source},"values":[{"field":["data","level"],"reverse":true}],"partitions":8`);

  const unique = createIndex('one_name', { terms: [field('data', 'name')], unique: true });
  await db.writes(unique, 201, index('one_name', `"unique":true,${source},"terms":[{"field":["data","name"]}],"partitions":1`));
  const twice = { create: SPELLS, params: object({ data: object({ name: 'Fire Beak' }) }) };
  await db.fails(twice, 400, '["create"]', 'instance not unique', `${wire.words.document.toLowerCase()} is not unique.`);

  const binding = { query: { lambda: 'doc', expr: { concat: [{ select: ['data', 'name'], from: { var: 'doc' } }, '!'] } } };
  const source2 = object({ class: SPELLS, fields: object({ loud: binding }) });
  await db.write({ create_index: object({ name: 'loud', source: source2, values: [object({ binding: 'loud' })] }) });
  await db.gives({ paginate: match('loud') }, '{"data":["Fire Beak!","Hippo Wallow!","Water Claw!"]}');
  await db.write({ create_index: object({ name: 'everything', source: '_' }) });
  await db.gives({ paginate: match('everything') }, `{"data":[${[1, 2, 3].map((id) => wire.document('spells', id)).join(',')}]}`);

  await rules(db);
});

async function rules(db: Database): Promise<void> {
  const { wire } = db;
  await db.write({ update: { index: 'levels' }, params: object({ name: 'ranks' }) });
  await db.gives({ paginate: match('ranks') }, '{"data":[1,2,3]}');
  await db.fails(match('levels'), 400, '["match"]', 'invalid ref', "Ref refers to undefined index 'levels'");

  const invalid = (at: string, field: string, code: string, description: string): string =>
    `{"errors":[{"position":${at},"code":"validation failed","description":"${wire.words.document.toLowerCase()} data is not valid.",` +
    `"failures":[{"field":${field},"code":"${code}","description":"${description}"}]}]}`;
  await db.expect(
    { update: { index: 'ranks' }, params: object({ terms: [field('data', 'name')] }) },
    invalid('[]', '[]', 'invalid index', 'Index sources, terms, and values may not be updated (terms changed).'),
    400,
  );
  await db.expect(
    createIndex('many', { partitions: 9 }),
    invalid('["create_index"]', '["partitions"]', 'bounds error', 'Value 9 is not in expected range 1 to 8.'),
    400,
  );
  await db.fails(
    { do: [createIndex('fresh', {}), { paginate: match('fresh') }] },
    400, '["do",1,"paginate","match"]', 'invalid ref', "Ref refers to undefined index 'fresh'",
  );
  await db.write({ update: { index: 'by_element' }, params: object({ unique: true }) });
  await db.gives({ paginate: match('by_element', 'water') }, `{"data":[${wire.document('spells', 2)},${wire.document('spells', 3)}]}`);
  await db.write({ delete: { index: 'ranks' } });
  await db.fails({ paginate: match('ranks') }, 400, '["paginate","match"]', 'invalid ref', "Ref refers to undefined index 'ranks'");
}

inBothForms('values of all types are in the documented order', async (db) => {
  const { wire } = db;
  await db.write({ create_class: object({ name: 'spells' }) });
  await db.write(createIndex('mixed', { values: [field('data', 'v')] }));
  const values = [true, 1.5, { date: '2017-01-01' }, { time: '2017-01-01T00:00:00Z' }, SPELLS, 'b', 'a', 2, 1, false];
  await db.value(values.map((v, at) => ({ create: spell(at + 1), params: object({ data: object({ v }) }) })));
  const between = `"a","b",${wire.collection('spells')},{"@ts":"2017-01-01T00:00:00Z"},{"@date":"2017-01-01"},false,true`;
  await db.gives({ paginate: match('mixed') }, wire.version === '2.0' ? `{"data":[1,2,${between},1.5]}` : `{"data":[1,1.5,2,${between}]}`);
});

inBothForms('keys open databases, tokens stand for instances', async (db) => {
  const { wire } = db;
  const made = await db.value<{ ts: number; global_id: string }>({ create_database: object({ name: 'wizards' }) });
  expect(made.global_id).toMatch(/^\w+$/);
  await db.shows(
    { get: { database: 'wizards' } },
    `{${wire.head(wire.database('wizards'), wire.native('databases'), made.ts)},"name":"wizards","global_id":"${made.global_id}"}`,
  );
  const key = await db.value<{ ref: unknown; secret: string }>({ create_key: object({ role: 'server', database: { database: 'wizards' } }) });
  expect(key.secret).toMatch(/^fn[\w-]{38}$/);
  expect(JSON.stringify(key.ref)).toBe(wire.numbered('keys', /\d{18}/.exec(JSON.stringify(key.ref))?.[0] ?? ''));

  const as = (secret: string) => ({ Authorization: `Basic ${btoa(`${secret}:`)}` });
  const inside = await db.send({ body: '{"create_class":{"object":{"name":"scrolls"}}}', headers: as(key.secret) });
  expect(inside.status).toBe(201);
  expect((await db.send({ body: '{"paginate":{"classes":null}}', headers: as(key.secret) })).text).toBe(`{"resource":{"data":[${wire.collection('scrolls')}]}}`);
  await db.gives({ paginate: { classes: null } }, '{"data":[]}');

  await db.write({ create_class: object({ name: 'spells' }) });
  await db.write({ create: spell(1), params: object({}) });
  const token = await db.value<{ secret: string }>({ create: { '@ref': 'tokens' }, params: object({ instance: spell(1) }) });
  for (const via of ['fetch', 'XMLHttpRequest'] as const) {
    const identity = await db.send({ body: '{"identity":null}', headers: as(token.secret) }, via);
    expect(identity).toMatchObject({ status: 200, text: `{"resource":${wire.document('spells', 1)}}` });
  }
});

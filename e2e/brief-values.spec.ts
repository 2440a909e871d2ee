// The data types on the wire (brief §2.2), and the headers around them.
import { inBothForms } from './support/database.ts';
import { createSpells, match, object, spell, SPELLS } from './support/spells.ts';
import { expect } from './support/test.ts';

inBothForms('values of each type are read and written in their documented form', async (db) => {
  const { wire } = db;
  await createSpells(db);
  const same = (text: string): Promise<void> => db.gives(text, text);

  for (const literal of ['true', 'false', 'null', '0', '-7', '1.5', '-0.25', '1.0', '"text"', '"\\"\\\\ é 日本 😀"', '[]', '[1,["a",null]]']) {
    await same(literal);
  }
  await same('9223372036854775807');
  await same('-9223372036854775808');
  await db.gives('1e10', '1.0E10');
  await same('{"@bytes":"AQIDBA=="}');
  await same('{"@date":"1970-01-01"}');
  await same('{"@ts":"1970-01-01T00:00:00Z"}');
  await same('{"@ts":"2017-02-03T04:05:06.123456789Z"}');
  await same('{"@ts":"-999999999-01-01T00:00:00Z"}');
  await same('{"@ts":"9999-12-31T23:59:59.999999999Z"}');
  await db.gives('{"@ts":"2017-02-03T04:05:06+02:00"}', '{"@ts":"2017-02-03T02:05:06Z"}');

  await db.gives('{"@ref":"classes/spells"}', wire.collection('spells'));
  await db.gives('{"@ref":"classes/spells/1"}', wire.document('spells', 1));
  await db.gives('{"@ref":"indexes/all_spells"}', wire.index('all_spells'));
  const matched = `{"match":${wire.index('by_element')},"terms":"fire"}`;
  await db.gives('{"@set":{"match":{"@ref":"indexes/by_element"},"terms":"fire"}}', `{"@set":${matched}}`);
  await db.gives(
    '{"@set":{"intersection":[{"@set":{"singleton":{"@ref":"classes/spells/1"}}},{"@set":{"match":{"@ref":"indexes/by_element"},"terms":"fire"}}]}}',
    `{"@set":{"intersection":[{"@set":{"singleton":${wire.document('spells', 1)}}},{"@set":${matched}}]}}`,
  );
  await db.gives('{"@set":{"events":{"@ref":"classes/spells/1"}}}', `{"@set":{"events":${wire.document('spells', 1)}}}`);
  await db.gives({ query: { lambda: 'x', expr: { add: [{ var: 'x' }, 1] } } }, `{"@query":${wire.lambda('x', '{"add":[{"var":"x"},1]}')}}`);
  await db.gives({ object: { b: true, a: { object: {} } } }, '{"b":true,"a":{}}');
  await db.gives({ object: { '@name': 'at' } }, '{"@obj":{"@name":"at"}}');

  await db.gives({ equals: [null, null] }, 'true');
  await db.gives({ equals: [true, true] }, 'true');
  await db.gives({ equals: [true, false] }, 'false');
  await db.gives({ equals: [match('by_element', 'fire'), match('by_element', ['fire'])] }, 'true');

  const all = { nothing: null, list: [{ date: '2017-01-01' }, spell(1)], time: { time: '2017-01-01T00:00:00Z' }, bytes: { '@bytes': 'AQ==' } };
  await db.write({ create: { ref: SPELLS, id: '9' }, params: object({ data: object(all) }) });
  await db.gives(
    { select: 'data', from: { get: { ref: SPELLS, id: '9' } } },
    `{"list":[{"@date":"2017-01-01"},${wire.document('spells', 1)}],"time":{"@ts":"2017-01-01T00:00:00Z"},"bytes":{"@bytes":"AQ=="}}`,
  );
});

inBothForms('expressions bind, choose and do', async (db) => {
  await db.gives({ let: { x: 1, y: { add: [{ var: 'x' }, 1] } }, in: [{ var: 'x' }, { var: 'y' }] }, '[1,2]');
  await db.gives({ if: { equals: [1, 1] }, then: 'yes', else: { '@ref': 'classes/none/1' } }, '"yes"');
  await db.gives({ do: [{ add: [1, 1] }, 'last'] }, '"last"');
  await db.gives({ map: { lambda: ['a', 'b'], expr: { add: [{ var: 'a' }, { var: 'b' }] } }, collection: [[1, 2], [3, 4]] }, '[3,7]');
  await db.gives({ filter: { lambda: 'x', expr: { equals: [{ var: 'x' }, 2] } }, collection: [1, 2, 2] }, '[2,2]');
});

inBothForms('an answer carries its headers, which a page may read', async (db) => {
  for (const via of ['fetch', 'XMLHttpRequest'] as const) {
    const { status, headers, text } = await db.send({ body: '{"add":[1,2]}', headers: { 'X-Fauna-Tags': 'a=1,b=2' } }, via);
    expect({ status, text }).toEqual({ status: 200, text: '{"resource":3}' });
    expect(headers).toMatchObject({
      'content-type': 'application/json;charset=utf-8',
      'x-faunadb-build': 'vivarium',
      'x-fauna-tags': 'b=2,a=1', // the last one first, as the service tells them
      'x-compute-ops': '1',
      'x-byte-read-ops': '0',
      'x-byte-write-ops': '0',
      'x-query-bytes-in': '13',
      'x-query-bytes-out': '14',
      'x-storage-bytes-read': '0',
      'x-storage-bytes-write': '0',
      'x-txn-retries': '0',
      'x-txn-time': expect.stringMatching(/^\d+$/),
      'x-query-time': expect.stringMatching(/^\d+$/),
    });
  }
  const created = await db.ask({ create_class: object({ name: 'spells' }) });
  expect(created.status).toBe(201);
  expect(created.headers['x-txn-time']).toBe(/"ts":(\d+)/.exec(created.text)?.[1]);
  expect(Number(created.headers['x-byte-write-ops'])).toBeGreaterThan(0);
});

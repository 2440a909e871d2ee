import { describe, expect, it } from 'vitest';
import { NATIVE } from '../value/ref.ts';
import { StoredSet } from '../value/stored-set.ts';
import {
  Action,
  Bytes,
  DateValue,
  Doc,
  DocEvent,
  Lambda,
  Obj,
  Page,
  PendingTs,
  Ref,
  Sourced,
  Time,
  UnresolvedRef,
  Uuid,
  type Value,
} from '../value/value.ts';
import { render } from './encode.ts';
import type { RefNames } from './ref-names.ts';
import { WIRE_VERSIONS, type WireId } from './version.ts';

const HERE = 5n;
const CHILD = 6n;
const GRANDCHILD = 7n;
const ELSEWHERE = 8n;

const SCHEMA: Readonly<Record<string, string>> = {
  [`${NATIVE.collections}/1024`]: 'spells',
  [`${NATIVE.indexes}/1`]: 'spells_by_element',
  [`${NATIVE.databases}/1`]: 'child',
  [`${NATIVE.functions}/1`]: 'double',
  [`${NATIVE.roles}/1`]: 'reader',
};

const NAMES: RefNames = {
  scope: HERE,
  name: (ref) => SCHEMA[`${ref.collection}/${ref.id}`] ?? null,
  databasePath: (scope) => ({ 6: ['child'], 7: ['child', 'grand'] })[Number(scope)] ?? null,
};

function show(value: Value, id: WireId, commitTs: number | null = 9): string {
  return render(value, { wire: WIRE_VERSIONS[id], names: NAMES, commitTs });
}

const native = (collection: number) => new Ref(NATIVE.collections, BigInt(collection), HERE);
const spells = native(1024);
const spell = (id: bigint, scope = HERE) => new Ref(1024, id, scope);
const index = new Ref(NATIVE.indexes, 1n, HERE);
const gone = new Ref(2000, 1n, HERE);

describe('scalars, in every version', () => {
  it.each<[text: string, value: Value]>([
    ['null', null],
    ['true', true],
    ['"a\\"\\n/é"', 'a"\n/é'],
    ['9223372036854775807', 9223372036854775807n],
    ['1.0', 1],
    ['-0.0', -0],
    ['1.0E10', 1e10],
    ['"NaN"', Number.NaN],
    ['"-Infinity"', -Infinity],
    ['{"@bytes":"AQID"}', new Bytes(Uint8Array.of(1, 2, 3))],
    ['{"@ts":"2020-01-02T03:04:05.123456789Z"}', new Time(1_577_934_245_123_456_789n)],
    ['{"@date":"2020-01-02"}', new DateValue(18263)],
    ['{"@uuid":"00112233-4455-6677-8899-aabbccddeeff"}', new Uuid('00112233-4455-6677-8899-aabbccddeeff')],
    ['"update"', new Action('update')],
    ['9', PendingTs.instance],
    ['[1,[2.0]]', [1n, [2]]],
    ['{"b":1,"10":null}', Obj.of(['b', 1n], ['10', null])],
    ['{}', Obj.empty],
  ])('%s', (text, value) => {
    for (const id of Object.keys(WIRE_VERSIONS) as WireId[]) expect(show(value, id)).toBe(text);
  });

  it('wraps each object with a key that looks like a type, and no other', () => {
    const object = Obj.of(['@a', Obj.of(['b', Obj.of(['c', 1n], ['@ref', 2n])])]);
    expect(show(object, '4')).toBe('{"@obj":{"@a":{"b":{"@obj":{"c":1,"@ref":2}}}}}');
  });

  it('shows no time before there is one', () => {
    expect(show(PendingTs.instance, '4', null)).toBe('null');
  });
});

describe('refs', () => {
  it.each<[string, Ref | UnresolvedRef, string, string, string]>([
    [
      'a document',
      spell(181388642114077184n),
      '{"@ref":"classes/spells/181388642114077184"}',
      '{"@ref":{"id":"181388642114077184","class":{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}}}',
      '{"@ref":{"id":"181388642114077184","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}}',
    ],
    [
      'a collection',
      spells,
      '{"@ref":"classes/spells"}',
      '{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}',
      '{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}',
    ],
    ['the collection of collections', native(NATIVE.collections), '{"@ref":"classes"}', '{"@ref":{"id":"classes"}}', '{"@ref":{"id":"collections"}}'],
    ['a native collection', native(NATIVE.indexes), '{"@ref":"indexes"}', '{"@ref":{"id":"indexes"}}', '{"@ref":{"id":"indexes"}}'],
    [
      'an index',
      index,
      '{"@ref":"indexes/spells_by_element"}',
      '{"@ref":{"id":"spells_by_element","class":{"@ref":{"id":"indexes"}}}}',
      '{"@ref":{"id":"spells_by_element","collection":{"@ref":{"id":"indexes"}}}}',
    ],
    [
      'a function',
      new Ref(NATIVE.functions, 1n, HERE),
      '{"@ref":"functions/double"}',
      '{"@ref":{"id":"double","class":{"@ref":{"id":"functions"}}}}',
      '{"@ref":{"id":"double","collection":{"@ref":{"id":"functions"}}}}',
    ],
    [
      'a key',
      new Ref(NATIVE.keys, 3n, HERE),
      '{"@ref":"keys/3"}',
      '{"@ref":{"id":"3","class":{"@ref":{"id":"keys"}}}}',
      '{"@ref":{"id":"3","collection":{"@ref":{"id":"keys"}}}}',
    ],
    [
      'an index of a database below',
      new Ref(NATIVE.indexes, 1n, CHILD),
      '{"@ref":"indexes/spells_by_element"}',
      '{"@ref":{"id":"spells_by_element","class":{"@ref":{"id":"indexes"}},"database":{"@ref":{"id":"child","class":{"@ref":{"id":"databases"}}}}}}',
      '{"@ref":{"id":"spells_by_element","collection":{"@ref":{"id":"indexes"}},"database":{"@ref":{"id":"child","collection":{"@ref":{"id":"databases"}}}}}}',
    ],
    [
      'a native collection two databases below',
      new Ref(NATIVE.collections, BigInt(NATIVE.roles), GRANDCHILD),
      '{"@ref":"roles"}',
      '{"@ref":{"id":"roles","database":{"@ref":{"id":"grand","class":{"@ref":{"id":"databases"}},"database":{"@ref":{"id":"child","class":{"@ref":{"id":"databases"}}}}}}}}',
      '{"@ref":{"id":"roles","database":{"@ref":{"id":"grand","collection":{"@ref":{"id":"databases"}},"database":{"@ref":{"id":"child","collection":{"@ref":{"id":"databases"}}}}}}}}',
    ],
    [
      'a document of a database below',
      spell(1n, CHILD),
      '{"@ref":"classes/spells/1"}',
      '{"@ref":{"id":"1","class":{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}},"database":{"@ref":{"id":"child","class":{"@ref":{"id":"databases"}}}}}}}}',
      '{"@ref":{"id":"1","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}},"database":{"@ref":{"id":"child","collection":{"@ref":{"id":"databases"}}}}}}}}',
    ],
    [
      'an unresolved index',
      new UnresolvedRef('index', 'no"such'),
      '{"@ref":"indexes/no\\"such"}',
      '{"@ref":{"id":"no\\"such","class":{"@ref":{"id":"indexes"}}}}',
      '{"@ref":{"id":"no\\"such","collection":{"@ref":{"id":"indexes"}}}}',
    ],
    [
      'a document of an unresolved collection',
      new UnresolvedRef('collection', 'wands', 2n, ['child']),
      '{"@ref":"classes/wands/2"}',
      '{"@ref":{"id":"2","class":{"@ref":{"id":"wands","class":{"@ref":{"id":"classes"}},"database":{"@ref":{"id":"child","class":{"@ref":{"id":"databases"}}}}}}}}',
      '{"@ref":{"id":"2","collection":{"@ref":{"id":"wands","collection":{"@ref":{"id":"collections"}},"database":{"@ref":{"id":"child","collection":{"@ref":{"id":"databases"}}}}}}}}',
    ],
  ])('%s', (_, ref, v2_0, v2_1, v2_7) => {
    expect(show(ref, '2.0')).toBe(v2_0);
    expect(show(ref, '2.1')).toBe(v2_1);
    for (const id of ['2.7', '2.12', '3', '4'] as const) expect(show(ref, id)).toBe(v2_7);
  });

  it('that have vanished are left out of arrays and objects, and are null alone', () => {
    expect(show([gone, 1n, gone, 2n, gone], '2.0')).toBe('[1,2]');
    expect(show(Obj.of(['a', gone], ['b', 1n], ['c', [gone]]), '4')).toBe('{"b":1,"c":[]}');
    expect(show(gone, '4')).toBe('null');
    expect(show(spell(1n, ELSEWHERE), '4')).toBe('null');
    expect(show(new Doc(gone, 1, Obj.of(['data', Obj.empty])), '2.0')).toBe('{"ts":1,"data":{}}');
  });
});

const R: Readonly<Record<WireId, string>> = {
  '2.0': '{"@ref":"classes/spells/1"}',
  '2.1': '{"@ref":{"id":"1","class":{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}}}',
  '2.7': '{"@ref":{"id":"1","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}}',
  '2.12': '{"@ref":{"id":"1","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}}',
  '3': '{"@ref":{"id":"1","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}}',
  '4': '{"@ref":{"id":"1","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}}',
};

/** Expected texts name the ref of spell 1 as R. */
function expectForms(value: Value, forms: Partial<Record<WireId, string>>): void {
  for (const [id, text] of Object.entries(forms) as [WireId, string][]) {
    expect(show(value, id), id).toBe(text.replaceAll('R', R[id]));
  }
}

describe('documents', () => {
  it('show their collection beside their ref in 2.0 only', () => {
    const document = new Doc(spell(1n), 1500000000000000, Obj.of(['data', Obj.of(['name', 'x'])]));
    const later = '{"ref":R,"ts":1500000000000000,"data":{"name":"x"}}';
    expectForms(document, {
      '2.0': '{"ref":R,"class":{"@ref":"classes/spells"},"ts":1500000000000000,"data":{"name":"x"}}',
      '2.1': later,
      '2.7': later,
      '2.12': later,
      '3': later,
      '4': later,
    });
  });

  it('show the collection of schema documents too', () => {
    expect(show(new Doc(spells, 1, Obj.of(['name', 'spells'])), '2.0')).toBe(
      '{"ref":{"@ref":"classes/spells"},"class":{"@ref":"classes"},"ts":1,"name":"spells"}',
    );
  });

  it('written in this request have the time of the commit', () => {
    expect(show(new Doc(spell(1n), PendingTs.instance, Obj.empty), '2.1', 77)).toBe(`{"ref":${R['2.1']},"ts":77}`);
  });

  it('wrap objects within but not themselves', () => {
    expect(show(new Doc(spell(1n), 1, Obj.of(['@x', 1n], ['data', Obj.of(['@y', 2n])])), '4')).toBe(
      `{"ref":${R['4']},"ts":1,"@x":1,"data":{"@obj":{"@y":2}}}`,
    );
  });

  it('that are indexes name their sources in the words of the version', () => {
    const fields = Obj.of(['source', [Obj.of(['class', spells], ['fields', Obj.of(['class', 1n])])]]);
    const form = (key: string, ref: string) => `"source":[{"${key}":${ref},"fields":{"class":1}}]}`;
    const document = new Doc(index, 1, fields);
    expect(show(document, '2.0')).toContain(form('class', '{"@ref":"classes/spells"}'));
    expect(show(document, '2.1')).toContain(form('class', '{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}'));
    expect(show(document, '4')).toContain(form('collection', '{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}'));
    const written = new Doc(index, 1, Obj.of(['source', Obj.of(['collection', '_'])]));
    expect(show(written, '2.1')).toContain('"source":{"class":"_"}');
  });
});

describe('events', () => {
  const event = (kind: 'document' | 'set' | 'cursor', action: 'create' | 'update' | 'delete' | 'add' | 'remove', data?: Value) =>
    new DocEvent(kind, 1, action, spell(1n), data);

  it.each<[string, DocEvent, string, string, string]>([
    [
      'a create',
      event('document', 'create', Obj.of(['foo', 'baz'])),
      '{"ts":1,"action":"create","resource":R,"data":{"foo":"baz"}}',
      '{"ts":1,"action":"create","instance":R,"data":{"foo":"baz"}}',
      '{"ts":1,"action":"create","document":R,"data":{"foo":"baz"}}',
    ],
    [
      'a create without data',
      event('document', 'create', null),
      '{"ts":1,"action":"create","resource":R}',
      '{"ts":1,"action":"create","instance":R,"data":null}',
      '{"ts":1,"action":"create","document":R,"data":null}',
    ],
    [
      'an update',
      event('document', 'update', Obj.of(['foo', null])),
      '{"ts":1,"action":"update","resource":R,"data":{"foo":null}}',
      '{"ts":1,"action":"update","instance":R,"data":{"foo":null}}',
      '{"ts":1,"action":"update","document":R,"data":{"foo":null}}',
    ],
    [
      'a delete',
      event('document', 'delete', null),
      '{"ts":1,"action":"delete","resource":R,"data":null}',
      '{"ts":1,"action":"delete","instance":R,"data":null}',
      '{"ts":1,"action":"delete","document":R,"data":null}',
    ],
    [
      'an add without values',
      event('set', 'add'),
      '{"ts":1,"action":"add","resource":R}',
      '{"ts":1,"action":"add","instance":R}',
      '{"ts":1,"action":"add","document":R}',
    ],
    [
      'a remove with values',
      event('set', 'remove', ['v', gone]),
      '{"ts":1,"action":"remove","resource":R,"data":["v"]}',
      '{"ts":1,"action":"remove","instance":R,"data":["v"]}',
      '{"ts":1,"action":"remove","document":R,"data":["v"]}',
    ],
    [
      'a cursor',
      event('cursor', 'delete'),
      '{"ts":1,"action":"delete","resource":R}',
      '{"ts":1,"action":"delete","instance":R}',
      '{"ts":1,"action":"delete","document":R}',
    ],
  ])('%s', (_, value, v2_0, v2_1, v2_7) => {
    expectForms(value, { '2.0': v2_0, '2.1': v2_1, '2.7': v2_7, '2.12': v2_7, '3': v2_7, '4': v2_7 });
  });

  it('of what has vanished are left out with it, but not cursors', () => {
    for (const kind of ['document', 'set'] as const) expect(show([new DocEvent(kind, 1, 'add', gone, []), 1n], '2.0')).toBe('[1]');
    expect(show(new Page([], undefined, new DocEvent('cursor', 1, 'add', gone, undefined)), '4')).toBe('{"after":{"ts":1,"action":"add"},"data":[]}');
  });

  it('have no ref when the cursor was a bare time', () => {
    expect(show(new DocEvent('cursor', 1, 'add', null, undefined), '4')).toBe('{"ts":1,"action":"add"}');
  });
});

describe('pages', () => {
  it('show their cursors before their data, when they have any', () => {
    expectForms(new Page([spell(1n)], undefined, ['a', spell(1n)]), {
      '2.0': '{"after":["a",R],"data":[R]}',
      '4': '{"after":["a",R],"data":[R]}',
    });
    expect(show(new Page([], [1n], null), '4')).toBe('{"before":[1],"after":null,"data":[]}');
  });

  it('show where elements came from', () => {
    const element = new Sourced(1n, [new StoredSet(Obj.of(['singleton', spell(1n)]))]);
    expectForms(new Page([element]), {
      '2.0': '{"data":[{"value":1,"sources":[{"@set":{"singleton":R}}]}]}',
      '3': '{"data":[{"value":1,"sources":[{"@set":{"singleton":R}}]}]}',
    });
  });
});

describe('sets', () => {
  const match = Obj.of(['match', index], ['terms', 'fire']);

  it('show what they are made of, in every version', () => {
    const union = new StoredSet(Obj.of(['union', [new StoredSet(match), new StoredSet(spells)]]));
    expectForms(union, {
      '2.0': '{"@set":{"union":[{"@set":{"match":{"@ref":"indexes/spells_by_element"},"terms":"fire"}},{"@ref":"classes/spells"}]}}',
      '2.1': '{"@set":{"union":[{"@set":{"match":{"@ref":{"id":"spells_by_element","class":{"@ref":{"id":"indexes"}}}},"terms":"fire"}},{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}]}}',
      '4': '{"@set":{"union":[{"@set":{"match":{"@ref":{"id":"spells_by_element","collection":{"@ref":{"id":"indexes"}}}},"terms":"fire"}},{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}]}}',
    });
  });

  it('that stand for a ref show it bare', () => {
    expectForms(new StoredSet(spell(1n)), { '2.0': 'R', '4': 'R' });
  });

  it('of events show the inside of a set without its own @set', () => {
    expect(show(new StoredSet(Obj.of(['events', match])), '2.0')).toBe(
      '{"@set":{"events":{"match":{"@ref":"indexes/spells_by_element"},"terms":"fire"}}}',
    );
    expectForms(new StoredSet(Obj.of(['events', spell(1n)])), { '2.0': '{"@set":{"events":R}}', '4': '{"@set":{"events":R}}' });
  });

  it('show their lambdas without @query', () => {
    const lambda = new Lambda('x', Obj.of(['singleton', Obj.of(['var', 'x'])]), '2.12', null);
    const join = new StoredSet(Obj.of(['join', new StoredSet(Obj.of(['singleton', spell(1n)]))], ['with', lambda]));
    const set = '{"@set":{"singleton":R}}';
    const body = '"lambda":"x","expr":{"singleton":{"var":"x"}}';
    expectForms(join, {
      '2.0': `{"@set":{"join":${set},"with":{${body}}}}`,
      '3': `{"@set":{"join":${set},"with":{"api_version":"2.12",${body}}}}`,
    });
  });

  it('wrap terms that look like a type', () => {
    expect(show(new StoredSet(Obj.of(['match', index], ['terms', Obj.of(['@a', 1n])])), '2.0')).toBe(
      '{"@set":{"match":{"@ref":"indexes/spells_by_element"},"terms":{"@obj":{"@a":1}}}}',
    );
  });
});

describe('lambdas', () => {
  const body = Obj.of(['get', Obj.of(['@ref', 'classes/spells/1'])]);

  it('show their version from 3 on', () => {
    const old = new Lambda('x', body, '2.12', null);
    const text = '"lambda":"x","expr":{"get":{"@ref":"classes/spells/1"}}';
    expect(show(old, '2.0')).toBe(`{"@query":{${text}}}`);
    expect(show(old, '2.12')).toBe(`{"@query":{${text}}}`);
    expect(show(old, '3')).toBe(`{"@query":{"api_version":"2.12",${text}}}`);
  });

  it('show a version of 3 or later to everyone', () => {
    const lambda = new Lambda(['a', 'b'], 1n, '4', null);
    for (const id of ['2.0', '2.7', '4'] as const) {
      expect(show(lambda, id)).toBe('{"@query":{"api_version":"4","lambda":["a","b"],"expr":1}}');
    }
  });

  it('show what they captured as a let, innermost binding last', () => {
    const env = { name: 'b', value: [spell(1n)], outer: { name: 'a', value: Obj.of(['k', Obj.of(['@z', 1n])]), outer: null } };
    expectForms(new Lambda('x', Obj.of(['var', 'a']), '2.12', env), {
      '2.1':
        '{"@query":{"lambda":"x","expr":{"let":{"a":{"object":{"k":{"object":{"@obj":{"@z":1}}}}},"b":[R]},"in":{"var":"a"}}}}',
    });
  });

  it('show of a name bound twice the inner value', () => {
    const env = { name: 'a', value: 2n, outer: { name: 'a', value: 1n, outer: null } };
    expect(show(new Lambda('x', null, '2.12', env), '2.1')).toBe('{"@query":{"lambda":"x","expr":{"let":{"a":2},"in":null}}}');
  });
});

it('shows a ref as null whose collection is gone, where it is all there is', () => {
  const context = { wire: WIRE_VERSIONS['2.0'], names: NAMES, commitTs: null };
  expect(render(gone, context)).toBe('null');
  expect(render([spell(1n), 1, 1n], context)).toBe('[{"@ref":"classes/spells/1"},1.0,1]');
});

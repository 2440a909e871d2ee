import { describe, expect, it } from 'vitest';
import { runForm, stubContext } from '../../../testing/run-form.ts';
import { Catalog } from '../../schema/catalog.ts';
import { StoredSet } from '../../value/stored-set.ts';
import { NATIVE, Ref } from '../../value/ref.ts';
import { Doc, DocEvent, Obj, Page, PendingTs, Sourced, UnresolvedRef, type Value } from '../../value/value.ts';
import { WIRE_VERSIONS, type WireId } from '../../wire/version.ts';
import { logic } from './logic.ts';
import { paths } from './paths.ts';

const forms = [...paths, ...logic];

const native = (collection: number) => new Ref(NATIVE.collections, BigInt(collection), 0n);
const spells = new Ref(NATIVE.collections, 1024n, 0n);
const spell = new Ref(1024, 7n, 0n);
const child = new Ref(NATIVE.databases, 5n, 0n);
const byName = new Ref(NATIVE.indexes, 3n, 0n);

const catalog = new Catalog(0n, []);
catalog.note(spells, Obj.of(['name', 'spells']));
catalog.note(child, Obj.of(['name', 'child']));
const below = new Catalog(child.id, ['child']);

const source = Obj.of(['class', spells]);
const variables: Record<string, Value> = {
  spell,
  spells,
  collections: native(NATIVE.collections),
  keys: native(NATIVE.keys),
  elsewhere: new Ref(1024, 7n, child.id),
  undefined: new UnresolvedRef('collection', 'a'),
  doc: new Doc(spell, 5, Obj.of(['data', Obj.of(['tags', ['a', 'b']])], ['ttl', 9n])),
  pending: new Doc(spell, PendingTs.instance, Obj.empty),
  index: new Doc(byName, 5, Obj.of(['source', source])),
  wide: new Doc(byName, 5, Obj.of(['source', [source]])),
  page: new Page(['x', 'y'], ['b'], ['a']),
  open: new Page([['x']]),
  docEvent: new DocEvent('document', 5, 'update', spell, Obj.of(['a', 1n])),
  delete: new DocEvent('document', 5, 'delete', spell, null, Obj.of(['data', null])),
  one: new DocEvent('set', 5, 'add', spell, ['v']),
  two: new DocEvent('set', 5, 'add', spell, ['v', 'w']),
  none: new DocEvent('set', 5, 'add', spell, []),
  bare: new DocEvent('set', 5, 'add', spell, undefined),
  sourced: new Sourced(1n, [new StoredSet(spell)]),
  match: new StoredSet(Obj.of(['match', byName], ['terms', 'x'])),
  singleton: new StoredSet(Obj.of(['singleton', spell])),
};

function run(query: string, wire: WireId = '4'): Promise<string> {
  return runForm(forms, query, stubContext({ catalog, catalogOf: (scope) => (scope === child.id ? below : catalog), wire: WIRE_VERSIONS[wire] }), variables);
}
const select = (path: string, from: string, wire?: WireId) => run(`{"select":${path},"from":{"var":"${from}"}}`, wire);

describe('examples', () => {
  it.each(paths.filter((form) => form.until === undefined).flatMap((form) => form.examples))('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  it.each(paths.filter((form) => form.since === undefined).flatMap((form) => form.examples))('%s is %s in 2.0', async (query, result) => {
    expect(await run(query, '2.0')).toBe(result);
  });
});

describe('a path leads', () => {
  const SPELL = '{"@ref":"1024/7"}';
  const SPELLS = '{"@ref":"1/1024"}';
  it.each([
    ['[]', 'spell', SPELL],
    ['"ref"', 'doc', SPELL],
    ['"ts"', 'doc', '5'],
    ['"class"', 'doc', SPELLS],
    ['["class","id"]', 'doc', '"spells"'],
    ['["data","tags",1]', 'doc', '"b"'],
    ['"ttl"', 'doc', '9'],
    ['["ref","collection","collection","id"]', 'doc', '"collections"'],
    ['"id"', 'spell', '"7"'],
    ['"id"', 'keys', '"keys"'],
    ['["source","collection"]', 'index', SPELLS],
    ['["source","class","id"]', 'index', '"spells"'],
    ['["source",0,"collection"]', 'wide', SPELLS],
    ['"source"', 'index', '{"class":{"@ref":"1/1024"}}'],
    ['"database"', 'elsewhere', '{"@ref":"0/5"}'],
    ['["database","id"]', 'elsewhere', '"child"'],
    ['["data",0]', 'page', '"x"'],
    ['1', 'page', '"y"'],
    ['["before",0]', 'page', '"b"'],
    ['"after"', 'page', '["a"]'],
    ['"action"', 'one', '"add"'],
    ['"resource"', 'one', SPELL],
    ['["document","id"]', 'one', '"7"'],
    ['["instance","class"]', 'docEvent', SPELLS],
    ['["data","a"]', 'docEvent', '1'],
    ['"data"', 'one', '"v"'],
    ['"data"', 'two', '["v","w"]'],
    ['"data"', 'none', '[]'],
    ['"data"', 'bare', '[]'],
    ['"value"', 'sourced', '1'],
    ['["@set","match"]', 'match', '{"@ref":"7/3"}'],
    ['["@set","terms"]', 'match', '"x"'],
  ])('by %s into %s', async (path, from, result) => {
    expect(await select(path, from)).toBe(result);
  });

  it.each([
    ['"collection"', 'doc'],
    ['"action"', 'doc'],
    ['["ts",0]', 'doc'],
    ['"database"', 'spell'],
    ['"data"', 'spell'],
    ['0', 'spell'],
    ['-1', 'page'],
    ['2', 'page'],
    ['"before"', 'open'],
    ['"name"', 'docEvent'],
    ['"name"', 'delete'],
    ['["@set","singleton"]', 'singleton'],
    ['"match"', 'match'],
  ])('not by %s into %s', async (path, from) => {
    expect(await select(path, from)).toMatch(/^value not found: Value not found at path \[.*\]\. @ from$/);
  });

  it('to the time of a document that is being written', async () => {
    expect(await run('{"contains":"ts","in":{"var":"pending"}}')).toBe('true');
  });

  it('to the older name of the collection of collections before 2.7', async () => {
    expect(await select('"id"', 'collections', '2.1')).toBe('"classes"');
    expect(await select('"id"', 'collections', '2.7')).toBe('"collections"');
  });
});

describe('select', () => {
  it('names the whole path it missed', async () => {
    expect(await run('{"select":["a",0,"b"],"from":{"object":{"a":[]}}}')).toBe(
      'value not found: Value not found at path [a,0,b]. @ from',
    );
  });

  it('refuses a step that is neither string nor integer, and an unresolved ref', async () => {
    expect(await run('{"select":["a",1.0,null],"from":{"object":{}}}')).toBe(
      'invalid argument: String or Integer expected, Double provided. @ select.1; ' +
        'invalid argument: String or Integer expected, Null provided. @ select.2',
    );
    expect(await select('"id"', 'undefined')).toBe("invalid ref: Ref refers to undefined collection 'a' @ from");
  });

  it('evaluates its default only on a miss from version 3 on, and always before', async () => {
    const query = '{"select":"a","from":{"object":{"a":1}},"default":{"abort":"evaluated"}}';
    expect(await run(query)).toBe('1');
    expect(await run(query, '2.12')).toBe('transaction aborted: evaluated @ default');
    expect(await run('{"select":"b","from":{"object":{"a":1}},"default":{"not":true}}')).toBe('false');
  });

  it('does not catch a miss inside its source', async () => {
    expect(await run('{"select":"a","from":{"select":"b","from":{"object":{}}},"default":1}')).toBe(
      'value not found: Value not found at path [b]. @ from.from',
    );
  });
});

describe('select_all', () => {
  it.each([
    ['["data","arr"]', '{"data":{"arr":[1,[2,[3]],4,{"foo":"bar"}]}}', '[1,2,3,4,{"foo":"bar"}]'],
    ['["data","bar"]', '{"data":[{"bar":1},{"bar":2},{"bar":[3,[4,[5]]]}]}', '[1,2,3,4,5]'],
    ['["data","foo"]', '{"data":{"arr":[1]}}', '[]'],
    ['["a",1]', '{"a":[1,2]}', '[2]'],
    ['[]', '[[1],2]', '[1,2]'],
    ['"a"', '{"a":1}', '[1]'],
  ])('of %s in %s is %s', async (path, from, result) => {
    expect(await run(`{"select_all":${path},"from":{"quote":${from}}}`)).toBe(result);
    expect(await run(`{"select_as_index":${path},"from":{"quote":${from}}}`)).toBe(result);
    expect(await run(`{"select":${path},"from":{"quote":${from}},"all":true,"default":7}`)).toBe(result);
  });
});

describe('contains', () => {
  it.each([
    ['{"contains":["data","tags",0],"in":{"var":"doc"}}', 'true'],
    ['{"contains_path":"x","in":1}', 'false'],
    ['{"contains_path":[],"in":1}', 'true'],
    ['{"contains_field":"data","in":{"var":"doc"}}', 'true'],
    ['{"contains_field":"id","in":{"var":"undefined"}}', 'false'],
    ['{"contains_field":"a","in":["a"]}', 'invalid argument: Object expected, Array provided. @ in'],
    ['{"contains_field":1,"in":{"object":{}}}', 'invalid argument: String expected, Integer provided. @ contains_field'],
    ['{"contains_value":{"var":"spells"},"in":{"var":"doc"}}', 'true'],
    ['{"contains_value":5,"in":{"var":"doc"}}', 'true'],
    ['{"contains_value":"a","in":{"var":"doc"}}', 'false'],
    ['{"contains_value":"7","in":{"var":"spell"}}', 'true'],
    ['{"contains_value":{"var":"spells"},"in":{"var":"spell"}}', 'true'],
    ['{"contains_value":"add","in":{"var":"one"}}', 'true'],
    ['{"contains_value":"create","in":{"var":"one"}}', 'true'],
    ['{"contains_value":"create","in":[1,{"select":"action","from":{"var":"one"}}]}', 'true'],
    ['{"contains_value":"w","in":{"var":"two"}}', 'true'],
    ['{"contains_value":["x","y"],"in":{"var":"page"}}', 'true'],
    ['{"contains_value":"x","in":{"var":"page"}}', 'false'],
    ['{"contains_value":["a"],"in":{"var":"page"}}', 'true'],
    ['{"contains_value":1,"in":1}', 'invalid argument: Object, Array, Page, Set, or Ref expected, Scalar provided. @ in'],
    ['{"contains_value":1,"in":{"var":"undefined"}}', 'invalid argument: Object, Array, Page, Set, or Ref expected, Scalar provided. @ in'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

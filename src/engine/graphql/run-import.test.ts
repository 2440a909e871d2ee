import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../testing/memory-database.ts';
import { Obj } from '../value/value.ts';
import importBody from './golden/import-success-body.json';
import { jsonText } from './json-text.ts';
import { type GraphqlAnswer, mayWrite, runGraphql } from './run-graphql.ts';
import { type ImportAnswer, runImport } from './run-import.ts';
import { gqlOf } from './stored-model.ts';

const importInto = (db: MemoryDatabase, sdl: string, mode = 'merge') => runImport(sdl, mode, 'Bearer s', db) as ImportAnswer;

function database(sdl: string): MemoryDatabase {
  const db = new MemoryDatabase();
  expect(importInto(db, sdl).text).toContain('successfully');
  return db;
}

const answer = (db: MemoryDatabase, query: string, variables: Record<string, unknown> = {}) =>
  runGraphql({ query, variables }, db) as GraphqlAnswer;
const ask = (db: MemoryDatabase, query: string, variables?: Record<string, unknown>): unknown =>
  JSON.parse(jsonText(answer(db, query, variables).body, 7));

describe('what may write', () => {
  const READ = { query: '{ findAByID(id: 1) { b } }' };

  it('is a document with a mutation, or any once a function stands behind a Query field', () => {
    const db = database('type A { b: Int } type Mutation { run: Int @resolver }');
    expect(mayWrite(READ, db)).toBe(false);
    expect(mayWrite({ query: 'query A { a } mutation B { run }' }, db)).toBe(true);
    importInto(db, 'type Query { ask: Int @resolver }');
    expect(mayWrite(READ, db)).toBe(true);
  });
});

describe('imports', () => {
  const names = (db: MemoryDatabase) => [...db.schema('collection'), ...db.schema('function'), ...db.schema('index')].map((document) => document.name);

  it('answer with the header to use', () => {
    const text = importBody.expected.lines_bearer.join('\n').replace('<secret>', 's');
    expect(importInto(new MemoryDatabase(), 'type A { b: Int }')).toEqual({ status: 200, text, commit: true });
  });

  it('that are wrong change nothing', () => {
    const db = new MemoryDatabase();
    expect(importInto(db, 'type A { b: B }')).toMatchObject({ status: 400, commit: false });
    expect(importInto(db, 'type A { b: Int }', 'mend')).toMatchObject({ status: 400, commit: false });
    expect(names(db)).toEqual([]);
  });

  it('in merge mode keep what they do not mention, and documents', () => {
    const db = database('type A { b: Int, c: Int }');
    ask(db, 'mutation { createA(data: {b: 1, c: 2}) { _id } }');
    importInto(db, 'type A { "new" b: Int } type D { a: A }');
    importInto(db, 'type D { e: Int }');
    expect(names(db)).toEqual(['A', 'D']);
    expect(ask(db, '{ findAByID(id: 1) { b } __type(name: "A") { fields { name description } } }')).toMatchObject({
      data: { findAByID: { b: 1 }, __type: { fields: [{}, {}, { name: 'b', description: 'new' }] } },
    });
    importInto(db, 'type A { b: Int }');
    expect(JSON.stringify(gqlOf(db.schema('collection')[0] ?? never())?.get('meta'))).not.toContain('new');
  });

  it('annotate what is there without metadata, and refuse an index of another shape', () => {
    const db = new MemoryDatabase();
    db.createSchema('collection', Obj.of(['name', 'A'], ['data', Obj.of(['mine', true])]));
    const source = db.schema('collection')[0]?.ref ?? never();
    db.createSchema('index', Obj.of(['name', 'allA'], ['source', source], ['terms', [Obj.of(['field', ['data', 'x']])]]));
    expect(importInto(db, 'type A { b: Int } type Query { allA: [A] }')).toEqual({
      status: 400, text: "The index 'allA' exists already with another definition.", commit: false,
    });
    importInto(db, 'type A { b: Int }');
    const data = db.schema('collection')[0]?.fields.get('data') as Obj;
    expect(data.keys).toEqual(['mine', 'gql']);
  });

  it('whose metadata is taken away by hand leave a schema without it', () => {
    const db = database('type A { b: Int, c: C } type C { d: Int } type Query { allC: [C] }');
    const c = db.schema('collection')[1]?.ref ?? never();
    db.updateSchema(c, Obj.of(['data', Obj.of(['gql', null])]));
    expect(ask(db, '{ __schema { queryType { fields { name } } } __type(name: "A") { fields { name } } }')).toEqual({
      data: {
        __schema: { queryType: { fields: [{ name: 'findAByID' }] } },
        __type: { fields: [{ name: '_id' }, { name: '_ts' }, { name: 'b' }] },
      },
    });
  });

  it('extend types', () => {
    const db = database('type A { b: Int } extend type A { c: Int } extend type Query { allA: [A] }');
    expect(ask(db, 'mutation { createA(data: {c: 1}) { b c } }')).toEqual({ data: { createA: { b: null, c: 1 } } });
  });

  /** The fields of Query and Mutation, and the functions and indexes behind them. */
  const roots = (db: MemoryDatabase): unknown => {
    const fields = 'fields { name }';
    const { data } = ask(db, `{ __schema { queryType { ${fields} } mutationType { ${fields} } } }`) as
      { data: { __schema: Record<string, { fields: { name: string }[] } | null> } };
    return Object.values(data.__schema).map((type) => type?.fields.map((field) => field.name) ?? []);
  };
  const annotated = (db: MemoryDatabase) =>
    [...db.schema('collection'), ...db.schema('function'), ...db.schema('index')].filter(gqlOf).map((document) => document.name);

  it.each([
    ['a field of a function', 'type Query { hello: Int @resolver(name: "say") }', 'type Query { greet: Int @resolver(name: "say") }', [['greet'], []], ['say']],
    ['a field of an index', 'type A { b: Int } type Query { allA: [A] @index(name: "all") }', 'type Query { listA: [A] @index(name: "all") }', [['findAByID', 'listA'], ['createA', 'updateA', 'deleteA', 'partialUpdateA']], ['A', 'all']],
    ['a type', 'type User @collection(name: "users") { a: Int }', 'type Person @collection(name: "users") { a: Int }', [['findPersonByID'], ['createPerson', 'updatePerson', 'deletePerson', 'partialUpdatePerson']], ['users']],
  ])('in merge mode rename %s', (_what, first, second, fields, documents) => {
    const db = database(first);
    expect(importInto(db, second)).toMatchObject({ status: 200 });
    expect(roots(db)).toEqual(fields);
    expect(annotated(db)).toEqual(documents);
  });

  it('in merge mode move a field to another document, and back', () => {
    const db = database('type Query { x: Int @resolver(name: "a") }');
    db.functions['a'] = () => 1n;
    db.functions['b'] = () => 2n;
    importInto(db, 'type Query { x: Int @resolver(name: "b") }');
    expect(ask(db, '{ x }')).toEqual({ data: { x: 2 } });
    expect(annotated(db)).toEqual(['b']);
    importInto(db, 'type Query { x: Int @resolver(name: "a") }');
    expect(ask(db, '{ x }')).toEqual({ data: { x: 1 } });
  });

  it('in merge mode move a field from a function to an index, and from Query to Mutation', () => {
    const db = database('type A { b: Int } type Query { a: [A] @resolver, run: Int @resolver(name: "r") }');
    importInto(db, 'type Query { a: [A] } type Mutation { run: Int @resolver(name: "r") }');
    expect(roots(db)).toEqual([['findAByID', 'a'], ['createA', 'updateA', 'deleteA', 'partialUpdateA', 'run']]);
    expect(ask(db, '{ a { data { b } } }')).toEqual({ data: { a: { data: [] } } });
    expect(annotated(db)).toEqual(['A', 'r', 'a']);
  });

  it('in merge mode make a type embedded', () => {
    const db = database('type A { b: Int }');
    importInto(db, 'type A @embedded { b: Int } type C { a: A }');
    expect(roots(db)).toEqual([['findCByID'], ['createC', 'updateC', 'deleteC', 'partialUpdateC']]);
    expect(ask(db, 'mutation { createC(data: {a: {b: 1}}) { a { b } } }')).toEqual({ data: { createC: { a: { b: 1 } } } });
  });

  it('in merge mode extend what is there', () => {
    const db = database('type A { b: Int c: Int } type P @embedded { x: Int }');
    for (let times = 0; times < 2; times++) expect(importInto(db, 'extend type A { d: Int p: P } extend type P { y: Int }')).toMatchObject({ status: 200 });
    expect(ask(db, 'mutation { createA(data: {b: 1, c: 2, d: 3, p: {x: 4, y: 5}}) { b c d p { x y } } }')).toEqual({
      data: { createA: { b: 1, c: 2, d: 3, p: { x: 4, y: 5 } } },
    });
  });

  it('skip what was written by hand and is no metadata', () => {
    const db = database('type A { b: Int } type Query { f(x: Int = 1): Int @resolver }');
    db.functions['f'] = (x) => x ?? null;
    const amend = (kind: 'collection' | 'function', meta: Obj) =>
      db.updateSchema(db.schema(kind)[0]?.ref ?? never(), Obj.of(['data', Obj.of(['gql', Obj.of(['meta', meta])])]));
    const int = Obj.of(['Named', 'Int']);
    const argument = Obj.of(['name', 'x'], ['type', int], ['default', '{{{']);
    amend('collection', Obj.of(['fields', ['', 'x y', 'b'].map((name) => Obj.of(['name', name], ['type', int]))]));
    amend('function', Obj.of(['field', Obj.of(['arguments', [argument]])]));
    expect(ask(db, '{ f __type(name: "A") { fields { name } } }')).toEqual({
      data: { f: null, __type: { fields: [{ name: '_id' }, { name: '_ts' }, { name: 'b' }] } },
    });
    amend('collection', Obj.of(['name', 'B-C']));
    expect(importInto(db, 'type D { e: Int }')).toMatchObject({ status: 200 });
    expect(roots(db)).toEqual([['findDByID', 'f'], ['createD', 'updateD', 'deleteD', 'partialUpdateD']]);
  });

  it('in replace mode take metadata away but leave documents', () => {
    const db = database('type A { b: Int } type Query { allA: [A] f: Int @resolver } enum E { X }');
    importInto(db, 'type D { e: Int }', 'replace');
    expect(names(db)).toEqual(['A', 'D', 'f', 'allA']);
    expect(db.schema('index').map(gqlOf)).toEqual([null]);
    expect(answer(db, '{ findAByID(id: 1) { b } }').body.errors?.[0]?.message).toContain("Cannot query field 'findAByID'");
    expect(ask(db, '{ __type(name: "E") { name } }')).toEqual({ data: { __type: null } });
  });

  it('in override mode delete what carries metadata, and only that', () => {
    const db = database('type A { b: Int } type Query { allA: [A] }');
    db.createSchema('collection', Obj.of(['name', 'Mine']));
    ask(db, 'mutation { createA(data: {b: 1}) { _id } }');
    importInto(db, 'type A { b: Int }', 'override');
    expect(names(db)).toEqual(['Mine', 'A']);
    expect(ask(db, '{ findAByID(id: 1) { b } }')).toEqual({ data: { findAByID: null } });
  });
});

function never(): never {
  throw new Error('missing');
}

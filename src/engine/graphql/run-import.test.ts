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
    db.updateSchema('collection', c, Obj.of(['data', Obj.of(['gql', null])]));
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

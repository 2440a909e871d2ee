import { describe, expect, it } from 'vitest';
import { countedEngine, engineWith, GatewayEngine } from '../../testing/gateway-engine.ts';
import type { Obj } from '../value/value.ts';
import type { Database } from './database.ts';
import importBody from './golden/import-success-body.json';
import { mayWrite } from './run-graphql.ts';
import { gqlOf, metaOf } from './stored-model.ts';

const documents = (db: Database) => (['collection', 'function', 'index'] as const).flatMap((kind) => db.schema(kind));
const names = (engine: GatewayEngine) => engine.look((db) => documents(db).map(({ name }) => name));
/** Those with metadata. */
const annotated = (engine: GatewayEngine) => engine.look((db) => documents(db).filter(gqlOf).map(({ name }) => name));

/** Changes the metadata of a schema document by hand. */
const amend = (engine: GatewayEngine, document: object, gql: object | null) =>
  engine.query(JSON.stringify({ update: document, params: { quote: { data: { gql } } } }));

describe('what may write', () => {
  const READ = '{ findAByID(id: 1) { b } }';

  it('is a document with a mutation, or any once a function stands behind a Query field', async () => {
    const engine = await engineWith('type A { b: Int } type Mutation { run: Int @resolver }');
    const may = (query: string) => engine.look((db) => mayWrite({ query }, db));
    expect(await may(READ)).toBe(false);
    expect(await may('query A { a } mutation B { run }')).toBe(true);
    await engine.import('type Query { ask: Int @resolver }');
    expect(await may(READ)).toBe(true);
  });
});

describe('imports', () => {
  it('answer with the header to use', async () => {
    const text = importBody.expected.lines_bearer.join('\n').replace('<secret>', 'secret');
    expect(await (await GatewayEngine.open()).import('type A { b: Int }')).toEqual({ status: 200, text, commit: true });
  });

  it('that are wrong change nothing', async () => {
    const engine = await GatewayEngine.open();
    expect(await engine.import('type A { b: B }')).toMatchObject({ status: 400, commit: false });
    expect(await engine.import('type A { b: Int }', 'mend')).toMatchObject({ status: 400, commit: false });
    expect(await names(engine)).toEqual([]);
  });

  it('in merge mode keep what they do not mention, and documents', async () => {
    const engine = await countedEngine('type A { b: Int, c: Int }');
    await engine.graphql('mutation { createA(data: {b: 1, c: 2}) { _id } }');
    await engine.import('type A { "new" b: Int } type D { a: A }');
    await engine.import('type D { e: Int }');
    expect(await names(engine)).toEqual(['A', 'D']);
    expect(await engine.graphql('{ findAByID(id: 1) { b } __type(name: "A") { fields { name description } } }')).toMatchObject({
      data: { findAByID: { b: 1 }, __type: { fields: [{}, {}, { name: 'b', description: 'new' }] } },
    });
    await engine.import('type A { b: Int }');
    const [meta] = await engine.look((db) => db.schema('collection').map(metaOf));
    expect(JSON.stringify(meta)).toContain('"b"');
    expect(JSON.stringify(meta)).not.toContain('new');
  });

  it('annotate what is there without metadata, and refuse an index of another shape', async () => {
    const engine = await GatewayEngine.open();
    await engine.query('{"create_collection":{"object":{"name":"A","data":{"object":{"mine":true}}}}}');
    await engine.query('{"create_index":{"object":{"name":"allA","source":{"collection":"A"},"terms":[{"object":{"field":["data","x"]}}]}}}');
    expect(await engine.import('type A { b: Int } type Query { allA: [A] }')).toEqual({
      status: 400, text: "The index 'allA' exists already with another definition.", commit: false,
    });
    await engine.import('type A { b: Int }');
    const data = (await engine.query('{"select":"data","from":{"get":{"collection":"A"}}}')) as Obj;
    expect(data.keys).toEqual(['mine', 'gql']);
  });

  it('whose metadata is taken away by hand leave a schema without it', async () => {
    const engine = await engineWith('type A { b: Int, c: C } type C { d: Int } type Query { allC: [C] }');
    await amend(engine, { collection: 'C' }, null);
    expect(await engine.graphql('{ __schema { queryType { fields { name } } } __type(name: "A") { fields { name } } }')).toEqual({
      data: {
        __schema: { queryType: { fields: [{ name: 'findAByID' }] } },
        __type: { fields: [{ name: '_id' }, { name: '_ts' }, { name: 'b' }] },
      },
    });
  });

  it('whose metadata is taken away by hand leave inputs without it, and none that has nothing else', async () => {
    const engine = await engineWith(`
      type Post { title: String! } type User { name: String! } input Only { user: UserInput! } input Register { only: Only, user: UserInput!, code: String! }
      type Query { posts: [Post] } type Mutation { register(input: Register!): Boolean @resolver, only(input: Only): Boolean @resolver }
    `);
    await amend(engine, { collection: 'User' }, null);
    expect(await engine.graphql('{ posts { data { title } } __type(name: "Register") { inputFields { name } } __schema { mutationType { fields { name } } } }')).toMatchObject({
      data: { posts: { data: [] }, __type: { inputFields: [{ name: 'code' }] } },
    });
    expect(await engine.import('type Post { title: String! n: Int }')).toMatchObject({ status: 200 });
  });

  it('extend types', async () => {
    const engine = await engineWith('type A { b: Int } extend type A { c: Int } extend type Query { allA: [A] }');
    expect(await engine.graphql('mutation { createA(data: {c: 1}) { b c } }')).toEqual({ data: { createA: { b: null, c: 1 } } });
  });

  /** The fields of Query and Mutation, and the functions and indexes behind them. */
  const roots = async (engine: GatewayEngine) => {
    const fields = 'fields { name }';
    const { data } = (await engine.graphql(`{ __schema { queryType { ${fields} } mutationType { ${fields} } } }`)) as
      { data: { __schema: Record<string, { fields: { name: string }[] } | null> } };
    return Object.values(data.__schema).map((type) => type?.fields.map((field) => field.name) ?? []);
  };

  it.each([
    ['a field of a function', 'type Query { hello: Int @resolver(name: "say") }', 'type Query { greet: Int @resolver(name: "say") }', [['greet'], []], ['say']],
    ['a field of an index', 'type A { b: Int } type Query { allA: [A] @index(name: "all") }', 'type Query { listA: [A] @index(name: "all") }', [['findAByID', 'listA'], ['createA', 'updateA', 'deleteA', 'partialUpdateA']], ['A', 'all']],
    ['a type', 'type User @collection(name: "users") { a: Int }', 'type Person @collection(name: "users") { a: Int }', [['findPersonByID'], ['createPerson', 'updatePerson', 'deletePerson', 'partialUpdatePerson']], ['users']],
  ])('in merge mode rename %s', async (_what, first, second, fields, documents) => {
    const engine = await engineWith(first);
    expect(await engine.import(second)).toMatchObject({ status: 200 });
    expect(await roots(engine)).toEqual(fields);
    expect(await annotated(engine)).toEqual(documents);
  });

  it('in merge mode move a field to another document, and back', async () => {
    const engine = await engineWith('type Query { x: Int @resolver(name: "a") }');
    await engine.define('a', '[]', '1');
    await engine.import('type Query { x: Int @resolver(name: "b") }');
    await engine.define('b', '[]', '2');
    expect(await engine.graphql('{ x }')).toEqual({ data: { x: 2 } });
    expect(await annotated(engine)).toEqual(['b']);
    await engine.import('type Query { x: Int @resolver(name: "a") }');
    expect(await engine.graphql('{ x }')).toEqual({ data: { x: 1 } });
  });

  it('in merge mode move a field from a function to an index, and from Query to Mutation', async () => {
    const engine = await engineWith('type A { b: Int } type Query { a: [A] @resolver, run: Int @resolver(name: "r") }');
    await engine.import('type Query { a: [A] } type Mutation { run: Int @resolver(name: "r") }');
    expect(await roots(engine)).toEqual([['findAByID', 'a'], ['createA', 'updateA', 'deleteA', 'partialUpdateA', 'run']]);
    expect(await engine.graphql('{ a { data { b } } }')).toEqual({ data: { a: { data: [] } } });
    expect(await annotated(engine)).toEqual(['A', 'r', 'a']);
  });

  it('in merge mode make a type embedded', async () => {
    const engine = await engineWith('type A { b: Int }');
    await engine.import('type A @embedded { b: Int } type C { a: A }');
    expect(await roots(engine)).toEqual([['findCByID'], ['createC', 'updateC', 'deleteC', 'partialUpdateC']]);
    expect(await engine.graphql('mutation { createC(data: {a: {b: 1}}) { a { b } } }')).toEqual({ data: { createC: { a: { b: 1 } } } });
  });

  it('in merge mode extend what is there', async () => {
    const engine = await engineWith('type A { b: Int c: Int } type P @embedded { x: Int }');
    for (let times = 0; times < 2; times++) expect(await engine.import('extend type A { d: Int p: P } extend type P { y: Int }')).toMatchObject({ status: 200 });
    expect(await engine.graphql('mutation { createA(data: {b: 1, c: 2, d: 3, p: {x: 4, y: 5}}) { b c d p { x y } } }')).toEqual({
      data: { createA: { b: 1, c: 2, d: 3, p: { x: 4, y: 5 } } },
    });
  });

  it('skip what was written by hand and is no metadata', async () => {
    const engine = await engineWith('type A { b: Int } type Query { f(x: Int = 1): Int @resolver }');
    await engine.define('f', '["x"]', '{"var":"x"}');
    const type = { Named: 'Int' };
    await amend(engine, { collection: 'A' }, { meta: { fields: ['', 'x y', 'b'].map((name) => ({ name, type })) } });
    await amend(engine, { function: 'f' }, { meta: { field: { arguments: [{ name: 'x', type, default: '{{{' }] } } });
    expect(await engine.graphql('{ f __type(name: "A") { fields { name } } }')).toEqual({
      data: { f: null, __type: { fields: [{ name: '_id' }, { name: '_ts' }, { name: 'b' }] } },
    });
    await amend(engine, { collection: 'A' }, { meta: { name: 'B-C' } });
    expect(await engine.import('type D { e: Int }')).toMatchObject({ status: 200 });
    expect(await roots(engine)).toEqual([['findDByID', 'f'], ['createD', 'updateD', 'deleteD', 'partialUpdateD']]);
    expect(await annotated(engine)).toEqual(['A', 'D', 'f']);
  });

  it('in replace mode take metadata away but leave documents', async () => {
    const engine = await engineWith('type A { b: Int } type Query { allA: [A] f: Int @resolver } enum E { X }');
    await engine.import('type D { e: Int }', 'replace');
    expect(await names(engine)).toEqual(['A', 'D', 'f', 'allA']);
    expect(await annotated(engine)).toEqual(['D']);
    expect(await engine.graphql('{ findAByID(id: 1) { b } }')).toMatchObject({ errors: [{ message: expect.stringContaining("Cannot query field 'findAByID'") as string }] });
    expect(await engine.graphql('{ __type(name: "E") { name } }')).toEqual({ data: { __type: null } });
  });

  it('in override mode delete what carries metadata, and only that', async () => {
    const engine = await countedEngine('type A { b: Int } type Query { allA: [A] }');
    await engine.query('{"create_collection":{"object":{"name":"Mine"}}}');
    await engine.graphql('mutation { createA(data: {b: 1}) { _id } }');
    await engine.import('type A { b: Int }', 'override');
    expect(await names(engine)).toEqual(['Mine', 'A']);
    expect(await engine.graphql('{ findAByID(id: 1) { b } }')).toEqual({ data: { findAByID: null } });
  });
});

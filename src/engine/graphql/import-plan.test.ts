import { describe, expect, it } from 'vitest';
import functionArguments from './golden/function-metadata-arguments.json';
import udfResolvers from './golden/import-generate-udf-resolvers.json';
import nft from './golden/import-nft-storage-2021-06.json';
import template from './golden/import-resolver-template.json';
import uniqueDefault from './golden/import-unique-default-2019.json';
import uniqueNamed from './golden/import-unique-named-2019.json';
import allUsers from './golden/import-user-allusers.json';
import manyToMany from './golden/names-many-to-many-explicit.json';
import oneToMany from './golden/names-one-to-many-owner-store.json';
import { type ImportMode, planImport } from './import-plan.ts';
import { readModel } from './metadata.ts';
import { EMPTY_MODEL, type Model } from './model.ts';
import type { PlannedDocument } from './planned.ts';
import { recordModel } from './record.ts';
import { findRelations } from './relations.ts';
import { ImportError, readSdl } from './sdl.ts';

const plan = (text: string, mode: ImportMode = 'merge', existing: Model = EMPTY_MODEL) => planImport(text, mode, existing);
const documents = (text: string) => plan(text).documents;

const byName = <T extends { name: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (a.name < b.name ? -1 : 1));

/** A planned document in the form in which the golden files list it, without its time. */
function listed(document: PlannedDocument): Record<string, unknown> {
  const data = { gql: { ...(document.meta && { meta: document.meta }) } };
  if (document.kind === 'collection') return { name: document.name, data, history_days: 30 };
  if (document.kind === 'function') return { name: document.name, data };
  const fields = (names: readonly string[]) => names.map((name) => ({ field: ['data', name] }));
  return {
    name: document.name,
    source: { '@collection': document.source },
    ...(document.terms.length > 0 && { terms: fields(document.terms) }),
    ...(document.values.length > 0 && { values: fields(document.values) }),
    ...(document.unique && { unique: true }),
    serialized: true,
    data,
  };
}

const timeless = <T extends object>(items: readonly T[]): unknown[] =>
  items.map((item) => JSON.parse(JSON.stringify(item, (key, value) => (key === 'ts' ? undefined : value))));

const ofKind = (all: readonly PlannedDocument[], kind: PlannedDocument['kind']) =>
  byName(all.filter((document) => document.kind === kind)).map(listed);

const UNKNOWN_COLOUR = [
  "Unknown type 'Colour'. (line 1, column 26):",
  'type B { b: Int, colour: Colour }',
  '                         ^',
].join('\n');

describe('the plan of an import', () => {
  it('makes the collections, indexes and functions of a large real schema, with all their metadata', () => {
    const all = documents(nft.input);
    // Task was left over from an older import of that database.
    const collections = nft.expected.collections.filter((collection) => collection.name !== 'Task');
    expect(ofKind(all, 'collection')).toEqual(timeless(collections));
    expect(ofKind(all, 'index')).toEqual(timeless(byName(nft.expected.indexes)));
    for (const expected of timeless(nft.expected.functions_with_gql_data)) {
      expect(ofKind(all, 'function')).toContainEqual(expected);
    }
  });

  it('writes metadata keys in the order of the gateway', () => {
    const planned = documents(nft.input).find((document) => document.name === 'ERC721ImportResult');
    const golden = nft.expected.collections.find((collection) => collection.name === 'ERC721ImportResult');
    expect(JSON.stringify(planned?.meta)).toBe(JSON.stringify(golden?.data.gql.meta));
    const index = documents(nft.input).find((document) => document.name === 'block');
    expect(JSON.stringify(index?.meta)).toBe(
      JSON.stringify(nft.expected.indexes.find((other) => other.name === 'block')?.data.gql.meta),
    );
  });

  it('makes a collection and a list index', () => {
    const [collection, index] = documents(allUsers.input);
    expect(collection).toEqual({ kind: 'collection', name: 'User', meta: allUsers.expected.collections[0]?.data.gql.meta, written: true });
    expect(index).toEqual({
      kind: 'index', name: 'allUsers', source: 'User', terms: [], values: [], unique: false, chosen: false, written: true,
      meta: allUsers.expected.indexes[0]?.data.gql.meta,
    });
  });

  it.each([
    [uniqueDefault, 'unique_User_username', 'username', false],
    [uniqueNamed, 'unique_username', 'name', true],
  ])('makes a unique index, named by default or by hand', (golden, name, term, chosen) => {
    expect(documents(golden.input).filter((document) => document.kind === 'index')).toEqual([
      { kind: 'index', name, source: 'User', terms: [term], values: [], unique: true, chosen, meta: null, written: true },
    ]);
  });

  it('makes a function that aborts until someone writes it', () => {
    const [, planned] = documents(`type Order { total: Int }\n${template.input}`);
    const golden = template.expected.functions[0];
    expect(planned).toMatchObject({
      kind: 'function',
      name: 'prune_order',
      body: {
        lambda: '_',
        expr: {
          abort:
            'Function prune_order was not implemented yet. Please access your database and provide an implementation for the prune_order function.',
        },
      },
      meta: golden?.data.gql.meta,
    });
  });

  it('records the arguments of functions', () => {
    const all = documents(`type Todo { title: String }\n${functionArguments.input}`);
    const meta = (name: string) => all.find((document) => document.name === name)?.meta;
    expect(JSON.stringify(meta('todosByUserId'))).toBe(JSON.stringify(functionArguments.expected.todosByUserId.gql.meta));
    expect(JSON.stringify(meta('deleteTodo'))).toBe(JSON.stringify(functionArguments.expected.deleteTodo.gql.meta));
  });

  it('names one-to-many and many-to-many indexes', () => {
    const names = (text: string) => documents(text).map((document) => document.name);
    expect(names(oneToMany.input).sort()).toEqual([...oneToMany.expected.collections, ...oneToMany.expected.indexes].sort());
    expect(names(manyToMany.input)).toEqual([
      'User', 'Group', 'users_groups',
      'unique_User_username', 'users_groups_by_user', 'users_groups_by_group', 'users_groups_by_group_and_user',
    ]);
    const pair = documents(manyToMany.input).find((document) => document.name === 'users_groups_by_group_and_user');
    expect(pair).toMatchObject({ source: manyToMany.expected.link_collection, terms: manyToMany.expected.link_fields });
  });

  it('makes five functions of a type with generated resolvers', () => {
    const functions = documents(udfResolvers.input).filter((document) => document.kind === 'function');
    expect(functions.map((document) => document.name)).toEqual(['createCat', 'updateCat', 'deleteCat', 'findCatByID', 'listCat']);
    expect(functions[0]?.body).toEqual({
      lambda: ['data'],
      expr: { create: { collection: 'Cat' }, params: { object: { data: { var: 'data' } } } },
    });
  });

  it('makes no functions for a type that takes part in a relation', () => {
    const kinds = (text: string) => documents(text).map((document) => document.kind);
    expect(kinds('type Cat @generateUDFResolvers { owner: Owner } type Owner { n: Int }')).not.toContain('function');
    expect(kinds('type Cat @generateUDFResolvers { n: Int } type Owner { cats: [Cat] @relation }')).not.toContain('function');
    expect(kinds('type Cat @generateUDFResolvers { owners: [Owner] } type Owner { n: Int }')).not.toContain('function');
    expect(kinds('type Cat @generateUDFResolvers { home: Home } type Home @embedded { home: Home owners: [Owner] } type Owner { n: Int }')).not.toContain('function');
  });

  it('leaves a function to who declares its field', () => {
    const mutation = 'type Mutation { createCat(data: CatInput!): Cat! @resolver(name: "make") }';
    const functions = documents(`type Cat @generateUDFResolvers { n: Int } ${mutation}`).filter((document) => document.kind === 'function');
    expect(functions.map((document) => document.name)).toEqual(['updateCat', 'deleteCat', 'findCatByID', 'listCat', 'make']);
  });

  it.each([
    'type A { f0: A, f1: A @relation(name: "a_f0") }',
    'type A { bs: [B] @relation, c: B @relation(name: "b_a") } type B { a: A }',
    'type A { b: B, c: B @relation(name: "b_a") } type B { a: A @relation(name: "a_b"), d: A @relation(name: "a_c") }',
  ])('pairs relations in the next merge as in this one: %s', (text) => {
    const { collections } = plan(text).model;
    const again = recordModel({ ...EMPTY_MODEL, collections });
    expect(findRelations(again.collections)).toEqual(findRelations(collections));
    expect(findRelations(collections).links).toEqual(findRelations(readSdl(text).collections).links);
  });

  it('extends what the text defines, in any order, and what was there before', () => {
    const first = plan('extend type A { c: Int } "an A" type A { b: Int } type P @embedded { x: Int } enum E { X } input I { x: Int }').model;
    expect(first.collections).toMatchObject([{ name: 'A', description: 'an A', fields: [{ name: 'b' }, { name: 'c' }] }]);
    const { model } = plan('extend type A { c: Float, d: P } extend type P { y: Int } extend enum E { Y } extend input I { y: E }', 'merge', first);
    expect(model).toMatchObject({
      collections: [{ name: 'A', description: 'an A', fields: [{ name: 'b' }, { name: 'c', type: { Named: 'Float' } }, { name: 'd' }] }],
      embedded: [{ name: 'P', fields: [{ name: 'x' }, { name: 'y' }] }],
      enums: [{ values: [{ name: 'X' }, { name: 'Y' }] }],
      inputs: [{ fields: [{ name: 'x' }, { name: 'y' }] }],
    });
  });

  it('keeps what a merge does not mention, and forgets it in the other modes', () => {
    const first = plan('type A { a: Int }\nenum Colour { RED }').model;
    const second = 'type B { b: Int, colour: Colour }';
    const merged = plan(second, 'merge', first);
    expect(merged.model.collections.map((type) => type.name)).toEqual(['A', 'B']);
    expect(merged.documents.map((document) => [document.name, document.written])).toEqual([['A', false], ['B', true]]);
    expect(() => plan(second, 'replace', first)).toThrow(new ImportError(UNKNOWN_COLOUR));
  });

  it('leaves what a merge defines anew where it was', () => {
    const first = plan('type A { a: Int } type B { b: Int } type Query { as: [A], f: Int @resolver, bs: [B] }').model;
    const { model } = plan('type A { c: Int } type Query { as: [A], f: String @resolver }', 'merge', first);
    expect([...model.collections, ...model.query].map(({ name }) => name)).toEqual(['A', 'B', 'as', 'f', 'bs']);
  });

  it('finds the same model again in the metadata it records', () => {
    const { model, documents: all, database } = plan(nft.input);
    const metas = (kind: PlannedDocument['kind']) => all.flatMap((document) => (document.kind === kind && document.meta ? [document.meta] : []));
    const read = readModel({ collections: metas('collection'), indexes: metas('index'), functions: metas('function'), database });
    const sorted = (one: Model): Model => ({ ...one, query: byName(one.query) });
    expect(sorted(read)).toEqual(sorted(model));
    expect(planImport('enum Nothing { ELSE }', 'merge', read).model.collections).toEqual(model.collections);
  });
});

describe('refused schemas', () => {
  it.each([
    ['type A { b: B }', "Unknown type 'B'. Did you mean 'A'? (line 1, column 13):\ntype A { b: B }\n            ^"],
    ['type A { b: Int } type A { c: Int }', "Type 'A' is defined more than once."],
    ['extend type A { b: Int } type A { c: Int } type A { d: Int }', "Type 'A' is defined more than once."],
    ['type A { b: Int } extend type A { b: String }', "Object type 'A' can include field 'b' only once."],
    ['enum E { X } extend enum E { X }', "Enum type 'E' can include value 'X' only once."],
    ['type A', "Object type 'A' must define one or more fields. (line 1, column 1):\ntype A\n^"],
    ['enum E', "Enum type 'E' must define one or more values."],
    ['input I', "Input type 'I' must define one or more fields."],
    ['schema { query: Root } type Root { b: Int }', "The type of the operation 'query' must be named 'Query'."],
    ['type Query { a(x: Int = "s"): Int @resolver }', "Expected type 'Int', found '\"s\"' as the default of 'x'."],
    ['type A { b(x: Int = "s"): Int }', "Expected type 'Int', found '\"s\"' as the default of 'x'."],
    ['type Query { a(x: Int! = null): Int @resolver }', "Expected type 'Int!', found 'null' as the default of 'x'."],
    ['type A { b: Int } enum E { X } input I { e: E = ZZ }', "Expected type 'E', found 'ZZ' as the default of 'e'."],
    ['type A { b: Int @unique(indx: "x") }', "Unknown argument 'indx' on directive 'unique'. Did you mean 'index'?"],
    ['type A { b: Int @unique(name: "x") }', "Unknown argument 'name' on directive 'unique'. (line"],
    ['type A { b: Int @unique(index: 5) }', "Argument 'index' of directive 'unique' has a wrong type. (line 1, column 32)"],
    ['type Query { a: [Int] @resolver(paginated: "true") }', "Argument 'paginated' of directive 'resolver' has a wrong type."],
    ['type A @collection { b: Int }', "Directive 'collection' argument 'name' of type 'String!' is required but not provided. (line 1, column 8)"],
    ['type Subscription { b: Int }', 'Subscriptions are not supported. (line 1, column 1)'],
    ['type A implements I { b: Int }', 'Interface types are not supported. (line 1, column 1)'],
    ['type A @nice { b: Int }', "Unknown directive 'nice'."],
    ['type A { b: Int } input I @nice { c: Int }', "Unknown directive 'nice'."],
    ['type A { b: Int } input I { c: Int @nice }', "Unknown directive 'nice'."],
    ['type A { b: Int } input I { c: Int @relation(nam: "x") }', "Unknown argument 'nam' on directive 'relation'. Did you mean 'name'?"],
    ['type A { b: Int } enum E @embedded { X }', "Directive 'embedded' may not be used on enum definition."],
    ['type A { b: Int } enum E { X @unique }', "Directive 'unique' may not be used on enum value definition."],
    ['type A { b(n: Int @relation): Int }', "Directive 'relation' may not be used on argument definition."],
    ['type A @deprecated { b: Int }', "Directive 'deprecated' may not be used on object type definition."],
    ['type Foo @embedded { x: Int } type FooInput @embedded { y: Int }', "Type 'FooInput' is defined more than once: it has the name of a generated type."],
    ['input F { n: Int! = "x" }', "Expected type 'Int!', found '\"x\"' as the default of 'n'."],
    ['input F { n: Int, not: F = {} } type Query { f(w: F): Int @resolver }', 'The default of an input leads back to itself.'],
    ['type A { b: Int } extend type B { c: Int }', "Cannot extend type 'B' because it is not defined."],
    ['input A { b: Int } extend type A { c: Int }', "Cannot extend type 'A' because it is not defined."],
    ['type A { b: Int } extend enum A { C }', "Cannot extend type 'A' because it is not defined."],
    ['type A { b: Int @generateUDFResolvers }', "Directive 'generateUDFResolvers' may not be used on field definition."],
    ['type A { _b: Int }', "Name '_b' must not begin with '_'."],
    ['type A { b: Int, b: Int }', "Object type 'A' can include field 'b' only once."],
    ['input I { x: Int, x: Int }', "Input type 'I' can include field 'x' only once."],
    ['type A { b: Int } type Query { as(b: Int, b: Int): [A] }', "Field 'Query.as' can include argument 'b' only once."],
    ['union U = A type A { b: Int }', 'Unsupported GraphQL type union U = A (line 1, column 1):'],
    ['interface I { b: Int }', 'Unsupported GraphQL type interface I {'],
    ['scalar Money', 'Unsupported GraphQL type scalar Money (line'],
    ['directive @nice on OBJECT', 'Unsupported GraphQL type directive @nice on OBJECT (line'],
    ['{ users }', 'Unsupported GraphQL type {'],
    ['fragment F on A { b }', 'Unsupported GraphQL type fragment F on A {'],
    ['extend scalar Money @nice', 'Unsupported GraphQL type extend scalar Money @nice (line'],
    ['type Query { total: Int }', "Field 'Query.total' of type 'Int' needs the directive 'resolver'"],
    ['type Mutation { run: Int }', "Field 'Mutation.run' needs the directive 'resolver'."],
    ['type A @embedded @generateUDFResolvers { b: Int }', "may not be used on the embedded type 'A'"],
    ['type A @collection(name: "events") { b: Int }', "The name 'events' is reserved."],
    ['type events { b: Int }', "The name 'events' is reserved."],
    ['type A { bs: [B] @relation(name: "events") } type B { as: [A] @relation(name: "events") }', "The name 'events' is reserved."],
    ['type A { b: Int @unique(index: "u") c: Int @unique(index: "u") }', "The index 'u' is asked for with two definitions."],
    ['type A @collection(name: "x") { b: Int } type B @collection(name: "x") { b: Int }', "The collection 'x' is asked for with two definitions."],
    ['type A { b: Int @unique(index: "u") c: Int } type Query { a(c: Int): A @index(name: "u") }', "The index 'u' is asked for with two definitions."],
    ['type Query { a: Int @resolver(name: "f") } type Mutation { b: Int @resolver(name: "f") }', "The function 'f' is asked for with two definitions."],
    [
      'type User { todos: [Todo] @relation(name: "owned"), notes: [Note] @relation(name: "owned") } type Todo { by: User } type Note { by: User }',
      "The relation name 'owned' stands on two fields of the type 'User'.",
    ],
    ['type A { bs: [B] @relation(name: "ab") } type B { as: [A] @relation(name: "ab") } type ab { c: Int }', "The collection 'ab' is asked for with two definitions."],
    ['type A { b: B @relation(name: "x-y") } type B { c: Int }', "The relation name 'x-y'"],
    ['type Car { owner: User, driver: User } type User { cars: [Car] @relation }', "'Car' is ambiguous"],
    ['type Node { next: [Node] @relation }', 'Many to many self-references are not allowed'],
    ['type String { b: Int }', "Type 'String' is defined more than once."],
    ['type User { b: Int } type UserInput { c: Int }', "Type 'UserInput' is defined more than once: it has the name of a generated type."],
    ['type A { bC: X } type AB { c: Y } type X { x: Int } type Y { y: Int }', "Type 'ABCRelation' is defined more than once: it has the name of a generated type."],
    ['type Foo { a: Int } type PartialUpdateFoo { b: Int }', "Type 'PartialUpdateFooInput' is defined more than once: it has the name of a generated type."],
    [
      'type QueryFoo { a: Int } type Query { qs: [QueryFoo] foo: [Int] @resolver(paginated: true) }',
      "Type 'QueryFooPage' is defined more than once: it has the name of a generated type.",
    ],
    [`type A { b: ${'['.repeat(100_000)}`, 'The schema definition is nested too deeply.'],
    [`type A { b: ${'['.repeat(100)}Int${']'.repeat(100)} }`, 'The schema definition is nested too deeply.'],
    ['type A {', 'Syntax error while parsing GraphQL query. Unexpected end of input, expected Name (line 1, column 9):\ntype A {\n        ^'],
  ])('%s', (text, message) => {
    expect(() => plan(text)).toThrow(ImportError);
    expect(() => plan(text)).toThrow(message);
  });

  it('accepts the scalars it knows declared again, an enum alone, and a plain to-one self reference', () => {
    expect(() => plan('scalar Date scalar Time scalar Long type A { day: Date }')).not.toThrow();
    expect(plan('enum Brainyduck { RESETTING }').documents).toEqual([]);
    expect(() => plan('type Person { parent: Person, children: [Person] @relation }')).not.toThrow();
  });

  it('accepts the usual names of the root types, and a root type that only others fill', () => {
    expect(plan('schema { query: Query mutation: Mutation } type Query type Mutation type A { b: Int }').model.query).toEqual([]);
    expect(plan('type Query type A { b: Int } extend type Query { allA: [A] }').model.query).toHaveLength(1);
  });

  it('records `@embedded` on a field, as a real database shows it, and takes it for nothing', () => {
    const { model, documents } = plan('type Pin { name: String! } type Upload { cid: String! pin: Pin @embedded }');
    expect(model.collections[1]?.fields[1]?.directives).toEqual([{ name: 'embedded', args: {} }, { name: 'relation', args: { name: 'upload_pin' } }]);
    expect(documents.map(({ name }) => name)).toEqual(['Pin', 'Upload']);
  });

  it('passes over directives on inputs and their fields, which applications were deployed with', () => {
    const bare = 'type A { b: I } type I @embedded { x: String } input IInput { x: String! } input F { a: ID, n: Int = 1 } type Query { f(x: F): Int @resolver }';
    const dressed = bare.replace('IInput {', 'IInput @embedded {').replace('F {', 'F @collection(name: "f") {')
      .replace('a: ID', 'a: ID @relation(name: "f_a")').replace('= 1', '= 1 @unique');
    expect(plan(dressed)).toEqual(plan(bare));
    expect(plan(`${bare} extend input F @embedded { b: Int @unique }`)).toEqual(plan(`${bare} extend input F { b: Int }`));
  });

  it('takes a relation name for its index alone where nothing is linked, and an input in place of a generated one', () => {
    expect(() => plan('type A { bs: [B] @relation(name: "events") } type B { a: A @relation(name: "events") }')).not.toThrow();
    expect(() => plan('type A { b: Int } input AInput { b: Int } input PartialUpdateAInput { b: Int }')).not.toThrow();
  });

  it('leaves a reserved name alone that an older import took', () => {
    const old = plan('type A { b: Int }').model;
    const events = old.collections.map((type) => ({ ...type, name: 'events', directives: [{ name: 'collection', args: { name: 'events' } }] }));
    expect(() => plan('type B { c: Int }', 'merge', { ...old, collections: events })).not.toThrow();
  });
});

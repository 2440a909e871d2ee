import { describe, expect, it } from 'vitest';
import { engineWith, type GatewayEngine } from '../../testing/gateway-engine.ts';
import { Obj, Time, type Value } from '../value/value.ts';
import allUsers from './golden/import-user-allusers.json';
import nft from './golden/import-nft-storage-2021-06.json';
import listsAndTodos from './golden/requests-lists-and-todos.json';
import pagination from './golden/requests-pagination.json';

describe('the gateway on the engine', () => {
  it('imports, creates, finds and lists', async () => {
    const engine = await engineWith(allUsers.input);
    const created = (await engine.graphql('mutation { createUser(data: {username: "a"}) { _id _ts username } }')) as {
      data: { createUser: { _id: string; _ts: number } };
    };
    const { _id, _ts } = created.data.createUser;
    expect(_id).toMatch(/^\d{18}$/);
    expect(await engine.graphql('{ allUsers { data { _id _ts username } before after } }')).toEqual({
      data: { allUsers: { data: [{ _id, _ts, username: 'a' }], before: null, after: null } },
    });
    expect(await engine.graphql('query($id: ID!) { findUserByID(id: $id) { username } }', { id: _id })).toEqual({
      data: { findUserByID: { username: 'a' } },
    });
  });

  it('leaves the metadata of the brief on collection and index', async () => {
    const engine = await engineWith(allUsers.input);
    const [collection, index] = await engine.look((db) => [db.schema('collection')[0], db.schema('index')[0]]);
    const json = (value: Value | undefined): unknown =>
      value instanceof Obj ? Object.fromEntries(value.entries().map(([key, item]) => [key, json(item)])) : Array.isArray(value) ? (value as Value[]).map(json) : value instanceof Time ? 'time' : value;
    const [user] = allUsers.expected.collections;
    const [list] = allUsers.expected.indexes;
    expect(json(collection?.fields)).toEqual({ name: 'User', history_days: 30n, data: { gql: { ...user?.data.gql, ts: 'time' } } });
    expect(json(index?.fields)).toEqual({
      name: 'allUsers', active: true, serialized: true, unique: false, partitions: 8n, terms: [], values: [],
      source: collection?.ref, data: { gql: { ...list?.data.gql, ts: 'time' } },
    });
  });

  it('keeps documents of what a merge gives another name, and forgets the old one', async () => {
    const engine = await engineWith('type User @collection(name: "users") { a: Int } type Query { x: Int @resolver(name: "f"), all: [User] @index(name: "users_all") }');
    await engine.graphql('mutation { createUser(data: {a: 1}) { _id } }');
    const text = 'type Person @collection(name: "users") { a: Int } type Query { x: [Person] @index(name: "f_all"), all: Int @resolver, list: [Person] @index(name: "users_all") }';
    expect(await engine.import(text)).toMatchObject({ status: 200 });
    expect(await engine.graphql('{ list { data { a } } x { data { a } } __schema { queryType { fields { name } } } }')).toEqual({
      data: {
        list: { data: [{ a: 1 }] }, x: { data: [{ a: 1 }] },
        __schema: { queryType: { fields: ['findPersonByID', 'list', 'x', 'all'].map((name) => ({ name })) } },
      },
    });
  });

  it('reads through a field of Query the index that keeps a field unique', async () => {
    const sdl = 'type User { email: String! @unique(index: "by_email") n: Int } type Query { user(email: String!): User @index(name: "by_email") }';
    const engine = await engineWith(sdl);
    const create = 'mutation { createUser(data: { email: "a@b.c", n: 1 }) { n } }';
    const read = '{ user(email: "a@b.c") { n } }';
    expect(await engine.graphql(create)).toEqual({ data: { createUser: { n: 1 } } });
    expect(await engine.graphql(create)).toMatchObject({ errors: [{ message: 'Instance is not unique.' }] });
    for (const mode of ['merge', 'replace']) {
      expect(await engine.import(sdl, mode)).toMatchObject({ status: 200 });
      expect(await engine.graphql(read)).toEqual({ data: { user: { n: 1 } } });
    }
    expect(await engine.import('type User { email: String! @unique(index: "by_email") n: Int }', 'replace')).toMatchObject({ status: 200 });
    expect(await engine.graphql(read)).toMatchObject({ errors: [{ message: expect.stringContaining("Cannot query field 'user'") }] });
    expect(await engine.graphql(create)).toMatchObject({ errors: [{ message: 'Instance is not unique.' }] });
  });

  it('pages forward and back', async () => {
    const engine = await engineWith(pagination.input.schema);
    for (const { data } of pagination.input.documents) await engine.graphql(`mutation { createLetter(data: {letter: "${data.letter}"}) { _id } }`);
    type Page = { data: { allLetters: { data: { letter: string }[]; before: string | null; after: string | null } } };
    const page = async (cursor: string | null): Promise<Page['data']['allLetters']> =>
      ((await engine.graphql('query($c: String) { allLetters(_size: 10, _cursor: $c) { data { letter } before after } }', { c: cursor })) as Page).data.allLetters;
    const first = await page(null);
    const second = await page(first.after);
    const third = await page(second.after);
    const letters = [first, second, third].map(({ data }) => data.map(({ letter }) => letter).join('')).join('');
    expect(letters).toBe(pagination.input.documents.map(({ data }) => data.letter).join(''));
    expect([first.before, third.after]).toEqual([null, null]);
    expect((await page(second.before)).data).toEqual(first.data);
  });

  it('keeps relations of the documentation example', async () => {
    const engine = await engineWith(listsAndTodos.input.schema);
    expect(await engine.graphql(listsAndTodos.input.requests[5] ?? '')).toMatchObject({
      data: { createList: { title: 'The Basics', todos: { data: [{ title: 'Water' }, { title: 'Food' }, { title: 'Shelter' }] } } },
    });
  });

  it('undoes the whole operation when one field fails', async () => {
    const engine = await engineWith('type User { name: String! @unique } type Query { users: [User] }');
    const create = (name: string) => `createUser(data: {name: "${name}"}) { name }`;
    await engine.graphql(`mutation { ${create('a')} }`);
    expect(await engine.graphql(`mutation { b: ${create('b')} a: ${create('a')} c: ${create('c')} }`)).toEqual({
      errors: [{ message: 'Instance is not unique.', extensions: { code: 'instance not unique' } }],
    });
    expect(await engine.graphql('{ users { data { name } } }')).toEqual({ data: { users: { data: [{ name: 'a' }] } } });
  });

  describe('where a field that may not be null is', () => {
    const SDL = 'type User { name: String! } type Todo { t: String! owner: User! } type Query { todos: [Todo] } type Mutation { count: Int! @resolver }';
    const create = (t: string, fields = 't') => `${t}: createTodo(data: {t: "${t}"}) { ${fields} }`;
    const todos = (engine: GatewayEngine) => engine.graphql('{ todos { data { t } } }');

    it('keeps nothing of a mutation whose answer it takes along', async () => {
      const engine = await engineWith(SDL);
      expect(await engine.graphql(`mutation { ${create('a', 'owner { name }')} ${create('b')} }`)).toMatchObject({
        data: null,
        errors: [{ path: ['a', 'owner'] }],
      });
      expect(await todos(engine)).toEqual({ data: { todos: { data: [] } } });
    });

    it('keeps nothing either when a function answers with what its field is not', async () => {
      const engine = await engineWith(SDL);
      await engine.define('count', '[]', '"many"');
      expect(await engine.graphql(`mutation { ${create('a')} count }`)).toMatchObject({ data: null, errors: [{ path: ['count'] }] });
      expect(await todos(engine)).toEqual({ data: { todos: { data: [] } } });
    });

    it('keeps what was written when only a field that may be null is lost', async () => {
      const engine = await engineWith(SDL);
      const { data } = (await engine.graphql(`mutation { ${create('a', '_id')} }`)) as { data: { a: { _id: string } } };
      expect(
        await engine.graphql(`mutation { x: partialUpdateTodo(id: ${data.a._id}, data: {t: "x"}) { owner { name } } ${create('b')} }`),
      ).toMatchObject({ data: { x: null, b: { t: 'b' } }, errors: [{ path: ['x', 'owner'] }] });
      expect(await todos(engine)).toEqual({ data: { todos: { data: [{ t: 'x' }, { t: 'b' }] } } });
    });
  });

  it('finds no document to disconnect where there is none', async () => {
    const engine = await engineWith('type User { todos: [Todo] @relation } type Todo { owner: User }');
    const { data } = (await engine.graphql('mutation { a: createUser(data: {}) { _id } }')) as { data: { a: { _id: string } } };
    expect(await engine.graphql(`mutation { partialUpdateUser(id: ${data.a._id}, data: {todos: {disconnect: 1}}) { _id } }`)).toMatchObject({
      errors: [{ extensions: { code: 'instance not found' } }],
    });
  });

  it('takes a large real schema, in every mode, again and again', async () => {
    const engine = await engineWith(nft.input);
    for (const mode of ['merge', 'replace', 'override', 'merge']) expect(await engine.import(nft.input, mode)).toMatchObject({ status: 200 });
    expect(
      await engine.graphql(
        'mutation { createToken(data: {id: "t", tokenID: "1", mintTime: "0", contract: {create: {id: "c", supportsEIP721Metadata: true}}, blocks: {create: [{hash: "h", number: 1}]}}) { contract { id tokens { data { id } } } blocks { data { number tokens { data { tokenID } } } } } }',
      ),
    ).toEqual({
      data: { createToken: { contract: { id: 'c', tokens: { data: [{ id: 't' }] } }, blocks: { data: [{ number: 1, tokens: { data: [{ tokenID: '1' }] } }] } } },
    });
  });

  it('forgets types that live in the database record alone when they are replaced', async () => {
    const engine = await engineWith('enum E { X } type A { b: Int } type Q @embedded { e: E }');
    const names = async () => ((await engine.graphql('{ __schema { types { name } } }')) as { data: { __schema: { types: { name: string }[] } } }).data.__schema.types.map(({ name }) => name);
    expect(await names()).toEqual(expect.arrayContaining(['E', 'Q', 'QInput']));
    await engine.import('type A { b: Int }', 'replace');
    expect(await names()).not.toContain('E');
  });

  it('lets nobody in who may not', async () => {
    const engine = await engineWith('type A { b: Int }');
    const client = { scope: 0n, path: [], rights: 'client', identity: null, credential: null } as const;
    const denied = { errors: [{ message: 'Insufficient privileges to perform the action.', extensions: { code: 'permission denied' } }] };
    expect(await engine.graphql('mutation { createA(data: {b: 1}) { b } }', {}, client)).toEqual(denied);
    expect(await engine.import('enum E { X }', 'merge', client)).toEqual({ status: 400, text: 'Insufficient privileges to perform the action.', commit: false });
  });

  it('calls functions, at first those that wait for their body', async () => {
    const engine = await engineWith('type Query { hello(name: String): String @resolver }');
    expect(await engine.graphql('{ hello(name: "x") }')).toEqual({
      errors: [
        {
          message: 'Function hello was not implemented yet. Please access your database and provide an implementation for the hello function.',
          extensions: { code: 'transaction aborted' },
        },
      ],
    });
  });

  it('runs generated functions as resolvers, with pages that go on', async () => {
    const engine = await engineWith('type Cat @generateUDFResolvers { name: String! }');
    for (const name of ['a', 'b', 'c']) {
      expect(await engine.graphql(`mutation { createCat(data: {name: "${name}"}) { name } }`)).toEqual({ data: { createCat: { name } } });
    }
    type List = { data: { listCat: { data: { _id: string; name: string }[]; after: string | null } } };
    const first = (await engine.graphql('{ listCat(_size: 2) { data { _id name } after } }')) as List;
    expect(first.data.listCat.data.map(({ name }) => name)).toEqual(['a', 'b']);
    const rest = await engine.graphql('query($c: String) { listCat(_size: 2, _cursor: $c) { data { name } after } }', { c: first.data.listCat.after });
    expect(rest).toEqual({ data: { listCat: { data: [{ name: 'c' }], after: null } } });
    const id = first.data.listCat.data[0]?._id;
    expect(await engine.graphql(`mutation { updateCat(id: ${id}, data: {name: "z"}) { name } deleteCat(id: ${id}) { name } missing: deleteCat(id: 7) { name } }`)).toEqual({
      data: { updateCat: { name: 'z' }, deleteCat: { name: 'z' }, missing: null },
    });
    expect(await engine.graphql(`{ findCatByID(id: ${id}) { name } }`)).toEqual({ data: { findCatByID: null } });
  });
});

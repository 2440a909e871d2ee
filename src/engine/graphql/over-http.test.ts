// The gateway over HTTP: what callers with the rights of a role see, and what only whole requests show.
import { describe, expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

/** What lies inside an answer. */
const dig = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);

async function gateway(sdl: string) {
  const client = await testClient();
  expect((await client.send('POST', '/import', sdl)).status).toBe(200);
  const imports = (text: string, mode = 'merge') => client.send('POST', `/import?mode=${mode}`, text);
  const query = async (expression: unknown): Promise<unknown> => dig(JSON.parse((await client.query(JSON.stringify(expression))).text), 'resource');
  const graphql = async (text: string, headers: Record<string, string> = {}): Promise<unknown> =>
    JSON.parse((await client.send('POST', '/graphql', JSON.stringify({ query: text }), headers)).text);
  /** Headers of a key with a role that has these privileges. */
  const role = async (...privileges: readonly (readonly [resource: unknown, action: string, allowed?: unknown])[]) => {
    const granted = privileges.map(([resource, action, allowed = true]) => ({ object: { resource, actions: { object: { [action]: allowed } } } }));
    const name = `r${Math.random()}`;
    await query({ create_role: { object: { name, privileges: granted } } });
    return { authorization: `Bearer ${String(dig(await query({ create_key: { object: { role: { role: name } } } }), 'secret'))}` };
  };
  return { query, graphql, role, imports };
}

const DENIED = 'Insufficient privileges to perform the action.';

describe('a document that the caller may not read', () => {
  const SDL = 'type User { name: String! todos: [Todo!] @relation } type Todo { title: String! owner: User } type Query { todos: [Todo] }';

  it('is not there: not found by its id, not updated, not deleted', async () => {
    const { graphql, role } = await gateway(SDL);
    const id = String(dig(await graphql('mutation { createUser(data: { name: "a" }) { _id } }'), 'data', 'createUser', '_id'));
    const writer = await role([{ collection: 'User' }, 'write'], [{ collection: 'User' }, 'delete']);
    const hidden = await role([{ collection: 'User' }, 'read', { query: { lambda: 'ref', expr: false } }]);
    for (const headers of [writer, hidden]) {
      expect(await graphql(`{ findUserByID(id: ${id}) { name } other: findUserByID(id: 77) { name } }`, headers)).toEqual({ data: { findUserByID: null, other: null } });
    }
    const changes = `a: updateUser(id: ${id}, data: { name: "b" }) { name } b: partialUpdateUser(id: ${id}, data: { name: "c" }) { name } c: deleteUser(id: ${id}) { name }`;
    expect(await graphql(`mutation { ${changes} }`, writer)).toEqual({ data: { a: null, b: null, c: null } });
    expect(await graphql(`{ findUserByID(id: ${id}) { name } }`)).toEqual({ data: { findUserByID: { name: 'a' } } });
  });

  it('is null where a field leads to it, and an error where the field must have one', async () => {
    const required = SDL.replace('owner: User', 'owner: User!');
    for (const [sdl, owner] of [[SDL, null], [required, DENIED]] as const) {
      const { graphql, role } = await gateway(sdl);
      await graphql('mutation { createTodo(data: { title: "t", owner: { create: { name: "a" } } }) { _id } }');
      const reader = await role([{ collection: 'Todo' }, 'read'], [{ index: 'todos' }, 'read']);
      const answer = await graphql('{ todos { data { title owner { name } } } }', reader);
      if (owner === null) expect(answer).toEqual({ data: { todos: { data: [{ title: 't', owner }] } } });
      else expect(answer).toMatchObject({ errors: [{ message: owner }] });
    }
  });
});

it.each([
  ['create', true, true],
  ['create alone', undefined, true],
  ['create, and to write what is not to be written', false, true],
  ['create, of what has no owner yet,', true, { query: { lambda: 'new', expr: { not: { contains_path: ['data', 'owner'], in: { var: 'new' } } } } }],
] as const)('who creates a document in a list needs the right to change it, too, as it is created first: a role that may %s', async (_, write, create) => {
  const { graphql, role } = await gateway('type User { name: String todos: [Todo!] @relation } type Todo { title: String owner: User }');
  const id = String(dig(await graphql('mutation { createUser(data: { name: "a" }) { _id } }'), 'data', 'createUser', '_id'));
  const mayWrite = write === undefined ? [] : [[{ collection: 'Todo' }, 'write', { query: { lambda: ['old', 'new'], expr: write } }] as const];
  const writer = await role([{ collection: 'User' }, 'read'], [{ collection: 'User' }, 'write'], [{ collection: 'Todo' }, 'create', create], ...mayWrite);
  const answer = await graphql(`mutation { partialUpdateUser(id: ${id}, data: { todos: { create: [{ title: "t" }] } }) { name } }`, writer);
  if (write === true) expect(answer).toEqual({ data: { partialUpdateUser: { name: 'a' } } });
  else expect(answer).toMatchObject({ errors: [{ message: DENIED }] });
  expect(await graphql(`{ findUserByID(id: ${id}) { todos { data { title owner { name } } } } }`)).toEqual({
    data: { findUserByID: { todos: { data: write === true ? [{ title: 't', owner: { name: 'a' } }] : [] } } },
  });
});

it('who creates the end of a relation of one to one that keeps the ref needs both rights as well', async () => {
  const { graphql, role } = await gateway('type User { name: String car: Car } type Car { plate: String owner: User! }');
  const may = (...actions: readonly string[]) => ['User', 'Car'].flatMap((collection) => actions.map((action) => [{ collection }, action] as const));
  const [created, other] = ['createCar(data: { plate: "p", owner: { create: { name: "a" } } }) { plate }', 'createUser(data: { name: "b", car: { create: { plate: "q" } } }) { name }'];
  // One of the two keeps it.
  const denied = await Promise.all([created, other].map(async (asked) => graphql(`mutation { ${asked} }`, await role(...may('read', 'create')))));
  expect(denied.filter((answer) => JSON.stringify(answer).includes(DENIED))).toHaveLength(1);
  expect(await graphql(`mutation { ${created} ${other} }`, await role(...may('read', 'create', 'write')))).toEqual({ data: { createCar: { plate: 'p' }, createUser: { name: 'b' } } });
});

it.each([
  ['User', null],
  ['User!', DENIED],
  ['[User]', [null]],
  ['[User]!', [null]],
  ['[User!]', DENIED],
  ['[User!]!', DENIED],
])('a document that the caller may not read is null where a field of what a function answers leads to it, unless the field must have one: %s', async (type, user) => {
  const { graphql, query, role } = await gateway(`type User { name: String } type Session @embedded { secret: String user: ${type} } type Mutation { login: Session @resolver }`);
  const id = String(dig(await graphql('mutation { createUser(data: { name: "a" }) { _id } }'), 'data', 'createUser', '_id'));
  const ref = { ref: { collection: 'User' }, id };
  const session = { object: { secret: 's', user: type.startsWith('[') ? [ref] : ref } };
  await query({ update: { function: 'login' }, params: { object: { body: { query: { lambda: [], expr: session } } } } });
  const caller = await role([{ function: 'login' }, 'call']);
  const answer = await graphql('mutation { login { secret user { name } } }', caller);
  if (user === DENIED) expect(answer).toMatchObject({ errors: [{ message: DENIED }] });
  else expect(answer).toEqual({ data: { login: { secret: 's', user } } });
});

it('a set that a function answers in the place of a document is the first that it leads to, under the rights of the caller', async () => {
  const sdl = 'type User { email: String! @unique } type Session @embedded { secret: String! data: User } type Mutation { login(email: String!): Session @resolver user(email: String!): User @resolver }';
  const { graphql, query, role } = await gateway(sdl);
  const match = { match: { index: 'unique_User_email' }, terms: { var: 'email' } };
  for (const [name, expr] of [['login', { object: { secret: 's', data: match } }], ['user', match]] as const) {
    await query({ update: { function: name }, params: { object: { body: { query: { lambda: ['email'], expr } } } } });
  }
  await graphql('mutation { createUser(data: { email: "a@b.c" }) { _id } }');
  const asked = 'mutation { login(email: "a@b.c") { secret data { email } } user(email: "a@b.c") { email } none: login(email: "x") { data { email } } nobody: user(email: "x") { email } }';
  const found = { login: { secret: 's', data: { email: 'a@b.c' } }, user: { email: 'a@b.c' }, none: { data: null }, nobody: null };
  expect(await graphql(asked)).toEqual({ data: found });
  const calls = [[{ function: 'login' }, 'call'], [{ function: 'user' }, 'call'], [{ collection: 'User' }, 'read']] as const;
  expect(await graphql(asked, await role(...calls))).toMatchObject({ errors: [{ message: DENIED }] });
  expect(await graphql(asked, await role(...calls, [{ index: 'unique_User_email' }, 'read']))).toEqual({ data: found });
});

it.each(['b { n }', 'bs { n }', 'p { b { n } }'])('what a field of documents holds that leads to none, such as an id alone, is the error that `Get` has for it: %s', async (field) => {
  const { graphql, query } = await gateway('type A { b: B bs: [B] p: P } type B { n: Int } type P @embedded { b: B }');
  await query({ create: { ref: { collection: 'A' }, id: '1' }, params: { object: { data: { object: { b: '5', bs: ['5'], p: { object: { b: '5' } } } } } } });
  expect(await graphql(`{ findAByID(id: 1) { ${field} } }`)).toEqual({ errors: [{ message: 'Ref or Set expected, String provided.', extensions: { code: 'invalid argument' } }] });
});

it.each([
  ['undefined', "Number or numeric String expected, non-numeric 'undefined' provided."],
  ['9223372036854775808', "The id provided is too large: '9223372036854775808'"],
])('an id that is none is an error, as it is in a generated function: %s', async (id, message) => {
  const { graphql } = await gateway('type A { n: Int b: B } type B { n: Int as: [A] @relation } type Cat @generateUDFResolvers { n: Int }');
  const data = `data: { b: { connect: "${id}" } }`;
  const asked = [`{ findCatByID(id: "${id}") { n } }`, `{ findAByID(id: "${id}") { n } }`, `mutation { deleteA(id: "${id}") { n } }`,
    `mutation { updateA(id: "${id}", data: {}) { n } }`, `mutation { createA(${data}) { n } }`, `mutation { createB(data: { as: { connect: ["${id}"] } }) { n } }`];
  for (const text of asked) expect(await graphql(text)).toEqual({ errors: [{ message, extensions: { code: 'invalid argument' } }] });
});

describe('pages', () => {
  it('of no size, or less, are empty', async () => {
    const { graphql } = await gateway('type T { n: Int } type Query { ts: [T] }');
    await graphql('mutation { createT(data: { n: 1 }) { _id } }');
    for (const size of [0, -1]) expect(await graphql(`{ ts(_size: ${size}) { data { n } } }`)).toEqual({ data: { ts: { data: [] } } });
  });

  it('of schema documents go on with their cursors', async () => {
    const { graphql, query } = await gateway('type Query { names: [String!] @resolver(name: "names", paginated: true) }');
    for (const name of ['f', 'g']) await query({ create_function: { object: { name, body: { query: { lambda: 'x', expr: 1 } } } } });
    const start = { if: { equals: [{ var: 'after' }, null] }, then: null, else: { object: { after: { var: 'after' } } } };
    const page = { paginate: { functions: null }, cursor: start, size: { var: 'size' } };
    const names = { map: { lambda: 'f', expr: { select: 'name', from: { get: { var: 'f' } } } }, collection: page };
    await query({ update: { function: 'names' }, params: { object: { body: { query: { lambda: ['size', 'after', 'before'], expr: names } } } } });
    const first = await graphql('{ names(_size: 2) { data after } }');
    expect(first).toMatchObject({ data: { names: { data: ['names', 'f'] } } });
    expect(await graphql(`{ names(_size: 2, _cursor: "${String(dig(first, 'data', 'names', 'after'))}") { data after } }`)).toEqual({ data: { names: { data: ['g'], after: null } } });
  });

  it('are asked of functions with the size that was asked for', async () => {
    const { graphql, query } = await gateway('type Query { sizes: [Int] @resolver(name: "sizes", paginated: true) }');
    await query({ update: { function: 'sizes' }, params: { object: { body: { query: { lambda: ['size', 'after', 'before'], expr: { object: { data: [{ var: 'size' }] } } } } } } });
    for (const size of [0, 200_000]) expect(await graphql(`{ sizes(_size: ${size}) { data } }`)).toEqual({ data: { sizes: { data: [size] } } });
  });
});

it('defaults that are Longs no number holds are shown as they were written', async () => {
  const { graphql } = await gateway('type T { a: Int } input I { big: Long = 9223372036854775807, small: Long = 7 } type Query { ts: [T] f(i: [Long] = [1, -9007199254740993]): Int @resolver }');
  expect(await graphql('{ __type(name: "I") { inputFields { name defaultValue } } __schema { queryType { fields { name args { defaultValue } } } } }')).toMatchObject({
    data: {
      __type: { inputFields: [{ name: 'big', defaultValue: '9223372036854775807' }, { name: 'small', defaultValue: '7' }] },
      __schema: { queryType: { fields: [{}, { name: 'ts' }, { name: 'f', args: [{ defaultValue: '[1, -9007199254740993]' }] }] } },
    },
  });
});

it('a pair of linked documents is kept once by an index whose terms go by the names of their types, whatever their keys', async () => {
  const { graphql, query } = await gateway('type User { n: Int groups: [UserGroup!] @relation } type UserGroup { m: Int users: [User!] @relation }');
  const created = await graphql('mutation { createUser(data: { n: 1, groups: { create: [{ m: 1 }, { m: 2 }] } }) { _id groups { data { _id } } } }');
  const user = String(dig(created, 'data', 'createUser', '_id'));
  const group = String(dig(created, 'data', 'createUser', 'groups', 'data', 0, '_id'));
  const terms = [{ ref: { collection: 'User' }, id: user }, { ref: { collection: 'UserGroup' }, id: group }];
  expect(await query({ count: { match: { index: 'userGroup_users_by_user_and_userGroup' }, terms } })).toBe(1);
  expect(await graphql(`mutation { partialUpdateUser(id: ${user}, data: { groups: { disconnect: [${group}] } }) { groups { data { m } } } }`)).toEqual({
    data: { partialUpdateUser: { groups: { data: [{ m: 2 }] } } },
  });
});

it('`deprecated` is told of the places where it is taken', async () => {
  const { graphql } = await gateway('type T { a: Int }');
  const answer = await graphql('{ __schema { directives { name locations } } }');
  expect(dig(answer, 'data', '__schema', 'directives')).toContainEqual({ name: 'deprecated', locations: ['FIELD_DEFINITION', 'ENUM_VALUE'] });
});

describe('an index that is there before the schema calls for it', () => {
  const SDL = 'type User { email: String! n: Int }';
  const EMAIL = { object: { field: ['data', 'email'] } };
  const withIndex = async (name: string, definition: object) => {
    const { query, ...rest } = await gateway(SDL);
    await query({ create_index: { object: { name, source: { collection: 'User' }, ...definition } } });
    await rest.graphql('mutation { createUser(data: { email: "a@b.c", n: 1 }) { _id } }');
    return rest;
  };
  const REFUSED = { status: 400, text: "The index 'by' exists already with another definition." };

  it.each(['by(email: String!): User', 'user(email: String!): User @index(name: "by")'])('may be unique: %s', async (field) => {
    const { graphql, imports } = await withIndex('by', { terms: [EMAIL], unique: true });
    for (const mode of ['merge', 'replace']) expect(await imports(`${SDL} type Query { ${field} }`, mode)).toMatchObject({ status: 200 });
    expect(await graphql(`{ user: ${field.slice(0, field.indexOf('('))}(email: "a@b.c") { n } }`)).toEqual({ data: { user: { n: 1 } } });
  });

  const OF_USER = { collection: 'User' };
  it.each([[OF_USER], [[OF_USER]], [{ object: { collection: [OF_USER] } }], [[{ object: { class: OF_USER } }]]])('may have its source in any form: %j', async (source) => {
    const { imports } = await withIndex('by', { source, terms: [EMAIL], unique: true });
    expect(await imports('type User { email: String! @unique(index: "by") n: Int }')).toMatchObject({ status: 200 });
  });

  it('is taken as it is when a directive names it, and its values are what a query meets', async () => {
    const { graphql, imports } = await withIndex('by', { values: [{ object: { field: ['ref'] } }] });
    expect(await imports(`${SDL} type Query { by: [User] }`)).toMatchObject(REFUSED);
    expect(await imports(`${SDL} type Query { users: [User] @index(name: "by") }`)).toMatchObject({ status: 200 });
    expect(await graphql('{ users { data { n } } }')).toEqual({ data: { users: { data: [{ n: 1 }] } } });
    const sorted = await withIndex('sorted', { values: [EMAIL, { object: { field: ['ref'] } }] });
    expect(await sorted.imports(`${SDL} type Query { users: [User] @index(name: "sorted") }`)).toMatchObject({ status: 200 });
    expect(await sorted.graphql('{ users { data { n } } }')).toEqual({
      errors: [{ message: 'Ref or Set expected, Array provided.', extensions: { code: 'invalid argument' } }],
    });
  });

  it.each([
    ['of another field', { terms: [{ object: { field: ['data', 'n'] } }], unique: true }, 'type User { email: String! @unique(index: "by") n: Int }'],
    ['of another type', { terms: [EMAIL], unique: true }, `${SDL} type Admin { email: String! @unique(index: "by") }`],
    ['of another type', {}, `${SDL} type Admin { n: Int } type Query { admins: [Admin] @index(name: "by") }`],
    ['of other arguments', {}, `${SDL} type Query { users(email: String): [User] @index(name: "by") }`],
  ])('is refused where it is one %s, whoever names it: %j, %s', async (_, definition, sdl) => {
    const { imports } = await withIndex('by', definition);
    for (const mode of ['merge', 'replace']) expect(await imports(sdl, mode)).toMatchObject(REFUSED);
  });

  it('is as it was for what does not speak of it, and may be made by hand of more sources and with bindings', async () => {
    const { query, imports } = await gateway(SDL);
    const lower = { query: { lambda: 'doc', expr: { lowercase: { select: ['data', 'email'], from: { var: 'doc' } } } } };
    const source = [{ object: { collection: { collection: 'User' }, fields: { object: { lower } } } }, { object: { collection: { collection: 'Admin' } } }];
    await query({ create_collection: { object: { name: 'Admin' } } });
    await query({ create_index: { object: { name: 'by', source, terms: [{ object: { binding: 'lower' } }], unique: true } } });
    expect(await imports('type User { email: String! @unique(index: "by") n: Int }')).toMatchObject({ status: 200 });
    await query({ delete: { index: 'by' } });
    await query({ create_index: { object: { name: 'by', source: { collection: 'Admin' }, terms: [EMAIL], unique: true } } });
    expect(await imports('type Other { n: Int }')).toMatchObject({ status: 200 });
    expect(await imports('type User { email: String! @unique(index: "by") n: Int }')).toMatchObject(REFUSED);
  });

  it('keeps a field unique only where it is unique itself', async () => {
    const { imports } = await withIndex('by', { terms: [EMAIL] });
    expect(await imports('type User { email: String! @unique(index: "by") }')).toMatchObject(REFUSED);
  });
});

it('an import of what is there writes nothing, as pages import at every load', async () => {
  const sdl = 'type User { name: String! @unique todos: [Todo!] @relation } type Todo { title: String! owner: User } enum Mood { GOOD BAD } type Query { todos: [Todo] hello: Int @resolver }';
  const client = await testClient();
  const lastCommit = async (): Promise<unknown> => (await client.query('1')).headers['x-txn-time'];
  expect((await client.send('POST', '/import', sdl)).status).toBe(200);
  const before = await lastCommit();
  for (const mode of ['merge', 'replace']) expect((await client.send('POST', `/import?mode=${mode}`, sdl)).status).toBe(200);
  expect(await lastCommit()).toBe(before);
  expect((await client.send('POST', '/import', sdl.replace('Int', 'String'))).status).toBe(200);
  expect(await lastCommit()).not.toBe(before);
});

it.each([['in the same millisecond', 0], ['after the clock was set back', 3_600_000_000]])('a schema that was imported %s is the one that is told', async (_, back) => {
  let now = 1_577_836_800_000_000;
  const client = await testClient(memoryLogStore(memoryLog()), { ...testPlatform(), now: () => now });
  const importing = async (sdl: string): Promise<number> => (await client.send('POST', '/import', sdl)).status;
  const values = async (): Promise<string> => (await client.send('POST', '/graphql', '{"query":"{ __type(name: \\"E\\") { enumValues { name } } }"}')).text;
  expect(await importing('enum E { A B } type Thing { e: E }')).toBe(200);
  expect(await values()).toContain('[{"name":"A"},{"name":"B"}]');
  now -= back;
  expect(await importing('enum E { A B C } type Thing { e: E }')).toBe(200);
  expect(await values()).toContain('[{"name":"A"},{"name":"B"},{"name":"C"}]');
});

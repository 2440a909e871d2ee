import { describe, expect, it } from 'vitest';
import { countedEngine, engineWith } from '../../testing/gateway-engine.ts';

describe('a partial update', () => {
  const SDL = `
    type P @embedded { city: String!, zip: Int, spots: [S!], about: A! }
    type S @embedded { name: String! }
    type A { p: P, ps: [P!], owner: A2! }
    type A2 { name: String }
  `;
  const update = async (data: string) => (await engineWith(SDL)).graphql(`mutation { partialUpdateA(id: 1, data: ${data}) { _id } }`);
  const refused = (field: string) => ({
    errors: [{ message: `The required field '${field}' must not be set to 'null'.`, extensions: { code: 'validation failed' } }],
  });

  it.each([
    ['{p: {city: null}}', 'P.city'],
    ['{p: {about: null}}', 'P.about'],
    ['{p: {spots: [{name: "a"}, {name: null}]}}', 'S.name'],
    ['{ps: [{city: "a"}, {city: null}]}', 'P.city'],
  ])('sets nothing that is required to null, at any depth: %s', async (data, field) => {
    expect(await update(data)).toEqual(refused(field));
  });

  it.each(['{p: null, ps: null}', '{p: {zip: null, spots: null}}', '{ps: [{city: "a", zip: null}]}', '{owner: null}'])('may set other fields to null: %s', async (data) => {
    expect(await update(data)).toEqual({ data: { partialUpdateA: null } });
  });
});

it('what a document created in a list asks of the relation back is not done: that leads to the one with the list', async () => {
  const engine = await countedEngine('type User { name: String, todos: [Todo] @relation } type Todo { title: String, owner: User }');
  const created = await engine.graphql('mutation { createUser(data: {name: "a", todos: {create: [{title: "x", owner: {create: {name: "ghost"}}}]}}) { _id todos { data { owner { name } } } } }');
  expect(created).toEqual({ data: { createUser: { _id: '1', todos: { data: [{ owner: { name: 'a' } }] } } } });
  for (const id of [2, 3]) expect(await engine.graphql(`{ findUserByID(id: ${id}) { name } }`)).toEqual({ data: { findUserByID: null } });
});

describe('disconnecting', () => {
  it('comes before connecting, so that another choice may keep some of the former one', async () => {
    const engine = await countedEngine('type User { name: String, groups: [Group] @relation } type Group { slug: String, users: [User] @relation }');
    await engine.graphql('mutation { a: createUser(data: {name: "a"}) { _id } b: createUser(data: {name: "b"}) { _id } createGroup(data: {slug: "g", users: {connect: [1, 2]}}) { _id } }');
    const { data } = (await engine.graphql('{ allGroups: findUserByID(id: 1) { groups { data { _id } } } }')) as { data: { allGroups: { groups: { data: { _id: string }[] } } } };
    const group = data.allGroups.groups.data[0]?._id;
    expect(await engine.graphql(`mutation { partialUpdateGroup(id: ${group}, data: {users: {disconnect: [1, 2], connect: [2]}}) { users { data { name } } } }`)).toEqual({
      data: { partialUpdateGroup: { users: { data: [{ name: 'b' }] } } },
    });
  });


  it('lets go of own documents only', async () => {
    const engine = await countedEngine('type User { name: String, todos: [Todo] @relation } type Todo { title: String, owner: User }');
    await engine.graphql('mutation { a: createUser(data: {name: "a", todos: {create: {title: "x"}}}) { _id } b: createUser(data: {name: "b", todos: {create: {title: "y"}}}) { _id } }');
    const disconnect = '{ todos { data { _id } } }';
    expect(await engine.graphql(`mutation { partialUpdateUser(id: 1, data: {todos: {disconnect: [2, 4]}}) ${disconnect} }`)).toEqual({
      data: { partialUpdateUser: { todos: { data: [] } } },
    });
    expect(await engine.graphql(`{ findUserByID(id: 3) ${disconnect} }`)).toEqual({ data: { findUserByID: { todos: { data: [{ _id: '4' }] } } } });
  });
});

const RELATED = `
  type User { name: String!, car: Car, todos: [Todo] @relation, groups: [Group] @relation }
  type Car { plate: String!, owner: User }
  type Todo { title: String!, owner: User! }
  type Group { slug: String!, users: [User] @relation }
  type Note @embedded { about: User }
  type Album { name: String, owners: [User], note: Note }
`;

describe('relations', () => {
  /** An engine with two users, whose ids are 1 and 2. */
  const setup = async (sdl = RELATED) => {
    const engine = await countedEngine(sdl);
    await engine.graphql('mutation { a: createUser(data: {name: "a"}) { _id } b: createUser(data: {name: "b"}) { _id } }');
    return engine;
  };

  it('one to one: both ends, created, connected and taken apart', async () => {
    const engine = await setup();
    expect(await engine.graphql('mutation { createCar(data: {plate: "p", owner: {connect: 1}}) { _id owner { name car { plate } } } }')).toEqual({
      data: { createCar: { _id: '3', owner: { name: 'a', car: { plate: 'p' } } } },
    });
    expect(await engine.graphql('mutation { partialUpdateCar(id: 3, data: {owner: {disconnect: true}}) { owner { name } } }')).toEqual({
      data: { partialUpdateCar: { owner: null } },
    });
    expect(await engine.graphql('mutation { partialUpdateUser(id: 2, data: {car: {create: {plate: "q"}}}) { car { plate owner { name } } } }')).toEqual({
      data: { partialUpdateUser: { car: { plate: 'q', owner: { name: 'b' } } } },
    });
    expect(await engine.graphql('mutation { partialUpdateUser(id: 1, data: {car: {connect: 4}}) { name } }')).toEqual({
      errors: [{ message: 'Instance is not unique.', extensions: { code: 'instance not unique' } }],
    });
  });

  it.each([
    ['{}', 'a'],
    ['{disconnect: false}', 'a'],
    ['{disconnect: true}', null],
    ['{disconnect: true, connect: 2}', 'b'],
    ['{connect: 2, create: {name: "c"}}', 'c'],
  ])('many to one: %s', async (owner, name) => {
    const engine = await setup(RELATED.replace('owner: User!', 'owner: User'));
    await engine.graphql('mutation { createTodo(data: {title: "x", owner: {connect: 1}}) { _id } }');
    expect(await engine.graphql(`mutation { updateTodo(id: 3, data: {title: "x", owner: ${owner}}) { owner { name } } }`)).toEqual({
      data: { updateTodo: { owner: name === null ? null : { name } } },
    });
  });

  it('one to many: created with the one, moved by connecting, let go', async () => {
    const engine = await setup();
    const titles = (id: number) => engine.graphql(`{ findUserByID(id: ${id}) { todos { data { title owner { name } } } } }`);
    await engine.graphql('mutation { partialUpdateUser(id: 1, data: {todos: {create: [{title: "x"}, {title: "y"}]}}) { _id } }');
    expect(await titles(1)).toEqual({
      data: { findUserByID: { todos: { data: [{ title: 'x', owner: { name: 'a' } }, { title: 'y', owner: { name: 'a' } }] } } },
    });
    await engine.graphql('mutation { partialUpdateUser(id: 2, data: {todos: {connect: [3]}}) { _id } }');
    expect(await titles(2)).toEqual({ data: { findUserByID: { todos: { data: [{ title: 'x', owner: { name: 'b' } }] } } } });
    await engine.graphql('mutation { partialUpdateUser(id: 2, data: {todos: {disconnect: "3"}}) { _id } }');
    expect(await titles(2)).toEqual({ data: { findUserByID: { todos: { data: [] } } } });
    expect(await engine.graphql('mutation { createTodo(data: {title: "z", owner: {create: {name: "c"}}}) { owner { name } } }')).toEqual({
      data: { createTodo: { owner: { name: 'c' } } },
    });
  });

  it('many to many: links of their own, each once', async () => {
    const engine = await setup();
    await engine.graphql('mutation { createGroup(data: {slug: "g", users: {connect: [1, 2], create: {name: "c"}}}) { _id } }');
    const users = '{ allOf: findGroupByID(id: 3) { users { data { name groups { data { slug } } } } } }';
    const member = (name: string) => ({ name, groups: { data: [{ slug: 'g' }] } });
    expect(await engine.graphql(users)).toEqual({ data: { allOf: { users: { data: [member('a'), member('b'), member('c')] } } } });
    expect(await engine.graphql('mutation { partialUpdateUser(id: 1, data: {groups: {connect: 3}}) { _id } }')).toEqual({
      errors: [{ message: 'Instance is not unique.', extensions: { code: 'instance not unique' } }],
    });
    await engine.graphql('mutation { partialUpdateUser(id: 1, data: {groups: {disconnect: 3}}) { _id } }');
    expect(await engine.graphql(users)).toEqual({ data: { allOf: { users: { data: [member('b'), member('c')] } } } });
  });

  it('lists without the directive, and refs in embedded types, are plain ids', async () => {
    const engine = await setup();
    expect(await engine.graphql('mutation { createAlbum(data: {owners: [1, 2], note: {about: 2}}) { owners { name } note { about { name } } } }')).toEqual({
      data: { createAlbum: { owners: [{ name: 'a' }, { name: 'b' }], note: { about: { name: 'b' } } } },
    });
  });

  it('that dangle are null', async () => {
    const engine = await setup();
    await engine.graphql('mutation { createTodo(data: {title: "x", owner: {connect: 1}}) { _id } createCar(data: {plate: "p", owner: {connect: 1}}) { _id } deleteUser(id: 1) { _id } }');
    expect(await engine.graphql('{ findCarByID(id: 4) { owner { name } } }')).toEqual({ data: { findCarByID: { owner: null } } });
  });
});

describe('an input of one\'s own', () => {
  const SDL = 'type User { name: String todos: [Todo] @relation } type Todo { title: String owner: User } input TodoInput { title: String owner: Owner } input Owner { connect: ID name: String }';
  it.each([
    ['a text', SDL.replace('owner: Owner }', 'owner: ID }'), '"1"'],
    ['an object without anything to be done', SDL, '{name: "a"}'],
  ])('does not lose a relation that is given as %s', async (_, sdl, owner) => {
    const engine = await engineWith(sdl);
    expect(await engine.graphql(`mutation { createTodo(data: {title: "t", owner: ${owner}}) { title } }`)).toEqual({
      errors: [expect.objectContaining({ message: "The relation 'Todo.owner' takes an object with 'create', 'connect', 'disconnect'." })],
    });
  });

  it('gives one as the generated one does', async () => {
    const engine = await countedEngine(SDL);
    await engine.graphql('mutation { createUser(data: {name: "a"}) { _id } }');
    expect(await engine.graphql('mutation { createTodo(data: {title: "t", owner: {connect: "1"}}) { owner { name } } }')).toEqual({ data: { createTodo: { owner: { name: 'a' } } } });
  });
});

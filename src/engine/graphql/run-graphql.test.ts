import { describe, expect, it } from 'vitest';
import { FqlError } from '../errors/fql-error.ts';
import { permissionDenied, transactionAborted } from '../errors/codes.ts';
import { Path } from '../base/path.ts';
import { Doc, Obj, Page, PendingTs, type Value } from '../value/value.ts';
import empty from './golden/introspect-empty-database.json';
import listsAndTodos from './golden/requests-lists-and-todos.json';
import pagination from './golden/requests-pagination.json';
import permission from './golden/requests-permission-denied.json';
import { jsonText } from './json-text.ts';
import { answer, ask, database } from '../../testing/memory-gateway.ts';
import { MemoryDatabase } from '../../testing/memory-database.ts';

describe('requests of the documentation', () => {
  it('page through the alphabet with the cursors of the gateway', () => {
    // The stored cursors name a collection `Letters`.
    const db = database(pagination.input.schema.replace('type Letter {', 'type Letter @collection(name: "Letters") {'));
    const ids = pagination.input.documents.map((document) => BigInt(document.id));
    db.nextId = () => ids.shift() ?? 0n;
    for (const { data } of pagination.input.documents) {
      ask(db, 'mutation($letter: String!) { createLetter(data: {letter: $letter}) { _id } }', data);
    }
    expect(pagination.input.requests.map((query) => ask(db, query))).toEqual(pagination.expected);
  });

  it('make lists and todos, connected and nested', () => {
    const db = database(listsAndTodos.input.schema);
    const [list, , , todo, basics] = [234458015536775681n, 0n, 0n, 234367997153640967n, 234460851537445380n];
    const ids = [list, 234458197639823873n, basics, 234460851537446401n, 234460851537446402n, 234460851537446403n];
    db.nextId = () => todo;
    ask(db, 'mutation { createTodo(data: {title: "Build an awesome app!", completed: false}) { _id } }');
    db.nextId = () => ids.shift() ?? 0n;
    expect(listsAndTodos.input.requests.map((query) => ask(db, query))).toEqual(listsAndTodos.expected);
  });

  it('answer database errors with their code and nothing else, and undo everything', () => {
    const db = database('type A { b: Int } type Mutation { login: String @resolver }');
    db.functions['login'] = () => {
      throw new FqlError([{ at: Path.root, code: 'call error', description: '', status: 400, rank: 0, cause: permissionDenied(Path.root).failures }]);
    };
    const result = answer(db, 'mutation { createA(data: {b: 1}) { _id } login }');
    expect(result).toEqual({ body: permission.expected, commit: false });
  });

  it('find no operation of a kind the schema has not', () => {
    const db = database('type Query { hello: String @resolver }');
    expect(['mutation { a }', 'subscription { a }'].map((query) => answer(db, query))).toMatchObject([
      { body: { data: null, errors: [{ message: 'Schema is not configured for mutations (line 1, column 1):\nmutation { a }\n^' }] }, commit: false },
      { body: { data: null, errors: [{ message: 'Schema is not configured for subscriptions (line 1, column 1):\nsubscription { a }\n^' }] }, commit: false },
    ]);
  });

  it('find no schema in an empty database', () => {
    const result = answer(new MemoryDatabase(), '{ __schema { types { name } } }');
    expect(result.body.errors?.[0]?.message).toContain(empty.expected.errors_message_contains);
    expect(result.commit).toBe(false);
  });
});

const CARS = `
  enum Colour { RED GREEN }
  type Place @embedded { city: String!, zip: Int }
  type Car { name: String! @unique, seats: Int, km: Long, price: Float, colour: Colour, day: Date, at: Time, tags: [String!], place: Place, places: [Place!] }
  type Query { cars(name: String): [Car], car(name: String!): Car }
`;
const ALL = '_id _ts name seats km price colour day at tags place { city zip } places { city }';
const FULL = `{name: "a", seats: 4, km: 9007199254740993, price: 2, colour: RED, day: "2020-02-29", at: "2019-06-14T17:42:54.001987Z",
  tags: ["x", "y"], place: {city: "Rome", zip: 7}, places: [{city: "Oslo"}]}`;

describe('documents', () => {
  it('keep every scalar, enum, list and embedded type in its own form', () => {
    const db = database(CARS);
    expect(jsonText(answer(db, `mutation { createCar(data: ${FULL}) { ${ALL} } }`).body, null)).toBe(
      '{"data":{"createCar":{"_id":"1","_ts":1618959271660000,"name":"a","seats":4,"km":9007199254740993,"price":2,"colour":"RED",' +
        '"day":"2020-02-29","at":"2019-06-14T17:42:54.001987Z","tags":["x","y"],"place":{"city":"Rome","zip":7},"places":[{"city":"Oslo"}]}}}',
    );
    const [stored] = [...db.documents.values()].filter((document) => document.ref.id === 1n);
    const data = stored?.fields.get('data') as Obj;
    expect([data.get('seats'), data.get('km'), data.get('price')]).toEqual([4n, 9007199254740993n, 2]);
    expect(String(data.get('day'))).toBe('2020-02-29');
  });

  it('take the same as variables', () => {
    const db = database(CARS);
    const data = { name: 'a', seats: 4n, km: 9007199254740993n, price: 1, place: { city: 'Rome', zip: 7 }, day: '2020-01-02' };
    const query = 'mutation($data: CarInput!) { createCar(data: $data) { seats km place { zip } day } }';
    expect(answer(db, query, { data }).body).toEqual({ data: { createCar: { seats: 4, km: 9007199254740993n, place: { zip: 7 }, day: '2020-01-02' } } });
  });

  it('are found by ids that came as long numbers', () => {
    const db = database(CARS);
    db.nextId = () => 276552640134905937n;
    ask(db, 'mutation { createCar(data: {name: "a"}) { _id } }');
    expect(answer(db, 'query($id: ID!) { findCarByID(id: $id) { name } }', { id: 276552640134905937n }).body).toEqual({ data: { findCarByID: { name: 'a' } } });
  });

  it('are found by id and by index, or not', () => {
    const db = database(CARS);
    ask(db, 'mutation { createCar(data: {name: "a"}) { _id } }');
    expect(ask(db, '{ findCarByID(id: "1") { name } none: findCarByID(id: "2") { name } }')).toEqual({
      data: { findCarByID: { name: 'a' }, none: null },
    });
    expect(ask(db, '{ cars(name: "a") { data { name } after } car(name: "a") { name } no: car(name: "b") { name } }')).toEqual({
      data: { cars: { data: [{ name: 'a' }], after: null }, car: { name: 'a' }, no: null },
    });
  });

  it('are updated by merging, and answer null when they are missing', () => {
    const db = database(CARS);
    ask(db, `mutation { createCar(data: ${FULL}) { _id } }`);
    expect(ask(db, 'mutation { updateCar(id: 1, data: {name: "b", seats: null}) { name seats km } }')).toEqual({
      data: { updateCar: { name: 'b', seats: null, km: 9007199254740993 } },
    });
    expect(ask(db, 'mutation { partialUpdateCar(id: 1, data: {seats: 2, place: {zip: 9}}) { name seats place { city zip } } }')).toEqual({
      data: { partialUpdateCar: { name: 'b', seats: 2, place: { city: 'Rome', zip: 9 } } },
    });
    expect(ask(db, 'mutation { updateCar(id: 5, data: {name: "b"}) { name } partialUpdateCar(id: 5, data: {}) { name } deleteCar(id: 5) { name } }')).toEqual({
      data: { updateCar: null, partialUpdateCar: null, deleteCar: null },
    });
    expect(ask(db, 'mutation { partialUpdateCar(id: 1, data: {name: null}) { name } }')).toEqual({
      errors: [{ message: "The required field 'Car.name' must not be set to 'null'.", extensions: { code: 'validation failed' } }],
    });
  });

  it('are deleted and answered as they were', () => {
    const db = database(CARS);
    ask(db, 'mutation { createCar(data: {name: "a"}) { _id } }');
    expect(ask(db, 'mutation { deleteCar(id: 1) { name } }')).toEqual({ data: { deleteCar: { name: 'a' } } });
    expect(ask(db, '{ findCarByID(id: 1) { name } }')).toEqual({ data: { findCarByID: null } });
  });

  it('are unique where the schema says so', () => {
    const db = database(CARS);
    const create = 'mutation { createCar(data: {name: "a"}) { _id } }';
    ask(db, create);
    expect(answer(db, create)).toEqual({
      body: { errors: [{ message: 'Instance is not unique.', extensions: { code: 'instance not unique' } }] },
      commit: false,
    });
  });

  it('that lack a required value make the nearest optional parent null', () => {
    const db = database(CARS);
    ask(db, 'mutation { createCar(data: {name: "a"}) { _id } }');
    const ref = db.ref('Car', '1');
    db.update(ref, Obj.of(['name', null]));
    expect(ask(db, '{\n  findCarByID(id: 1) {\n    name\n  }\n}')).toEqual({
      data: { findCarByID: null },
      errors: [
        {
          message: 'Cannot return null for non-nullable type (line 3, column 5):\n    name\n    ^',
          path: ['findCarByID', 'name'],
          locations: [{ line: 3, column: 5 }],
        },
      ],
    });
  });

  it('written by the running transaction show the time it commits at', () => {
    const db = database(CARS);
    const create = db.create.bind(db);
    db.create = (collection, data) => {
      const { ref, fields } = create(collection, data);
      return new Doc(ref, PendingTs.instance, fields);
    };
    expect(ask(db, 'mutation { createCar(data: {seats: 1, name: "a"}) { _ts } }')).toEqual({ data: { createCar: { _ts: 7 } } });
  });

  it('refuse cursors that mean nothing', () => {
    const db = database(CARS);
    const codes = (query: string) => answer(db, query).body.errors?.map((error) => 'extensions' in error && error.extensions?.code);
    expect(codes('{ cars(_cursor: "x") { after } }')).toEqual(['invalid argument']);
  });
});

describe('functions', () => {
  const SDL = `
    type User { name: String! }
    enum Colour { RED }
    input Filter { colour: Colour, min: Int, max: Float }
    type Query {
      hello(name: String!, times: Int): String! @resolver(name: "say_hello")
      users(filter: Filter): [User!]! @resolver(paginated: true)
      some: [User!] @resolver
      login: Session @resolver
    }
    type Session @embedded { secret: String, user: User }
    type Mutation { createUser(name: String!): User! @resolver }
  `;

  it('get their arguments in declared order, in the forms of the database', () => {
    const db = database(SDL);
    const calls: (readonly Value[])[] = [];
    db.functions['say_hello'] = (...args) => (calls.push(args), 'hi');
    expect(ask(db, '{ hello(name: "a") more: hello(times: 2, name: "b") }')).toEqual({ data: { hello: 'hi', more: 'hi' } });
    expect(calls).toEqual([['a', null], ['b', 2n]]);
  });

  it('answer documents, lists of them, and objects for embedded types', () => {
    const db = database(SDL);
    const user = db.create('User', Obj.of(['name', 'a']));
    db.functions['createUser'] = () => user;
    db.functions['some'] = () => [user, user];
    db.functions['login'] = () => Obj.of(['secret', 's'], ['user', user]);
    expect(ask(db, 'mutation { createUser(name: "a") { _id name } }')).toEqual({ data: { createUser: { _id: '1', name: 'a' } } });
    expect(ask(db, '{ some { name } login { secret user { name } } }')).toEqual({
      data: { some: [{ name: 'a' }, { name: 'a' }], login: { secret: 's', user: { name: 'a' } } },
    });
  });

  it('that page get size, after and before, and answer a page', () => {
    const db = database(SDL);
    const user = db.create('User', Obj.of(['name', 'a']));
    const calls: (readonly Value[])[] = [];
    db.functions['users'] = (...args) => (calls.push(args), new Page([user], undefined, [3n]));
    const first = ask(db, '{ users(filter: {colour: RED, min: 1, max: 2}, _size: 1) { data { name } after before } }');
    expect(first).toEqual({ data: { users: { data: [{ name: 'a' }], after: '2DOBAw==', before: null } } });
    ask(db, '{ users(_cursor: "2DOBAw==") { after } }');
    expect(calls).toEqual([
      [Obj.of(['colour', 'RED'], ['min', 1n], ['max', 2]), 1n, null, null],
      [null, 50n, [3n], null],
    ]);
  });

  it('that abort end the operation with their text', () => {
    const db = database(SDL);
    db.functions['some'] = () => {
      throw transactionAborted(Path.root, 'not today');
    };
    expect(ask(db, '{ some { name } }')).toEqual({ errors: [{ message: 'not today', extensions: { code: 'transaction aborted' } }] });
  });

  it('may break in ways that are not for the client: those errors are thrown on', () => {
    const db = database(SDL);
    class Conflict extends Error {}
    db.functions['some'] = () => {
      throw new Conflict();
    };
    expect(() => answer(db, '{ some { name } }')).toThrow(Conflict);
  });
});

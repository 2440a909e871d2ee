import { describe, expect, it } from 'vitest';
import { ADMIN, countedEngine, engineWith, GatewayEngine } from '../../testing/gateway-engine.ts';
import { mapEach } from '../base/maybe.ts';
import { parseDate } from '../value/time.ts';
import { type Obj, PendingTs } from '../value/value.ts';
import type { Database } from './database.ts';
import empty from './golden/introspect-empty-database.json';
import listsAndTodos from './golden/requests-lists-and-todos.json';
import pagination from './golden/requests-pagination.json';
import permission from './golden/requests-permission-denied.json';
import { jsonText } from './json-text.ts';
import { runGraphql } from './run-graphql.ts';

describe('requests of the documentation', () => {
  it('page through the alphabet with the cursors of the gateway', async () => {
    const { schema, documents, requests } = pagination.input;
    // The stored cursors name a collection `Letters`.
    const letters = schema.replace('type Letter {', 'type Letter @collection(name: "Letters") {');
    const engine = await engineWith(letters, documents.map(({ id }) => BigInt(id)));
    for (const { data } of documents) await engine.graphql('mutation($letter: String!) { createLetter(data: {letter: $letter}) { _id } }', data);
    expect(await mapEach(requests, (query) => engine.graphql(query))).toEqual(pagination.expected);
  });

  it('make lists and todos, connected and nested', async () => {
    const { schema, requests } = listsAndTodos.input;
    const [todo, list, basics] = [234367997153640967n, 234458015536775681n, 234460851537445380n];
    const engine = await engineWith(schema, [todo, list, 234458197639823873n, basics, 234460851537446401n, 234460851537446402n, 234460851537446403n]);
    await engine.graphql('mutation { createTodo(data: {title: "Build an awesome app!", completed: false}) { _id } }');
    expect(await mapEach(requests, (query) => engine.graphql(query))).toEqual(listsAndTodos.expected);
  });

  it('answer database errors with their code and nothing else, and undo everything', async () => {
    const engine = await engineWith('type A { b: Int } type Query { all: [A] } type Mutation { login: String @resolver }');
    await engine.define('login', '[]', '{"create":{"tokens":null},"params":{"object":{}}}');
    await engine.query('{"update":{"function":"login"},"params":{"object":{"role":"client"}}}');
    const { answer } = await engine.request('mutation { createA(data: {b: 1}) { _id } login }');
    expect(answer).toEqual({ body: permission.expected, commit: false });
    expect(await engine.graphql('{ all { data { b } } }')).toEqual({ data: { all: { data: [] } } });
  });

  it.each([
    ['mutation { a }', 'mutations'],
    ['subscription { a }', 'subscriptions'],
  ])('find no operation of a kind the schema has not: %s', async (query, kind) => {
    const engine = await engineWith('type Query { hello: String @resolver }');
    expect((await engine.request(query)).answer).toMatchObject({
      body: { data: null, errors: [{ message: `Schema is not configured for ${kind} (line 1, column 1):\n${query}\n^` }] }, commit: false,
    });
  });

  it('find no schema in an empty database', async () => {
    const { answer } = await (await GatewayEngine.open()).request('{ __schema { types { name } } }');
    expect(answer.body.errors?.[0]?.message).toContain(empty.expected.errors_message_contains);
    expect(answer.commit).toBe(false);
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

const create = (data: string) => `mutation { createCar(data: ${data}) { _id } }`;

/** An engine with one car, whose id is 1. */
async function engineWithCar(data: string): Promise<GatewayEngine> {
  const engine = await countedEngine(CARS);
  await engine.graphql(create(data));
  return engine;
}

describe('documents', () => {
  it('keep every scalar, enum, list and embedded type in its own form', async () => {
    const engine = await countedEngine(CARS);
    const { answer, ts } = await engine.request(`mutation { createCar(data: ${FULL}) { ${ALL} } }`);
    expect(jsonText(answer.body, ts)).toBe(
      `{"data":{"createCar":{"_id":"1","_ts":${ts},"name":"a","seats":4,"km":9007199254740993,"price":2,"colour":"RED",` +
        '"day":"2020-02-29","at":"2019-06-14T17:42:54.001987Z","tags":["x","y"],"place":{"city":"Rome","zip":7},"places":[{"city":"Oslo"}]}}}',
    );
    const data = (await engine.query('{"select":"data","from":{"get":{"ref":{"collection":"Car"},"id":"1"}}}')) as Obj;
    expect([data.get('seats'), data.get('km'), data.get('price')]).toEqual([4n, 9007199254740993n, 2]);
    expect(data.get('day')).toEqual(parseDate('2020-02-29'));
  });

  it('take the same as variables', async () => {
    const engine = await countedEngine(CARS);
    const data = { name: 'a', seats: 4n, km: 9007199254740993n, price: 1, place: { city: 'Rome', zip: 7 }, day: '2020-01-02' };
    const { answer } = await engine.request('mutation($data: CarInput!) { createCar(data: $data) { seats km place { zip } day } }', { data });
    expect(answer.body).toEqual({ data: { createCar: { seats: 4, km: 9007199254740993n, place: { zip: 7 }, day: '2020-01-02' } } });
  });

  it('are found by ids that came as long numbers', async () => {
    const id = 276552640134905937n;
    const engine = await engineWith(CARS, [id]);
    await engine.graphql(create('{name: "a"}'));
    expect(await engine.graphql('query($id: ID!) { findCarByID(id: $id) { name } }', { id })).toEqual({ data: { findCarByID: { name: 'a' } } });
  });

  it('are found by id and by index, or not', async () => {
    const engine = await engineWithCar('{name: "a"}');
    expect(await engine.graphql('{ findCarByID(id: "1") { name } none: findCarByID(id: "2") { name } }')).toEqual({
      data: { findCarByID: { name: 'a' }, none: null },
    });
    expect(await engine.graphql('{ cars(name: "a") { data { name } after } car(name: "a") { name } no: car(name: "b") { name } }')).toEqual({
      data: { cars: { data: [{ name: 'a' }], after: null }, car: { name: 'a' }, no: null },
    });
  });

  it('are updated by merging, and answer null when they are missing', async () => {
    const engine = await engineWithCar(FULL);
    expect(await engine.graphql('mutation { updateCar(id: 1, data: {name: "b", seats: null}) { name seats km } }')).toEqual({
      data: { updateCar: { name: 'b', seats: null, km: 9007199254740993 } },
    });
    expect(await engine.graphql('mutation { partialUpdateCar(id: 1, data: {seats: 2, place: {zip: 9}}) { name seats place { city zip } } }')).toEqual({
      data: { partialUpdateCar: { name: 'b', seats: 2, place: { city: 'Rome', zip: 9 } } },
    });
    expect(await engine.graphql('mutation { updateCar(id: 5, data: {name: "b"}) { name } partialUpdateCar(id: 5, data: {}) { name } deleteCar(id: 5) { name } }')).toEqual({
      data: { updateCar: null, partialUpdateCar: null, deleteCar: null },
    });
    expect(await engine.graphql('mutation { partialUpdateCar(id: 1, data: {name: null}) { name } }')).toEqual({
      errors: [{ message: "The required field 'Car.name' must not be set to 'null'.", extensions: { code: 'validation failed' } }],
    });
  });

  it('are deleted and answered as they were', async () => {
    const engine = await engineWithCar('{name: "a"}');
    expect(await engine.graphql('mutation { deleteCar(id: 1) { name } }')).toEqual({ data: { deleteCar: { name: 'a' } } });
    expect(await engine.graphql('{ findCarByID(id: 1) { name } }')).toEqual({ data: { findCarByID: null } });
  });

  it('are unique where the schema says so', async () => {
    const engine = await engineWithCar('{name: "a"}');
    expect((await engine.request(create('{name: "a"}'))).answer).toEqual({
      body: { errors: [{ message: 'Instance is not unique.', extensions: { code: 'instance not unique' } }] },
      commit: false,
    });
  });

  it('that lack a required value make the nearest optional parent null', async () => {
    const engine = await engineWithCar('{name: "a"}');
    await engine.query('{"update":{"ref":{"collection":"Car"},"id":"1"},"params":{"object":{"data":{"object":{"name":null}}}}}');
    expect(await engine.graphql('{\n  findCarByID(id: 1) {\n    name\n  }\n}')).toEqual({
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

  it('written by the running transaction show the time it commits at', async () => {
    const engine = await countedEngine(CARS);
    const { answer, ts } = await engine.request('mutation { createCar(data: {seats: 1, name: "a"}) { _ts } }');
    expect(answer.body).toEqual({ data: { createCar: { _ts: PendingTs.instance } } });
    expect(JSON.parse(jsonText(answer.body, ts))).toEqual({ data: { createCar: { _ts: ts } } });
    expect(await engine.graphql('{ findCarByID(id: 1) { _ts } }')).toEqual({ data: { findCarByID: { _ts: ts } } });
  });

  it('refuse cursors that mean nothing', async () => {
    const { answer } = await (await engineWith(CARS)).request('{ cars(_cursor: "x") { after } }');
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'invalid argument' } }]);
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
  const USER = '{"get":{"ref":{"collection":"User"},"id":"1"}}';

  /** An engine with one user, whose id is 1. */
  async function engineWithUser(): Promise<GatewayEngine> {
    const engine = await countedEngine(SDL);
    await engine.query('{"create":{"collection":"User"},"params":{"object":{"data":{"object":{"name":"a"}}}}}');
    return engine;
  }

  it('get their arguments in declared order, in the forms of the database', async () => {
    const engine = await engineWith(SDL);
    await engine.define('say_hello', '["first","second"]', '{"format":"%@","values":[[{"var":"first"},{"var":"second"}]]}');
    expect(await engine.graphql('{ hello(name: "a") more: hello(times: 2, name: "b") }')).toEqual({ data: { hello: '["a",null]', more: '["b",2]' } });
  });

  it('answer documents, lists of them, and objects for embedded types', async () => {
    const engine = await engineWithUser();
    await engine.define('createUser', '["name"]', USER);
    await engine.define('some', '[]', `[${USER},${USER}]`);
    await engine.define('login', '[]', `{"object":{"secret":"s","user":${USER}}}`);
    expect(await engine.graphql('mutation { createUser(name: "a") { _id name } }')).toEqual({ data: { createUser: { _id: '1', name: 'a' } } });
    expect(await engine.graphql('{ some { name } login { secret user { name } } }')).toEqual({
      data: { some: [{ name: 'a' }, { name: 'a' }], login: { secret: 's', user: { name: 'a' } } },
    });
  });

  it('that page get size, after and before', async () => {
    const engine = await engineWith(SDL);
    await engine.define('users', '["a","b","c","d"]', '{"abort":{"format":"%@","values":[[{"var":"a"},{"var":"b"},{"var":"c"},{"var":"d"}]]}}');
    const given = async (args: string) => (await engine.request(`{ users(${args}) { after } }`)).answer.body.errors?.[0]?.message;
    expect(await given('filter: {colour: RED, min: 1, max: 2}, _size: 1')).toBe('[{"colour":"RED","min":1,"max":2.0},1,null,null]');
    expect(await given('_cursor: "2DOBAw=="')).toBe('[null,50,[3],null]');
    expect(await given('_cursor: "2DKBAw=="')).toBe('[null,50,null,[3]]');
  });

  it('that page answer a page', async () => {
    const engine = await engineWithUser();
    await engine.define('users', '["filter","size","after","before"]', `{"object":{"data":[${USER}],"after":[3]}}`);
    expect(await engine.graphql('{ users { data { name } after before } }')).toEqual({ data: { users: { data: [{ name: 'a' }], after: '2DOBAw==', before: null } } });
    await engine.define('users', '["filter","size","after","before"]', '{"paginate":{"documents":{"collection":"User"}}}');
    expect(await engine.graphql('{ users { data { name } after before } }')).toEqual({ data: { users: { data: [{ name: 'a' }], after: null, before: null } } });
  });

  it('that abort end the operation with their text', async () => {
    const engine = await engineWith(SDL);
    await engine.define('some', '[]', '{"abort":"not today"}');
    expect(await engine.graphql('{ some { name } }')).toEqual({ errors: [{ message: 'not today', extensions: { code: 'transaction aborted' } }] });
  });

  it('may break in ways that are not for the client: those errors are thrown on', async () => {
    const engine = await engineWith(SDL);
    class Conflict extends Error {}
    const call = () => {
      throw new Conflict();
    };
    const broken = (db: Database) => Object.assign(Object.create(db) as Database, { call });
    await expect(engine.transact(ADMIN, (db) => runGraphql({ query: '{ some { name } }' }, broken(db)))).rejects.toThrow(Conflict);
  });
});

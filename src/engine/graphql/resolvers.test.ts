import { describe, expect, it } from 'vitest';
import { GatewayEngine } from '../../testing/gateway-engine.ts';
import { ask, database } from '../../testing/memory-gateway.ts';
import { Doc, Lambda, Obj, Page, Ref, Time, type Value } from '../value/value.ts';

const SDL = `
  type User { name: String, best: User, friends: [User] }
  type Token @embedded { ref: User, ts: Long, secret: String!, instance: User!, data: Note }
  type Note @embedded { text: String }
  type Query { user: User @resolver, token: Token @resolver }
`;

describe('what a function answers', () => {
  const user = Obj.of(['name', 'a']);

  it('may be a document for an embedded type: it is read like an object', () => {
    const db = database(SDL);
    const { ref } = db.create('User', user);
    db.functions['token'] = () => new Doc(ref, 5, Obj.of(['secret', 's'], ['instance', ref], ['data', Obj.of(['text', 't'])]));
    expect(ask(db, '{ token { secret instance { name } ref { name } ts data { text } } }')).toEqual({
      data: { token: { secret: 's', instance: { name: 'a' }, ref: { name: 'a' }, ts: 5, data: { text: 't' } } },
    });
  });

  it('may be an object that looks like a document: its fields stand in its data', () => {
    const db = database(SDL);
    const { ref } = db.create('User', user);
    db.functions['user'] = () => Obj.of(['ref', ref], ['ts', 5n], ['data', Obj.of(['name', 'b'], ['best', ref], ['friends', [ref]])], ['extra', 1n]);
    expect(ask(db, '{ user { _id _ts name best { name } friends { name } } }')).toEqual({
      data: { user: { _id: '1', _ts: 5, name: 'b', best: { name: 'a' }, friends: [{ name: 'a' }] } },
    });
  });

  it('may be an object with the fields alone', () => {
    const db = database(SDL);
    const { ref } = db.create('User', user);
    db.functions['user'] = () => Obj.of(['ref', ref], ['name', 'b']);
    expect(ask(db, '{ user { _id name } }')).toEqual({ data: { user: { _id: '1', name: 'b' } } });
  });

  it('may be the token of a login', async () => {
    const engine = await GatewayEngine.open();
    await engine.import(`
      type User { email: String! @unique(index: "user_by_email") }
      type Token @embedded { instance: User!, secret: String! }
      type Mutation { login(email: String!, password: String!): Token! @resolver }
    `);
    await engine.query('{"create":{"collection":"User"},"params":{"object":{"data":{"object":{"email":"a@b.c"}},"credentials":{"object":{"password":"x"}}}}}');
    const found = '{"match":{"index":"user_by_email"},"terms":{"var":"email"}}';
    await engine.define('login', '["email","password"]', `{"login":${found},"params":{"object":{"password":{"var":"password"}}}}`);
    expect(await engine.graphql('mutation { login(email: "a@b.c", password: "x") { secret instance { email } } }')).toEqual({
      data: { login: { secret: expect.any(String) as string, instance: { email: 'a@b.c' } } },
    });
  });
});

describe('names that every object of the platform has', () => {
  it('are null where they were not given', () => {
    const db = database('type A { constructor: String, toString: String } type Query { f(constructor: String, valueOf: Int): [String] @resolver }');
    db.functions['f'] = (...args) => args;
    expect(ask(db, '{ f }')).toEqual({ data: { f: [null, null] } });
    expect(ask(db, 'query($v: String) { f(constructor: $v) }')).toEqual({ data: { f: [null, null] } });
    const created = { constructor: null, toString: 'x' };
    expect(ask(db, 'mutation { createA(data: {toString: "x"}) { constructor toString } }')).toEqual({ data: { createA: created } });
    expect(ask(db, 'mutation($d: AInput!) { createA(data: $d) { constructor toString } }', { d: { toString: 'x' } })).toEqual({ data: { createA: created } });
  });

  it('are missing where they are required', () => {
    const db = database('type A { constructor: String! }');
    expect(ask(db, 'mutation($d: AInput!) { createA(data: $d) { constructor } }', { d: {} })).toMatchObject({
      errors: [{ message: expect.stringContaining("'constructor' Expected non-null value, found null.") as string }],
    });
  });
});

describe('values that are not of their type', () => {
  const kinds: readonly (readonly [string, Value])[] = [
    ['an object', Obj.of(['a', 1n])],
    ['a lambda', new Lambda('x', null, '4', null)],
    ['a page', new Page([new Ref(1024, 1n, 0n)])],
    ['a time', new Time(1n)],
    ['a document', new Doc(new Ref(1024, 1n, 0n), 1, Obj.empty)],
    ['a list', [new Time(1n)]],
  ];

  it.each(kinds)('are named, not shown: %s', (_name, value) => {
    const db = database('enum E { X } type Query { s: String @resolver, i: Int @resolver, e: E @resolver }');
    for (const name of ['s', 'i', 'e']) db.functions[name] = () => value;
    const { errors } = ask(db, '{ s i e }') as { errors: { message: string }[] };
    expect(errors.map(({ message }) => message.split(' (line')[0])).toEqual([
      'String cannot represent a value of this kind.',
      'Int cannot represent a value of this kind.',
      "Enum 'E' cannot represent a value of this kind.",
    ]);
  });

  it('are shown where they are plain', () => {
    const db = database('type Query { i: Int @resolver }');
    db.functions['i'] = () => 'x';
    expect(ask(db, '{ i }')).toMatchObject({ errors: [{ message: expect.stringContaining("Int cannot represent non-integer value: 'x'") as string }] });
  });
});

describe('numbers that are not finite', () => {
  it('are null', () => {
    const db = database('type A { f: Float, fs: [Float] } type Query { f: Float @resolver }');
    const { ref } = db.create('A', Obj.of(['f', Infinity], ['fs', [1, NaN]]));
    db.functions['f'] = () => -Infinity;
    expect(ask(db, `{ findAByID(id: ${ref.id}) { f fs } f }`)).toEqual({ data: { findAByID: { f: null, fs: [1, null] }, f: null } });
  });
});

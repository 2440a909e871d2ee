import { describe, expect, it } from 'vitest';
import { countedEngine, engineWith, type GatewayEngine } from '../../testing/gateway-engine.ts';
import { jsonText } from './json-text.ts';

describe('what a function answers', () => {
  const SDL = `
    type User { name: String, best: User, friends: [User] }
    type Token @embedded { ref: User, ts: Long, secret: String!, instance: User!, data: Note }
    type Note @embedded { text: String }
    type Query { user: User @resolver, token: Token @resolver }
  `;
  const USER = '{"ref":{"collection":"User"},"id":"1"}';

  /** An engine with one user, whose id is 1, and a function with this body. */
  async function engineWithUser(name: string, body: string): Promise<GatewayEngine> {
    const engine = await countedEngine(SDL);
    await engine.query('{"create":{"collection":"User"},"params":{"object":{"data":{"object":{"name":"a"}}}}}');
    await engine.define(name, '[]', body);
    return engine;
  }

  it('may be a document for an embedded type: it is read like an object', async () => {
    const token = `{"create":{"tokens":null},"params":{"object":{"instance":${USER},"data":{"object":{"text":"t","name":"of a"}}}}}`;
    const { answer, ts } = await (await engineWithUser('token', token)).request('{ token { secret instance { name } ref { name } ts data { text } } }');
    expect(JSON.parse(jsonText(answer.body, ts))).toEqual({
      data: { token: { secret: expect.stringMatching(/^fn/) as string, instance: { name: 'a' }, ref: { name: 'of a' }, ts, data: { text: 't' } } },
    });
  });

  it('may be an object that looks like a document: its fields stand in its data', async () => {
    const data = `{"object":{"name":"b","best":${USER},"friends":[${USER}]}}`;
    const engine = await engineWithUser('user', `{"object":{"ref":${USER},"ts":5,"data":${data},"extra":1}}`);
    expect(await engine.graphql('{ user { _id _ts name best { name } friends { name } } }')).toEqual({
      data: { user: { _id: '1', _ts: 5, name: 'b', best: { name: 'a' }, friends: [{ name: 'a' }] } },
    });
  });

  it('may be an object with the fields alone', async () => {
    const engine = await engineWithUser('user', `{"object":{"ref":${USER},"name":"b"}}`);
    expect(await engine.graphql('{ user { _id name } }')).toEqual({ data: { user: { _id: '1', name: 'b' } } });
  });

  it('may be the token of a login', async () => {
    const engine = await engineWith(`
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

describe('what `select` finds in an answer that is no object', () => {
  const SDL = `
    type L { n: Int }
    type Event @embedded { ts: Long, action: String, document: L }
    type Some @embedded { data: [L!], after: [L] }
    type Both @embedded { total: Int, page: Some, ref: Id }
    type Id @embedded { id: ID }
    type Query { event: Event @resolver, events: [Event!] @resolver(paginated: true), action: String @resolver, some: Some @resolver, both: Both @resolver }
  `;
  const PAGE = '{"paginate":{"documents":{"collection":"L"}},"size":1}';
  const EVENTS = '{"paginate":{"documents":{"collection":"L"}},"events":true,"size":1}';
  const setup = async (name: string, body: string, params = '[]') => {
    const engine = await countedEngine(SDL);
    for (const n of [1, 2]) await engine.query(`{"create":{"collection":"L"},"params":{"object":{"data":{"object":{"n":${n}}}}}}`);
    await engine.define(name, params, body);
    return engine;
  };

  it('is found in an event', async () => {
    const engine = await setup('event', `{"select":["data",0],"from":${EVENTS}}`);
    expect(await engine.graphql('{ event { ts action document { n } } }')).toEqual({
      data: { event: { ts: expect.any(Number) as number, action: 'add', document: { n: 1 } } },
    });
  });

  it('is found in the events of a page, whose cursor no text can hold', async () => {
    const engine = await setup('events', EVENTS, '["size","after","before"]');
    expect(await engine.graphql('{ events { data { action document { n } } } }')).toEqual({ data: { events: { data: [{ action: 'add', document: { n: 1 } }] } } });
    expect(await engine.graphql('{ events { data { action } before } }')).toEqual({ data: { events: { data: [{ action: 'add' }], before: null } } });
    expect(await engine.graphql('{ events { after } }')).toMatchObject({ errors: [{ message: 'The cursor of this page cannot be written.' }] });
  });

  it('is found in a page, and in one that stands in an object beside a ref', async () => {
    const page = { data: [{ n: 1 }], after: [{ n: 2 }] };
    const mapped = `{"map":{"lambda":"x","expr":{"get":{"var":"x"}}},"collection":${PAGE}}`;
    expect(await (await setup('some', mapped)).graphql('{ some { data { n } after { n } } }')).toEqual({ data: { some: page } });
    const both = await setup('both', `{"object":{"total":2,"page":${PAGE},"ref":{"ref":{"collection":"L"},"id":"1"}}}`);
    expect(await both.graphql('{ both { total page { data { n } after { n } } ref { id } } }')).toEqual({ data: { both: { total: 2, page, ref: { id: '1' } } } });
  });

  it('may be an action, which is a text', async () => {
    const engine = await setup('action', `{"select":["data",0,"action"],"from":${EVENTS}}`);
    expect(await engine.graphql('{ action }')).toEqual({ data: { action: 'add' } });
  });
});

describe('names that every object of the platform has', () => {
  it('are null where they were not given', async () => {
    const engine = await engineWith('type A { constructor: String, toString: String } type Query { f(constructor: String, valueOf: Int): [String] @resolver }');
    await engine.define('f', '["a","b"]', '[{"var":"a"},{"var":"b"}]');
    expect(await engine.graphql('{ f }')).toEqual({ data: { f: [null, null] } });
    expect(await engine.graphql('query($v: String) { f(constructor: $v) }')).toEqual({ data: { f: [null, null] } });
    const created = { constructor: null, toString: 'x' };
    expect(await engine.graphql('mutation { createA(data: {toString: "x"}) { constructor toString } }')).toEqual({ data: { createA: created } });
    expect(await engine.graphql('mutation($d: AInput!) { createA(data: $d) { constructor toString } }', { d: { toString: 'x' } })).toEqual({ data: { createA: created } });
  });

  it('are missing where they are required', async () => {
    const engine = await engineWith('type A { constructor: String! }');
    expect(await engine.graphql('mutation($d: AInput!) { createA(data: $d) { constructor } }', { d: {} })).toMatchObject({
      errors: [{ message: expect.stringContaining("'constructor' Expected non-null value, found null.") as string }],
    });
  });
});

describe('values that are not of their type', () => {
  it.each([
    ['an object', '{"object":{"a":1}}'],
    ['a lambda', '{"query":{"lambda":"x","expr":4}}'],
    ['a page', '{"paginate":{"functions":null}}'],
    ['a time', '{"time":"now"}'],
    ['a document', '{"get":{"function":"s"}}'],
    ['a list', '[{"time":"now"}]'],
  ])('are named, not shown: %s', async (_name, body) => {
    const engine = await engineWith('enum E { X } type Query { s: String @resolver, i: Int @resolver, e: E @resolver }');
    for (const name of ['s', 'i', 'e']) await engine.define(name, '[]', body);
    const { errors } = (await engine.graphql('{ s i e }')) as { errors: { message: string }[] };
    expect(errors.map(({ message }) => message.split(' (line')[0])).toEqual([
      'String cannot represent a value of this kind.',
      'Int cannot represent a value of this kind.',
      "Enum 'E' cannot represent a value of this kind.",
    ]);
  });

  it('are shown where they are plain', async () => {
    const engine = await engineWith('type Query { i: Int @resolver }');
    await engine.define('i', '[]', '"x"');
    expect(await engine.graphql('{ i }')).toMatchObject({ errors: [{ message: expect.stringContaining("Int cannot represent non-integer value: 'x'") as string }] });
  });
});

describe('numbers that are not finite', () => {
  it('are null', async () => {
    const engine = await countedEngine('type A { f: Float, fs: [Float] } type Query { f: Float @resolver }');
    const data = '{"object":{"f":{"to_double":"∞"},"fs":[1.0,{"to_double":"NaN"}]}}';
    await engine.query(`{"create":{"collection":"A"},"params":{"object":{"data":${data}}}}`);
    await engine.define('f', '[]', '{"to_double":"-∞"}');
    expect(await engine.graphql('{ findAByID(id: 1) { f fs } f }')).toEqual({ data: { findAByID: { f: null, fs: [1, null] }, f: null } });
  });
});

it('a Long that no double holds is shown in fields of every type that can show it', async () => {
  const engine = await countedEngine('type A { id: ID text: String float: Float long: Long ids: [ID] } type Query { long: ID @resolver }');
  const N = '276552640134905937';
  await engine.query(`{"create":{"collection":"A"},"params":{"object":{"data":{"object":{"id":${N},"text":${N},"float":${N},"long":${N},"ids":[${N}]}}}}}`);
  await engine.define('long', '[]', N);
  const { answer, ts } = await engine.request('{ findAByID(id: 1) { id text float long ids } long }');
  expect(jsonText(answer.body, ts)).toBe(`{"data":{"findAByID":{"id":"${N}","text":"${N}","float":276552640134905950,"long":${N},"ids":["${N}"]},"long":"${N}"}}`);
});

// Nobody reaches what is not theirs: databases beside and above, stronger rights, secrets.
import { describe, expect, it } from 'vitest';
import { presented } from '../auth/secret.ts';
import { testPlatform } from '../../testing/platform.ts';
import { RootSecret } from '../auth/root-secret.ts';
import { testClient, type TestClient } from '../../testing/client.ts';

type As = (json: string) => Promise<string>;

/** Queries with a secret; answers their bodies. */
const as =
  (client: TestClient, secret: string): As =>
  async (json) =>
    (await client.queryAs(secret, json)).text;

async function secretOf(client: TestClient, params: string): Promise<string> {
  const { text } = await client.query(`{"create_key":{"object":${params}}}`);
  return /"secret":"([^"]+)"/.exec(text)?.[1] ?? text;
}

interface World {
  readonly client: TestClient;
  readonly root: As;
  /** The admin of the database `a`. */
  readonly admin: As;
  readonly server: As;
  /** Number of the database `b` beside it. */
  readonly beside: string;
}

const inDatabase = (name: string, role: string): string => `{"role":"${role}","database":{"database":"${name}"}}`;

/** The root holds `treasure` and two databases, `a` and `b`; `b` holds `treasure`, too. */
async function world(): Promise<World> {
  const client = await testClient();
  const root = as(client, 'secret');
  await root('{"create_collection":{"object":{"name":"treasure"}}}');
  await root('{"create":{"ref":{"collection":"treasure"},"id":"1"},"params":{"object":{"data":{"object":{"gold":7}}}}}');
  await root('{"create_database":{"object":{"name":"a"}}}');
  const b = await root('{"create_database":{"object":{"name":"b"}}}');
  const globalId = /"global_id":"([^"]+)"/.exec(b)?.[1] ?? '';
  const inB = as(client, await secretOf(client, inDatabase('b', 'admin')));
  await inB('{"create_collection":{"object":{"name":"treasure"}}}');
  await inB('{"create_function":{"object":{"name":"open","body":{"query":{"lambda":"_","expr":{"collections":null}}}}}}');
  return {
    client,
    root,
    admin: as(client, await secretOf(client, inDatabase('a', 'admin'))),
    server: as(client, await secretOf(client, inDatabase('a', 'server'))),
    beside: numberOf(globalId),
  };
}

const LETTERS = 'ybndrfg8ejkmcpqxot1uwisza345h769';
const numberOf = (globalId: string): string =>
  String(BigInt.asIntN(64, [...globalId].reduce((number, letter) => number * 32n + BigInt(LETTERS.indexOf(letter)), 0n) >> 1n));

const database = (id: string): string => `{"@ref":{"id":${id},"collection":{"@ref":{"id":"databases"}}}}`;
const REFUSED = '"code":"invalid expression"';
const DENIED = '"code":"permission denied"';
const TAKEN = '"code":"instance already exists"';
const KEY = (id: string): string => `{"@ref":{"id":"${id}","collection":{"@ref":{"id":"keys"}}}}`;
const CREATE_FUNCTION = (name: string, role: string, expr: string): string =>
  `{"create_function":{"object":{"name":"${name}",${role === '' ? '' : `"role":"${role}",`}"body":{"query":{"lambda":"x","expr":${expr}}}}}}`;

describe('a child database', () => {
  it.each(['admin', 'server'] as const)('keeps its %s from naming databases above and beside it by their numbers', async (who) => {
    const { beside, ...users } = await world();
    for (const id of ['0', beside]) {
      const elsewhere = database(id);
      for (const json of [
        `{"paginate":{"collections":${elsewhere}}}`,
        `{"paginate":{"keys":${elsewhere}}}`,
        `{"exists":{"@ref":{"id":"treasure","collection":{"@ref":{"id":"collections","database":${elsewhere}}}}}}`,
        `{"get":{"@ref":{"id":"treasure","collection":{"@ref":{"id":"collections"}},"database":${elsewhere}}}}`,
        `{"call":{"function":"open","scope":${elsewhere}},"arguments":[]}`,
        `{"paginate":{"events":{"documents":{"collection":"treasure","scope":${elsewhere}}}}}`,
      ]) {
        expect(await users[who](json)).toContain(REFUSED);
      }
    }
  });

  it('lets its parent reach it by name', async () => {
    const { root } = await world();
    expect(await root('{"paginate":{"collections":{"database":"b"}}}')).toContain('"id":"treasure"');
  });

  it('cannot be opened by a database made under its number', async () => {
    const { admin, beside } = await world();
    expect(await admin(`{"create":${database(beside)},"params":{"object":{"name":"trap"}}}`)).toContain(REFUSED);
  });

  it("runs its functions within itself: its code sees nothing of the caller's database", async () => {
    const { client, root, admin } = await world();
    await admin('{"create_collection":{"object":{"name":"treasure"}}}');
    await admin('{"create":{"ref":{"collection":"treasure"},"id":"1"},"params":{"object":{"data":{"object":{"gold":0}}}}}');
    await admin(CREATE_FUNCTION('own', '', '{"select":["data","gold"],"from":{"get":{"ref":{"collection":"treasure"},"id":"1"}}}'));
    await admin(CREATE_FUNCTION('theirs', 'admin', '{"get":{"var":"x"}}'));
    await admin(CREATE_FUNCTION('make', '', '{"create_collection":{"object":{"name":"made"}}}'));
    const call = (name: string, argument: string): string => `{"call":{"function":"${name}","scope":{"database":"a"}},"arguments":${argument}}`;
    expect(await root(call('own', 'null'))).toBe('{"resource":0}');
    expect(await root(call('theirs', '{"ref":{"collection":"treasure"},"id":"1"}'))).toContain(DENIED);
    await root(call('make', 'null'));
    expect(await root('{"exists":{"collection":"made"}}')).toBe('{"resource":false}');
    expect(await admin('{"exists":{"collection":"made"}}')).toBe('{"resource":true}');
    const twice = await root(`[${call('make', 'null')},${call('make', 'null')}]`);
    expect(twice).toContain(TAKEN);
    const reader = as(client, await secretOf(client, '{"role":"server-readonly"}'));
    expect(await reader(call('own', 'null'))).toContain(DENIED);
  });
});

describe('a chosen id', () => {
  it('may be that of a key in another database: each secret opens its own', async () => {
    const { client, admin } = await world();
    const victim = await client.query('{"create_key":{"object":{"role":"server"}}}');
    const [, id = ''] = /"@ref":\{"id":"(\d+)"/.exec(victim.text) ?? [];
    const secretIn = (text: string): string => /"secret":"([^"]+)"/.exec(text)?.[1] ?? '';
    const mine = secretIn(await admin(`{"create":${KEY(id)},"params":{"object":{"role":"server"}}}`));
    const open = '{"exists":{"collection":"treasure"}}';
    expect(await as(client, secretIn(victim.text))(open)).toBe('{"resource":true}');
    expect(await as(client, mine)(open)).toBe('{"resource":false}');
    expect(await admin(`{"select":["ref","id"],"from":{"key_from_secret":"${mine}"}}`)).toBe(`{"resource":"${id}"}`);
    expect(await admin(`{"key_from_secret":"${secretIn(victim.text)}"}`)).toContain('No key found');
    expect(await admin(`{"create":${KEY(id)},"params":{"object":{"role":"client"}}}`)).toContain(TAKEN);
    await admin(`{"delete":${KEY(id)}}`);
    expect(await as(client, secretIn(victim.text))(open)).toBe('{"resource":true}');
    expect(await as(client, mine)(open)).toContain('unauthorized');
  });

  it('cannot be that of a database', async () => {
    const { admin, beside } = await world();
    expect(await admin(`{"create":${KEY(beside)},"params":{"object":{"role":"client"}}}`)).toContain(TAKEN);
  });

  it('may be used again for a key of the same database once it is deleted', async () => {
    const { admin } = await world();
    expect(await admin(`{"create":${KEY('12')},"params":{"object":{"role":"client"}}}`)).toContain('"role":"client"');
    await admin(`{"delete":${KEY('12')}}`);
    expect(await admin(`{"create":${KEY('12')},"params":{"object":{"role":"client"}}}`)).toContain('"role":"client"');
  });
});

describe('a key that only reads', () => {
  const GOLD = '{"ref":{"collection":"treasure"},"id":"1"}';
  it.each([
    [`{"select":["data","gold"],"from":{"get":${GOLD}}}`, '{"resource":7}'],
    [`{"paginate":{"events":${GOLD}}}`, '"action":"create"'],
    ['{"create":{"ref":{"collection":"treasure"},"id":"2"},"params":{"object":{}}}', DENIED],
    [`{"insert":${GOLD},"ts":1,"action":"create","params":{"object":{}}}`, DENIED],
    [`{"remove":${GOLD},"ts":1,"action":"create"}`, DENIED],
    ['{"call":"free","arguments":null}', DENIED],
    ['{"get":{"database":"a"}}', DENIED],
  ])('%s', async (json, wanted) => {
    const { client, root } = await world();
    await root(CREATE_FUNCTION('free', '', '1'));
    expect(await as(client, await secretOf(client, '{"role":"server-readonly"}'))(json)).toContain(wanted);
  });
});

describe('a server key', () => {
  it('may give functions any role, and say what they do: whoever writes functions is trusted', async () => {
    const { server, admin } = await world();
    await admin('{"create_role":{"object":{"name":"clerk","privileges":{"object":{"resource":{"keys":null},"actions":{"object":{"create":true}}}}}}}');
    for (const role of ['admin', 'clerk', 'server', 'client']) expect(await server(CREATE_FUNCTION(`by-${role}`, role, '1'))).toContain(`"role":"${role}"`);
    const body = '{"query":{"lambda":"x","expr":{"select":"role","from":{"create_key":{"object":{"role":"client"}}}}}}';
    expect(await server(`{"update":{"function":"by-clerk"},"params":{"object":{"body":${body}}}}`)).toContain('"name":"by-clerk"');
    expect(await server('{"call":"by-clerk","arguments":null}')).toBe('{"resource":"client"}');
    expect(await server('{"create_key":{"object":{"role":"client"}}}')).toContain(DENIED);
  });

  it('of a user role may give functions no role but its own', async () => {
    const { client, admin } = await world();
    await admin('{"create_role":{"object":{"name":"maker","privileges":{"object":{"resource":{"functions":null},"actions":{"object":{"create":true,"call":true}}}}}}}');
    await admin('{"create_role":{"object":{"name":"clerk","privileges":{"object":{"resource":{"keys":null},"actions":{"object":{"create":true}}}}}}}');
    const secret = /"secret":"([^"]+)"/.exec(await admin('{"create_key":{"object":{"role":{"role":"maker"}}}}'))?.[1] ?? '';
    const maker = as(client, secret);
    for (const role of ['admin', 'server', 'clerk']) expect(await maker(CREATE_FUNCTION(`by-${role}`, role, '1'))).toContain(DENIED);
    expect(await maker(CREATE_FUNCTION('by-maker', 'maker', '1'))).toContain('"name":"by-maker"');
  });

  it('sees no keys through an index of its own', async () => {
    const { server, admin } = await world();
    await admin('{"create_key":{"object":{"role":"client"}}}');
    const values = ['hashed_secret', 'role', 'ref'].map((field) => `{"object":{"field":["${field}"]}}`).join();
    await server(`{"create_index":{"object":{"name":"all-keys","source":{"keys":null},"values":[${values}]}}}`);
    expect(await server('{"paginate":{"match":{"index":"all-keys"}}}')).toBe('{"resource":{"data":[]}}');
    expect(await admin('{"paginate":{"match":{"index":"all-keys"}}}')).toContain('"client"');
  });
});

/** Two users, of whom the first has a password. */
async function users(): Promise<World> {
  const made = await world();
  await made.admin('{"create_collection":{"object":{"name":"users"}}}');
  for (const [id, extra] of [['1', ',"credentials":{"object":{"password":"one"}}'], ['2', '']]) {
    await made.admin(`{"create":{"ref":{"collection":"users"},"id":"${id}"},"params":{"object":{"data":{"object":{}}${extra}}}}`);
  }
  return made;
}

const USER = (id: string): string => `{"ref":{"collection":"users"},"id":"${id}"}`;
const IDENTIFY = (id: string, password: string): string => `{"identify":${USER(id)},"password":"${password}"}`;

describe('credentials', () => {
  it('sent with a document are always its own', async () => {
    const { server } = await users();
    await server(`{"update":${USER('1')},"params":{"object":{"credentials":{"object":{"instance":${USER('2')},"password":"mine"}}}}}`);
    expect(await server(IDENTIFY('2', 'mine'))).toBe('{"resource":false}');
    expect(await server(IDENTIFY('1', 'mine'))).toBe('{"resource":true}');
  });

  it('never show the hash of the password, nor does an index over them', async () => {
    const { admin, server } = await users();
    const values = ['instance', 'hashed_password'].map((field) => `{"object":{"field":["${field}"]}}`).join();
    await admin(`{"create_index":{"object":{"name":"hashes","source":{"credentials":null},"values":[${values}]}}}`);
    const id = /"id":"(\d+)"/.exec(await server('{"paginate":{"credentials":null}}'))?.[1] ?? '';
    const shown = await server(`{"get":{"@ref":{"id":"${id}","collection":{"@ref":{"id":"credentials"}}}}}`);
    expect(Object.keys((JSON.parse(shown) as { resource: object }).resource)).toEqual(['ref', 'ts', 'instance']);
    const entries = await admin('{"paginate":{"match":{"index":"hashes"}}}');
    expect((JSON.parse(entries) as { resource: { data: unknown[][] } }).resource.data.map(([, hash]) => hash)).toEqual([null]);
  });

  it('are found without looking through those of others', async () => {
    const { client, root } = await world();
    await root('{"create_collection":{"object":{"name":"users"}}}');
    const add = (id: number): Promise<string> =>
      root(`{"create":${USER(String(id))},"params":{"object":{"credentials":{"object":{"password":"p${id}"}}}}}`);
    const reads = async (): Promise<string | undefined> => (await client.query(IDENTIFY('1', 'p1'))).headers['x-storage-bytes-read'];
    await add(1);
    const alone = await reads();
    for (let id = 2; id <= 12; id++) await add(id);
    expect(Number(alone)).toBeGreaterThan(0);
    expect(await reads()).toBe(alone);
  });

  it('end with all tokens of their document, and with no others', async () => {
    const { client, admin, server } = await users();
    await server(`{"update":${USER('2')},"params":{"object":{"credentials":{"object":{"password":"two"}}}}}`);
    const login = async (id: string, password: string): Promise<As> =>
      as(client, /"secret":"([^"]+)"/.exec(await admin(`{"login":${USER(id)},"params":{"object":{"password":"${password}"}}}`))?.[1] ?? '');
    const [first, second, other] = [await login('1', 'one'), await login('1', 'one'), await login('2', 'two')];
    expect(await first('{"logout":true}')).toBe('{"resource":true}');
    expect(await second('{"has_identity":null}')).toContain('"code":"unauthorized"');
    expect(await other('{"logout":false}')).toBe('{"resource":true}');
    expect(await other('{"has_identity":null}')).toContain('"code":"unauthorized"');
  });
});

describe('the root secret', () => {
  it('is remembered by its hash alone once it was checked', async () => {
    const platform = testPlatform();
    const secret = new RootSecret(platform, () => ({ durability: 'strict', rootSecret: '1:c2FsdA==:aGFzaA==' }));
    expect(await secret.is(presented('open sesame', platform))).toBe(false);
    expect([...secret['checked'].keys()]).toEqual(['1:c2FsdA==:aGFzaA==/Qe9LsLI2YeZjAarDYGaRLawDeCe0rmOnsRZaWqk-1Os']);
  });
});

describe('a container', () => {
  it('holds databases and keys, and no data', async () => {
    const { client, root } = await world();
    await root('{"create_database":{"object":{"name":"box","container":true}}}');
    const admin = as(client, await secretOf(client, inDatabase('box', 'admin')));
    for (const json of [
      '{"create_collection":{"object":{"name":"things"}}}',
      '{"create_index":{"object":{"name":"all","source":"_"}}}',
      CREATE_FUNCTION('f', '', '1'),
      '{"create":{"tokens":null},"params":{"object":{"instance":{"keys":null}}}}',
    ]) {
      expect(await admin(json)).toMatch(/"position":\["create\w*"\],"code":"invalid object in container","description":"Object is not allowed in a container"/);
    }
    expect(await admin('{"create_database":{"object":{"name":"inner"}}}')).toContain('"name":"inner"');
    expect(await admin('{"create_key":{"object":{"role":"admin"}}}')).toContain('"secret"');
  });

  it('is not made of a database with data', async () => {
    const { root } = await world();
    const become = (name: string): Promise<string> => root(`{"update":{"database":"${name}"},"params":{"object":{"container":true}}}`);
    expect(await become('b')).toContain('"failures":[{"field":["container"],"code":"container candidate contains data"');
    expect(await become('a')).toContain('"container":true');
  });
});

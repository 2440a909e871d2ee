// Web tokens of issuers that a database trusts (reference: data/auth.md §9; the original's queries/JWTAuthSpec).
import { beforeAll, describe, expect, it } from 'vitest';
import { testClient, type TestClient } from '../../testing/client.ts';
import { type Algorithm, type SigningKey, signingKey, webToken } from '../../testing/issuer.ts';
import { testPlatform } from '../../testing/platform.ts';

const ISSUER = 'https://issuer.example/';
const KEYS = 'https://issuer.example/.well-known/jwks.json';
const ROOT = 'https://db.fauna.com/db/yyyyyyyyyyyyy';
/** 2030-01-01, seconds. */
const NOW = 1_893_456_000;

let key: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  [key, other] = await Promise.all([signingKey('first'), signingKey('second')]);
});

/** What stands at addresses; `null` where there is no network. */
type Network = Map<string, unknown> | null;

class World {
  network: Network = new Map();
  /** As a browser keeps them. */
  readonly kept = new Map<string, unknown>();
  fetches = 0;
  private constructor(
    readonly client: TestClient,
    readonly platform: ReturnType<typeof testPlatform>,
  ) {}

  static async open(): Promise<World> {
    let world: World | null = null;
    const platform = testPlatform();
    platform.setNow(NOW * 1_000_000);
    platform.fetchJson = async (address, kept) => {
      if (world === null) throw new Error('not open');
      if (kept) return world.kept.get(address) ?? null;
      world.fetches++;
      const json = world.network?.get(address);
      if (json === undefined) throw new TypeError('Failed to fetch');
      world.kept.set(address, json);
      return json;
    };
    world = new World(await testClient(undefined, platform), platform);
    world.publish(key);
    for (const query of PREPARATION) await world.root(query);
    return world;
  }

  publish(...keys: readonly SigningKey[]): void {
    this.network?.set(KEYS, { keys: keys.map(({ published }) => published) });
  }

  async root(query: string): Promise<string> {
    const { status, text } = await this.client.query(query);
    if (status >= 300) throw new Error(text);
    return text;
  }

  async as(token: string, query = CREATE): Promise<number> {
    return (await this.answer(token, query)).status;
  }

  async answer(token: string, query: string): Promise<{ status: number; resource: unknown; code: unknown }> {
    const { status, text } = await this.client.send('POST', '/', query, { authorization: `Bearer ${token}`, 'x-faunadb-api-version': '4' });
    const { resource, errors } = JSON.parse(text) as { resource?: unknown; errors?: { code: string }[] };
    return { status, resource, code: errors?.[0]?.code };
  }

  /** With a claim `undefined` the token does not have it. */
  token(claims: object = {}, by = key, algorithm?: Algorithm, header?: object): Promise<string> {
    return webToken(by, { iss: ISSUER, aud: ROOT, sub: 'user|7', iat: NOW, exp: NOW + 60, scope: 'read:posts', ...claims }, algorithm, header);
  }

  provider(roles: string, issuer = ISSUER): Promise<string> {
    return this.root(`{"create_access_provider":{"object":{"name":"p${++providers}","issuer":"${issuer}","jwks_uri":"${KEYS}","roles":${roles}}}}`);
  }
}
let providers = 0;

const PREPARATION = [
  '{"create_collection":{"object":{"name":"posts"}}}',
  '{"create_collection":{"object":{"name":"secrets"}}}',
  '{"create_role":{"object":{"name":"writer","privileges":[{"object":{"resource":{"collection":"posts"},"actions":{"object":{"create":true,"read":true}}}}]}}}',
];
const CREATE = '{"create":{"collection":"posts"},"params":{"object":{"data":{"object":{}}}}}';
const FORBIDDEN = '{"create":{"collection":"secrets"},"params":{"object":{"data":{"object":{}}}}}';
const WRITER = '{"role":"writer"}';
const under = (body: string, params = '"token"'): string => `{"object":{"role":${WRITER},"predicate":{"query":{"lambda":${params},"expr":${body}}}}}`;
const claim = (name: string): string => `{"select":"${name}","from":{"var":"token"}}`;

describe('a token of an issuer that the database trusts', () => {
  it.each([
    ['a role by its ref', WRITER],
    ['one of several roles', `[${WRITER}]`],
    ['a role under a predicate that holds', `[${under('true')}]`],
    ['a predicate about what the token says', under(`{"and":[{"containsstr":${claim('scope')},"search":"read:"},{"equals":[${claim('aud')},"${ROOT}"]}]}`)],
    ['a predicate that asks who it is', under('{"equals":[{"current_identity":null},"user|7"]}')],
    ['a predicate that reads', under('{"equals":[{"count":{"documents":{"collection":"secrets"}}},0]}')],
  ])('has the rights of %s', async (_, roles) => {
    const world = await World.open();
    await world.provider(roles);
    const token = await world.token();
    expect(await world.as(token)).toBe(201);
    expect(await world.answer(token, FORBIDDEN)).toMatchObject({ status: 403, code: 'permission denied' });
  });

  it.each([
    ['no roles', '[]'],
    ['a predicate that does not hold', under('false')],
    ['a predicate that answers something else', under('1')],
    ['a predicate that fails', under('{"divide":[1,0]}')],
    ['a predicate that looks for what is not there', under(claim('missing'))],
    ['a predicate that would write', under('{"do":[{"call":{"function":"write"}},true]}')],
  ])('opens nothing where its provider has %s', async (_, roles) => {
    const world = await World.open();
    await world.root(`{"create_function":{"object":{"name":"write","body":{"query":{"lambda":"_","expr":${CREATE}}}}}}`);
    await world.provider(roles);
    expect(await world.answer(await world.token(), '1')).toEqual({ status: 401, resource: undefined, code: 'unauthorized' });
    expect(await world.root('{"count":{"documents":{"collection":"posts"}}}')).toBe('{"resource":0}');
  });

  it('says who it is', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const token = await world.token({ nested: { list: [1, 2.5, null] } });
    for (const form of ['identity', 'current_identity']) expect((await world.answer(token, `{"${form}":null}`)).resource).toBe('user|7');
    for (const form of ['has_identity', 'has_current_identity', 'has_current_token']) expect((await world.answer(token, `{"${form}":null}`)).resource).toBe(true);
    expect((await world.answer(token, '{"current_token":null}')).resource).toMatchObject({ iss: ISSUER, sub: 'user|7', exp: NOW + 60, nested: { list: [1, 2.5, null] } });
    expect((await world.answer(token, '{"logout":true}')).resource).toBe(false);
    const nobody = await world.token({ sub: undefined });
    expect(await world.answer(nobody, '{"current_identity":null}')).toMatchObject({ status: 400, code: 'missing identity' });
    expect((await world.answer(nobody, '{"has_current_identity":null}')).resource).toBe(false);
    expect((await world.answer(nobody, '{"has_current_token":null}')).resource).toBe(true);
  });

  it('may say nothing of times, and tell several audiences', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    expect(await world.as(await world.token({ exp: undefined, iat: undefined }))).toBe(201);
    expect(await world.as(await world.token({ aud: ['https://other.example', ROOT] }))).toBe(201);
    expect(await world.as(await world.token({ nbf: NOW - 1 }))).toBe(201);
    expect(await world.as(await world.token({ exp: NOW + 60.5 }))).toBe(201);
  });

  it.each([
    ['it has expired', { exp: NOW }],
    ['it counts from later on', { nbf: NOW + 60 }],
    ['its time is none', { exp: 'tomorrow' }],
    ['it tells no issuer', { iss: undefined }],
    ['its issuer is another one', { iss: 'https://other.example/' }],
    ['its issuer is the database', { iss: ROOT }],
    ['it tells no audience', { aud: undefined }],
    ['it is for something else', { aud: 'https://other.example' }],
    ['it is for a database that is not there', { aud: 'https://db.fauna.com/db/yyyyyyyyyyyyn' }],
    ['it is for no database', { aud: 'https://db.fauna.com/db/yyyyyyyyyyyy' }],
    ['it is for two databases', { aud: [ROOT, 'https://db.fauna.com/db/yyyyyyyyyyyyn'] }],
  ])('opens nothing where %s', async (_, claims) => {
    const world = await World.open();
    await world.provider(WRITER);
    await world.provider(WRITER, ROOT);
    expect(await world.as(await world.token(claims))).toBe(401);
  });

  it('is good for its own database alone', async () => {
    const world = await World.open();
    const id = /"global_id":"([^"]+)"/.exec(await world.root('{"create_database":{"object":{"name":"child"}}}'))?.[1] ?? '';
    const secret = /"secret":"([^"]+)"/.exec(await world.root('{"create_key":{"object":{"role":"admin","database":{"database":"child"}}}}'))?.[1] ?? '';
    const aud = `https://db.fauna.com/db/${id}`;
    await world.provider(WRITER);
    expect(await world.as(await world.token({ aud }))).toBe(401);
    for (const query of PREPARATION) expect(await world.as(secret, query)).toBe(201);
    expect(await world.as(secret, `{"create_access_provider":{"object":{"name":"p","issuer":"https://child.example/","jwks_uri":"${KEYS}","roles":${WRITER}}}}`)).toBe(201);
    const token = await world.token({ aud, iss: 'https://child.example/' });
    expect(await world.as(token)).toBe(201);
    expect((await world.client.send('GET', '/authorized', undefined, { authorization: `Bearer ${token}` })).text).toContain(`"global_id":"${id}"`);
    expect(await world.as(await world.token({ iss: 'https://child.example/' }))).toBe(401);
    expect(await world.root('{"count":{"documents":{"collection":"posts"}}}')).toBe('{"resource":0}');
    expect(JSON.parse(await world.root(`{"key_from_secret":"${token}"}`))).toMatchObject({ resource: { database: { '@ref': { id: 'child' } } } });
    await world.root('{"update":{"database":"child"},"params":{"object":{"disabled":true}}}').catch(() => undefined);
    await world.root('{"delete":{"database":"child"}}');
    expect(await world.as(token)).toBe(401);
  });

  it('opens nothing once its provider or its role is gone', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const token = await world.token();
    expect(await world.as(token)).toBe(201);
    await world.root(`{"delete":{"role":"writer"}}`);
    expect(await world.as(token)).toBe(401);
    await world.root(PREPARATION[2] ?? '');
    await world.provider(WRITER, 'https://second.example/');
    const second = await world.token({ iss: 'https://second.example/' });
    expect(await world.as(second)).toBe(201);
    await world.root(`{"delete":{"access_provider":"p${providers}"}}`);
    expect(await world.as(second)).toBe(401);
  });

  it('is a bearer of its own, and no key', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const token = await world.token();
    const basic = await world.client.send('POST', '/', '1', { authorization: `Basic ${btoa(`${token}:`)}` });
    expect(basic.status).toBe(401);
    expect(await world.answer('secret', `{"key_from_secret":"${token}"}`)).toMatchObject({ status: 400, code: 'instance not found' });
    expect(await world.answer('secret', '{"key_from_secret":"ey.a"}')).toMatchObject({ status: 400, code: 'instance not found' });
    expect((await world.client.send('POST', '/import', 'type Post { title: String }')).status).toBe(200);
    const gateway = async (bearer: string) => (await world.client.send('POST', '/graphql', '{"query":"{ __typename }"}', { authorization: `Bearer ${bearer}` })).text;
    expect(JSON.parse(await gateway(token))).toEqual({ data: { __typename: 'Query' } });
    expect(await gateway(`${token}x`)).toContain('Invalid database secret.');
  });
});

describe('a signature', () => {
  it.each<Algorithm>(['RS256', 'RS384', 'RS512', 'ES256', 'ES384'])('counts with %s', async (algorithm) => {
    const world = await World.open();
    const own = await signingKey('own', algorithm);
    world.publish(other, own);
    await world.provider(WRITER);
    expect(await world.as(await world.token({}, own, algorithm))).toBe(201);
  });

  it('does not count where it is another one', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const token = await world.token();
    const [header, , signature] = token.split('.');
    const [, payload] = (await world.token({ sub: 'root' })).split('.');
    const wrong = [
      await world.token({}, { ...other, id: 'first' }),
      await world.token({}, key, 'RS384', { alg: 'RS256' }),
      await world.token({}, key, 'RS256', { alg: 'RS384' }),
      await world.token({}, key, 'RS256', { alg: 'HS256' }),
      await world.token({}, key, 'RS256', { alg: 'none' }),
      await world.token({}, key, 'RS256', { alg: 'toString' }),
      await world.token({}, key, 'RS256', { alg: 7 }),
      await world.token({}, key, 'RS256', { alg: 'ES256' }),
      `${header}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${token}.${signature}`,
      `${token}x`,
      'a.b.c',
      'ey.',
      'ey..',
      'eyJ9.eyJ9.eyJ9',
      'e30.e30.e30',
    ];
    for (const one of wrong) expect([one, await world.as(one, '1')]).toEqual([one, 401]);
    expect(await world.as(token)).toBe(201);
  });

  it('is looked at by the key that the token names', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const nameless = await signingKey(null);
    world.publish(key, nameless);
    expect(await world.as(await world.token({}, nameless))).toBe(201);
    expect(await world.as(await world.token({}, key))).toBe(201);
    // Of a single one the name need not be told.
    const alone = await World.open();
    await alone.provider(WRITER);
    expect(await alone.as(await alone.token({}, { ...key, id: null }))).toBe(201);
    alone.publish(key, other);
    alone.platform.setNow((NOW + 1) * 1_000_000);
    expect(await alone.as(await alone.token({}, { ...key, id: 'third' }))).toBe(401);
  });

  it.each([
    ['no network', null],
    ['nothing there', new Map<string, unknown>()],
    ['no key set', new Map<string, unknown>([[KEYS, []]])],
    ['no keys in it', new Map<string, unknown>([[KEYS, { keys: 'none' }]])],
    ['keys that are none', new Map<string, unknown>([[KEYS, { keys: [null, 1, { kid: 'first' }, { kid: 'first', kty: 'RSA', n: '', e: 1 }] }]])],
  ])('does not count where there is %s', async (_, network) => {
    const world = await World.open();
    await world.provider(WRITER);
    world.network = network;
    expect(await world.as(await world.token())).toBe(401);
  });
});

describe('keys', () => {
  it('are fetched once, and again for one that is new', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const token = await world.token();
    expect(await Promise.all([world.as(token), world.as(token), world.as(token)])).toEqual([201, 201, 201]);
    expect(await world.as(token)).toBe(201);
    expect(world.fetches).toBe(1);
    world.publish(other);
    world.platform.setNow((NOW + 1) * 1_000_000);
    expect(await world.as(await world.token({}, other))).toBe(201);
    expect(world.fetches).toBe(2);
    expect(await world.as(token)).toBe(401);
  });

  it('are kept for when there is no network', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    world.kept.set(KEYS, { keys: [key.published] });
    world.network = null;
    expect(await world.as(await world.token())).toBe(201);
    expect(await world.as(await world.token({}, other))).toBe(401);
  });
});

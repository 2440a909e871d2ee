// Web tokens of issuers that a database trusts (reference: data/auth.md §9; the original's queries/JWTAuthSpec).
import { describe, expect, it } from 'vitest';
import { hashRootSecret } from '../../host/root-secret.ts';
import { testClient } from '../../testing/client.ts';
import { type Algorithm, signingKey } from '../../testing/issuer.ts';
import { testPlatform } from '../../testing/platform.ts';
import { CREATE, ISSUER, key, KEYS, NOW, other, PREPARATION, ROOT, under, World, WRITER } from '../../testing/token-world.ts';

const FORBIDDEN = '{"create":{"collection":"secrets"},"params":{"object":{"data":{"object":{}}}}}';
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
    await world.provider(WRITER, 'https://second.example/', 'second');
    const second = await world.token({ iss: 'https://second.example/' });
    expect(await world.as(second)).toBe(201);
    await world.root('{"delete":{"access_provider":"second"}}');
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
      await world.token({}, key, 'RS256', { crit: ['b64'] }),
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
    alone.pass(1);
    expect(await alone.as(await alone.token({}, { ...key, id: 'third' }))).toBe(401);
  });

  it.each([
    ['no network', null],
    ['nothing there', new Map<string, unknown[]>()],
    ['an empty key set', new Map<string, unknown[]>([[KEYS, []]])],
    ['none but keys that are none', new Map<string, unknown[]>([[KEYS, [null, 1, { kid: 'first' }, { kid: 'first', kty: 'RSA', n: '', e: 1 }]]])],
  ])('does not count where there is %s', async (_, network) => {
    const world = await World.open();
    await world.provider(WRITER);
    world.network = network;
    expect(await world.as(await world.token())).toBe(401);
  });
});

describe('a secret that only looks like a token', () => {
  it('opens what it did before there were any', async () => {
    const client = await testClient(undefined, undefined, { settings: { rootSecret: await hashRootSecret('eye.of.newt', testPlatform()) } });
    for (const authorization of ['Bearer eye.of.newt', `Basic ${btoa('eye.of.newt:')}`, `Basic ${btoa('eye.of.newt:server:')}`]) {
      expect((await client.send('POST', '/', '{"add":[1,2]}', { authorization })).text).toBe('{"resource":3}');
    }
    expect((await client.send('POST', '/', '{"add":[1,2]}', { authorization: 'Bearer eye.of.toad' })).status).toBe(401);
  });
});

it('a token that would take long to read is refused at once', async () => {
  const world = await World.open();
  await world.provider(WRITER);
  const long = await world.token({ aud: `https://db.fauna.com/db/${'9'.repeat(2_000_000)}` });
  const began = process.cpuUsage().user;
  expect(await world.as(long)).toBe(401);
  // It was minutes.
  expect(process.cpuUsage().user - began).toBeLessThan(5_000_000);
});

it('asks for its database by a path of its own while upkeep takes blocks away', async () => {
  const world = await World.open();
  await world.provider(under('{"equals":[{"count":{"documents":{"collection":"secrets"}}},0]}'));
  const arrive = world.hold();
  const asked = world.client.send('GET', '/authorized', undefined, { authorization: `Bearer ${await world.token()}` });
  await world.root(CREATE);
  await world.client.engine.upkeep();
  await arrive();
  expect(await asked).toMatchObject({ status: 200, text: '{"resource":{"account":"0","global_id":"yyyyyyyyyyyyy"}}'.slice(12, -1) });
});

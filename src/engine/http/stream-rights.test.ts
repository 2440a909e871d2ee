// Whom a stream tells what, and that it ends when its secret does.
import { describe, expect, it } from 'vitest';
import type { TestClient } from '../../testing/client.ts';
import { signingKey, webToken } from '../../testing/issuer.ts';
import { BY_LEVEL, create, insert, ref, update, spells } from '../../testing/spells.ts';

describe('rights', () => {
  /** A key with a role of these privileges. */
  async function keyWith(client: TestClient, privileges: string): Promise<{ secret: string; ref: string }> {
    const role = await client.query(`{"create_role":{"object":{"name":"listener","privileges":[${privileges}]}}}`);
    expect(role.status, role.text).toBe(201);
    const { text } = await client.query('{"create_key":{"object":{"role":{"role":"listener"}}}}');
    const { resource } = JSON.parse(text) as { resource: { secret: string; ref: { '@ref': { id: string } } } };
    return { secret: resource.secret, ref: `{"ref":{"keys":null},"id":"${resource.ref['@ref'].id}"}` };
  }
  const privilege = (resource: string, actions: string): string => `{"object":{"resource":${resource},"actions":{"object":${actions}}}}`;
  const READ_FOO = `{"read":{"query":{"lambda":"ref","expr":{"equals":["foo",{"select":["data","name"],"from":{"get":{"var":"ref"}},"default":null}]}}}}`;
  const SPELLS = '{"collection":"spells"}';

  it('are those of the moment of each version', async () => {
    const { client, run, open } = await spells();
    await run(create(1, '"name":"bar"'));
    const { secret } = await keyWith(client, privilege(SPELLS, READ_FOO));
    const stream = await open(ref(1), { secret });
    await stream.next();
    const seen: number[] = [];
    for (const name of ['bar', 'foo', 'bar', 'foo']) {
      const ts = await run(update(1, `"name":"${name}"`));
      if (name === 'foo') seen.push(ts);
    }
    expect((await stream.take(2)).map(({ txn }) => txn)).toEqual(seen);
    await stream.close();
  });

  it('to the history are needed for what is rewritten', async () => {
    const { client, run, open } = await spells();
    const created = await run(create(1, '"level":1'));
    const { secret } = await keyWith(client, privilege(SPELLS, '{"read":true}'));
    const stream = await open(ref(1), { secret });
    await stream.next();
    await run(insert(1, created - 1000, 'create', '"level":0'));
    const ts = await run(update(1, '"level":2'));
    expect((await stream.next()).txn).toBe(ts);
    await stream.close();
  });

  it.each([
    ['unrestricted_read of the index', [privilege('{"index":"by_level"}', '{"unrestricted_read":true}')], 2],
    ['read of the index and its documents', [privilege('{"index":"by_level"}', '{"read":true}'), privilege(SPELLS, READ_FOO)], 1],
    ['read of the documents alone', [privilege(SPELLS, '{"read":true}')], 0],
  ])('to a set: %s', async (_, privileges, expected) => {
    const { client, run, open } = await spells();
    const { secret } = await keyWith(client, privileges.join());
    const [stream, all] = [await open(BY_LEVEL, { secret }), await open(BY_LEVEL)];
    await Promise.all([stream.next(), all.next()]);
    await run(create(1, '"level":1,"name":"foo"'));
    await run(create(2, '"level":1,"name":"bar"'));
    await all.take(2);
    const messages = await stream.take(expected);
    expect(messages.map(({ type }) => type)).toEqual(Array(expected).fill('set'));
    const more = stream.line();
    await stream.close();
    expect(await more).toBeNull();
    await all.close();
  });

  it('that are lost end the stream before the next event', async () => {
    const { client, run, open } = await spells();
    const key = await keyWith(client, privilege(SPELLS, '{"read":true}'));
    const stream = await open(ref(1), { secret: key.secret });
    await stream.next();
    await run(create(1, '"level":1'));
    await run(`{"delete":${key.ref}}`);
    const ts = await run(update(1, '"level":2'));
    expect((await stream.next()).type).toBe('version');
    expect(await stream.next()).toEqual({
      type: 'error',
      txn: ts,
      event: { code: 'permission denied', description: 'Authorization lost during stream evaluation.' },
    });
    expect(await stream.line()).toBeNull();
    expect((await client.engine.status()).streams).toBe(0);
  });

  // A stream has the rights that it began with, or none.
  const READS = `"privileges":{"object":{"resource":${SPELLS},"actions":{"object":{"read":true}}}}`;
  const WRITES = `"privileges":{"object":{"resource":${SPELLS},"actions":{"object":{"read":true,"write":true}}}}`;
  const U = '{"ref":{"collection":"users"},"id":"1"}';
  const role = (name: string, fields: string): string => `{"create_role":{"object":{"name":"${name}",${fields}}}}`;
  const change = (ref: string, fields: string): string => `{"update":${ref},"params":{"object":{${fields}}}}`;
  const STAYS = '{"query":{"lambda":"user","expr":{"not":{"select":["data","left"],"from":{"get":{"var":"user"}},"default":false}}}}';
  const MEMBERS = `"membership":{"object":{"resource":{"collection":"users"},"predicate":${STAYS}}}`;
  const KEY = '{"create_key":{"object":{"role":"server"}}}';
  const ROLED = '{"create_key":{"object":{"role":[{"role":"listener"},{"role":"other"}]}}}';
  const LOGIN = `{"login":${U},"params":{"object":{"password":"owl"}}}`;
  const TOMORROW = '"ttl":{"time_add":{"now":null},"offset":1,"unit":"day"}';
  const HELD = '{"key_from_secret":"SECRET"}';
  const held = (fields: string): string => change(`{"select":"ref","from":${HELD}}`, fields);
  it.each([
    ['a key that becomes another', KEY, '', held('"role":"server-readonly"'), 'end'],
    ['a key that is to expire', KEY, '', held(TOMORROW), 'end'],
    ['a key that is noted upon', KEY, '', held('"data":{"object":{"of":"the owl"}}'), 'stay'],
    ['a token that is to expire', LOGIN, '', held(TOMORROW), 'end'],
    ['a token that is noted upon', LOGIN, '', held('"data":{"object":{"of":"the owl"}}'), 'stay'],
    ['a key whose role grants more', ROLED, '', change('{"role":"listener"}', WRITES), 'end'],
    ['a key whose role is called something else', ROLED, '', change('{"role":"listener"}', '"name":"reader"'), 'end'],
    ['a key whose role is noted upon', ROLED, '', change('{"role":"listener"}', '"data":{"object":{"of":"the owl"}}'), 'stay'],
    ['a key one of whose roles is gone', ROLED, '', '{"delete":{"role":"other"}}', 'end'],
    ['a member whose role grants more', LOGIN, '', change('{"role":"listener"}', WRITES), 'end'],
    ['a member whose role has no members any more', LOGIN, '', change('{"role":"listener"}', '"membership":null'), 'end'],
    ['a member who gets another role', LOGIN, '', role('third', `${MEMBERS},${WRITES}`), 'stay'],
    ['a member who is one no more', LOGIN, '', change(U, '"data":{"object":{"left":true}}'), 'end'],
    ['somebody with a scope whose role grants more', '', 'secret:@doc/users/1', change('{"role":"listener"}', WRITES), 'end'],
    ['whoever has the role as a scope, which grants more', '', 'secret:@role/listener', change('{"role":"listener"}', WRITES), 'end'],
    ['the root, whatever roles there are', '', 'secret', change('{"role":"listener"}', WRITES), 'stay'],
  ])('of %s: what they stand on changes', async (_, makes, given, changes, then) => {
    const { client, run, open } = await spells();
    await run('{"create_collection":{"object":{"name":"users"}}}');
    await run(`{"create":${U},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}`);
    for (const made of [role('listener', `${MEMBERS},${READS}`), role('other', READS)]) await run(made);
    const secret = makes === '' ? given : (JSON.parse((await client.query(makes)).text) as { resource: { secret: string } }).resource.secret;
    const stream = await open(ref(1), { secret });
    await stream.next();
    await run(create(1, '"level":1'));
    expect((await stream.next()).type).toBe('version');
    await run(changes.replace('SECRET', secret));
    const txn = await run(update(1, '"level":2'));
    const lost = { type: 'error', txn, event: { code: 'permission denied', description: 'Authorization lost during stream evaluation.' } };
    expect(await stream.next()).toMatchObject(then === 'end' ? lost : { type: 'version', txn });
    if (then === 'end') expect(await stream.line()).toBeNull();
    await stream.close();
  });

  it('of a web token end when it expires', async () => {
    const { client, run, open } = await spells();
    const { platform } = client;
    const signing = await signingKey('key');
    platform.keySet = () => Promise.resolve([signing.published]);
    await keyWith(client, privilege(SPELLS, '{"read":true}'));
    await run('{"create_access_provider":{"object":{"name":"issuer","issuer":"https://issuer.example/","jwks_uri":"https://issuer.example/keys","roles":{"role":"listener"}}}}');
    const now = platform.now();
    const exp = Math.floor(now / 1_000_000) + 60;
    const secret = await webToken(signing, { iss: 'https://issuer.example/', aud: 'https://db.fauna.com/db/yyyyyyyyyyyyy', exp });
    await run(create(1, '"level":1'));
    const stream = await open(ref(1), { secret });
    expect((await stream.next()).type).toBe('start');
    await run(update(1, '"level":2'));
    expect((await stream.next()).type).toBe('version');
    platform.setNow(exp * 1_000_000);
    await run(update(1, '"level":3'));
    expect(await stream.next()).toMatchObject({ type: 'error', event: { code: 'permission denied', description: 'Authorization lost during stream evaluation.' } });
    expect(await stream.line()).toBeNull();
  });
});

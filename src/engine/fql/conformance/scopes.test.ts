// Secrets that are narrowed to a database below, and to a role or document there (reference: data/auth.md §3;
// the original's auth/AuthScope), and how far into the databases below a key reaches.
import { expect, it } from 'vitest';
import { asks } from '../../../testing/asks.ts';
import { type Answer, denied, docRef, populate } from '../../../testing/cases.ts';
import { testClient } from '../../../testing/client.ts';

const U = '{"ref":{"collection":"users"},"id":"1"}';
const S = '{"ref":{"collection":"spells"},"id":"1"}';
const spells = '{"create_collection":{"object":{"name":"spells"}}}';
const child = '{"create_database":{"object":{"name":"child"}}}';
const reads = '{"create_role":{"object":{"name":"r","privileges":{"object":{"resource":{"collection":"spells"},"actions":{"object":{"read":true,"unrestricted_read":true}}}}}}}';
const login = `{"login":${U},"params":{"object":{"password":"owl"}}}`;
const world = [
  '{"create_collection":{"object":{"name":"users"}}}', spells, `{"create":${U},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}`, `{"create":${S}}`, child, reads,
];
const key = (role: string): string => `{"create_key":{"object":{"role":${role}}}}`;
const unauthorized: Answer = { status: 401, body: '{"errors":[{"code":"unauthorized","description":"Unauthorized"}]}' };

asks({ name: 'an admin key with the scope of a document', secret: key('"admin"'), scope: ':@doc/users/1' }, world, [
  ['{"identity":null}', docRef('users', 1)],
  [`{"get":${S}}`, denied('')],
]);
asks({ name: 'an admin key with an old scope of a document', secret: key('"admin"'), scope: ':classes/users/1' }, world, [['{"identity":null}', docRef('users', 1)]]);
asks({ name: 'an admin key with a role as scope', secret: key('"admin"'), scope: ':client' }, world, [[`{"get":${S}}`, denied('')]]);
asks({ name: 'an admin key with a scope that is none', secret: key('"admin"'), scope: ':what' }, world, [[`{"exists":${S}}`, 'true']]);
for (const scope of [':adminx', ':clientx', ':server-readonlyx', ':@role/r/x', ':@doc/users/1x', ':@doc/users/-1', ':@doc/users/18446744073709551617']) {
  asks({ name: `an admin key with a scope that goes on: ${scope}`, secret: key('"admin"'), scope }, world, [['1', unauthorized]]);
}
asks({ name: 'a server key with the scope of a document, behind a path of slashes alone', secret: key('"server"'), scope: ':/:@doc/users/1' }, world, [['{"has_identity":null}', 'true']]);
asks({ name: 'an admin key with a path of slashes alone', secret: key('"admin"'), scope: '://:client' }, world, [[`{"get":${S}}`, denied('')]]);
for (const scope of [':', '::client', '::@role/r', ':child:', ':@role/', ':@doc/users/1:x', ':admin:what']) {
  asks({ name: `an admin key with a text that is no scope: ${scope}`, secret: key('"admin"'), scope }, world, [[`{"exists":${S}}`, 'true']]);
}
asks({ name: 'a server key with a scope of its own', secret: key('"server"'), scope: ':@doc/users/1' }, world, [['{"has_identity":null}', 'true']]);
for (const path of ['child', 'child/', 'child//']) {
  asks({ name: `an admin key with a path: ${path}`, secret: key('"admin"'), scope: `:${path}:server` }, world, [
    ['{"exists":{"collection":"spells"}}', 'false'],
    ['{"create_key":{"object":{"role":"client"}}}', denied('create_key')],
  ]);
}
for (const scope of [':@doc/users/9', ':@doc/nobody/1', ':@doc/databases/1', ':@role/nobody', ':nobody:admin', ':child/nobody:admin', ':/child:admin', ':child//nobody:admin', ':nobody:@doc/users/1']) {
  asks({ name: `an admin key with a scope that leads nowhere: ${scope}`, secret: key('"admin"'), scope }, world, [['1', unauthorized]]);
}
for (const scope of [':admin', ':@role/r', ':child:server', ':child:@doc/users/1']) {
  asks({ name: `a server key that would be more: ${scope}`, secret: key('"server"'), scope }, world, [['1', unauthorized]]);
}
for (const role of ['"server-readonly"', '"client"', '{"role":"r"}']) {
  asks({ name: `a key of ${role} with the scope of a document`, secret: key(role), scope: ':@doc/users/1' }, world, [['1', unauthorized]]);
}
asks({ name: 'a token, whose scope counts for nothing', secret: login, scope: ':admin' }, world, [
  ['{"identity":null}', docRef('users', 1)],
  [`{"get":${S}}`, denied('')],
]);

it.each([
  ['"server-readonly"', true],
  ['"client"', false],
  // Collections have the same numbers above and below.
  ['{"role":"r"}', false],
  ['"server"', true],
])('a key of %s sees what is below: %s', async (role, seen) => {
  const client = await testClient();
  await populate(client, world);
  const asked = async (query: string, secret: string): Promise<unknown> => {
    const { text } = await client.queryAs(secret, query);
    return (JSON.parse(text) as { resource: unknown }).resource;
  };
  for (const query of world.slice(0, 4)) await asked(query, 'secret:child:admin');
  const { secret } = (await asked(key(role), 'secret')) as { secret: string };
  const below = '{"collection":"spells","scope":{"database":"child"}}';
  expect(await asked(`[{"exists":{"ref":${below},"id":"1"}},{"is_nonempty":{"paginate":{"documents":${below}}}}]`, secret)).toEqual([seen, seen]);
  // To be somebody there takes an administrator.
  expect(await asked('1', `${secret}:child:@doc/users/1`)).toBeUndefined();
});

it('a predicate calls functions of its own database, and none of a child: who administers that does not decide about the documents of its parent', async () => {
  const client = await testClient();
  await populate(client, world);
  const yes = '{"create_function":{"object":{"name":"yes","body":{"query":{"lambda":"_","expr":true}}}}}';
  await client.query(yes);
  await client.queryAs('secret:child:admin', yes);
  const reads = async (name: string, scope: string): Promise<string> => {
    const may = `{"query":{"lambda":"ref","expr":{"call":{"function":"yes"${scope}},"arguments":1}}}`;
    await client.query(`{"create_role":{"object":{"name":"${name}","privileges":{"object":{"resource":{"collection":"spells"},"actions":{"object":{"read":${may}}}}}}}}`);
    const { text } = await client.query(key(`{"role":"${name}"}`));
    return (await client.queryAs((JSON.parse(text) as { resource: { secret: string } }).resource.secret, `{"exists":${S}}`)).text;
  };
  expect(await reads('own', '')).toBe('{"resource":true}');
  expect(await reads('below', ',"scope":{"database":"child"}')).toBe('{"resource":false}');
});

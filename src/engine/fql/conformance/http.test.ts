// The protocol around queries: methods, headers, statuses, the old paths (reference: fql/wire.md §5;
// data/transactions.md §8–10).
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type ErrorText, argument, docRef, expression, fault, notFound, populate, steady } from '../../../testing/cases.ts';
import { type Reply, type TestClient, testClient } from '../../../testing/client.ts';
import { testPlatform } from '../../../testing/platform.ts';
import { toBase64 } from '../../base/bytes.ts';
import { memoryLogStore } from '../../kv/memory.ts';

type Headers = Readonly<Record<string, string>>;
interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Headers;
}

const protocolFault = (status: number, code: string, description: string): Answer => ({
  status,
  body: JSON.stringify({ errors: [{ code, description }] }),
});
const badHeader = (name: string, reason: string): Answer => protocolFault(400, 'bad request', `Invalid header '${name}': ${reason}`);
const NOT_FOUND = protocolFault(404, 'not found', 'Not Found');
const UNAUTHORIZED = protocolFault(401, 'unauthorized', 'Unauthorized');
const notAllowed = (...methods: readonly string[]): Answer => protocolFault(405, 'method not allowed', `Allowed methods are ${methods.join(', ')}.`);
const ok = (body: string): Answer => ({ status: 200, body });
const resource = (value: string): Answer => ok(`{"resource":${value}}`);

let client: TestClient;
beforeAll(async () => {
  client = await testClient();
  await populate(client, [
    '{"create_collection":{"object":{"name":"spells"}}}',
    '{"create":{"ref":{"collection":"spells"},"id":1},"params":{"object":{"data":{"object":{"a":1}}}}}',
  ]);
});

const ask = ({ method = 'POST', path = '/', body, headers = {} }: Asked): Promise<Reply> => client.send(method, path, body, { ...headers });

function answers(name: string, rows: readonly (readonly [what: string, asked: Asked, answer: Answer])[]): void {
  describe(name, () => {
    it.each(rows.map(([what, asked, answer]) => [what, asked, answer] as const))('%s', async (_what, asked, answer) => {
      const { status, text } = await ask(asked);
      expect(`${status} ${steady(text)}`).toBe(`${answer.status} ${answer.body}`);
    });
  });
}

const V4 = { 'x-faunadb-api-version': '4' };
const ONE = resource('1');

answers('endpoints', [
  ['POST /', { body: '1' }, ONE],
  ['POST with no path', { path: '', body: '1' }, ONE],
  ['POST /linearized', { path: '/linearized', body: '1' }, ONE],
  ['GET /linearized', { method: 'GET', path: '/linearized?q=1' }, notAllowed('POST')],
  ['GET / with q', { method: 'GET', path: '/?q=%7B%22add%22%3A%5B1%2C2%5D%7D' }, resource('3')],
  ['GET / with spaces as plus', { method: 'GET', path: '/?q=%5B1,+2%5D' }, resource('[1,2]')],
  ['GET / without q', { method: 'GET', path: '/' }, expression('', 'No query provided.')],
  ['GET / that writes', { method: 'GET', path: '/?q=%7B%22new_id%22%3Anull%7D' }, expression('', 'Call performs a write, which is not allowed in get requests.')],
  ['GET / that would write after an error', { method: 'GET', path: '/?q=%7B%22create%22%3A%7B%22abort%22%3A%22x%22%7D%7D' }, expression('', 'Call performs a write, which is not allowed in get requests.')],
  ['GET / that reads', { method: 'GET', path: '/?q=%7B%22exists%22%3A%7B%22@ref%22%3A%22classes/spells/1%22%7D%7D' }, resource('true')],
  ['PUT /', { method: 'PUT', body: '1' }, notAllowed('GET', 'POST')],
  ['PUT / without a secret', { method: 'PUT', body: '1', headers: { authorization: '' } }, UNAUTHORIZED],
  ['an unknown path', { path: '/nope', body: '1' }, NOT_FOUND],
  ['an unknown path without a secret', { path: '/nope', body: '1', headers: { authorization: '' } }, NOT_FOUND],
  ['GET /error', { method: 'GET', path: '/error', headers: { authorization: '' } }, protocolFault(500, 'internal server error', 'Internal server error.')],
  ['no body', {}, expression('', 'No query provided.')],
  ['a body of another type', { body: '{"add":[1,2]}', headers: { 'content-type': 'text/plain' } }, resource('3')],
]);

answers('ping', [
  ...[
    ['', 'write'], ['?scope=write', 'write'], ['?scope=global', 'write'], ['?scope=read', 'read'], ['?scope=local', 'read'], ['?scope=all', 'all'],
    ['?scope=node', 'node'], ['?scope=other', 'node'], ['?scope=constructor', 'node'],
  ].map(([search, scope]) => [`GET /ping${search}`, { method: 'GET', path: `/ping${search}`, headers: { authorization: '' } }, resource(`"Scope ${scope} is OK"`)] as const),
  ['POST /ping', { path: '/ping', headers: { authorization: '' } }, notAllowed('GET', 'HEAD')],
]);

answers('secrets', [
  ['Bearer', { body: '1', headers: { authorization: 'Bearer secret' } }, ONE],
  ['Bearer with a colon', { body: '1', headers: { authorization: 'Bearer secret:' } }, ONE],
  ['Bearer after more than a space', { body: '1', headers: { authorization: 'Bearer \t secret' } }, ONE],
  ['Basic', { body: '1', headers: { authorization: `Basic ${btoa('secret:')}` } }, ONE],
  ['Basic without a colon', { body: '1', headers: { authorization: `Basic ${btoa('secret')}` } }, UNAUTHORIZED],
  ['a wrong secret', { body: '1', headers: { authorization: 'Bearer nope' } }, UNAUTHORIZED],
  ['a key that never was', { body: '1', headers: { authorization: 'Bearer fnAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } }, UNAUTHORIZED],
  ['another scheme', { body: '1', headers: { authorization: 'Digest secret' } }, UNAUTHORIZED],
  ['a scheme in small letters', { body: '1', headers: { authorization: 'bearer secret' } }, UNAUTHORIZED],
  ['no scheme', { body: '1', headers: { authorization: 'secret' } }, UNAUTHORIZED],
  ['nothing', { body: '1', headers: { authorization: '' } }, UNAUTHORIZED],
  ['Basic that is not base64', { body: '1', headers: { authorization: 'Basic !!!' } }, UNAUTHORIZED],
  ['a JWT', { body: '1', headers: { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' } }, UNAUTHORIZED],
  ['a bad secret before a bad query', { body: '{', headers: { authorization: 'Bearer nope' } }, UNAUTHORIZED],
]);

const withHeader = (name: string, value: string): Asked => ({ body: '1', headers: { [name]: value } });
const VERSION = 'x-faunadb-api-version';
answers('request headers', [
  ...['2.0', '2.1', '2.7', '2.12', '3', '4'].map((version) => [`version ${version}`, withHeader(VERSION, version), ONE] as const),
  ...['', '5', '2', '4.0', 'UNSTABLE', 'constructor', ' 4'].map(
    (version) => [`version '${version}'`, withHeader(VERSION, version), badHeader(VERSION, `Unsupported or invalid API version '${version}'.`)] as const,
  ),
  ['a last seen time', withHeader('x-last-seen-txn', '1577836800000000'), ONE],
  ['a last seen time far ahead', withHeader('x-last-seen-txn', '9000000000000000'), ONE],
  ['a last seen time that is none', withHeader('x-last-seen-txn', 'x'), badHeader('x-last-seen-txn', "Invalid timestamp 'x'.")],
  ['a timeout', withHeader('x-query-timeout', '600000'), ONE],
  ['a timeout of nothing', withHeader('x-query-timeout', '0'), badHeader('x-query-timeout', 'Must be greater than 0.')],
  ['a negative timeout', withHeader('x-query-timeout', '-5'), badHeader('x-query-timeout', 'Must be greater than 0.')],
  ['too long a timeout', withHeader('x-query-timeout', '600001'), badHeader('x-query-timeout', 'Must be less than or equal to 600000.')],
  ['a timeout that is no number', withHeader('x-query-timeout', '1s'), badHeader('x-query-timeout', "Invalid number '1s'.")],
  ['retries', withHeader('x-max-retries-on-contention', '7'), ONE],
  ['too many retries', withHeader('x-max-retries-on-contention', '8'), badHeader('x-max-retries-on-contention', 'Must be between 0 and 7.')],
  ['negative retries', withHeader('x-max-retries-on-contention', '-1'), badHeader('x-max-retries-on-contention', 'Must be between 0 and 7.')],
  ['tags', withHeader('x-fauna-tags', 'a=1,b=2'), ONE],
  ['no tags', withHeader('x-fauna-tags', ''), ONE],
  ...([
    ['a', 'invalid tags'], ['foo,,', 'invalid tags'], ['a=1, b=2', 'invalid tags'], ['a=x-y', 'invalid tags'], ['é=1', 'invalid tags'],
    [`${'k'.repeat(41)}=1,a=1`, 'invalid key'], [`k=${'v'.repeat(81)}`, 'invalid value'], ['a=1,b=2,a=3', 'duplicate key'],
    [Array.from({ length: 26 }, (_, at) => `k${at}=1`).join(','), 'too many tags'], ['x'.repeat(3001), 'header is too long'],
  ] as const).map(([tags, reason]) => [`tags ${tags.slice(0, 50)}`, withHeader('x-fauna-tags', tags), badHeader('x-fauna-tags', reason)] as const),
  ['a bad header without a secret', { body: '1', headers: { [VERSION]: '5', authorization: '' } }, badHeader(VERSION, "Unsupported or invalid API version '5'.")],
  ['a bad timeout without a secret', { body: '1', headers: { 'x-query-timeout': '0', authorization: '' } }, badHeader('x-query-timeout', 'Must be greater than 0.')],
  ['a bad traceparent', withHeader('traceparent', 'nope'), ONE],
  ['a pretty answer', withHeader('x-faunadb-formatted-json', 'true'), ok('{\n  "resource": 1\n}')],
  ['a pretty answer for curl', withHeader('user-agent', 'curl/8'), ok('{\n  "resource": 1\n}')],
]);

const CREATED = (collection: string): Answer => ({
  status: 201,
  body: `{"resource":{"ref":{"@ref":"classes/${collection}"},"class":{"@ref":"classes"},"ts":TS,"history_days":30,"name":"${collection}"}}`,
});
const spell = (id: number, data: string): string => `{"ref":{"@ref":"classes/spells/${id}"},"class":{"@ref":"classes/spells"},"ts":TS${data === '' ? '' : `,"data":${data}`}}`;
const inOlderWords = (answer: Answer & ErrorText): Answer => ({ ...answer, body: answer.body.replace('Document', 'Instance').replace('document', 'instance') });
answers('the old paths', [
  ['POST /classes', { path: '/classes', body: '{"name":"potions"}' }, CREATED('potions')],
  ['POST /collections', { path: '/collections', body: '{"name":"brews"}' }, CREATED('brews')],
  ['POST /classes again', { path: '/classes', body: '{"name":"potions"}' }, fault(400, 'instance already exists', 'create', 'Class already exists.')],
  ['GET /classes', { method: 'GET', path: '/classes' }, resource('{"data":[{"@ref":"classes/spells"},{"@ref":"classes/potions"},{"@ref":"classes/brews"}]}')],
  ['GET /classes with a size', { method: 'GET', path: '/classes?size=1' }, resource('{"after":[{"@ref":"classes/potions"}],"data":[{"@ref":"classes/spells"}]}')],
  ['GET /classes after a ref', { method: 'GET', path: '/classes?size=1&after=classes/brews' }, resource('{"before":[{"@ref":"classes/brews"}],"data":[{"@ref":"classes/brews"}]}')],
  ['GET /classes before a ref', { method: 'GET', path: '/classes?before=classes/potions' }, resource('{"after":[{"@ref":"classes/potions"}],"data":[{"@ref":"classes/spells"}]}')],
  ['GET /classes/potions', { method: 'GET', path: '/classes/potions' }, { ...CREATED('potions'), status: 200 }],
  ['PATCH /classes/potions', { method: 'PATCH', path: '/classes/potions', body: '{"history_days":5}' }, { status: 200, body: CREATED('potions').body.replace('30', '5') }],
  ['DELETE /classes/brews', { method: 'DELETE', path: '/classes/brews' }, { ...CREATED('brews'), status: 200 }],
  ['PUT /classes', { method: 'PUT', path: '/classes', body: '{}' }, notAllowed('GET', 'POST')],
  ['POST /classes/spells', { path: '/classes/spells', body: '{"data":{"b":2}}' }, { status: 201, body: `{"resource":{"ref":{"@ref":"classes/spells/ID"},"class":{"@ref":"classes/spells"},"ts":TS,"data":{"b":2}}}` }],
  ['POST /classes/spells/7', { path: '/classes/spells/7', body: '{"data":{"r":{"@ref":"classes/spells/1"}}}' }, { status: 201, body: `{"resource":${spell(7, '{"r":{"@ref":"classes/spells/1"}}')}}` }],
  ['POST /classes/spells/8 without a body', { path: '/classes/spells/8' }, { status: 201, body: `{"resource":${spell(8, '')}}` }],
  ['GET /classes/spells/7', { method: 'GET', path: '/classes/spells/7' }, resource(spell(7, '{"r":{"@ref":"classes/spells/1"}}'))],
  ['PATCH /classes/spells/7', { method: 'PATCH', path: '/classes/spells/7', body: '{"data":{"x":{"add":[1,2]}}}' }, resource(spell(7, '{"r":{"@ref":"classes/spells/1"},"x":{"add":[1,2]}}'))],
  ['PUT /classes/spells/7', { method: 'PUT', path: '/classes/spells/7', body: '{"data":{"y":1}}' }, resource(spell(7, '{"y":1}'))],
  ['DELETE /classes/spells/7', { method: 'DELETE', path: '/classes/spells/7' }, resource(spell(7, '{"y":1}'))],
  ['GET a document that is gone', { method: 'GET', path: '/classes/spells/7' }, inOlderWords(notFound('', 'Document not found.'))],
  ['GET events', { method: 'GET', path: '/classes/spells/1/events' }, resource('{"data":[{"ts":TS,"action":"create","resource":{"@ref":"classes/spells/1"},"data":{"a":1}}]}')],
  ['POST events', { path: '/classes/spells/1/events', body: '{}' }, notAllowed('GET')],
  ['GET one event', { method: 'GET', path: '/classes/spells/1/events/1/create' }, NOT_FOUND],
  ['GET an unknown class', { method: 'GET', path: '/classes/nope' }, NOT_FOUND],
  ['GET a document of an unknown class', { method: 'GET', path: '/classes/nope/1' }, NOT_FOUND],
  ['GET a bad id', { method: 'GET', path: '/classes/spells/x' }, NOT_FOUND],
  ['GET a bad escape', { method: 'GET', path: '/classes/%zz' }, NOT_FOUND],
  ['a body that is not JSON', { path: '/classes', body: '{' }, expression('', 'Request body is not valid JSON.')],
  ['in another version', { method: 'GET', path: '/classes/spells/1', headers: V4 }, resource(`{"ref":${docRef('spells', 1)},"ts":TS,"data":{"a":1}}`)],
  ['without a secret', { method: 'GET', path: '/classes/spells/1', headers: { authorization: '' } }, UNAUTHORIZED],
  ['GET /keys', { method: 'GET', path: '/keys' }, resource('{"data":[]}')],
  ['GET /tokens/self without a token', { method: 'GET', path: '/tokens/self' }, NOT_FOUND],
]);

answers('limits', [
  ['too large a body', { body: `"${'x'.repeat(8_388_608)}"` }, protocolFault(413, 'request too large', 'Request entity is too large')],
  ['an error in a version', { body: '{"add":"a"}', headers: V4 }, argument('add', 'Number expected, String provided.')],
]);

describe('response headers', () => {
  it.each([
    ['a query', { body: '1' }],
    ['a query that fails', { body: '{"add":["a"]}' }],
    ['GraphQL', { path: '/graphql', body: '{"query":"{ __typename }"}' }],
    ['a ping', { method: 'GET', path: '/ping' }],
    ['a path that is none', { method: 'GET', path: '/nothing' }],
  ])('tell of %s in a database where nothing was ever written that it is of now', async (_, { method = 'POST', path = '/', body }: Asked) => {
    const platform = testPlatform();
    const empty = await testClient(memoryLogStore(), platform);
    const before = platform.now();
    const { headers } = await empty.send(method, path, body, {});
    expect(Number(headers['x-txn-time'])).toBeGreaterThan(before);
    expect(Number(headers['x-txn-time'])).toBeLessThan(platform.now());
  });

  it('tell of a read in such a database no time at which it would have seen a commit', async () => {
    const platform = testPlatform();
    const digest = (secret: Uint8Array): Uint8Array => platform.pbkdf2(secret, platform.utf8.encode('salt'), 1) as Uint8Array;
    const rootSecret = `1:${toBase64(platform.utf8.encode('salt'))}:${toBase64(digest(platform.utf8.encode('secret')))}`;
    // The first request waits for the check of its secret, while the second one writes.
    const waits: (() => void)[] = [];
    const pbkdf2 = (secret: Uint8Array): Promise<Uint8Array> => new Promise((resolve) => waits.push(() => resolve(digest(secret))));
    const empty = await testClient(memoryLogStore(), { ...platform, pbkdf2 }, { settings: { rootSecret } });
    const reading = empty.query('{"exists":{"collection":"spells"}}');
    const writing = empty.query('{"create_collection":{"object":{"name":"spells"}}}');
    await expect.poll(() => waits.length).toBe(2);
    waits[1]?.();
    const written = await writing;
    waits[0]?.();
    const { text, headers } = await reading;
    expect([written.status, text]).toEqual([201, '{"resource":false}']);
    expect(Number(headers['x-txn-time'])).toBeLessThan(Number(written.headers['x-txn-time']));
  });

  it('tell the time of the commit, what it cost, and the build', async () => {
    const { headers } = await ask({ body: '{"create":{"ref":{"class":"spells"},"id":99},"params":{"object":{"data":{"object":{"a":1}}}}}' });
    const lastCommit = (await ask({ body: '1' })).headers['x-txn-time'];
    expect(headers).toMatchObject({ 'content-type': 'application/json;charset=utf-8', 'x-txn-time': lastCommit, 'x-compute-ops': '1', 'x-byte-write-ops': '1', 'x-txn-retries': '0' });
    for (const name of ['x-byte-read-ops', 'x-query-time', 'x-query-bytes-in', 'x-query-bytes-out', 'x-storage-bytes-read', 'x-storage-bytes-write', 'x-faunadb-build']) {
      expect(headers, name).toHaveProperty([name]);
    }
  });

  it('of a reader tell the last commit and no writes', async () => {
    const { headers } = await ask({ body: '{"get":{"@ref":"classes/spells/1"}}' });
    expect(headers).toMatchObject({ 'x-byte-write-ops': '0', 'x-storage-bytes-write': '0', 'x-byte-read-ops': '1' });
  });

  it.each(['"é😀"', '{"select":"é","from":[]}'])('count bytes, not characters: %s', async (body) => {
    const { headers, text } = await ask({ body });
    const bytes = (of: string): string => String(new TextEncoder().encode(of).length);
    expect(headers).toMatchObject({ 'x-query-bytes-in': bytes(body), 'x-query-bytes-out': bytes(text) });
  });

  it('count the bytes of an answer that is laid out', async () => {
    const { headers, text } = await ask({ body: '[1,{"object":{"é":2}}]', headers: { 'x-faunadb-formatted-json': 'true' } });
    expect(text).toContain('\n');
    expect(headers['x-query-bytes-out']).toBe(String(new TextEncoder().encode(text).length));
  });

  it.each<[string, Asked]>([
    ['a resource', { body: '"é😀"' }],
    ['an answer that is laid out', { body: '[1,{"object":{"é":2}}]', headers: { 'x-faunadb-formatted-json': 'true' } }],
    ['an error', { body: '{"abort":"é"}' }],
    ['a refusal', { body: '1', headers: { authorization: 'Bearer nope' } }],
    ['an answer to HEAD, which is sent without them', { method: 'HEAD', path: '/ping' }],
    ['an answer without any', { method: 'OPTIONS', headers: { origin: 'https://app.test' } }],
  ])('say how many bytes there are: %s', async (_what, asked) => {
    const { headers, text } = await ask(asked);
    expect(headers['content-length']).toBe(String(new TextEncoder().encode(text).length));
  });

  it('count compute by fifties', async () => {
    const many = JSON.stringify(Array.from({ length: 120 }, () => ({ add: [1, 1] })));
    expect((await ask({ body: many })).headers['x-compute-ops']).toBe('3');
  });

  it('stand on errors too; refusals tell the time alone', async () => {
    const { headers } = await ask({ body: '{"abort":"x"}' });
    expect(headers).toHaveProperty(['x-txn-time']);
    expect(headers).toHaveProperty(['x-compute-ops']);
    const refused = (await ask({ body: '1', headers: { authorization: 'Bearer nope' } })).headers;
    expect(refused['x-txn-time']).toBe(headers['x-txn-time']);
    expect(refused).not.toHaveProperty(['x-compute-ops']);
    expect(refused['www-authenticate']).toBe('Basic realm="Unauthorized"');
  });

  it('say what is allowed', async () => {
    expect((await ask({ method: 'DELETE' })).headers.allow).toBe('GET, POST');
  });

  it('give tags back', async () => {
    expect((await ask(withHeader('x-fauna-tags', 'a=1,b=2'))).headers['x-fauna-tags']).toBe('b=2,a=1');
  });

  it('name their host where a trace is asked for', async () => {
    const { headers, text } = await ask(withHeader('x-trace', 'yes'));
    expect([headers['x-faunadb-host'], text]).toEqual(['localhost', '{"resource":1,"trace":[]}']);
    expect((await ask({ body: '1' })).headers).not.toHaveProperty(['x-faunadb-host']);
  });

  it('continue a trace, or begin one', async () => {
    const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect((await ask(withHeader('traceparent', given))).headers.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
    expect((await ask(withHeader('traceparent', 'nope'))).headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});

describe('other origins', () => {
  it('are answered with the headers they may see', async () => {
    const { headers } = await ask(withHeader('origin', 'https://app.test'));
    expect(headers).toMatchObject({ 'access-control-allow-origin': 'https://app.test', 'access-control-allow-credentials': 'true' });
    expect(headers['access-control-expose-headers']?.split(', ').sort()).toEqual([
      'x-byte-read-ops', 'x-byte-write-ops', 'x-compute-ops', 'x-query-bytes-in', 'x-query-bytes-out', 'x-query-time', 'x-storage-bytes-read',
      'x-storage-bytes-write', 'x-txn-retries', 'x-txn-time',
    ]);
  });

  it('ask before, without a secret', async () => {
    const { status, headers } = await ask({ method: 'OPTIONS', headers: { authorization: '', origin: 'https://app.test' } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.test',
      'access-control-max-age': '86400',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    });
    expect(headers['access-control-allow-headers']).toContain('x-faunadb-api-version');
    expect(headers['access-control-allow-headers']).toContain('x-schema-preview');
  });

  it('need an origin to ask', async () => {
    expect((await ask({ method: 'OPTIONS' })).status).toBe(405);
  });
});

describe('the status 201', () => {
  it.each([
    ['{"create":{"ref":{"class":"spells"},"id":201}}', 201],
    ['[{"create":{"ref":{"class":"spells"},"id":202}}]', 200],
    ['{"let":{"d":{"create":{"ref":{"class":"spells"},"id":203}}},"in":{"var":"d"}}', 201],
    ['{"do":[{"create":{"ref":{"class":"spells"},"id":204}},1]}', 200],
    ['{"select":"ref","from":{"create":{"ref":{"class":"spells"},"id":205}}}', 200],
    ['{"update":{"ref":{"class":"spells"},"id":1}}', 200],
    ['{"do":[{"create":{"ref":{"class":"spells"},"id":206}},{"get":{"ref":{"class":"spells"},"id":206}}]}', 200],
  ])('of %s is %i', async (body, status) => {
    expect((await ask({ body })).status).toBe(status);
  });
});

// Bad input of each kind gets its documented error and changes nothing (fql/errors.md,
// graphql.md §9, brief §7).
import type { Page } from 'playwright/test';
import { type Answered, type Asked, ROOT, send } from './support/http.ts';
import { expect, test } from './support/test.ts';

const AS_ROOT = { Authorization: ROOT };
const V4 = { ...AS_ROOT, 'X-FaunaDB-API-Version': '4' };
const JSON_TYPE = 'application/json;charset=utf-8';
const TEXT_TYPE = 'text/plain;charset=utf-8';
const LARGE = 8_388_609;

interface Case {
  readonly title: string;
  readonly asked: Asked;
  readonly status: number;
  readonly type?: string;
  /** The body, or its beginning where what follows quotes the input. */
  readonly text: string | RegExp;
}

const positioned = (position: string, code: string, description: string): string =>
  `{"errors":[{"position":${position},"code":"${code}","description":${JSON.stringify(description)}}]}`;
const plain = (code: string, description: string): string => `{"errors":[{"code":"${code}","description":${JSON.stringify(description)}}]}`;
const starts = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);

/** A query to `/` and the one error it gets. */
function query(title: string, body: string, position: string, code: string, description: string, status = 400, headers: Asked['headers'] = AS_ROOT): Case {
  return { title, asked: { body, headers: headers ?? AS_ROOT }, status, text: positioned(position, code, description) };
}

const invalidNames = (words: string): string =>
  `{"errors":[{"position":["create_class"],"code":"validation failed","description":"${words} data is not valid.","failures":` +
  '[{"field":["name"],"code":"value required","description":"Required value not found."}]}]}';

const QUERIES: readonly Case[] = [
  query('not JSON', '{"add":[1,2]', '[]', 'invalid expression', 'Request body is not valid JSON.'),
  query('words', 'not json', '[]', 'invalid expression', 'Request body is not valid JSON.'),
  query('an infinite number', '1e999', '[]', 'invalid expression', 'Request body is not valid JSON.'),
  query('an empty body', '', '[]', 'invalid expression', 'No query provided.'),
  query('too deep JSON', '['.repeat(1001) + ']'.repeat(1001), '[]', 'invalid expression', 'Request body JSON exceeds nesting limit.'),
  query('JSON that only opens', '['.repeat(1_000_000), '[]', 'invalid expression', 'Request body JSON exceeds nesting limit.'),
  query('an unknown form', '{"frobnicate":1,"with":2}', '[]', 'invalid expression', 'No form/function found, or invalid argument keys: { frobnicate, with }.'),
  query('an unknown form inside', '{"add":[1,{"nope":2}]}', '["add",1]', 'invalid expression', 'No form/function found, or invalid argument keys: { nope }.'),
  query('a form of a later version', '{"contains_path":["a"],"in":{"object":{}}}', '[]', 'invalid expression', 'No form/function found, or invalid argument keys: { contains_path, in }.'),
  query('an undefined variable', '{"map":{"lambda":"x","expr":{"var":"y"}},"collection":[1]}', '["map","expr"]', 'invalid expression', "Variable 'y' is not defined."),
  query('a bad ref', '{"@ref":"nowhere/1"}', '[]', 'invalid expression', 'Invalid ref.'),
  query('a bad date', '{"@date":"2017-13-01"}', '[]', 'invalid expression', 'Invalid date.'),
  query('a bad time', '{"@ts":"yesterday"}', '[]', 'invalid expression', 'Invalid time.'),
  query('bad bytes', '{"@bytes":"***"}', '[]', 'invalid expression', 'Invalid bytes.'),
  query('a wrong type', '{"add":[1,"two"]}', '["add",1]', 'invalid argument', 'Number expected, String provided.'),
  query('no ref to get', '{"get":[1]}', '["get"]', 'invalid argument', 'Ref or Set expected, Array provided.'),
  query('a page too large', '{"paginate":{"classes":null},"size":1025}', '["size"]', 'invalid argument', 'Page size 1025 exceeds the maximum of 1024.'),
  query('a cursor of no event', '{"paginate":{"events":{"@ref":"classes/spells/1"}},"after":{"object":{"when":1}}}', '["after"]', 'invalid argument', 'Cannot create event cursor with keys when'),
  query('a missing class', '{"create":{"class":"none"},"params":{"object":{}}}', '["create"]', 'invalid ref', "Ref refers to undefined class 'none'"),
  query('a missing collection', '{"create":{"collection":"none"},"params":{"object":{}}}', '["create"]', 'invalid ref', "Ref refers to undefined collection 'none'", 400, V4),
  query('a missing index', '{"paginate":{"match":{"index":"none"}}}', '["paginate","match"]', 'invalid ref', "Ref refers to undefined index 'none'"),
  query('a missing instance', '{"get":{"@ref":"classes/spells/99"}}', '[]', 'instance not found', 'Instance not found.', 404),
  query('a missing document', '{"get":{"@ref":"classes/spells/99"}}', '[]', 'instance not found', 'Document not found.', 404, V4),
  query('a missing value', '{"select":["data","x"],"from":{"get":{"@ref":"classes/spells/1"}}}', '["from"]', 'value not found', 'Value not found at path [data,x].', 404),
  query('no identity', '{"identity":null}', '[]', 'missing identity', 'Authentication does not contain an identity'),
  query('an update of nothing', '{"update":{"@ref":"classes/spells/99"},"params":{"object":{}}}', '["update"]', 'instance not found', 'Instance not found.', 404),
  query('a class twice', '{"create_class":{"object":{"name":"spells"}}}', '["create_class"]', 'instance already exists', 'Class already exists.'),
  query('an instance twice', '{"create":{"@ref":"classes/spells/1"},"params":{"object":{}}}', '["create"]', 'instance already exists', 'Instance already exists.'),
  query('a value that has to be unique', '{"create":{"@ref":"classes/spells"},"params":{"object":{"data":{"object":{"name":"Beak"}}}}}', '["create"]', 'instance not unique', 'instance is not unique.'),
  query('a failure after a write', '[{"create":{"@ref":"classes/spells/5"},"params":{"object":{}}},{"get":{"@ref":"classes/spells/99"}}]', '[1]', 'instance not found', 'Instance not found.', 404),
  query('an abort after a write', '{"do":[{"delete":{"@ref":"classes/spells/1"}},{"abort":"no"}]}', '["do",1]', 'transaction aborted', 'no', 400, V4),
  { title: 'a class without a name', asked: { body: '{"create_class":{"object":{}}}', headers: AS_ROOT }, status: 400, text: invalidNames('instance') },
  { title: 'a collection without a name', asked: { body: '{"create_class":{"object":{}}}', headers: V4 }, status: 400, text: invalidNames('document') },
];

const header = (name: string, value: string, reason: string): Case => ({
  title: `${name}: ${value}`,
  asked: { body: '{"add":[1,2]}', headers: { ...AS_ROOT, [name]: value } },
  status: 400,
  text: plain('bad request', `Invalid header '${name}': ${reason}`),
});
const NOT_FOUND = plain('not found', 'Not Found');
const notAllowed = (methods: string): string => plain('method not allowed', `Allowed methods are ${methods}.`);
const at = (title: string, asked: Asked, status: number, text: string, type = JSON_TYPE): Case => ({ title, asked: { headers: AS_ROOT, ...asked }, status, type, text });

const PROTOCOL: readonly Case[] = [
  header('x-faunadb-api-version', '1', "Unsupported or invalid API version '1'."),
  header('x-faunadb-api-version', 'four', "Unsupported or invalid API version 'four'."),
  header('x-last-seen-txn', 'soon', "Invalid timestamp 'soon'."),
  header('x-query-timeout', '0', 'Must be greater than 0.'),
  header('x-query-timeout', '600001', 'Must be less than or equal to 600000.'),
  header('x-query-timeout', 'long', "Invalid number 'long'."),
  header('x-max-retries-on-contention', '8', 'Must be between 0 and 7.'),
  header('x-fauna-tags', 'no pair', 'invalid tags'),
  at('a wrong method', { method: 'DELETE' }, 405, notAllowed('GET, POST')),
  at('PUT of a graphql query', { method: 'PUT', path: '/graphql', body: '{}' }, 405, notAllowed('GET, POST')),
  at('GET of an import', { method: 'GET', path: '/import' }, 405, notAllowed('POST')),
  at('POST of a ping', { path: '/ping', body: '' }, 405, notAllowed('GET, HEAD')),
  at('a write in a GET', { method: 'GET', path: `/?q=${encodeURIComponent('{"create_class":{"object":{"name":"more"}}}')}` }, 400,
    positioned('[]', 'invalid expression', 'Call performs a write, which is not allowed in get requests.')),
  at('an unknown path of an alias host', { path: 'https://db.fauna.com/nowhere', body: '{}' }, 404, NOT_FOUND),
  at('a REST path to nothing', { method: 'GET', path: '/classes/none' }, 404, NOT_FOUND),
  at('a REST method', { method: 'PATCH', path: '/classes', body: '{}' }, 405, notAllowed('GET, POST')),
  at('a REST body', { path: '/classes/spells', body: '{' }, 400, positioned('[]', 'invalid expression', 'Request body is not valid JSON.')),
  { title: 'a wrong secret', asked: { body: '{"delete":{"class":"spells"}}', headers: { Authorization: 'Bearer nope' } }, status: 401, text: plain('unauthorized', 'Unauthorized') },
  { title: 'no secret, and no JSON', asked: { body: '{', headers: {} }, status: 401, text: plain('unauthorized', 'Unauthorized') },
];

const graphql = (title: string, text: string, begins: string | RegExp, variables?: object): Case => ({
  title, asked: { path: '/graphql', body: JSON.stringify({ query: text, variables }), headers: AS_ROOT }, status: 200, text: typeof begins === 'string' ? starts(begins) : begins,
});
const invalid = (message: string): string => `{"data":null,"errors":[{"message":"${message.replaceAll('"', '\\"')}`;
const UNUSABLE = '{"errors":[{"message":"The request body must be a JSON object';
const unusable = (title: string, body: string): Case => ({ title, asked: { path: '/graphql', body, headers: AS_ROOT }, status: 200, text: starts(UNUSABLE) });
const schema = (title: string, sdl: string, begins: string, path = '/import'): Case => ({
  title, asked: { path, body: sdl, headers: AS_ROOT }, status: 400, type: TEXT_TYPE, text: starts(begins),
});

const GATEWAY: readonly Case[] = [
  unusable('no JSON', '{ users }'),
  unusable('an empty body', ''),
  unusable('no query', '{"text":"{ __typename }"}'),
  unusable('variables in a list', '{"query":"{ __typename }","variables":[1]}'),
  graphql('syntax', '{ allUsers {', invalid('Syntax error while parsing GraphQL query. ')),
  graphql('an unknown field', '{ allUser { data { name } } }', invalid("Cannot query field 'allUser' on type 'Query'. Did you mean 'allUsers'? (line 1, column 3):")),
  graphql('an unknown field of a type', '{ allUsers { data { nam } } }', invalid("Cannot query field 'nam' on type 'User'. Did you mean 'name'? (line 1, column 21):")),
  graphql('an unknown argument', '{ allUsers(many: 1) { data { name } } }', invalid("Unknown argument 'many' on field 'allUsers' of type 'Query'.")),
  graphql('a wrong literal', 'mutation { createUser(data: {name: 1}) { _id } }', invalid("Expected type 'String!', found '1'. String value expected (line 1, column 36):")),
  graphql('a missing field', 'mutation { createUser(data: {}) { _id } }', invalid("Field 'UserInput.name' of required type 'String!' was not provided.")),
  graphql('a wrong variable', 'query($n: Int) { allUsers(_size: $n) { data { name } } }', invalid(`Variable '$n' expected value of type 'Int' but got: \\"x\\". Reason: Int value expected`).replaceAll('\\\\"', '\\"'), { n: 'x' }),
  graphql('a bad cursor', '{ allUsers(_cursor: "?") { data { name } } }', '{"errors":[{"message":"The pagination cursor is not valid.","extensions":{"code":"invalid argument"}}]}'),
  graphql('a value that has to be unique, after a write', 'mutation { a: createUser(data: {name: "New"}) { _id } b: createUser(data: {name: "Ann"}) { _id } }',
    '{"errors":[{"message":"Instance is not unique.","extensions":{"code":"instance not unique"}}]}'),
  // WebKit's stack is deep enough to see what else is wrong with it.
  graphql('too deep a query', '{a'.repeat(5000) + '}'.repeat(5000), /^\{"data":null,"errors":\[\{"message":"(Query is nested too deeply\.|Cannot query field 'a' on type 'Query')/),
  schema('SDL syntax', 'type A {', 'Syntax error while parsing GraphQL query. Unexpected end of input, expected Name (line 1, column 9):'),
  schema('an empty schema', '', 'Syntax error while parsing GraphQL query. '),
  schema('an unknown type', 'type A { b: Nope }', "Unknown type 'Nope'. (line 1, column 13):"),
  schema('a type twice', 'type A { b: Int } type A { c: Int }', "Type 'A' is defined more than once."),
  schema('an unknown directive', 'type A @nope { b: Int }', "Unknown directive 'nope'."),
  schema('a union', 'type A { b: Int } union U = A', 'Unsupported GraphQL type union U = A'),
  schema('a reserved name', 'type A { _id: Int }', "Name '_id' must not begin with '_'."),
  schema('too deep a schema', `type A { b: ${'['.repeat(5000)}Int${']'.repeat(5000)} }`, 'The schema definition is nested too deeply.'),
  schema('another definition of an index', 'type User { name: String! } type Query { allUsers(name: String): [User!] }', "The index 'allUsers' exists already with another definition."),
  schema('an unknown mode', 'type A { b: Int }', "Unknown import mode 'restore'.", '/import?mode=restore'),
];

/** Everything there is, and the time of the last commit. */
async function state(page: Page): Promise<string> {
  const kinds = ['classes', 'indexes', 'databases', 'keys', 'functions', 'roles', 'tokens'].map((kind) => ({ paginate: { '@ref': kind } }));
  const documents = ['spells', 'User'].map((name) => ({ map: { lambda: 'ref', expr: { get: { var: 'ref' } } }, collection: { paginate: { documents: { class: name } } } }));
  const all = await send(page, 'fetch', { body: JSON.stringify([...kinds, ...documents]), headers: AS_ROOT });
  expect(all.status, all.text).toBe(200);
  const ping = await send(page, 'fetch', { method: 'GET', path: '/ping' });
  return `${ping.headers['x-txn-time']} ${all.text}`;
}

async function prepare(page: Page): Promise<void> {
  for (const body of [
    '{"create_class":{"object":{"name":"spells"}}}',
    '{"create_index":{"object":{"name":"names","source":{"class":"spells"},"terms":[{"object":{"field":["data","name"]}}],"unique":true}}}',
    '{"create":{"@ref":"classes/spells/1"},"params":{"object":{"data":{"object":{"name":"Beak"}}}}}',
  ]) expect((await send(page, 'fetch', { body, headers: AS_ROOT })).status).toBe(201);
  const sdl = 'type User { name: String! @unique } type Query { allUsers: [User!] }';
  expect((await send(page, 'fetch', { path: '/import', body: sdl, headers: AS_ROOT })).status).toBe(200);
  const body = '{"query":"mutation { createUser(data: {name: \\"Ann\\"}) { name } }"}';
  expect((await send(page, 'fetch', { path: '/graphql', body, headers: AS_ROOT })).text).toBe('{"data":{"createUser":{"name":"Ann"}}}');
}

function expectCase(answer: Answered, { title, status, type = JSON_TYPE, text }: Case, via: string): void {
  const expected = { status, type, text: typeof text === 'string' ? text : expect.stringMatching(text) as unknown };
  expect.soft({ status: answer.status, type: answer.headers['content-type'], text: answer.text }, `${title} by ${via}`).toEqual(expected);
}

const GROUPS = { 'the query interface': QUERIES, 'the protocol': PROTOCOL, 'the GraphQL gateway': GATEWAY } as const;

for (const [group, cases] of Object.entries(GROUPS)) {
  test(`bad input to ${group} gets its error and changes nothing`, async ({ shared: page }) => {
    await prepare(page);
    const before = await state(page);
    for (const [number, one] of cases.entries()) {
      const via = number % 2 === 0 ? 'fetch' : 'XMLHttpRequest';
      expectCase(await send(page, via, one.asked), one, via);
    }
    expect(await state(page)).toBe(before);
  });
}

test('bodies over 8 MiB are refused, and change nothing', async ({ shared: page }) => {
  await prepare(page);
  const before = await state(page);
  const sizes = await page.evaluate(async ({ length, authorization }) => {
    const answer = async (path: string, body: string): Promise<string> => {
      const response = await fetch(path, { method: 'POST', headers: { Authorization: authorization }, body });
      return `${response.status} ${(await response.text()).slice(0, 120)}`;
    };
    const large = `"${'x'.repeat(length - 2)}"`;
    return [await answer('/', large), await answer('/graphql', large), await answer('/import', large), await answer('/', large.slice(1))];
  }, { length: LARGE, authorization: ROOT });
  const refused = '413 {"errors":[{"code":"request too large","description":"Request entity is too large"}]}';
  expect(sizes).toEqual([refused, refused, '413 Request entity is too large', `400 ${positioned('[]', 'invalid expression', 'Request body is not valid JSON.')}`]);
  expect(await state(page)).toBe(before);
});

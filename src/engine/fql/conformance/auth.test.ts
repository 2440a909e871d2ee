// Keys, tokens, identities and what they may do (reference: data/auth.md, fql/functions.md §13).
import { describe, expect, it } from 'vitest';
import { argument, conforms, created, denied, docRef, fault, inVersions, invalid, nativeRef, noForm, notFound, populate, type Answer, type FieldFault } from '../../../testing/cases.ts';
import { asks } from '../../../testing/asks.ts';
import { testClient } from '../../../testing/client.ts';

const users = '{"create_collection":{"object":{"name":"users"}}}';
const spells = '{"create_collection":{"object":{"name":"spells"}}}';
const U = '{"ref":{"collection":"users"},"id":"1"}';
const S = '{"ref":{"collection":"spells"},"id":"1"}';
const withPassword = `{"create":${U},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}`;
const CREDENTIALS = '{"select":["data",0],"from":{"paginate":{"credentials":null}}}';
const noText = (...field: string[]): FieldFault => [field, 'invalid type', 'Invalid type Long, expected type String.'];
const noMap = (...field: string[]): FieldFault => [field, 'invalid type', 'Invalid type Long, expected type Map.'];
const FAILED = fault(400, 'authentication failed', '', 'The document was not found or provided password was incorrect.');

conforms('login and identify', { world: [users, withPassword, '{"create_index":{"object":{"name":"all_users","source":{"collection":"users"}}}}'] }, [
  [`{"login":${U},"params":{"object":{"password":"owl"}}}`,
    { status: 201, body: `{"resource":{"ref":{"@ref":{"id":"ID","collection":{"@ref":{"id":"tokens"}}}},"ts":TS,"instance":${docRef('users', 1)},"secret":"SECRET"}}` }],
  [`{"is_object":{"login":{"match":{"index":"all_users"}},"params":{"object":{"password":"owl"}}}}`, 'true'],
  [`{"login":${U},"params":{"object":{"password":"cat"}}}`, FAILED],
  [`{"login":${U},"params":{"object":{"password":"cat"}}}`, fault(400, 'authentication failed', '', 'The instance was not found or provided password was incorrect.'), '2.1'],
  [`{"login":${U},"params":{"object":{}}}`, FAILED],
  [`{"login":${U},"params":{"object":{"password":null}}}`, FAILED],
  [`{"login":${U},"params":{"object":{"password":5}}}`, invalid('', [['password'], 'invalid type', 'Invalid type Long, expected type String.'])],
  [`{"login":${U},"params":{"object":{"password":"owl","ttl":5}}}`, invalid('', [['ttl'], 'invalid type', 'Invalid type Long, expected type Timestamp.'])],
  ['{"login":{"ref":{"collection":"users"},"id":9},"params":{"object":{"password":"owl"}}}', FAILED],
  [`{"login":1,"params":{"object":{}}}`, argument('login', 'Ref or Set expected, Integer provided.')],
  [`{"identify":${U},"password":"owl"}`, 'true'],
  [`{"identify":${U},"password":"cat"}`, 'false'],
  ['{"identify":{"ref":{"collection":"users"},"id":9},"password":"owl"}', 'false'],
  [`{"identify":${U},"password":1}`, argument('password', 'String expected, Integer provided.')],
  // Passwords are asked of the present, and a token is made now or not at all.
  [`{"at":{"time":"2019-12-21T00:00:00Z"},"expr":[{"identify":${U},"password":"owl"},{"identify":{"match":{"index":"all_users"}},"password":"owl"}]}`, '[true,true]'],
  [`{"at":{"time":"2019-12-21T00:00:00Z"},"expr":{"login":${U},"params":{"object":{"password":"owl"}}}}`, fault(400, 'invalid write time', 'expr', 'Cannot write outside of snapshot time.')],
  [`{"update":${U},"params":{"object":{"credentials":{"object":{"password":"hedwig"}}}}}`, `{"ref":${docRef('users', 1)},"ts":TS}`],
  [`[{"identify":${U},"password":"owl"},{"identify":${U},"password":"hedwig"}]`, '[false,true]'],
  ['{"count":{"credentials":null}}', '1'],
  [`{"create":{"credentials":null},"params":{"object":{"instance":${U},"password":"x"}}}`, fault(400, 'instance not unique', 'create', 'document is not unique.')],
  [`{"update":{"select":["data",0],"from":{"paginate":{"credentials":null}}},"params":{"object":{"password":"new"}}}`,
    invalid('', [['current_password'], 'invalid password', 'Invalid password at `current_password`.'])],
  [`{"is_object":{"update":{"select":["data",0],"from":{"paginate":{"credentials":null}}},"params":{"object":{"password":"new","current_password":"hedwig"}}}}`, 'true'],
  [`{"identify":${U},"password":"new"}`, 'true'],
  [`{"contains":"instance","in":{"replace":${CREDENTIALS},"params":{"object":{"instance":${U}}}}}`, 'true'],
  [`{"identify":${U},"password":"new"}`, 'false'],
  ...['first', 'second'].flatMap((password): readonly [string, string][] => [
    [`{"contains":"instance","in":{"replace":${CREDENTIALS},"params":{"object":{"instance":${U},"password":"${password}"}}}}`, 'true'],
    [`{"identify":${U},"password":"${password}"}`, 'true'],
  ]),
  [`{"contains":"instance","in":{"update":${CREDENTIALS},"params":{"object":{"hashed_password":"dropped"}}}}`, 'true'],
  [`{"identify":${U},"password":"second"}`, 'true'],
  // They go with the document that they are of.
  [`{"do":[{"create":{"ref":{"collection":"users"},"id":"2"}},{"update":${CREDENTIALS},"params":{"object":{"instance":{"ref":{"collection":"users"},"id":"2"}}}},[{"identify":${U},"password":"second"},{"identify":{"ref":{"collection":"users"},"id":"2"},"password":"second"}]]}`, '[false,true]'],
  [`{"contains":"instance","in":{"update":${CREDENTIALS},"params":{"object":{"instance":${U}}}}}`, 'true'],
  [`[{"identify":${U},"password":"second"},{"identify":{"ref":{"collection":"users"},"id":"2"},"password":"second"}]`, '[true,false]'],
  [`{"update":${CREDENTIALS},"params":{"object":{"password":"b","current_password":5}}}`, invalid('', noText('current_password'))],
  [`{"create":{"credentials":null},"params":{"object":{"instance":{"ref":{"collection":"users"},"id":9},"password":5}}}`, invalid('create', noText('password'))],
  ['{"create":{"collection":"users"},"params":{"object":{"credentials":5}}}', invalid('create', noMap('credentials', 'password'), noMap('credentials', 'current_password'))],
  [`{"update":${U},"params":{"object":{"credentials":{"object":{"password":5}}}}}`, invalid('', noText('credentials', 'password'))],
  [`{"login":${U},"params":{"object":{"password":"second","hashed_secret":"mine"}}}`,
    created(`{"ref":{"@ref":{"id":"ID","collection":${nativeRef('tokens')}}},"ts":TS,"instance":${docRef('users', 1)}}`)],
  [`{"login":${U},"params":{"object":{"password":"second","hashed_secret":5}}}`, invalid('', noText('hashed_secret'))],
]);

conforms('identity of a key', {}, [
  ...inVersions('{"has_identity":null}', { '2.0 2.12 4': 'false' }),
  ...inVersions('{"has_current_identity":null}', { '3': noForm('', 'has_current_identity'), '4': 'false' }),
  ['{"identity":null}', fault(400, 'missing identity', '', 'Authentication does not contain an identity')],
  ['[{"current_identity":null}]', fault(400, 'missing identity', '0', 'Authentication does not contain an identity')],
  ['{"current_token":null}', fault(400, 'invalid token', '', 'Token metadata is not accessible.')],
  ['{"has_current_token":null}', 'false'],
  ['{"identity":1}', argument('identity', 'Null expected, Integer provided.')],
  ['{"logout":true}', 'false'],
  ['{"logout":false}', 'false'],
  ['{"logout":1}', argument('logout', 'Boolean expected, Integer provided.')],
  ['{"key_from_secret":"nope"}', fault(400, 'instance not found', '', 'No key found for secret nope.')],
]);

const unauthorized: Answer = { status: 401, body: '{"errors":[{"code":"unauthorized","description":"Unauthorized"}]}' };
const world = [users, spells, withPassword, `{"create":${S}}`, '{"create_index":{"object":{"name":"all","source":{"collection":"spells"}}}}'];
const key = (role: string, more = ''): string => `{"create_key":{"object":{"role":${role}${more}}}}`;
const page = (set: string): string => `{"paginate":${set}}`;

asks({ name: 'a server key', secret: key('"server"') }, world, [
  [`{"exists":${S}}`, 'true'],
  ['{"create":{"collection":"users"},"params":{"object":{"credentials":5}}}', invalid('create', noMap('credentials', 'password'), noMap('credentials', 'hashed_password'))],
  ['{"create_key":{"object":{"role":"server"}}}', denied('create_key')],
  ['{"create_database":{"object":{"name":"x"}}}', denied('create_database')],
  ['{"create_role":{"object":{"name":"x"}}}', denied('create_role')],
  [page('{"databases":null}'), denied('paginate')],
  [page('{"keys":null}'), denied('paginate')],
  ['{"is_object":{"create_collection":{"object":{"name":"x"}}}}', 'true'],
  ['{"is_ref":{"current_token":null}}', 'true'],
  ['{"has_current_token":null}', 'true'],
]);

asks({ name: 'a key that only reads', secret: key('"server-readonly"') }, world, [
  [`{"exists":${S}}`, 'true'],
  [`{"update":${S}}`, denied('')],
  [`{"delete":${S}}`, denied('')],
  ['{"create":{"collection":"spells"}}', denied('create')],
  ['{"update":{"ref":{"collection":"spells"},"id":9}}', notFound('update', 'Document not found.')],
]);

asks({ name: 'a client key', secret: key('"client"') }, world, [
  [`{"get":${S}}`, denied('')],
  ['{"get":{"ref":{"collection":"spells"},"id":9}}', denied('')],
  [`{"exists":${S}}`, 'false'],
  ['{"exists":{"match":{"index":"all"}}}', denied('exists')],
  [page('{"match":{"index":"all"}}'), denied('paginate')],
  ['{"get":{"match":{"index":"all"}}}', denied('get')],
  ['{"count":{"match":{"index":"all"}}}', denied('count')],
  ['{"first":{"match":{"index":"all"}}}', denied('first')],
  ['{"is_empty":{"match":{"index":"all"}}}', denied('exists')],
  [page('{"documents":{"collection":"spells"}}'), '{"data":[]}'],
  ['{"create":{"collection":"spells"}}', denied('create')],
  ['{"at":0,"expr":{"create":{"collection":"spells"}}}', denied('expr/create')],
  [`{"at":0,"expr":{"update":${S}}}`, denied('expr')],
  [page(`{"events":${S}}`), denied('paginate')],
  ['{"create_collection":{"object":{"name":"x"}}}', denied('create_collection')],
  ['{"get":{"collection":"nope"}}', fault(400, 'invalid ref', 'get', "Ref refers to undefined collection 'nope'")],
  [`{"identify":${U},"password":"owl"}`, 'true'],
  ['{"add":[1,2]}', '3'],
  [`[{"get":${S}},{"add":"a"}]`, { status: 400, body: `{"errors":[${denied('0').text},${argument('1/add', 'Number expected, String provided.').text}]}` }],
]);

asks({ name: 'a token', secret: `{"login":${U},"params":{"object":{"password":"owl"}}}` }, world, [
  ['{"identity":null}', docRef('users', 1)],
  ['{"current_identity":null}', docRef('users', 1)],
  ['{"has_identity":null}', 'true'],
  ['{"is_ref":{"current_token":null}}', 'true'],
  ['{"get":{"identity":null}}', denied('')],
  ['{"@ref":"tokens/self"}', '{"@ref":{"id":"ID","collection":{"@ref":{"id":"tokens"}}}}'],
  ['{"@ref":"classes/users/self"}', docRef('users', 1)],
  ['{"@ref":"classes/spells/self"}', fault(400, 'invalid expression', '', 'Invalid ref.')],
  ['{"is_object":{"get":{"@ref":"tokens/self"}}}', 'true'],
  ['{"is_object":{"get":{"@ref":"credentials/self"}}}', 'true'],
  ['{"update":{"@ref":"tokens/self"}}', denied('')],
  ['{"logout":false}', 'true'],
  ['1', unauthorized],
]);

asks({ name: 'a token whose tokens all end', secret: `{"login":${U},"params":{"object":{"password":"owl"}}}` }, world, [
  ['{"logout":true}', 'true'],
  ['1', unauthorized],
]);

describe('a secret', () => {
  const child = '{"create_database":{"object":{"name":"child"}}}';
  it.each([
    ['token', 'whose document is gone', `{"login":${U},"params":{"object":{"password":"owl"}}}`, `{"delete":${U}}`],
    ['token', 'of a collection that is gone', `{"login":${U},"params":{"object":{"password":"owl"}}}`, '{"delete":{"collection":"users"}}'],
    ['key', 'whose database is gone', key('"admin"', ',"database":{"database":"child"}'), '{"delete":{"database":"child"}}'],
    ['key', 'that is gone itself', key('"server"'), '{"foreach":{"lambda":"ref","expr":{"delete":{"var":"ref"}}},"collection":{"paginate":{"keys":null}}}'],
  ])('of a %s %s opens nothing any more, and names nothing', async (kind, _, makesSecret, ends) => {
    const client = await testClient();
    await populate(client, [...world, child]);
    const { secret } = (JSON.parse((await client.query(makesSecret)).text) as { resource: { secret: string } }).resource;
    const opens = async (): Promise<number> => (await client.send('POST', '/', '1', { authorization: `Bearer ${secret}` })).status;
    const asked = `{"key_from_secret":"${secret}"}`;
    expect(await opens()).toBe(200);
    expect((await client.query(`{"select":["ref","collection"],"from":${asked}}`)).text).toBe(`{"resource":${nativeRef(`${kind}s`)}}`);
    for (const wrong of [`${secret}:`, `${secret}:client`, secret.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))]) {
      expect((await client.query(`{"key_from_secret":"${wrong}"}`)).text).toContain('No key found');
    }
    await populate(client, [ends]);
    expect(await opens()).toBe(401);
    expect(JSON.parse((await client.query(asked)).text)).toMatchObject({ errors: [{ code: 'instance not found', description: `No key found for secret ${secret}.` }] });
  });
});

asks({ name: 'a key of a child database', secret: key('"admin"', ',"database":{"database":"child"}') }, ['{"create_database":{"object":{"name":"child"}}}', spells], [
  ['{"exists":{"collection":"spells"}}', 'false'],
  ['{"is_object":{"create_collection":{"object":{"name":"own"}}}}', 'true'],
  ['{"paginate":{"collections":null}}', '{"data":[{"@ref":{"id":"own","collection":{"@ref":{"id":"collections"}}}}]}'],
  ['{"has_current_token":null}', 'false'],
]);
asks({ name: 'a key whose time has come', secret: key('"admin"', ',"ttl":{"time":"2019-01-01T00:00:00Z"}') }, [], [['1', unauthorized]]);

const role = (name: string, resource: string, actions: string, more = ''): string =>
  `{"create_role":{"object":{"name":"${name}","privileges":[{"object":{"resource":${resource},"actions":{"object":${actions}}}}]${more}}}}`;
const lambda = (params: string, body: string): string => `{"query":{"lambda":${params},"expr":${body}}}`;
const SPELLS = '{"collection":"spells"}';
const roled = (...roles: readonly string[]): readonly string[] => [...world, ...roles];

asks({ name: 'a key with a role that reads', secret: key('{"role":"r"}') }, roled(role('r', SPELLS, '{"read":true}')), [
  [`{"exists":${S}}`, 'true'],
  [`{"update":${S}}`, denied('')],
  [page('{"documents":{"collection":"spells"}}'), `{"data":[${docRef('spells', 1)}]}`],
  [page('{"documents":{"collection":"users"}}'), '{"data":[]}'],
  [page('{"match":{"index":"all"}}'), denied('paginate')],
  [page(`{"events":${S}}`), denied('paginate')],
]);
const PREDICATES = [
  ['read', '"ref"', '{"equals":[{"select":"id","from":{"var":"ref"}},"1"]}'],
  ['create', '"doc"', '{"equals":[{"select":["data","ok"],"from":{"var":"doc"}},true]}'],
  ['write', '["old","new"]', '{"contains":["data","x"],"in":{"var":"new"}}'],
  ['delete', '"ref"', '1'],
] as const;
asks(
  { name: 'a key with predicates', secret: key('{"role":"r"}') },
  roled(role('r', SPELLS, `{${PREDICATES.map(([action, params, body]) => `"${action}":${lambda(params, body)}`).join(',')}}`)),
  [
    [`{"exists":${S}}`, 'true'],
    ['{"get":{"ref":{"collection":"spells"},"id":2}}', denied('')],
    ['{"is_object":{"create":{"collection":"spells"},"params":{"object":{"data":{"object":{"ok":true}}}}}}', 'true'],
    ['{"create":{"collection":"spells"},"params":{"object":{"data":{"object":{"ok":false}}}}}', denied('create')],
    ['{"create":{"collection":"spells"},"params":{"object":{}}}', denied('create')],
    [`{"create":{"ref":{"collection":"spells"},"id":3},"params":{"object":{"data":{"object":{"ok":true}}}}}`, denied('create')],
    [`{"is_object":{"update":${S},"params":{"object":{"data":{"object":{"x":1}}}}}}`, 'true'],
    [`{"update":${S},"params":{"object":{"data":{"object":{"x":null}}}}}`, denied('')],
    [`{"replace":${S},"params":{"object":{"data":{"object":{"x":null}}}}}`, denied('')],
    [`{"contains":["data","x"],"in":{"replace":${S},"params":{"object":{"data":{"object":{"y":1}}}}}}`, 'false'],
    [`{"delete":${S}}`, denied('')],
  ],
);
asks(
  { name: 'a member of a role', secret: `{"login":${U},"params":{"object":{"password":"owl"}}}` },
  roled(
    role('r', SPELLS, '{"read":true}', ',"membership":{"object":{"resource":{"collection":"users"}}}'),
    role('never', SPELLS, '{"write":true}', `,"membership":{"object":{"resource":{"collection":"users"},"predicate":${lambda('"ref"', 'false')}}}`),
    '{"create_function":{"object":{"name":"whoami","role":"server","body":{"query":{"lambda":"x","expr":[{"identity":null},{"exists":{"ref":{"collection":"users"},"id":"1"}}]}}}}}',
    role('others', SPELLS, '{"write":true}', ',"membership":{"object":{"resource":{"collection":"spells"}}}'),
    role('caller', '{"function":"whoami"}', '{"call":true}', ',"membership":{"object":{"resource":{"collection":"users"}}}'),
    role('index', '{"index":"all"}', '{"read":true}', ',"membership":{"object":{"resource":{"collection":"users"}}}'),
  ),
  [
    [`{"exists":${S}}`, 'true'],
    [`{"update":${S}}`, denied('')],
    ['{"call":"whoami"}', `[${docRef('users', 1)},true]`],
    [`{"exists":${U}}`, 'false'],
    [page('{"match":{"index":"all"}}'), `{"data":[${docRef('spells', 1)}]}`],
  ],
);

// With `unrestricted_read` a set is seen whole, whatever its documents allow; the documents themselves are not.
const DOCUMENTS = '{"documents":{"collection":"spells"}}';
const ALL = '{"match":{"index":"every"}}';
const every = '{"create_index":{"object":{"name":"every","source":{"collection":"spells"}}}}';
const sees = (set: string, count: number): readonly (readonly [string, string])[] => [
  [`{"count":${set}}`, String(count)],
  [`{"count":{"events":${set}}}`, String(count)],
  [`{"is_nonempty":{"paginate":${set}}}`, String(count > 0)],
];
asks({ name: 'a role that may read a collection whole', secret: key('{"role":"r"}') }, roled(role('r', SPELLS, '{"unrestricted_read":true}')), [
  ...sees(DOCUMENTS, 1),
  [`{"get":${DOCUMENTS}}`, denied('')],
  [`{"get":${S}}`, denied('')],
]);
asks({ name: 'a role that may read an index whole', secret: key('{"role":"r"}') }, roled(every, role('r', '{"index":"every"}', '{"unrestricted_read":true}')), [
  ...sees(ALL, 1),
  ...sees(DOCUMENTS, 0),
  [`{"get":${ALL}}`, denied('')],
]);
asks({ name: 'a predicate of an index that looks at keys', secret: key('{"role":"r"}') },
  roled(every, role('r', '{"index":"every"}', `{"read":${lambda('"x"', '{"is_nonempty":{"paginate":{"keys":null}}}')}}`)),
  [[`{"count":${ALL}}`, denied('count')], [`{"exists":${ALL}}`, denied('exists')]]);
asks({ name: 'a role that reads an index', secret: key('{"role":"r"}') }, roled(every, role('r', '{"index":"every"}', '{"read":true}')), sees(ALL, 0));
for (const [answer, count] of [['true', 1], ['false', 0], ['{"equals":[{"var":"x"},null]}', 1]] as const) {
  asks({ name: `a predicate of whole reading that says ${answer}`, secret: key('{"role":"r"}') },
    roled(role('r', SPELLS, `{"unrestricted_read":${lambda('"x"', answer)}}`)), sees(DOCUMENTS, count));
}

asks({ name: 'a predicate that asks for more than can be done, beside one that lets it be read', secret: key('[{"role":"r"},{"role":"q"}]') },
  roled(role('r', SPELLS, `{"read":${lambda('"x"', '{"length":{"repeat":{"repeat":{"repeat":"x","number":1024},"number":1024},"number":65}}')},"delete":${lambda('"x"', '{"exists":{"var":"x"},"ts":0}')}}`),
    role('q', SPELLS, `{"read":${lambda('"x"', 'true')}}`)),
  [[`{"exists":${S}}`, 'true'], [`{"delete":${S}}`, denied('')]]);

// Who may read an index, but not all documents in it, writes lambdas that could tell what they are handed: that is never an entry of the others.
const note = (id: number, name: string, about: string, open: boolean): string =>
  `{"create":{"ref":{"collection":"notes"},"id":${id}},"params":{"object":{"data":{"object":{"name":"${name}","about":"${about}","open":${open}}}}}}`;
const noteIndex = (name: string, terms: string): string =>
  `{"create_index":{"object":{"name":"${name}","source":{"collection":"notes"},"terms":[${terms}],"values":[{"object":{"field":["data","name"]}}]}}}`;
const isOpen = (ref: string): string => `{"select":["data","open"],"from":{"get":{"var":"${ref}"}}}`;
const NOTES = [
  '{"create_collection":{"object":{"name":"notes"}}}', noteIndex('names', ''), noteIndex('about', '{"object":{"field":["data","about"]}}'),
  note(1, 'a', 'all', false), note(2, 'open', 'all', true), note(3, 'z', 'all', false),
  note(4, 'a', 'open', false), note(5, 'open', 'open', true), note(6, 'z', 'open', false),
  '{"update":{"ref":{"collection":"notes"},"id":1},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}',
  note(7, 'led', 'a', true), note(8, 'open', 'twin', false), note(9, 'z', 'twin', false),
  `{"create_role":{"object":{"name":"r","privileges":[${[
    ['{"collection":"notes"}', lambda('"ref"', isOpen('ref'))], ['{"index":"names"}', 'true'], ['{"index":"about"}', 'true'],
  ].map(([resource, read]) => `{"object":{"resource":${resource},"actions":{"object":{"read":${read}}}}}`).join()}]}}}`,
];
const NAMES = '{"match":{"index":"names"}}';
const ALL_NOTES = '{"documents":{"collection":"notes"}}';
const about = (name: string): string => `{"match":{"index":"about"},"terms":${name}}`;
const tells = (then: string): string =>
  `{"lambda":"x","expr":{"if":{"or":[{"equals":[{"var":"x"},"open"]},{"equals":[{"var":"x"},"led"]}]},"then":${then},"else":{"abort":{"var":"x"}}}}`;
const listens = (set: string, keeps = 'true'): string => `{"filter":${tells(keeps)},"collection":${set}}`;
const data = (...names: readonly string[]): string => JSON.stringify({ data: names });
const [OPEN, TWIN] = [about('"open"'), about('"twin"')];
asks({ name: 'a role that reads some entries of an index', secret: key('{"role":"r"}') }, NOTES, [
  [page(listens(NAMES)), data('led', 'open', 'open')],
  [page(listens(`{"reverse":${NAMES}}`)), data('open', 'open', 'led')],
  [page(listens(`{"distinct":${NAMES}}`)), data('led', 'open')],
  [page(listens(`{"range":${NAMES},"from":"a","to":"zz"}`)), data('led', 'open', 'open')],
  [page(listens(`{"union":[${NAMES},${OPEN}]}`)), data('led', 'open', 'open')],
  [page(`{"filter":{"lambda":"x","expr":{"if":${isOpen('x')},"then":true,"else":{"abort":"told"}}},"collection":{"documents":{"collection":"notes"}}}`),
    `{"data":[${[2, 5, 7].map((id) => docRef('notes', id)).join()}]}`],
  [`{"count":${listens(NAMES)}}`, '3'],
  [`{"select":["ref","id"],"from":{"get":${listens(OPEN)}}}`, '"5"'],
  [`{"reduce":${tells('1').replace('"x"', '["_","x"]')},"initial":0,"collection":${NAMES}}`, '1'],
  // Joins: what leads to the targets, and what is in them.
  [page(`{"join":${NAMES},"with":${tells(about('{"var":"x"}'))}}`), data('open')],
  [page(`{"join":${NAMES},"with":{"index":"about"}}`), data('led', 'open')],
  [`{"count":{"events":{"join":${NAMES},"with":{"index":"about"}}}}`, '2'],
  [page(`{"join":${listens(NAMES)},"with":{"index":"about"}}`), data('open')],
  [page(listens(`{"join":${NAMES},"with":${tells(about('{"var":"x"}'))}}`)), data('open')],
  [page(`{"range":{"join":${NAMES},"with":${tells(about('{"var":"x"}'))}},"from":"a","to":"zz"}`), data('open')],
  [`{"count":{"events":{"join":${NAMES},"with":${tells(OPEN)}}}}`, '1'],
  // What is taken away from a set, or kept of it, because it is in another.
  [page(`{"difference":[${OPEN},${TWIN}]}`), data('open')],
  [page(`{"difference":[${OPEN},${listens(TWIN, 'false')}]}`), data('open')],
  [page(`{"difference":[${OPEN},{"join":${TWIN},"with":${tells(NAMES)}}]}`), data('open')],
  [page(`{"intersection":[${OPEN},${TWIN}]}`), data()],
  [page(`{"intersection":[${OPEN},${listens(about('"all"'))}]}`), data('open')],
  // What stands for a set is its first entry, and then it is asked whether that may be read (reference: data/sets.md §8). Lambdas are not handed it even so.
  ...[NAMES, OPEN, ALL_NOTES, `{"reverse":${NAMES}}`, `{"distinct":${OPEN}}`, `{"range":${OPEN},"from":"a","to":"zz"}`, `{"union":[${OPEN},${TWIN}]}`, `{"events":${OPEN}}`,
    `{"join":${NAMES},"with":{"index":"about"}}`, `{"join":${NAMES},"with":${tells(OPEN)}}`, `{"range":{"join":${NAMES},"with":${tells(OPEN)}},"from":"a","to":"zz"}`]
    .flatMap((set): [string, string | Answer][] => [[`{"get":${set}}`, denied('')], [`[{"exists":${set}},{"is_empty":${set}}]`, '[false,true]']]),
  ...[about('"a"'), `{"range":${OPEN},"from":"open","to":"zz"}`, `{"difference":[${OPEN},${about('"open"')}]}`, listens(OPEN), `{"join":${NAMES},"with":${tells(listens(OPEN))}}`]
    .map((set): [string, string] => [`[{"exists":${set}},{"is_empty":${set}}]`, set.includes('difference') ? '[false,true]' : '[true,false]']),
  [`{"identify":${NAMES},"password":"owl"}`, 'true'],
]);

// A document as a set asks for its history, and for nothing else.
const ONE = `{"singleton":${S}}`;
const reads = ['get', 'exists', 'count', 'paginate'] as const;
asks({ name: 'a role that reads documents, but not as sets', secret: key('{"role":"r"}') }, roled(role('r', SPELLS, '{"read":true}')), [
  ...[S, ONE, `{"events":${ONE}}`, `{"events":${S}}`].map((set): [string, Answer] => [page(set), denied('paginate')]),
  ...reads.map((name): [string, Answer] => [`{"${name}":${ONE}}`, denied(name)]),
  [page(`{"join":${DOCUMENTS},"with":{"lambda":"x","expr":{"singleton":{"var":"x"}}}}`), '{"data":[]}'],
  [page(`{"union":[${ONE},${DOCUMENTS}]}`), `{"data":[${docRef('spells', 1)}]}`],
]);
asks({ name: 'a role that reads the history of documents', secret: key('{"role":"r"}') }, roled(role('r', SPELLS, '{"history_read":true}')), [
  [page(S), `{"data":[${docRef('spells', 1)}]}`],
  [page(ONE), `{"data":[${docRef('spells', 1)}]}`],
  [`{"select":["data",0,"action"],"from":${page(`{"events":${ONE}}`)}}`, '"add"'],
  [`{"select":["data",0,"action"],"from":${page(`{"events":${S}}`)}}`, '"create"'],
  [`{"count":${ONE}}`, '1'],
  [`{"exists":${ONE}}`, 'false'],
  [`{"get":${ONE}}`, denied('')],
]);

// Predicates call functions that only read, whoever may call them, and see no history.
const makes = (name: string, body: string, more = ''): string => `{"create_function":{"object":{"name":"${name}"${more},"body":{"query":{"lambda":"x","expr":${body}}}}}}`;
const judges = (name: string, body: string): string => role(name, SPELLS, `{"read":${lambda('"x"', body)}}`);
for (const [what, body, mayRead] of [
  ['a function', '{"call":"pure"}', true],
  ['a function with a role', '{"call":"servant"}', true],
  ['a function that reads', '{"call":"reads"}', true],
  ['a function that writes', '{"call":"writes"}', false],
  ['the history of a document', '{"is_nonempty":{"paginate":{"events":{"var":"x"}}}}', false],
  ['keys', '{"is_nonempty":{"paginate":{"keys":null}}}', false],
] as const) {
  asks(
    { name: `a predicate that uses ${what}`, secret: key('{"role":"r"}') },
    roled(
      makes('pure', 'true'), makes('servant', 'true', ',"role":"server"'), makes('reads', `{"exists":${S}}`), makes('writes', '{"do":[{"new_id":null},true]}'),
      judges('r', body),
    ),
    [[`{"is_object":{"get":${S}}}`, mayRead ? 'true' : denied('is_object')], ['{"call":"pure"}', denied('')]],
  );
}

describe('a key of a database below', () => {
  it('has the role of that database that has the name, and not that of the database it is in', async () => {
    const client = await testClient();
    const asks = async (secret: string, query: string): Promise<string> => (await client.queryAs(secret, query)).text;
    await populate(client, ['{"create_database":{"object":{"name":"child"}}}', '{"create_role":{"object":{"name":"r"}}}']);
    for (const query of [spells, role('r', SPELLS, '{"read":true}'), `{"create":${S}}`]) await asks('secret:child:admin', query);
    const made = async (role: string): Promise<string> =>
      (JSON.parse((await client.query(key(role, ',"database":{"database":"child"}'))).text) as { resource: { secret: string } }).resource.secret;
    expect(await asks(await made('"r"'), `{"exists":${S}}`)).toBe('{"resource":true}');
    expect(await asks(await made('{"role":"r"}'), `{"exists":${S}}`)).toBe('{"resource":false}');
  });
});

describe('the secret of a key', () => {
  it('belongs to one key: it may be set again there, and nowhere else', async () => {
    const client = await testClient();
    await populate(client, ['{"create_database":{"object":{"name":"one"}}}', '{"create_database":{"object":{"name":"two"}}}']);
    const made = async (query: string, secret: string): Promise<{ readonly id: string; readonly secret: string }> => {
      const { text } = await client.queryAs(secret, query);
      const { resource } = JSON.parse(text) as { resource: { ref: { '@ref': { id: string } }; secret: string } };
      return { id: resource.ref['@ref'].id, secret: resource.secret };
    };
    const [one, two] = await Promise.all(['one', 'two'].map((name) => made(`{"create_key":{"object":{"role":"admin","database":{"database":"${name}"}}}}`, 'secret')));
    const key = await made('{"create_key":{"object":{"role":"server"}}}', one?.secret ?? '');
    const set = async (form: string, secret = ''): Promise<string> => {
      const query = `{"${form}":{"ref":{"keys":null},"id":"${key.id}"},"params":{"object":{"role":"server","secret":"${key.secret}"}}}`;
      const { status, text } = await client.queryAs(secret, query);
      return status === 200 ? String(status) : text;
    };
    expect(await set('update', one?.secret)).toBe('200');
    expect(await set('create', two?.secret)).toBe(invalid('create', [['secret'], 'duplicate value', 'Value is not unique.']).body);
  });
});

// What the privileges and memberships of roles grant, and what their predicates are given (reference:
// data/auth.md §7; the original's auth/Permissions, auth/RoleEvalAction and model/LambdaWrapper).
import { asks } from '../../../testing/asks.ts';
import { denied, docRef, undefinedRef } from '../../../testing/cases.ts';

const make = (form: string, fields: string): string => `{"create_${form}":{"object":{${fields}}}}`;
const lambda = (params: string, body: string): string => `{"query":{"lambda":${params},"expr":${body}}}`;
const privilege = (resource: string, actions: string): string => `{"object":{"resource":${resource},"actions":{"object":${actions}}}}`;
const role = (name: string, privileges: readonly string[], more = ''): string => make('role', `"name":"${name}","privileges":[${privileges.join()}]${more}`);
const key = '{"create_key":{"object":{"role":{"role":"r"}}}}';

const U = '{"ref":{"collection":"users"},"id":"1"}';
const S = '{"ref":{"collection":"spells"},"id":"1"}';
const SPELLS = '{"collection":"spells"}';
const MEMBERS = ',"membership":{"object":{"resource":{"collection":"users"}}}';
const put = (ref: string, data: string): string => `{"create":${ref},"params":{"object":{"data":{"object":${data}}}}}`;
const change = (data: string): string => `{"is_object":{"update":${S},"params":{"object":{"data":{"object":${data}}}}}}`;
const world = [
  make('collection', '"name":"users"'), make('collection', '"name":"spells"'), `{"create":${U},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}`, put(S, '{"level":1,"open":true}'),
  make('index', '"name":"by_level","source":{"collection":"spells"},"terms":[{"object":{"field":["data","level"]}},{"object":{"field":["data","open"]}}]'),
  make('function', `"name":"f","body":${lambda('["x","y"]', '{"var":"x"}')}`),
];
const login = `{"login":${U},"params":{"object":{"password":"owl"}}}`;
const member = (name: string, rows: Parameters<typeof asks>[2], ...more: readonly string[]): void => asks({ name, secret: login }, [...world, ...more], rows);
const keyed = (name: string, privileges: readonly string[], rows: Parameters<typeof asks>[2], ...more: readonly string[]): void =>
  asks({ name, secret: key }, [...world, ...more, role('r', privileges)], rows);

// The predicates of a list of privileges may have any number of parameters: arrays are taken apart.
const call = (x: number, y: number): string => `{"call":"f","arguments":[${x},${y}]}`;
keyed('a predicate of a call with a name for each argument', [privilege('{"function":"f"}', `{"call":${lambda('["x","y"]', '{"lt":[{"var":"x"},{"var":"y"}]}')}}`)], [
  [call(1, 2), '1'],
  [call(2, 1), denied('')],
]);
const match = (level: number): string => `{"count":{"match":{"index":"by_level"},"terms":[${level},true]}}`;
keyed('a predicate of an index with a name for each term', [privilege('{"index":"by_level"}', `{"unrestricted_read":${lambda('["level","_"]', '{"equals":[{"var":"level"},1]}')}}`)], [
  [match(1), '1'],
  [match(2), denied('count')],
]);
const paged = (cursor: string): string => `{"paginate":{"match":{"index":"by_level"},"terms":[1,true]},"after":${cursor}}`;
keyed('a cursor that is none is told before who may read the set', [], [
  [paged('1'), denied('paginate')],
  [paged('{"collection":"nope"}'), undefinedRef('after', "Ref refers to undefined collection 'nope'")],
]);
for (const params of ['["old","new"]', '["old","new","ref"]']) {
  keyed(`a predicate of a write with ${params}`, [privilege(SPELLS, `{"write":${lambda(params, '{"equals":[{"select":["data","level"],"from":{"var":"old"}},{"select":["data","level"],"from":{"var":"new"}}]}')}}`)], [
    [change('{"open":false}'), 'true'],
    [change('{"level":2}'), denied('is_object')],
  ]);
}
keyed('a predicate of a write with one name for all', [privilege(SPELLS, `{"write":${lambda('"both"', '{"equals":[{"count":{"var":"both"}},2]}')}}`)], [[change('{"open":false}'), 'true']]);
keyed('a predicate of a write with a name for the old fields alone', [privilege(SPELLS, `{"write":${lambda('["old"]', 'true')}}`)], [[change('{"open":false}'), denied('is_object')]]);
for (const params of ['"x"', '["x"]']) {
  keyed(`a predicate of a chosen id with ${params}`, [privilege(SPELLS, `{"create_with_id":${lambda(params, '{"select":["data","ok"],"from":{"var":"x"}}')}}`)], [
    [`{"is_object":${put('{"ref":{"collection":"spells"},"id":"2"}', '{"ok":true}')}}`, 'true'],
  ]);
}

// Predicates see the present, whatever time is read at.
const insert = (data: string): string => `{"insert":${S},"ts":{"time":"2019-12-20T00:00:00Z"},"action":"create","params":{"object":{"data":{"object":${data}}}}}`;
const past = `{"at":{"time":"2019-12-21T00:00:00Z"},"expr":{"select":["data","open"],"from":{"get":${S}}}}`;
const isOpen = privilege(SPELLS, `{"read":${lambda('"x"', '{"select":["data","open"],"from":{"get":{"var":"x"}}}')}}`);
keyed('a document that may be read now, but could not', [isOpen], [[past, 'false']], insert('{"open":false}'));
keyed('a document that could be read, but may not now', [isOpen], [[past, denied('expr/from')]], insert('{"open":true}'), `{"update":${S},"params":{"object":{"data":{"object":{"open":false}}}}}`);

// To take a version out of history is asked about with its fields; where there is none at that time, with those that the document had then.
const takeOut = (ts: string): string => `{"remove":${S},"ts":${ts},"action":"create"}`;
keyed('a predicate of history', [privilege(SPELLS, `{"history_write":${lambda('["_","_","_","fields"]', '{"select":["data","open"],"from":{"var":"fields"}}')}}`)], [
  [takeOut('{"now":null}'), 'null'],
  [takeOut('{"time":"2019-12-22T00:00:00Z"}'), denied('')],
  [takeOut('{"time":"2019-12-20T00:00:00Z"}'), denied('')],
  [takeOut('{"time":"2019-12-10T00:00:00Z"}'), denied('')],
], insert('{"open":false}'));

// Their version is the one that they are stored with, whatever the request's is: 2.0 has no pages of this size.
keyed('a predicate that reads a large page', [privilege(SPELLS, `{"read":${lambda('"x"', `{"is_object":{"paginate":{"documents":${SPELLS}},"size":5000}}`)}}`)], [
  [`{"exists":${S}}`, 'true', '4'],
  [`{"exists":${S}}`, 'true', '2.0'],
]);

// To use an index or a function is granted by itself; to read or change its document, by its native collection.
keyed('privileges on an index and a function', [privilege('{"index":"by_level"}', '{"read":true,"unrestricted_read":true,"write":true,"delete":true}'), privilege('{"function":"f"}', '{"call":true,"read":true,"write":true,"delete":true}')], [
  [match(1), '1'],
  [call(1, 2), '1'],
  ...['index":"by_level', 'function":"f'].flatMap((which): readonly (readonly [string, ReturnType<typeof denied>])[] => ['get', 'update', 'delete'].map((form) => [`{"${form}":{"${which}"}}`, denied('')])),
]);
keyed('privileges on all indexes and functions', [privilege('{"indexes":null}', '{"read":true,"unrestricted_read":true}'), privilege('{"functions":null}', '{"read":true,"call":true}')], [
  ['[{"select":"name","from":{"get":{"index":"by_level"}}},{"select":"name","from":{"get":{"function":"f"}}}]', '["by_level","f"]'],
  [match(1), denied('count')],
  [call(1, 2), denied('')],
]);

// A native collection as a set is a document of collections(), and what is in it is seen as its own collection allows.
const page = (set: string): string => `{"select":"data","from":{"paginate":${set}}}`;
const [INDEXES, BY_LEVEL] = ['{"indexes":null}', '[{"@ref":{"id":"by_level","collection":{"@ref":{"id":"indexes"}}}}]'];
const inDocuments: readonly [string, string] = [page(`{"documents":${INDEXES}}`), BY_LEVEL];
keyed('a privilege on all indexes', [privilege(INDEXES, '{"read":true}')], [[page(INDEXES), denied('from/paginate')], [`{"exists":${INDEXES}}`, denied('exists')], inDocuments]);
keyed('a privilege on all collections', [privilege('{"collections":null}', '{"read":true}')], [[page(INDEXES), '[]'], [`{"count":{"collections":null}}`, '2']]);
keyed('privileges on all indexes and on what one is in', [privilege(INDEXES, '{"read":true}'), privilege('{"collections":null}', `{"read":${lambda('"x"', `{"equals":[{"var":"x"},${INDEXES}]}`)}}`)], [
  [page(INDEXES), BY_LEVEL],
  ['{"count":{"collections":null}}', denied('count')],
  inDocuments,
]);

// A function with a role has the rights of that role and no others, though it knows who calls.
const READS = [privilege(SPELLS, '{"read":true}'), ...['f', 'none', 'own', 'mine'].map((name) => privilege(`{"function":"${name}"}`, '{"call":true}'))];
const runs = (name: string, as: string, body: string): string => make('function', `"name":"${name}","role":${as},"body":${lambda('[]', body)}`);
member('a function with a role of its own', [
  [`{"exists":${S}}`, 'true'],
  ['{"exists":{"@ref":"credentials/self"}}', 'true'],
  ['{"call":"none"}', `[false,false,${docRef('users', 1)}]`],
  ['{"call":"own"}', '[false,false]'],
  ['{"call":"mine"}', '[true,false]'],
], make('role', '"name":"nothing"'),
role('judging', [
  privilege('{"collection":"users"}', `{"read":${lambda('"x"', '{"has_identity":null}')}}`),
  privilege(SPELLS, '{"read":true}'),
]),
runs('none', '"client"', `[{"exists":${S}},{"exists":{"documents":{"collection":"spells"}}},{"identity":null}]`),
runs('own', '{"role":"nothing"}', `[{"exists":${S}},{"exists":${U}}]`),
runs('mine', '{"role":"judging"}', `[{"exists":${S}},{"exists":${U}}]`),
role('reading', READS, MEMBERS));

// Whoever asks has the roles that the document was a member of when the request came.
const admits = `,"membership":{"object":{"resource":{"collection":"users"},"predicate":${lambda('"x"', '{"select":["data","active"],"from":{"get":{"var":"x"}},"default":true}')}}}`;
const retire = `{"update":${U},"params":{"object":{"data":{"object":{"active":false}}}}}`;
member('a member that leaves', [
  [`{"do":[${retire},{"exists":${S}}]}`, 'true'],
  [`{"exists":${S}}`, 'false'],
], role('active', [privilege(SPELLS, '{"read":true}'), privilege('{"collection":"users"}', '{"read":true,"write":true}')], admits));

keyed('a role that writes roles', [privilege('{"roles":null}', '{"write":true}'), privilege('{"collections":null}', '{"read":true}')], [
  [`{"do":[{"update":{"role":"r"},"params":{"object":{"privileges":[${privilege(SPELLS, '{"read":true}')}]}}},{"exists":${S}}]}`, 'false'],
  [`{"exists":${S}}`, 'true'],
]);

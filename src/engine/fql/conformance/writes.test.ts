// Writing documents, and what is refused (reference: data/documents.md §2, §5–9; fql/functions.md §8).
import {
  type Answer, argument, collectionRef, conforms, created, databaseRef, docRef, expression, fault, faults, functionRef, indexRef, type FieldFault, invalid, inVersions, nativeRef, notFound,
  ok, roleRef, type Row, undefinedRef,
} from '../../../testing/cases.ts';

const spells = '{"create_collection":{"object":{"name":"spells"}}}';
const S = (id: number | string): string => `{"ref":{"collection":"spells"},"id":${id}}`;
const doc = (id: number | string, fields: string): string => `{"ref":${docRef('spells', id)},"ts":TS${fields}}`;
const create = (id: number | string, data: string): string => `{"create":${S(id)},"params":{"object":{"data":{"object":${data}}}}}`;

conforms('create', { world: [spells] }, [
  [create(1, '{"a":1,"b":null,"c":[1,null,2]}'), created(doc(1, ',"data":{"a":1,"c":[1,2]}'))],
  [create(1, '{}'), fault(400, 'instance already exists', 'create', 'Document already exists.')],
  [create(1, '{}'), fault(400, 'instance already exists', 'create', 'Instance already exists.'), '2.1'],
  [`{"create":${S(2)}}`, created(doc(2, ''))],
  ['{"create":{"collection":"spells"},"params":{"object":{}}}', created(doc('ID', ''))],
  ['{"create":"spells","params":{"object":{}}}', created(doc('ID', ''))],
  ['[{"create":"spells"}]', ok(`[${doc('ID', '')}]`)],
  ['{"select":["ref","collection"],"from":{"create":"spells"}}', collectionRef('spells')],
  // An id that is taken already is given to no other.
  [`{"let":{"next":{"to_string":{"add":[{"to_integer":{"new_id":null}},1]}},"one":{"create":${S('{"var":"next"}')}},"two":{"create":"spells"}},"in":[{"equals":[{"select":["ref","id"],"from":{"var":"one"}},{"var":"next"}]},{"equals":[{"select":["ref","id"],"from":{"var":"two"}},{"var":"next"}]}]}`,
    ok('[true,false]')],
  [`{"create":${S(3)},"params":{"object":{"data":{"object":{}},"nope":1,"permissions":{"object":{}},"ts":5,"ref":1}}}`, created(doc(3, ''))],
  [`{"create":${S(4)},"params":{"object":{"data":{"object":{"d":{"object":{"x":null}}}}}}}`, created(doc(4, ',"data":{"d":{}}'))],
  [`{"create":${S(5)},"params":{"object":{"data":1}}}`, invalid('create', [['data'], 'invalid type', 'Invalid type Long, expected type Map.'])],
  [`{"create":${S(5)},"params":{"object":{"data":[]}}}`, invalid('create', [['data'], 'invalid type', 'Invalid type Array, expected type Map.'])],
  [`{"create":${S(5)},"params":{"object":{"constraints":2}}}`, invalid('create', [['constraints'], 'invalid type', 'Invalid type Long, expected type Map.'])],
  [`{"create":${S(13)},"params":{"object":{"constraints":{"object":{"a":1}}}}}`, created(doc(13, ',"constraints":{"a":1}'))],
  [`{"create":${S(5)},"params":{"object":{"ttl":5}}}`, invalid('create', [['ttl'], 'invalid type', 'Invalid type Long, expected type Timestamp.'])],
  [`{"create":${S(5)},"params":{"object":{"data":"x","ttl":5}}}`,
    invalid('create', [['data'], 'invalid type', 'Invalid type String, expected type Map.'], [['ttl'], 'invalid type', 'Invalid type Long, expected type Timestamp.'])],
  [`{"create":${S(5)},"params":{"object":{"data":{"object":{"r":{"collection":"nope"}}}}}}`,
    invalid('', [['data', 'r'], 'invalid reference', 'Cannot read reference.'])],
  [`[{"create":${S(5)},"params":{"object":{"data":{"object":{"r":[{"index":"nope"}]}}}}}]`,
    invalid('0', [['0', 'data', 'r', '0'], 'invalid reference', 'Cannot read reference.'])],
  [`{"create":${S(6)},"params":1}`, argument('params', 'Object expected, Integer provided.')],
  ['{"create":"nope"}', undefinedRef('create', "Ref refers to undefined collection 'nope'")],
  ['{"create":{"class":"nope"}}', undefinedRef('create', "Ref refers to undefined class 'nope'"), '2.1'],
  ['{"create":1}', argument('create', 'Identifier expected, Integer provided.')],
  [`{"do":[${create(7, '{}')},${create(7, '{}')}]}`, fault(400, 'instance already exists', 'do/1/create', 'Document already exists.')],
  [`{"do":[${create(8, '{"a":1}')},{"delete":${S(8)}},${create(8, '{"a":2}')}]}`, created(doc(8, ',"data":{"a":2}'))],
  [create(9, '{"big":9223372036854775807,"d":1.0,"t":{"time":"2020-01-01T00:00:00.123456789Z"},"n":{"date":"2020-01-01"},"y":{"@bytes":"AQID"},"s":{"documents":{"collection":"spells"}}}'),
    created(doc(9, `,"data":{"big":9223372036854775807,"d":1.0,"t":{"@ts":"2020-01-01T00:00:00.123456789Z"},"n":{"@date":"2020-01-01"},"y":{"@bytes":"AQID"},"s":{"@set":{"documents":${collectionRef('spells')}}}}`))],
  [create(10, '{"f":{"query":{"lambda":"x","expr":{"add":[{"var":"x"},1]}}}}'),
    created(doc(10, ',"data":{"f":{"@query":{"api_version":"4","lambda":"x","expr":{"add":[{"var":"x"},1]}}}}'))],
  [create(11, '{"self":{"select":"ts","from":{"create":{"ref":{"collection":"spells"},"id":12}}}}'), created(doc(11, ',"data":{"self":TS}'))],
  ['{"create":{"collections":null},"params":{"object":{"name":"more"}}}', created(`{"ref":${collectionRef('more')},"ts":TS,"history_days":30,"name":"more"}`)],
]);

conforms('update', { world: [spells, create(1, '{"a":{"object":{"x":1,"y":2}},"b":[1,2],"c":3}')] }, [
  [`{"update":${S(1)},"params":{"object":{"data":{"object":{"a":{"object":{"x":5,"z":6}},"b":[9,null],"d":4}}}}}`, doc(1, ',"data":{"a":{"x":5,"y":2,"z":6},"b":[9],"c":3,"d":4}')],
  [`{"update":${S(1)},"params":{"object":{"data":{"object":{"a":{"object":{"x":null,"y":null,"z":null}},"c":null}}}}}`, doc(1, ',"data":{"a":{},"b":[9],"d":4}')],
  [`{"update":${S(1)},"params":{"object":{"data":{"object":{"b":{"object":{"n":null,"m":1}}}}}}}`, doc(1, ',"data":{"a":{},"b":{"m":1},"d":4}')],
  [`{"update":${S(1)}}`, doc(1, ',"data":{"a":{},"b":{"m":1},"d":4}')],
  [`{"update":${S(1)},"params":{"object":{"data":null}}}`, doc(1, '')],
  [`{"update":${S(1)},"params":{"object":{"data":{"object":{"k":1}}}}}`, doc(1, ',"data":{"k":1}')],
  [`{"update":${S(1)},"params":{"object":{"data":2}}}`, invalid('', [['data'], 'invalid type', 'Invalid type Long, expected type Map.'])],
  [`{"update":${S(2)},"params":{"object":{}}}`, notFound('update', 'Document not found.')],
  [`{"update":${S(2)},"params":{"object":{}}}`, notFound('update', 'Instance not found.'), '2.1'],
  ['{"update":{"collections":null},"params":{"object":{}}}', argument('update', 'Cannot update a schema meta collection.')],
  ['{"update":{"collections":null},"params":{"object":{}}}', argument('update', 'Cannot update a schema meta class.'), '2.1'],
  ['{"update":1}', argument('update', 'Ref expected, Integer provided.')],
  ['{"update":{"collection":"nope"},"params":{"object":{}}}', undefinedRef('update', "Ref refers to undefined collection 'nope'")],
  [`{"update":${S(1)},"params":{"object":{"data":{"object":{"r":{"collection":"nope"}}}}}}`, invalid('', [['data', 'r'], 'invalid reference', 'Cannot read reference.'])],
]);

conforms('replace and delete', { world: [spells, create(1, '{"a":1}'), `{"update":${S(1)},"params":{"object":{"ttl":{"time":"2100-01-01T00:00:00Z"}}}}`] }, [
  [`{"get":${S(1)}}`, doc(1, ',"data":{"a":1},"ttl":{"@ts":"2100-01-01T00:00:00Z"}')],
  [`{"replace":${S(1)},"params":{"object":{"data":{"object":{"b":2,"c":null}}}}}`, doc(1, ',"data":{"b":2}')],
  [`{"replace":${S(2)},"params":{"object":{}}}`, notFound('replace', 'Document not found.')],
  ['{"replace":{"indexes":null},"params":{"object":{}}}', argument('replace', 'Cannot update a schema meta collection.')],
  [`{"delete":${S(2)}}`, notFound('', 'Document not found.')],
  [`[{"delete":${S(2)}}]`, notFound('0', 'Document not found.')],
  [`{"delete":${S(1)}}`, doc(1, ',"data":{"b":2}')],
  [`{"exists":${S(1)}}`, 'false'],
  [`{"delete":${S(1)}}`, notFound('', 'Instance not found.'), '2.1'],
  ['{"delete":{"collections":null}}', notFound('', 'Collection not found.')],
  ['{"delete":{"collection":"spells"}}', `{"ref":${collectionRef('spells')},"ts":TS,"history_days":30,"name":"spells"}`],
  [`{"exists":${S(3)}}`, 'false'],
  [`{"get":${S(3)}}`, undefinedRef('get', "Ref refers to undefined collection 'spells'")],
]);

conforms('a document in every version', { world: [spells, create(1, '{"a":1}')] }, [
  ...inVersions(`{"get":${S(1)}}`, {
    '2.0': '{"ref":{"@ref":"classes/spells/1"},"class":{"@ref":"classes/spells"},"ts":TS,"data":{"a":1}}',
    '2.1': '{"ref":{"@ref":{"id":"1","class":{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}}},"ts":TS,"data":{"a":1}}',
    '2.7 2.12 3 4': doc(1, ',"data":{"a":1}'),
  }),
  ...inVersions(`{"update":${S(1)},"params":{"object":{"data":{"object":{"a":2}}}}}`, {
    '2.0': '{"ref":{"@ref":"classes/spells/1"},"class":{"@ref":"classes/spells"},"ts":TS,"data":{"a":2}}',
  }),
  ...inVersions('{"merge":{"get":{"ref":{"class":"spells"},"id":1}},"with":{"object":{"ref":0,"ts":0}}}', {
    '2.0': '{"ref":0,"class":{"@ref":"classes/spells"},"ts":0,"data":{"a":2}}',
    '2.1 4': '{"ref":0,"ts":0,"data":{"a":2}}',
  }),
]);

conforms('collections', { world: [] }, [
  [spells, created(`{"ref":${collectionRef('spells')},"ts":TS,"history_days":30,"name":"spells"}`)],
  [spells, fault(400, 'instance already exists', 'create_collection', 'Collection already exists.')],
  ['{"create_class":{"object":{"name":"spells"}}}', fault(400, 'instance already exists', 'create_class', 'Class already exists.'), '2.1'],
  ['{"create_class":{"object":{"name":"old"}}}', created('{"ref":{"@ref":"classes/old"},"class":{"@ref":"classes"},"ts":TS,"history_days":30,"name":"old"}'), '2.0'],
  // Refs in the data of what belongs to the schema must lead somewhere.
  ['{"create_collection":{"object":{"name":"c9","data":{"object":{"a":{"object":{"b":[1,{"ref":{"collection":"spells"},"id":98765}]}}}}}}}',
    invalid('create_collection', [['data', 'a', 'b'], 'invalid reference', 'Reference was not found.'])],
  ['{"select":["data","a"],"from":{"create_collection":{"object":{"name":"c9","data":{"object":{"a":{"collection":"spells"}}}}}}}', collectionRef('spells')],
  ['{"update":{"collection":"c9"},"params":{"object":{"data":{"object":{"a":{"ref":{"tokens":null},"id":1}}}}}}',
    invalid('', [['data', 'a'], 'invalid reference', 'Reference was not found.'])],
  ['{"select":"name","from":{"delete":{"collection":"c9"}}}', '"c9"'],
  ['{"create_collection":{"object":{}}}', invalid('create_collection', [['name'], 'value required', 'Required value not found.'])],
  ['{"create_collection":{"object":{"name":1}}}', invalid('create_collection', [['name'], 'invalid type', 'Invalid type Long, expected type Name.'])],
  ['{"create_collection":{"object":{"name":"_"}}}', invalid('create_collection', [['name'], 'reserved name', 'Invalid name _. Reserved names: _.'])],
  ['{"create_collection":{"object":{"name":"a b"}}}',
    invalid('create_collection', [['name'], 'invalid characters', 'The name a b uses invalid characters. Valid characters must match: [;@+$\\-_.!~%\\w]+'])],
  ['{"create_collection":{"object":{"name":""}}}',
    invalid('create_collection', [['name'], 'invalid characters', 'The name  uses invalid characters. Valid characters must match: [;@+$\\-_.!~%\\w]+'])],
  ['{"create_collection":{"object":{"name":"x","history_days":-1}}}',
    invalid('create_collection', [['history_days'], 'non-negative value required', 'Value must be non-negative.'])],
  ['{"create_collection":{"object":{"name":"x","history_days":"y"}}}', invalid('create_collection', [['history_days'], 'invalid type', 'Invalid type String, expected type Long.'])],
  ['{"create_collection":{"object":{"name":"x","history_days":0,"ttl_days":3,"data":{"object":{"k":1}}}}}',
    created(`{"ref":${collectionRef('x')},"ts":TS,"history_days":0,"name":"x","ttl_days":3,"data":{"k":1}}`)],
  ['{"create_collection":1}', argument('create_collection', 'Object expected, Integer provided.')],
  ['{"update":{"collection":"x"},"params":{"object":{"name":"renamed"}}}', `{"ref":${collectionRef('renamed')},"ts":TS,"history_days":0,"name":"renamed","ttl_days":3,"data":{"k":1}}`],
  ['{"get":{"collection":"x"}}', undefinedRef('get', "Ref refers to undefined collection 'x'")],
  ['{"update":{"collection":"renamed"},"params":{"object":{"name":"spells"}}}', fault(400, 'instance not unique', '', 'document is not unique.')],
  ['{"update":{"collection":"renamed"},"params":{"object":{"name":"spells"}}}', fault(400, 'instance not unique', '', 'instance is not unique.'), '2.1'],
  ['{"replace":{"collection":"renamed"},"params":{"object":{"data":{"object":{"n":1}}}}}', `{"ref":${collectionRef('renamed')},"ts":TS,"history_days":0,"name":"renamed","data":{"n":1}}`],
  ['{"update":{"collection":"renamed"},"params":{"object":{"history_days":null}}}', `{"ref":${collectionRef('renamed')},"ts":TS,"name":"renamed","data":{"n":1}}`],
  ['{"is_object":{"create":{"ref":{"collection":"renamed"},"id":1}}}', 'true'],
  ['{"select":["data",0,"id"],"from":{"paginate":{"documents":{"collection":"renamed"}}}}', '"1"'],
  [`{"let":{"c":{"select":"ref","from":{"create_collection":{"object":{"name":"now"}}}}},"in":{"select":["data","a"],"from":{"create":{"var":"c"},"params":{"object":{"data":{"object":{"a":1}}}}}}}`, '1'],
]);

conforms('databases', { world: [] }, [
  ['{"create_database":{"object":{"name":"child"}}}', created(`{"ref":${databaseRef('child')},"ts":TS,"name":"child","global_id":"GID"}`)],
  ['{"create_database":{"object":{"name":"child"}}}', fault(400, 'instance already exists', 'create_database', 'Database already exists.')],
  ['{"get":{"database":"child"}}', `{"ref":${databaseRef('child')},"ts":TS,"name":"child","global_id":"GID"}`],
  ['{"update":{"database":"child"},"params":{"object":{"name":"kid","global_id":"x","data":{"object":{"a":1}}}}}', `{"ref":${databaseRef('kid')},"ts":TS,"name":"kid","global_id":"GID","data":{"a":1}}`],
  ['{"paginate":{"databases":null}}', `{"data":[${databaseRef('kid')}]}`],
  ['{"create_database":{"object":{"name":"other"}}}', created(`{"ref":${databaseRef('other')},"ts":TS,"name":"other","global_id":"GID"}`)],
  ['{"move_database":{"database":"kid"},"to":{"database":"kid"}}',
    fault(400, 'move database error', '', "Cannot move database 'kid' into parent 'kid': Cannot move database from ancestor to descendant.")],
  ['{"move_database":{"database":"nope"},"to":{"database":"kid"}}', undefinedRef('move_database', "Ref refers to undefined database 'nope'")],
  ['{"move_database":{"database":"kid"},"to":{"database":"nope"}}', undefinedRef('to', "Ref refers to undefined database 'nope'")],
  ['{"move_database":1,"to":{"database":"kid"}}', argument('move_database', 'Database Ref expected, Integer provided.')],
  ['{"move_database":{"database":"kid"},"to":{"database":"other"}}',
    `{"ref":{"@ref":{"id":"kid","collection":${nativeRef('databases')},"database":${databaseRef('other')}}},"ts":TS,"name":"kid","global_id":"GID","data":{"a":1}}`],
  ['{"paginate":{"databases":null}}', `{"data":[${databaseRef('other')}]}`],
  ['{"paginate":{"databases":{"database":"other"}}}', `{"data":[{"@ref":{"id":"kid","collection":${nativeRef('databases')},"database":${databaseRef('other')}}}]}`],
  ['{"delete":{"database":"other"}}', `{"ref":${databaseRef('other')},"ts":TS,"name":"other","global_id":"GID"}`],
  ['{"paginate":{"databases":{"database":"other"}}}', undefinedRef('paginate/databases', "Ref refers to undefined database 'other'")],
]);

conforms('functions', { world: [spells] }, [
  ['{"create_function":{"object":{"name":"f","body":{"query":{"lambda":"x","expr":{"var":"x"}}}}}}',
    created(`{"ref":${functionRef('f')},"ts":TS,"name":"f","body":{"@query":{"api_version":"4","lambda":"x","expr":{"var":"x"}}}}`)],
  ['{"get":{"function":"f"}}', '{"ref":{"@ref":"functions/f"},"class":{"@ref":"functions"},"ts":TS,"name":"f","body":{"@query":{"api_version":"4","lambda":"x","expr":{"var":"x"}}}}', '2.0'],
  ['{"create_function":{"object":{"name":"f","body":{"query":{"lambda":"x","expr":1}}}}}', fault(400, 'instance already exists', 'create_function', 'Function already exists.')],
  ['{"create_function":{"object":{"name":"g"}}}', invalid('create_function', [['body'], 'value required', 'Required value not found.'])],
  ['{"create_function":{"object":{"name":"g","body":1}}}', invalid('create_function', [['body'], 'invalid type', 'Invalid type Long, expected type Query.'])],
  ['{"create_function":{"object":{"name":"g","role":"server","body":{"query":{"lambda":"x","expr":1}}}}}',
    created(`{"ref":${functionRef('g')},"ts":TS,"name":"g","role":"server","body":{"@query":{"api_version":"4","lambda":"x","expr":1}}}`)],
  ['{"update":{"function":"f"},"params":{"object":{"body":{"query":{"lambda":"x","expr":2}}}}}',
    `{"ref":${functionRef('f')},"ts":TS,"name":"f","body":{"@query":{"api_version":"4","lambda":"x","expr":2}}}`],
  ['{"call":"f","arguments":[]}', '2'],
]);

const badRole = (more: string, ...failures: readonly FieldFault[]): readonly [string, ReturnType<typeof invalid>] =>
  [`{"create_role":{"object":{"name":"r"${more}}}}`, invalid('create_role', ...failures)];
const lambda = (params: string): string => `{"query":{"lambda":${params},"expr":true}}`;
const privilege = (action: string, rule: string): string => `,"privileges":{"object":{"resource":{"collection":"spells"},"actions":{"object":{"${action}":${rule}}}}}`;
conforms('roles', { world: [spells] }, [
  ['{"create_role":{"object":{"name":"plain"}}}', created(`{"ref":${roleRef('plain')},"ts":TS,"name":"plain"}`)],
  [`{"create_role":{"object":{"name":"reader"${privilege('read', 'true')},"membership":{"object":{"resource":{"collection":"spells"}}}}}}`,
    created(`{"ref":${roleRef('reader')},"ts":TS,"name":"reader","privileges":{"resource":${collectionRef('spells')},"actions":{"read":true}},"membership":{"resource":${collectionRef('spells')}}}`)],
  ['{"create_role":{"object":{"name":"plain"}}}', fault(400, 'instance already exists', 'create_role', 'Role already exists.')],
  badRole(',"privileges":1', [['privileges'], 'invalid type', 'Invalid type Long, expected type Privilege.']),
  badRole(',"privileges":{"object":{"actions":{"object":{"read":true}}}}', [['resource'], 'value required', 'Required value not found.']),
  badRole(privilege('create', '42'), [['actions', 'create'], 'invalid type', 'Invalid type Long, expected type RoleAction.']),
  badRole(',"privileges":[{"object":{"resource":{"collection":"spells"},"actions":1}}]', [['actions'], 'invalid type', 'Invalid type Long, expected type RoleAction Map.']),
  badRole(',"membership":{"object":{"resource":{"collection":"spells"},"predicate":true}}', [['predicate'], 'invalid type', 'Invalid type Boolean, expected type Query.']),
  badRole(',"membership":[{"object":{"resource":{"role":"plain"}}},1]', [['resource'], 'invalid type', 'Invalid type Ref, expected type Class Ref.']),
  // Strings are told of with the whole way to them.
  badRole(',"privileges":{"object":{"resource":"a"}}', [['privileges', 'resource'], 'invalid type', 'Invalid type String, expected type Ref.']),
  badRole(',"membership":[{"object":{"resource":"a"}}]', [['membership', 'resource'], 'invalid type', 'Invalid type String, expected type Ref.']),
  badRole(privilege('read', '"true"'), [['privileges', 'actions', 'read'], 'invalid type', 'Invalid type String, expected type Query.']),
  badRole(',"membership":{"object":{"resource":{"collection":"spells"},"predicate":"x"}}', [['membership', 'predicate'], 'invalid type', 'Invalid type String, expected type Query.']),
  badRole(privilege('read', lambda('["a","b"]')), [['privileges', 'actions', 'read'], 'invalid arity', 'Found lambda with arity 2 expected 1']),
  badRole(privilege('write', lambda('["a"]')), [['privileges', 'actions', 'write'], 'invalid arity', 'Found lambda with arity 1 expected 2']),
  badRole(privilege('history_write', lambda('"a"')), [['privileges', 'actions', 'history_write'], 'invalid arity', 'Found lambda with arity 1 expected 4']),
  badRole(`,"membership":{"object":{"resource":{"collection":"spells"},"predicate":${lambda('["a","b"]')}}}`, [['membership', 'predicate'], 'invalid arity', 'Found lambda with arity 2 expected 1']),
  [`{"is_object":{"create_role":{"object":{"name":"any"${privilege('write', lambda('"_"'))}}}}}`, 'true'],
  [`{"is_object":{"create_role":{"object":{"name":"three","privileges":[{"object":{"resource":{"collection":"spells"},"actions":{"object":{"write":${lambda('["a","b","c"]')}}}}}]}}}}`, 'true'],
]);

conforms('keys', { world: ['{"create_role":{"object":{"name":"r"}}}', '{"create_database":{"object":{"name":"child"}}}'] }, [
  ['{"create_key":{"object":{"role":"server"}}}', created('{"ref":{"@ref":{"id":"ID","collection":{"@ref":{"id":"keys"}}}},"ts":TS,"role":"server","secret":"SECRET","hashed_secret":"HASH"}')],
  ['{"create_key":{"object":{"role":"server","database":{"database":"child"},"data":{"object":{"a":1}}}}}',
    created(`{"ref":{"@ref":{"id":"ID","collection":{"@ref":{"id":"keys"}}}},"ts":TS,"role":"server","database":${databaseRef('child')},"data":{"a":1},"secret":"SECRET","hashed_secret":"HASH"}`)],
  ['{"create_key":{"object":{}}}', invalid('create_key', [['role'], 'value required', 'Required value not found.'])],
  ['{"create_key":{"object":{"role":"nope"}}}', invalid('create_key', [['role'], 'validation failure', 'Role `nope` does not exist.'])],
  ['{"create_key":{"object":{"role":"server","secret":"fnnonsense"}}}', invalid('create_key', [['secret'], 'invalid secret', 'Invalid secret at `secret`'])],
  ['{"create_key":{"object":{"role":1}}}', invalid('create_key', [['role'], 'invalid type', 'Invalid type Long, expected type Role.'])],
  ['{"create_key":{"object":{"role":["server"]}}}', invalid('create_key', [['role'], 'invalid type', 'Invalid type Array, expected type Role.'])],
  ['{"select":"role","from":{"create_key":{"object":{"role":{"role":"r"}}}}}', roleRef('r')],
  ['{"select":"role","from":{"create_key":{"object":{"role":[{"role":"r"}]}}}}', `[${roleRef('r')}]`],
]);

const provider = (name: string, more = '', issuer = name): string =>
  `{"create_access_provider":{"object":{"name":"${name}","issuer":"${issuer}","jwks_uri":"https://${name}"${more}}}}`;
const withRoles = (roles: string): string => provider('r', `,"roles":${roles}`);
const badRoles = (at: readonly string[], code: string, description: string): Answer => invalid('create_access_provider', [at, code, description]);
const PREDICATE = '{"query":{"lambda":"t","expr":true}}';
conforms('access providers', { world: ['{"create_role":{"object":{"name":"reader","privileges":[]}}}'] }, [
  ['{"create_access_provider":{"object":{"name":"a","issuer":"i","jwks_uri":"http://x"}}}', invalid('create_access_provider', [['jwks_uri'], 'invalid uri', '`http://x` is a not valid URI'])],
  ['{"create_access_provider":{"object":{"name":"a"}}}',
    invalid('create_access_provider', [['issuer'], 'value required', 'Required value not found.'], [['jwks_uri'], 'value required', 'Required value not found.'])],
  [provider('a', ',"audience":"mine","data":{"object":{"x":1}}'),
    created('{"ref":{"@ref":{"id":"a","collection":{"@ref":{"id":"access_providers"}}}},"ts":TS,"name":"a","issuer":"a","jwks_uri":"https://a","data":{"x":1},"audience":"https://db.fauna.com/db/yyyyyyyyyyyyy"}')],
  ['{"create_access_provider":{"object":{"name":"a","issuer":"i","jwks_uri":1}}}', invalid('create_access_provider', [['jwks_uri'], 'invalid type', 'Invalid type Long, expected type URI.'])],
  [provider('b', '', 'a'), invalid('create_access_provider', [['issuer'], 'duplicate value', 'Value is not unique.'])],
  // Of an address only the scheme is judged, as Java's URL does.
  ...['HTTPS://b', 'https: //b', 'https:/b', ' https://b'].map((uri): [string, string] => [
    `{"select":"jwks_uri","from":{"update":{"access_provider":"a"},"params":{"object":{"issuer":"a","jwks_uri":"${uri}"}}}}`, `"${uri}"`,
  ]),
  [withRoles('"nope"'), badRoles(['roles'], 'validation failure', 'Role `nope` does not exist.')],
  [withRoles('["reader","server"]'), badRoles(['roles'], 'validation failure', 'Builtin role `server` not allowed.')],
  [withRoles('[{"role":"reader"},1]'), badRoles(['roles'], 'invalid type', 'Invalid type Long, expected type Role.')],
  [withRoles('{"object":{"role":"reader"}}'), badRoles(['predicate'], 'value required', 'Required value not found.')],
  [withRoles(`{"object":{"predicate":${PREDICATE}}}`), badRoles(['role'], 'value required', 'Required value not found.')],
  [withRoles('{"object":{"role":"reader","predicate":true}}'), badRoles(['predicate'], 'invalid type', 'Invalid type Boolean, expected type Query.')],
  [withRoles('{"object":{"role":"reader","predicate":"x"}}'), badRoles(['roles', 'predicate'], 'invalid type', 'Invalid type String, expected type Query.')],
  [withRoles(`{"object":{"role":1,"predicate":${PREDICATE}}}`), badRoles(['role'], 'invalid type', 'Invalid type Long, expected type Role Ref.')],
  [withRoles('["reader",{"object":{"role":"reader","predicate":null}},{"object":{}}]'), badRoles(['predicate'], 'value required', 'Required value not found.')],
  [withRoles('["admin","nope"]'), invalid('create_access_provider', [['roles'], 'validation failure', 'Role `nope` does not exist.'], [['roles'], 'validation failure', 'Builtin role `admin` not allowed.'])],
  [`{"select":["roles",1,"role"],"from":${withRoles(`["reader",{"object":{"role":{"role":"reader"},"predicate":${PREDICATE}}}]`)}}`, roleRef('reader')],
  ['{"select":"audience","from":{"replace":{"access_provider":"r"},"params":{"object":{"data":{"object":{}}}}}}', '"https://db.fauna.com/db/yyyyyyyyyyyyy"'],
]);

const at = (seconds: number): string => `{"epoch":${1_500_000_000 + seconds},"unit":"second"}`;
const ts = (seconds: number): string => `${1_500_000_000 + seconds}000000`;
const event = (seconds: number | 'TS', action: string, data: string): string =>
  `{"ts":${seconds === 'TS' ? 'TS' : ts(seconds)},"action":"${action}","document":${docRef('spells', 1)},"data":${data}}`;
const insert = (seconds: number, action: string, data: string): string =>
  `{"insert":${S(1)},"ts":${at(seconds)},"action":"${action}","params":{"object":{"data":{"object":${data}}}}}`;
const entry = (seconds: number | 'TS', action: string, value: number): string =>
  `{"ts":${seconds === 'TS' ? 'TS' : ts(seconds)},"action":"${action}","document":${docRef('spells', 1)},"data":[${value}]}`;
const history = `{"paginate":${S(1)},"events":true}`;
const entries = '{"paginate":{"match":{"index":"by_a"}},"events":true}';
conforms(
  'insert and remove',
  { world: ['{"create_collection":{"object":{"name":"spells","history_days":null}}}', '{"create_index":{"object":{"name":"by_a","source":{"collection":"spells"},"values":[{"object":{"field":["data","a"]}}]}}}'] },
  [
    [insert(10, 'create', '{"a":1}'), event(10, 'create', '{"a":1}')],
    [`{"get":${S(1)}}`, `{"ref":${docRef('spells', 1)},"ts":${ts(10)},"data":{"a":1}}`],
    [insert(20, 'update', '{"a":2}'), event(20, 'create', '{"a":2}')],
    [insert(30, 'delete', '{}'), event(30, 'delete', 'null')],
    [history, `{"data":[${event(10, 'create', '{"a":1}')},${event(20, 'update', '{"a":2}')},${event(30, 'delete', 'null')}]}`],
    [entries, `{"data":[${entry(10, 'add', 1)},${entry(20, 'remove', 1)},${entry(20, 'add', 2)},${entry(30, 'remove', 2)}]}`],
    [`{"exists":${S(1)}}`, 'false'],
    [`{"at":${at(25)},"expr":{"paginate":{"match":{"index":"by_a"}}}}`, '{"data":[2]}'],
    [insert(15, 'update', '{"a":9}'), event(15, 'create', '{"a":9}')],
    [entries,
      `{"data":[${entry(10, 'add', 1)},${entry(15, 'remove', 1)},${entry(15, 'add', 9)},${entry(20, 'remove', 9)},${entry(20, 'add', 2)},${entry(30, 'remove', 2)}]}`],
    [`{"remove":${S(1)},"ts":${at(15)},"action":"delete"}`, 'null'],
    [`{"at":${at(16)},"expr":{"paginate":{"match":{"index":"by_a"}}}}`, '{"data":[9]}'],
    [`{"remove":${S(1)},"ts":${at(15)},"action":"create"}`, 'null'],
    [`{"at":${at(16)},"expr":{"paginate":{"match":{"index":"by_a"}}}}`, '{"data":[1]}'],
    [history, `{"data":[${event(10, 'create', '{"a":1}')},${event(20, 'update', '{"a":2}')},${event(30, 'delete', 'null')}]}`],
    [entries, `{"data":[${entry(10, 'add', 1)},${entry(20, 'remove', 1)},${entry(20, 'add', 2)},${entry(30, 'remove', 2)}]}`],
    [`{"remove":${S(1)},"ts":${at(10)},"action":"create"}`, 'null'],
    [history, `{"data":[${event(20, 'create', '{"a":2}')},${event(30, 'delete', 'null')}]}`],
    [entries, `{"data":[${entry(20, 'add', 2)},${entry(30, 'remove', 2)}]}`],
    [insert(20, 'create', '{"a":3}'), event(20, 'create', '{"a":3}')],
    [entries, `{"data":[${entry(20, 'add', 3)},${entry(30, 'remove', 3)}]}`],
    ['{"paginate":{"documents":{"collection":"spells"}},"events":true}',
      `{"data":[{"ts":${ts(20)},"action":"add","document":${docRef('spells', 1)}},{"ts":${ts(30)},"action":"remove","document":${docRef('spells', 1)}}]}`],
    [`{"do":[${insert(40, 'create', '{"a":4}')},{"update":${S(1)},"params":{"object":{"data":{"object":{"a":5}}}}}]}`, doc(1, ',"data":{"a":5}')],
    ['{"paginate":{"match":{"index":"by_a"}}}', '{"data":[5]}'],
    [`{"do":[{"update":${S(1)},"params":{"object":{"data":{"object":{"a":6}}}}},${insert(50, 'create', '{"a":7}')},{"paginate":{"match":{"index":"by_a"}}}]}`, '{"data":[6]}'],
    [`{"paginate":{"match":{"index":"by_a"}},"events":true,"after":${ts(40)}}`,
      `{"before":{"ts":${ts(40)},"action":"add"},"data":[${entry(40, 'add', 4)},${entry(50, 'remove', 4)},${entry(50, 'add', 7)},${entry('TS', 'remove', 7)},${entry('TS', 'add', 5)},${entry('TS', 'remove', 5)},${entry('TS', 'add', 6)}]}`],
    [`{"insert":${S(1)},"ts":9000000000000000,"action":"create"}`, fault(400, 'invalid write time', '', 'Cannot write outside of snapshot time.')],
    [`{"insert":${S(1)},"ts":1,"action":"nope"}`, argument('action', "String 'create', 'update', or 'delete' expected, String provided.")],
    [`{"insert":${S(1)},"ts":"x","action":"create"}`, argument('ts', 'Time expected, String provided.')],
    ['{"insert":{"collection":"spells"},"ts":1,"action":"create"}', argument('', 'Cannot insert event for specified ref.')],
    ['{"remove":{"ref":{"keys":null},"id":1},"ts":1,"action":"create"}', argument('', 'Cannot remove event for specified ref.')],
    [`{"insert":${S(1)},"ts":1,"action":"create","params":{"object":{"data":5}}}`, invalid('', [['data'], 'invalid type', 'Invalid type Long, expected type Map.'])],
    [`{"remove":${S(77)},"ts":1,"action":"create"}`, 'null'],
    [`{"insert":${S(2)},"ts":${at(1)},"action":"create"}`, `{"ts":${ts(1)},"action":"create","resource":{"@ref":"classes/spells/2"}}`, '2.0'],
  ],
);

conforms('unique indexes', { world: [spells, '{"create_index":{"object":{"name":"u","unique":true,"source":{"collection":"spells"},"terms":[{"object":{"field":["data","n"]}}]}}}'] }, [
  [create(1, '{"n":1}'), created(doc(1, ',"data":{"n":1}'))],
  [create(2, '{"n":1}'), fault(400, 'instance not unique', 'create', 'document is not unique.')],
  [create(2, '{"n":1.0}'), created(doc(2, ',"data":{"n":1.0}'))],
  [create(3, '{}'), created(doc(3, ''))],
  [create(4, '{}'), created(doc(4, ''))],
  [`{"update":${S(3)},"params":{"object":{"data":{"object":{"n":1}}}}}`, fault(400, 'instance not unique', '', 'document is not unique.')],
  [`{"do":[{"delete":${S(1)}},${create(5, '{"n":1}')}]}`, created(doc(5, ',"data":{"n":1}'))],
  [`[${create(6, '{"n":6}')},${create(7, '{"n":6}')}]`, fault(400, 'instance not unique', '1/create', 'document is not unique.')],
  // A new ttl writes all entries anew: its own do not stand in a document's way.
  ...['2099', '2098'].map((year): readonly [string, string] => [`{"is_object":{"update":${S(5)},"params":{"object":{"ttl":{"time":"${year}-01-01T00:00:00Z"}}}}}`, 'true']),
  [create(8, '{"n":1}'), fault(400, 'instance not unique', 'create', 'document is not unique.')],
]);

conforms('writes where only reads are allowed', { world: [spells] }, [
  [`{"at":${at(1)},"expr":${create(1, '{}')}}`, fault(400, 'invalid write time', 'expr/create', 'Cannot write outside of snapshot time.')],
  [`{"filter":{"lambda":"x","expr":{"exists":${create(1, '{}')}}},"collection":{"documents":{"collection":"spells"}}}`,
    argument('filter', 'Invalid lambda. Lambda in this context may not write or call a user function.')],
  [`{"join":{"documents":{"collection":"spells"}},"with":{"lambda":"x","expr":{"get":{"var":"x"}}}}`,
    argument('with', 'Invalid lambda. Lambda in this context may not read, write, or call a user function.')],
  [`[${create(1, '{}')},{"abort":"x"}]`, fault(400, 'transaction aborted', '1', 'x')],
  [`{"exists":${S(1)}}`, 'false'],
  [`[${create(1, '{"a":{"collection":"nope"}}')},{"add":"x"},{"get":${S(9)}}]`,
    faults(400, invalid('0', [['0', 'data', 'a'], 'invalid reference', 'Cannot read reference.']), argument('1/add', 'Number expected, String provided.'), notFound('2', 'Document not found.'))],
  ['{"create_index":{"object":{"name":"i","source":{"collection":"spells"}}}}',
    created(`{"ref":${indexRef('i')},"ts":TS,"active":true,"serialized":true,"name":"i","source":${collectionRef('spells')},"partitions":8}`)],
  ['[{"@ts":"x"},{"add":"x"}]', expression('0', 'Invalid time.')],
]);

const T = '{"ref":{"tokens":null},"id":5}';
conforms('tokens', { world: [spells, create(1, '{"a":1}')] }, [
  [`{"create":${T},"params":{"object":{"instance":${S(1)}}}}`,
    created(`{"ref":{"@ref":{"id":"5","collection":${nativeRef('tokens')}}},"ts":TS,"instance":${docRef('spells', 1)},"secret":"SECRET"}`)],
  [`{"get":${T}}`, `{"ref":{"@ref":{"id":"5","collection":${nativeRef('tokens')}}},"ts":TS,"instance":${docRef('spells', 1)},"hashed_secret":"HASH"}`],
  [`{"update":${T},"params":{"object":{"data":{"object":{"b":1}}}}}`, `{"ref":{"@ref":{"id":"5","collection":${nativeRef('tokens')}}},"ts":TS,"instance":${docRef('spells', 1)},"data":{"b":1}}`],
  [`{"create":{"tokens":null},"params":{"object":{"instance":${S(1)},"hashed_secret":"mine"}}}`,
    created(`{"ref":{"@ref":{"id":"ID","collection":${nativeRef('tokens')}}},"ts":TS,"instance":${docRef('spells', 1)}}`)],
  [`{"update":${T},"params":{"object":{"hashed_secret":5}}}`, invalid('', [['hashed_secret'], 'invalid type', 'Invalid type Long, expected type String.'])],
  [`{"contains":"secret","in":{"update":${T},"params":{"object":{"data":{"object":{"a":1}}}}}}`, 'false'],
  [`{"contains":"secret","in":{"replace":${T},"params":{"object":{"instance":${S(1)}}}}}`, 'true'],
  ['{"create":{"tokens":null},"params":{"object":{}}}', invalid('create', [['instance'], 'value required', 'Required value not found.'])],
  ['{"create":{"tokens":null},"params":{"object":{"instance":1}}}', invalid('create', [['instance'], 'invalid type', 'Invalid type Long, expected type Ref.'])],
]);

conforms('time to live', { world: [spells, '{"create_index":{"object":{"name":"all","source":{"collection":"spells"}}}}', '{"create_collection":{"object":{"name":"brief","ttl_days":1}}}'] }, [
  [`{"create":${S(1)},"params":{"object":{"ttl":{"time":"2000-01-01T00:00:00Z"}}}}`, created(doc(1, ',"ttl":{"@ts":"2000-01-01T00:00:00Z"}'))],
  [`{"exists":${S(1)}}`, 'false'],
  [`{"get":${S(1)}}`, notFound('', 'Document not found.')],
  ['{"count":{"match":{"index":"all"}}}', '0'],
  [`{"create":${S(1)},"params":{"object":{"ttl":{"time":"2100-01-01T00:00:00Z"}}}}`, created(doc(1, ',"ttl":{"@ts":"2100-01-01T00:00:00Z"}'))],
  ['{"count":{"match":{"index":"all"}}}', '1'],
  [`{"update":${S(1)},"params":{"object":{"ttl":null}}}`, doc(1, '')],
  ...['{"documents":{"collection":"spells"}}', '{"match":{"index":"all"}}'].map((set): Row => [
    `{"map":{"lambda":"e","expr":{"to_string":{"select":"action","from":{"var":"e"}}}},"collection":{"paginate":{"events":${set}}}}`, '{"data":["add","add","remove","add"]}',
  ]),
  ['{"time_diff":{"now":null},"other":{"select":"ttl","from":{"create":{"collection":"brief"}}},"unit":"hour"}', '24'],
]);

// Documents of the schema: their fields and what is wrong with them, names, renames, and what goes
// with what (reference: data/documents.md §5–7, §9).
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, collectionRef, conforms, created, databaseRef, docRef, fault, functionRef, indexRef, invalid, nativeRef, ok, populate, roleRef, steady, undefinedRef } from '../../../testing/cases.ts';
import { type TestClient, testClient } from '../../../testing/client.ts';

const spells = '{"create_collection":{"object":{"name":"spells"}}}';
const TRUE = '{"query":{"lambda":"x","expr":true}}';
const type = (at: string, field: string, was: string, expected: string): Answer => invalid(at, [[field], 'invalid type', `Invalid type ${was}, expected type ${expected}.`]);
const make = (form: string, fields: string): string => `{"create_${form}":{"object":{${fields}}}}`;
const change = (form: 'update' | 'replace', of: string, fields: string): string => `{"${form}":${of},"params":{"object":{${fields}}}}`;

describe.each([
  ['database', ''], ['collection', ''], ['function', `,"body":${TRUE}`], ['role', ''], ['index', ',"source":{"collection":"spells"}'],
])('the name of a %s', (form, more) => {
  const bad = (name: string): Answer =>
    invalid(`create_${form}`, [['name'], 'invalid characters', `The name ${name} uses invalid characters. Valid characters must match: [;@+$\\-_.!~%\\w]+`]);
  const named = (name: string): string => make(form, `"name":${JSON.stringify(name)}${more}`);
  conforms('follows the rules of all names', { world: [spells] }, [
    [make(form, more.slice(1)), invalid(`create_${form}`, [['name'], 'value required', 'Required value not found.'])],
    [make(form, `"name":null${more}`), invalid(`create_${form}`, [['name'], 'value required', 'Required value not found.'])],
    [make(form, `"name":1.5${more}`), type(`create_${form}`, 'name', 'Double', 'Name')],
    [named('_'), invalid(`create_${form}`, [['name'], 'reserved name', 'Invalid name _. Reserved names: _.'])],
    ...['a b', 'a/b', 'a:b', ' '].map((name): readonly [string, Answer] => [named(name), bad(name)]),
    ...['__', 'é漢', 'a;@+$-_.!~%1', 'self', 'events'].map((name): readonly [string, string] => [`{"select":"name","from":${named(name)}}`, JSON.stringify(name)]),
    [make(form, `"name":"x","data":1${more}`), type(`create_${form}`, 'data', 'Long', 'Map')],
    [`{"select":"data","from":${make(form, `"name":"with_data","data":{"object":{"a":1}}${more}`)}}`, '{"a":1}'],
    [`{"contains":"nope","in":${make(form, `"name":"unknown","nope":1${more}`)}}`, 'false'],
    [change('update', `{"${form}":"with_data"}`, '"name":"unknown"'), fault(400, 'instance not unique', '', 'document is not unique.')],
    [change('update', `{"${form}":"with_data"}`, '"name":null'), invalid('', [['name'], 'value required', 'Required value not found.'])],
    [`{"select":"name","from":${change('update', `{"${form}":"with_data"}`, '"name":"new"')}}`, '"new"'],
    [`{"exists":{"${form}":"with_data"}}`, 'false'],
    [`{"get":{"${form}":"with_data"}}`, undefinedRef('get', `Ref refers to undefined ${form} 'with_data'`)],
    [`{"select":"name","from":${named('with_data')}}`, '"with_data"'],
    [`{"select":"name","from":{"delete":{"${form}":"new"}}}`, '"new"'],
    [`{"select":"name","from":${named('new')}}`, '"new"'],
  ]);
});

conforms('fields of databases', { world: [spells, make('database', '"name":"child"'), make('database', '"name":"full"'), `{"create_collection":{"object":{"name":"x"}}}`] }, [
  [make('database', '"name":"p","priority":0'), type('create_database', 'priority', 'Long', 'Priority')],
  [make('database', '"name":"p","priority":501'), type('create_database', 'priority', 'Long', 'Priority')],
  [`{"select":"priority","from":${make('database', '"name":"least","priority":1')}}`, '1'],
  [make('database', '"name":"p","priority":"1"'), type('create_database', 'priority', 'String', 'Priority')],
  [make('database', '"name":"p","priority":500,"account":{"object":{"id":7}},"typechecked":true,"protected":true,"disabled":true,"scope":5'),
    created(`{"ref":${databaseRef('p')},"ts":TS,"name":"p","priority":500,"typechecked":true,"protected":true,"global_id":"GID"}`)],
  [`{"get":{"database":"p"}}`, `{"ref":${databaseRef('p')},"ts":TS,"name":"p","priority":500,"typechecked":true,"protected":true,"global_id":"GID"}`],
  [make('database', '"name":"q","account":1'), type('create_database', 'account', 'Long', 'Map')],
  [make('database', '"name":"q","container":"x"'), type('create_database', 'container', 'String', 'Boolean')],
  [make('database', '"name":"q","typechecked":1'), type('create_database', 'typechecked', 'Long', 'Boolean')],
  [make('database', '"name":"q","protected":1'), type('create_database', 'protected', 'Long', 'Boolean')],
  [make('database', '"name":1,"priority":0,"data":2'),
    invalid('create_database', [['name'], 'invalid type', 'Invalid type Long, expected type Name.'], [['priority'], 'invalid type', 'Invalid type Long, expected type Priority.'], [['data'], 'invalid type', 'Invalid type Long, expected type Map.'])],
  [change('replace', '{"database":"p"}', '"data":{"object":{"a":1}}'), `{"ref":${databaseRef('p')},"ts":TS,"name":"p","data":{"a":1},"global_id":"GID"}`],
]);

conforms('fields of collections', { world: [spells] }, [
  [make('collection', '"name":"c","ttl_days":"x"'), type('create_collection', 'ttl_days', 'String', 'Long')],
  [make('collection', '"name":"c","history_days":1.5'), type('create_collection', 'history_days', 'Double', 'Long')],
  [make('collection', '"name":"c","history_days":null'), created(`{"ref":${collectionRef('c')},"ts":TS,"name":"c"}`)],
  [change('update', '{"collection":"c"}', '"history_days":-5'), invalid('', [['history_days'], 'non-negative value required', 'Value must be non-negative.'])],
  [change('update', '{"collection":"c"}', '"ttl_days":2,"history_days":3'), `{"ref":${collectionRef('c')},"ts":TS,"name":"c","ttl_days":2,"history_days":3}`],
  [change('replace', '{"collection":"c"}', ''), `{"ref":${collectionRef('c')},"ts":TS,"history_days":3,"name":"c"}`],
]);

// A ref of what this very query has deleted; as the query fails, it is there for the next one.
const deleted = (ref: string, form: string): string => `{"let":{"gone":{"select":"ref","from":{"delete":${ref}}}},"in":${form}}`;
const astray = (form: string, ...field: readonly string[]): Answer => invalid(`in/${form}`, [field, 'invalid reference', 'Reference was not found.']);
conforms('refs of what is gone', { world: [spells, make('database', '"name":"d"'), make('role', '"name":"r"')] }, [
  [deleted('{"database":"d"}', make('key', '"role":"server","database":{"var":"gone"}')), astray('create_key', 'database')],
  [deleted('{"role":"r"}', make('key', '"role":{"var":"gone"}')), astray('create_key', 'role')],
  [deleted('{"role":"r"}', make('function', `"name":"f","body":${TRUE},"role":{"var":"gone"}`)), astray('create_function', 'role')],
  [deleted('{"collection":"spells"}', make('role', '"name":"s","privileges":{"object":{"resource":{"var":"gone"},"actions":{"object":{"read":true}}}}')), astray('create_role', 'privileges', 'resource')],
]);

const f = (more: string): string => make('function', `"name":"f","body":${TRUE}${more}`);
conforms('fields of functions', { world: [spells, make('role', '"name":"r"')] }, [
  [f(',"role":"nope"'), invalid('create_function', [['role'], 'validation failure', 'Role `nope` does not exist.'])],
  [f(',"role":1'), type('create_function', 'role', 'Long', 'Role')],
  [f(',"role":["server"]'), invalid('create_function', [['role'], 'invalid type', 'Invalid type Array, expected type Role.'])],
  [f(',"role":["r",{"role":"r"}]'), created(`{"ref":${functionRef('f')},"ts":TS,"name":"f","body":{"@query":{"api_version":"4","lambda":"x","expr":true}},"role":["r",${roleRef('r')}]}`)],
  [change('replace', '{"function":"f"}', `"body":${TRUE}`), `{"ref":${functionRef('f')},"ts":TS,"name":"f","body":{"@query":{"api_version":"4","lambda":"x","expr":true}}}`],
  [change('replace', '{"function":"f"}', ''), invalid('', [['body'], 'value required', 'Required value not found.'])],
]);

const K = `{"@ref":{"id":"5","collection":${nativeRef('keys')}}}`;
const insertKey = (more: string): string =>
  `{"let":{"k":{"create_key":{"object":{"role":"server"}}},"ref":{"select":"ref","from":{"var":"k"}},"t":{"time_subtract":{"now":null},"offset":1,"unit":"minute"},
  "i":{"insert":{"var":"ref"},"ts":{"var":"t"},"action":"create","params":{"object":{"role":"server"${more}}}}},"in":{"at":{"var":"t"},"expr":{"contains_path":"hashed_secret","in":{"get":{"var":"ref"}}}}}`;
conforms('fields of keys', { world: [make('role', '"name":"r"'), make('database', '"name":"child"')] }, [
  [make('key', '"role":"server","priority":1000'), type('create_key', 'priority', 'Long', 'Priority')],
  [make('key', '"role":"server","ttl":1'), type('create_key', 'ttl', 'Long', 'Timestamp')],
  [make('key', '"role":"server","data":[]'), type('create_key', 'data', 'Array', 'Map')],
  [make('key', '"role":"server","database":"child"'), type('create_key', 'database', 'String', 'Database Ref')],
  [make('key', '"role":"server","database":{"role":"r"}'), type('create_key', 'database', 'Ref', 'Database Ref')],
  [make('key', '"role":"server","database":{"database":"nope"}'), invalid('', [['database'], 'invalid reference', 'Cannot read reference.'])],
  [make('key', '"role":["r","nope"]'), invalid('create_key', [['role'], 'validation failure', 'Role `nope` does not exist.'])],
  [make('key', '"role":"server","hashed_secret":5'), type('create_key', 'hashed_secret', 'Long', 'String')],
  [make('key', '"role":"server","secret":5'), type('create_key', 'secret', 'Long', 'String')],
  [`{"select":"hashed_secret","from":${make('key', '"role":"server","hashed_secret":"mine"')}}`, '"mine"'],
  [`{"create":{"ref":{"keys":null},"id":5},"params":{"object":{"role":"server","priority":7,"hashed_secret":"mine"}}}`,
    created(`{"ref":${K},"ts":TS,"role":"server","priority":7,"hashed_secret":"HASH"}`)],
  [`{"get":{"ref":{"keys":null},"id":5}}`, `{"ref":${K},"ts":TS,"role":"server","priority":7,"hashed_secret":"HASH"}`],
  [`{"let":{"was":{"select":"hashed_secret","from":{"get":{"ref":{"keys":null},"id":5}}}},"in":{"equals":[{"var":"was"},{"select":"hashed_secret","from":${change('update', '{"ref":{"keys":null},"id":5}', '"hashed_secret":"mine","data":{"object":{"a":1}}')}}]}}`, 'true'],
  [`{"let":{"was":{"select":"hashed_secret","from":{"get":{"ref":{"keys":null},"id":5}}}},"in":{"equals":[{"var":"was"},{"select":"hashed_secret","from":${change('replace', '{"ref":{"keys":null},"id":5}', '"role":"client"')}}]}}`, 'true'],
  [`{"get":{"ref":{"keys":null},"id":5}}`, `{"ref":${K},"ts":TS,"role":"client","hashed_secret":"HASH"}`],
  // A version that is put into a key's history keeps no hash that is sent, but takes that of its secret.
  ...[',"hashed_secret":"mine"', ',"hashed_secret":5'].map((more): [string, string] => [insertKey(more), 'false']),
  [insertKey(',"secret":{"select":"secret","from":{"var":"k"}}'), 'true'],
  [insertKey(',"secret":"nonsense"'), invalid('let/i', [['secret'], 'invalid secret', 'Invalid secret at `secret`'])],
  [insertKey(',"secret":5'), type('let/i', 'secret', 'Long', 'String')],
  [change('replace', '{"ref":{"keys":null},"id":5}', ''), invalid('', [['role'], 'value required', 'Required value not found.'])],
]);

const withPrivilege = (privilege: string): string => make('role', `"name":"r","privileges":${privilege}`);
const many = Array.from({ length: 64 }, (_, n) => make('role', `"name":"m${n}","membership":{"object":{"resource":{"collection":"spells"}}}`)).join();
conforms('fields of roles', { world: [spells, make('role', '"name":"plain"')] }, [
  [withPrivilege('[{"object":{"resource":1}}]'), invalid('create_role', [['resource'], 'invalid type', 'Invalid type Long, expected type Ref.'])],
  [make('role', '"name":"r","membership":{"object":{"predicate":true}}'), invalid('create_role', [['resource'], 'value required', 'Required value not found.'])],
  [`{"select":"privileges","from":${withPrivilege('[{"object":{"resource":{"collection":"spells"},"nope":1,"actions":{"object":{"read":true,"fly":true}}}}]')}}`,
    `[{"resource":${collectionRef('spells')},"actions":{"read":true}}]`],
  [`{"select":"membership","from":${change('update', '{"role":"r"}', `"membership":{"object":{"resource":{"collection":"spells"},"predicate":${TRUE},"nope":1}}`)}}`,
    `{"resource":${collectionRef('spells')},"predicate":{"@query":{"api_version":"4","lambda":"x","expr":true}}}`],
  [change('replace', '{"role":"r"}', ''), `{"ref":${roleRef('r')},"ts":TS,"name":"r"}`],
  [`{"select":[0,"name"],"from":[${many}]}`, '"m0"'],
  [make('role', '"name":"one_more","membership":[{"object":{"resource":{"collection":"spells"}}}]'),
    fault(400, 'validation failed', 'create_role', 'document data is not valid.',
      ',"failures":[{"field":["membership"],"code":"resources exceeded","description":"Maximum number of roles per membership collection exceeded. Maximum allowed: 64."}]')],
]);

const S = (id: number): string => `{"ref":{"collection":"spells"},"id":${id}}`;
conforms('renames', {
  world: [
    spells, `{"create":${S(1)},"params":{"object":{"data":{"object":{"n":1}}}}}`,
    make('index', '"name":"all","source":{"collection":"spells"}'),
    make('function', `"name":"f","body":{"query":{"lambda":"x","expr":{"documents":{"collection":"spells"}}}}`),
    make('database', '"name":"child"'),
    make('role', '"name":"r","privileges":[{"object":{"resource":{"collection":"spells"},"actions":{"object":{"read":true}}}},{"object":{"resource":{"index":"all"},"actions":{"object":{"read":true}}}},{"object":{"resource":{"function":"f"},"actions":{"object":{"call":true}}}}],"membership":{"object":{"resource":{"collection":"spells"}}}'),
    '{"create":{"ref":{"keys":null},"id":1},"params":{"object":{"role":{"role":"r"}}}}',
    '{"create":{"ref":{"keys":null},"id":2},"params":{"object":{"role":"admin","database":{"database":"child"}}}}',
    `{"create":${S(2)},"params":{"object":{"data":{"object":{"refs":[{"collection":"spells"},{"index":"all"},{"function":"f"},{"role":"r"},{"database":"child"},${S(1)}]}}}}}`,
  ],
}, [
  [`[${[['collection', 'spells', 'charms'], ['index', 'all', 'every'], ['function', 'f', 'g'], ['role', 'r', 's'], ['database', 'child', 'kid']]
    .map(([kind, was, is]) => `{"select":"name","from":${change('update', `{"${kind}":"${was}"}`, `"name":"${is}"`)}}`).join()}]`, '["charms","every","g","s","kid"]'],
  ['{"select":["data","refs"],"from":{"get":{"ref":{"collection":"charms"},"id":2}}}',
    `[${collectionRef('charms')},${indexRef('every')},${functionRef('g')},${roleRef('s')},${databaseRef('kid')},${docRef('charms', 1)}]`],
  ['{"select":"source","from":{"get":{"index":"every"}}}', collectionRef('charms')],
  ['{"paginate":{"match":{"index":"every"}}}', `{"data":[${docRef('charms', 1)},${docRef('charms', 2)}]}`],
  ['{"paginate":{"match":{"index":"all"}}}', undefinedRef('paginate/match', "Ref refers to undefined index 'all'")],
  // What a body calls by name is looked for when it runs.
  ['{"call":"g","arguments":1}', fault(400, 'call error', '', 'Calling the function resulted in an error.',
    `,"cause":[${undefinedRef('expr/documents', "Ref refers to undefined collection 'spells'").text}]`)],
  ['{"call":"f"}', undefinedRef('call', "Ref refers to undefined function 'f'")],
  ['{"select":["privileges"],"from":{"get":{"role":"s"}}}',
    `[{"resource":${collectionRef('charms')},"actions":{"read":true}},{"resource":${indexRef('every')},"actions":{"read":true}},{"resource":${functionRef('g')},"actions":{"call":true}}]`],
  ['{"select":["membership","resource"],"from":{"get":{"role":"s"}}}', collectionRef('charms')],
  ['{"select":"role","from":{"get":{"ref":{"keys":null},"id":1}}}', roleRef('s')],
  ['{"select":"database","from":{"get":{"ref":{"keys":null},"id":2}}}', databaseRef('kid')],
  ['{"get":{"collection":"spells"}}', undefinedRef('get', "Ref refers to undefined collection 'spells'")],
  [spells, created(`{"ref":${collectionRef('spells')},"ts":TS,"history_days":30,"name":"spells"}`)],
  ['{"count":{"documents":{"collection":"spells"}}}', '0'],
]);

conforms('deletion', {
  world: [
    spells, make('collection', '"name":"charms"'), `{"create":${S(1)},"params":{"object":{"data":{"object":{"n":1}}}}}`, '{"create":{"ref":{"collection":"charms"},"id":1}}',
    make('index', '"name":"only","source":{"collection":"spells"}'),
    make('index', '"name":"twice","source":[{"object":{"collection":{"collection":"spells"},"fields":{"object":{"b":{"query":{"lambda":"d","expr":1}}}}}}],"terms":[{"object":{"binding":"b"}}]'),
    make('index', '"name":"both","source":[{"collection":"spells"},{"collection":"charms"}]'),
    make('index', '"name":"any","source":"_"'),
    `{"create":{"ref":{"collection":"charms"},"id":2},"params":{"object":{"data":{"object":{"r":${S(1)}}}}}}`,
  ],
}, [
  ['{"count":{"match":{"index":"both"}}}', '3'],
  ['{"select":"name","from":{"delete":{"collection":"spells"}}}', '"spells"'],
  [`{"get":${S(1)}}`, undefinedRef('get', "Ref refers to undefined collection 'spells'")],
  ['{"paginate":{"indexes":null}}', `{"data":[${indexRef('both')},${indexRef('any')}]}`],
  ['{"paginate":{"match":{"index":"both"}}}', `{"data":[${docRef('charms', 1)},${docRef('charms', 2)}]}`],
  ['{"paginate":{"match":{"index":"any"}}}', `{"data":[${docRef('charms', 1)},${docRef('charms', 2)}]}`],
  ['{"is_object":{"create_collection":{"object":{"name":"spells"}}}}', 'true'],
  [`{"exists":${S(1)}}`, 'false'],
  ['{"count":{"match":{"index":"both"}}}', '2'],
  ['{"select":"name","from":{"delete":{"index":"any"}}}', '"any"'],
  ['{"paginate":{"match":{"index":"any"}}}', undefinedRef('paginate/match', "Ref refers to undefined index 'any'")],
]);

describe('whoever asks with a secret', () => {
  let client: TestClient;
  const as = async (secret: string, query: string): Promise<string> => {
    const { status, text } = await client.queryAs(secret, query);
    return `${status} ${text}`;
  };
  const secretOf = async (query: string): Promise<string> => (JSON.parse((await client.query(query)).text) as { resource: { secret: string } }).resource.secret;
  beforeAll(async () => {
    client = await testClient();
    await populate(client, [spells, make('database', '"name":"child"'), make('role', '"name":"r","privileges":{"object":{"resource":{"collection":"spells"},"actions":{"object":{"read":true}}}}')]);
  });
  const count = '{"count":{"documents":{"collection":"spells"}}}';

  it('of a document is nobody while that is gone, and somebody when it is back', async () => {
    const create = `{"create":${S(7)},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}`;
    await populate(client, [create]);
    const secret = await secretOf(`{"login":${S(7)},"params":{"object":{"password":"owl"}}}`);
    expect(await as(secret, '{"add":[1,2]}')).toBe('200 {"resource":3}');
    await populate(client, [`{"delete":${S(7)}}`]);
    expect(await as(secret, '{"add":[1,2]}')).toMatch(/^401 /);
    await populate(client, [`{"create":${S(7)}}`]);
    expect(await as(secret, '{"add":[1,2]}')).toBe('200 {"resource":3}');
    expect((await client.query(`{"identify":${S(7)},"password":"owl"}`)).text).toBe('{"resource":true}');
  });

  it('of a role that is gone can do nothing, whatever it is called', async () => {
    const secret = await secretOf(make('key', '"role":{"role":"r"}'));
    await populate(client, [change('update', '{"role":"r"}', '"name":"renamed"')]);
    expect(await as(secret, count)).toBe('200 {"resource":1}');
    await populate(client, ['{"delete":{"role":"renamed"}}']);
    expect(await as(secret, count)).toBe('200 {"resource":0}');
    expect(await as(secret, `{"get":${S(7)}}`)).toMatch(/^403 /);
  });

  it('of a database that is gone is nobody, below it too, and its key stays', async () => {
    await populate(client, ['{"create":{"ref":{"keys":null},"id":11},"params":{"object":{"role":"admin","database":{"database":"child"}}}}']);
    const secret = await secretOf(make('key', '"role":"admin","database":{"database":"child"}'));
    expect(await as(secret, make('database', '"name":"grandchild"'))).toMatch(/^201 /);
    const below = ((await as(secret, make('key', '"role":"admin","database":{"database":"grandchild"}'))).match(/"secret":"([^"]+)"/) ?? [])[1] ?? '';
    expect(await as(below, spells)).toMatch(/^201 /);
    await populate(client, [change('update', '{"database":"child"}', '"name":"kid"')]);
    expect(await as(below, count)).toBe('200 {"resource":0}');
    await populate(client, ['{"delete":{"database":"kid"}}']);
    for (const gone of [secret, below]) expect(await as(gone, '1')).toMatch(/^401 /);
    expect((await client.query('{"exists":{"ref":{"keys":null},"id":11}}')).text).toBe('{"resource":true}');
    await populate(client, [make('database', '"name":"kid"')]);
    for (const gone of [secret, below]) expect(await as(gone, '1')).toMatch(/^401 /);
    expect(await as('secret:kid:admin', '{"paginate":{"collections":null}}')).toBe('200 {"resource":{"data":[]}}');
  });
});

describe('a database in protected mode', () => {
  let client: TestClient;
  const below = async (query: string, path = 'child'): Promise<Answer> => {
    const { status, text } = await client.queryAs(`secret:${path}:admin`, query);
    return { status, body: steady(text) };
  };
  const forbidden = (what: string): Answer => {
    const { status, body } = fault(400, 'schema validation failed', '', `${what}: destructive change forbidden because database is in protected mode.`);
    return { status, body };
  };
  beforeAll(async () => {
    client = await testClient();
    await populate(client, [make('database', '"name":"child","protected":true')]);
    for (const query of [make('collection', '"name":"c","history_days":5,"ttl_days":5'), make('collection', '"name":"plain"'), make('index', '"name":"i","source":{"collection":"c"}'), make('database', '"name":"inner"'), make('database', '"name":"free","protected":false')]) {
      expect(await below(query)).toMatchObject({ status: 201 });
    }
    for (const path of ['child/inner', 'child/free']) expect(await below(make('collection', '"name":"c"'), path)).toMatchObject({ status: 201 });
  });

  it('keeps what its collections hold', async () => {
    const update = (fields: string, of = 'c'): Promise<Answer> => below(change('update', `{"collection":"${of}"}`, fields));
    expect(await below('{"delete":{"collection":"c"}}')).toMatchObject(forbidden('Cannot delete collection'));
    expect(await below('{"delete":{"index":"i"}}')).toMatchObject(forbidden('Cannot cause deletion of backing index'));
    expect(await update('"history_days":4')).toMatchObject(forbidden('Cannot decrease `history_days` field'));
    expect(await update('"history_days":null')).toMatchObject(forbidden('Cannot remove `history_days` field'));
    expect(await update('"ttl_days":4')).toMatchObject(forbidden('Cannot decrease `ttl_days` field'));
    expect(await update('"ttl_days":4', 'plain')).toMatchObject(forbidden('Cannot remove `ttl_days` field'));
    const both = JSON.parse((await update('"history_days":1,"ttl_days":1')).body) as { errors: unknown[] };
    expect(both.errors).toHaveLength(2);
    expect(await below('{"select":["history_days"],"from":{"get":{"collection":"c"}}}')).toEqual(ok('5'));
  });

  it('lets everything else be changed', async () => {
    for (const query of [
      change('update', '{"collection":"c"}', '"history_days":6,"ttl_days":null,"name":"renamed"'),
      change('update', '{"index":"i"}', '"name":"j"'),
      make('collection', '"name":"new"'),
      '{"create":{"collection":"new"}}',
      '{"delete":{"database":"inner2"}}',
    ]) {
      if (query.includes('inner2')) await below(make('database', '"name":"inner2"'));
      expect((await below(query)).status).toBeLessThan(300);
    }
  });

  it('hands that on to the databases below it that do not say otherwise', async () => {
    expect(await below('{"delete":{"collection":"c"}}', 'child/inner')).toMatchObject(forbidden('Cannot delete collection'));
    expect(await below('{"delete":{"collection":"c"}}', 'child/free')).toMatchObject({ status: 200 });
    await populate(client, [change('update', '{"database":"child"}', '"protected":false')]);
    expect(await below('{"delete":{"collection":"c"}}', 'child/inner')).toMatchObject({ status: 200 });
  });
});

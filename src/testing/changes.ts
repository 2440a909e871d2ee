// Random changes of databases: of schemas, documents, their history, keys, roles and gateways;
// and all that may be asked of them afterwards.
import type { Ts } from '../engine/base/platform.ts';
import { DAY, MINUTE, type Post } from './database-life.ts';
import type { Gen } from './gen.ts';

/** Of each name there is one in each database, at most. */
const DATABASES = ['', 'd1', 'd2', 'd1/d2'];
const CHILDREN = ['d1', 'd2'];
const COLLECTIONS = ['c1', 'c2'];
const INDEXES = ['i1', 'i2', 'i3'];
const IDS = [1, 2, 3];
const NATIVE = ['collections', 'indexes', 'databases', 'functions', 'roles', 'keys', 'tokens', 'credentials'];

const create = (kind: string, fields: string): string => `{"create_${kind}":{"object":{${fields}}}}`;
const nowhere = create('collection', '"name":"o"');

/** What there is at the beginning. */
export const BEGINNING: readonly Post[] = [
  { body: nowhere },
  { body: create('database', '"name":"d1"') },
  ...['', 'd1'].flatMap((database) => [
    { database, body: create('collection', '"name":"c1","history_days":30') },
    { database, body: create('collection', '"name":"c2","history_days":0') },
    { database, body: create('index', '"name":"i1","source":[{"collection":"c1"},{"collection":"c2"}],"terms":[{"object":{"field":["data","n"]}}],"values":[{"object":{"field":["data","m"]}},{"object":{"field":["ref"]}}]') },
  ]),
];

/** Nobody asks for it. */
export const FILLER: Post = { body: `{"create":{"collection":"o"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(200)}"}}}}}` };

const SCHEMAS = [
  'type T { a: Int! @unique b: String } type Query { ts: [T!] }',
  'enum E { A B } type T { a: Int e: E } type Query { allT: [T!] byA(a: Int): [T!] }',
  'type U { n: Int ts: [T!] @relation } type T { a: Int u: U! } input Q { x: Int } type Emb @embedded { z: Int } type V { e: Emb }',
  'type A { bs: [B!] @relation } type B { as: [A!] @relation }',
];
const OPERATIONS = [
  'mutation { createT(data: {a: 1}) { _id a } }',
  'mutation { createU(data: {n: 1, ts: {create: [{a: 2}]}}) { n ts { data { a } } } }',
  'mutation { createA(data: {bs: {create: [{}, {}]}}) { bs { data { _id } } } }',
  'mutation { createV(data: {e: {z: 1}}) { e { z } } }',
  '{ allT { data { a e } } }',
  '{ ts { data { a b } } }',
  '{ byA(a: 1) { data { a } } }',
];
const TYPES = ['T', 'U', 'A', 'B', 'V'];

const micros = (ts: Ts): string => `{"epoch":${ts},"unit":"microseconds"}`;
const graphql = (query: string): Pick<Post, 'path' | 'body'> => ({ path: '/graphql', body: JSON.stringify({ query }) });
const some = (gen: Gen, chance: number, text: () => string): string => (gen.below(chance) === 0 ? text() : '');
const listOf = (gen: Gen, longest: number, make: () => string): string => `[${gen.list(longest, make).join()}]`;
const aCollection = (gen: Gen): string => `{"collection":"${gen.pick(COLLECTIONS)}"}`;
const aDocument = (gen: Gen): string => `{"ref":${aCollection(gen)},"id":"${gen.pick(IDS)}"}`;

const params = (gen: Gen, now: Ts): string => {
  const value = (): string => gen.pick(['0', '1', '2', '"a"', 'null', '[0,1]', '[1,1,2]', '{"object":{"x":1}}', micros(now), '1.5', 'true']);
  const ttl = some(gen, 5, () => `,"ttl":${micros(now + gen.pick([MINUTE, DAY, 40 * DAY, -DAY]))}`);
  const credentials = some(gen, 6, () => ',"credentials":{"object":{"password":"p"}}');
  return `"params":{"object":{"data":{"object":{"n":${value()},"m":${value()}}}${ttl}${credentials}}}`;
};

/** Of a document. History is rewritten no further back than everybody keeps it, mostly. */
function ofDocument(gen: Gen, now: Ts, times: readonly Ts[]): string {
  const reach = (time: Ts): boolean => time >= now - 29 * DAY;
  const action = gen.pick(['create', 'update', 'delete']);
  return gen.pick<() => string>([
    () => `{"create":${aDocument(gen)},${params(gen, now)}}`,
    () => `{"create":${aDocument(gen)},${params(gen, now)}}`,
    () => `{"create":${aCollection(gen)},${params(gen, now)}}`,
    () => `{"update":${aDocument(gen)},${params(gen, now)}}`,
    () => `{"replace":${aDocument(gen)},${params(gen, now)}}`,
    () => `{"delete":${aDocument(gen)}}`,
    () => `{"insert":${aDocument(gen)},"ts":${micros(now - gen.pick([MINUTE, 10 * MINUTE, DAY, 28 * DAY]))},"action":"${action}",${params(gen, now)}}`,
    () => `{"remove":${aDocument(gen)},"ts":${micros(gen.pick([now, ...times.filter(reach)]))},"action":"${action}"}`,
  ])();
}

function anIndex(gen: Gen): string {
  const fields = ['["data","n"]', '["data","m"]', '["ts"]', '["data"]'];
  const part = (more: string): string => (gen.below(6) === 0 ? '{"object":{"binding":"b"}}' : `{"object":{"field":${gen.pick(fields)}${more}}}`);
  const bound = (expression: string): string => `{"object":{"collection":{"collection":"c1"},"fields":{"object":{"b":{"query":{"lambda":"d","expr":${expression}}}}}}}`;
  const chosen = (field: string): string => `{"select":["data","${field}"],"from":{"var":"d"},"default":null}`;
  const source = gen.pick([
    '{"collection":"c1"}',
    '[{"collection":"c1"},{"collection":"c2"}]',
    '"_"',
    bound(chosen('n')),
    `[${bound(`[1,${chosen('m')}]`)},{"object":{"collection":{"collection":"c2"}}}]`,
  ]);
  const terms = listOf(gen, 2, () => part(''));
  const values = listOf(gen, 2, () => part(some(gen, 3, () => ',"reverse":true')));
  return create('index', `"name":"${gen.pick(INDEXES)}","source":${source},"terms":${terms},"values":${values}${some(gen, 4, () => ',"unique":true')}${some(gen, 4, () => ',"serialized":false')}`);
}

/** Of a schema, of keys, or of many documents. */
function ofSchema(gen: Gen, now: Ts): string {
  const child = (): string => `{"database":"${gen.pick(CHILDREN)}"}`;
  const all = (set: string): string => `{"map":{"lambda":"x","expr":{"delete":{"var":"x"}}},"collection":{"paginate":${set},"size":2}}`;
  const update = (ref: string, field: string, value: string): string => `{"update":${ref},"params":{"object":{"${field}":${value}}}}`;
  return gen.pick<() => string>([
    () => create('collection', `"name":"${gen.pick(COLLECTIONS)}","history_days":${gen.pick(['0', '30', 'null'])}${some(gen, 3, () => `,"ttl_days":${gen.pick([1, 50])}`)}`),
    () => update(aCollection(gen), 'history_days', gen.pick(['0', '30', 'null'])),
    () => update(aCollection(gen), 'ttl_days', gen.pick(['1', '50', 'null'])),
    () => update('{"collection":"c1"}', 'name', '"c2"'),
    () => `{"delete":${aCollection(gen)}}`,
    () => anIndex(gen),
    () => anIndex(gen),
    () => update('{"index":"i1"}', 'name', '"i2"'),
    () => `{"delete":{"index":"${gen.pick(INDEXES)}"}}`,
    () => create('database', `"name":"${gen.pick(CHILDREN)}"`),
    () => update('{"database":"d1"}', 'name', '"d2"'),
    () => `{"move_database":${child()},"to":${child()}}`,
    () => `{"delete":${child()}}`,
    () => create('function', '"name":"f","body":{"query":{"lambda":"x","expr":{"var":"x"}}}'),
    () => '{"delete":{"function":"f"}}',
    () => create('role', `"name":"r","privileges":{"object":{"resource":${aCollection(gen)},"actions":{"object":{"read":true}}}}${some(gen, 2, () => `,"membership":{"object":{"resource":${aCollection(gen)}}}`)}`),
    () => '{"delete":{"role":"r"}}',
    () => create('key', `"role":"${gen.pick(['server', 'admin', 'client'])}"`),
    () => create('key', `"role":{"role":"r"},"ttl":${micros(now + DAY)}`),
    () => `{"create":{"tokens":null},"params":{"object":{"instance":${aDocument(gen)}}}}`,
    () => `{"login":${aDocument(gen)},"params":{"object":{"password":"p"}}}`,
    () => all(`{"${gen.pick(['tokens', 'keys', 'credentials'])}":null}`),
    () => all(`{"documents":${aCollection(gen)}}`),
  ])();
}

/** @param times at which something was written */
export function randomChange(gen: Gen, now: Ts, times: readonly Ts[]): Post {
  const database = gen.pick([...DATABASES, '', '']);
  const several = (...changes: readonly string[]): string => `{"do":[${changes.join()}]}`;
  const ofIt = (): string => ofDocument(gen, now, times);
  return gen.pick<() => Post>([
    () => ({ database, ...(gen.bool() ? graphql(gen.pick(OPERATIONS)) : { path: `/import?mode=${gen.pick(['merge', 'merge', 'override', 'replace'])}`, body: gen.pick(SCHEMAS) }) }),
    () => ({ database, body: ofSchema(gen, now) }),
    () => ({ database, body: ofSchema(gen, now) }),
    () => ({ database, body: several(ofIt(), ofIt(), ofSchema(gen, now)) }),
    () => ({ database, body: several(ofIt(), ofIt()) }),
    ...Array<() => Post>(4).fill(() => ({ database, body: ofIt() })),
  ])();
}

/** All that is there, now and at times that may be asked for. */
export function allQuestions(gen: Gen, now: Ts): readonly Post[] {
  const times = ['', ...[1, 2].map(() => `,"ts":${micros(now - gen.pick([MINUTE, 9 * MINUTE, DAY, 10 * DAY, 29 * DAY, 30 * DAY]))}`)];
  return DATABASES.flatMap((database) => [
    // Each twice: what one has learned of blocks the next one goes by.
    ...COLLECTIONS.flatMap((name) => ['true', '{"equals":[{"select":["data","n"],"from":{"get":{"var":"x"}},"default":0},1]}'].map((predicate) => `{"count":{"filter":{"lambda":"x","expr":${predicate}},"collection":{"documents":{"collection":"${name}"}}}}`))
      .flatMap((body) => [{ database, body }, { database, body }]),
    { database, ...graphql('{ __schema { types { name fields { name } enumValues { name } } } }') },
    ...times.flatMap((ts) => {
      const shown = (set: string, expression: string): string => `{"map":{"lambda":"x","expr":${expression}},"collection":{"paginate":${set}${ts}}}`;
      const data = `{"select":["data"],"from":{"get":{"var":"x"}${ts}},"default":null}`;
      return [
        ...NATIVE.map((name) => shown(`{"${name}":null}`, '{"get":{"var":"x"}}')),
        ...[...COLLECTIONS, ...TYPES].map((name) => shown(`{"documents":{"collection":"${name}"}}`, data)),
        ...INDEXES.flatMap((name) => ['', ...['0', '"a"', '[1,0]', '1', '[1,1]'].map((terms) => `,"terms":${terms}`)].map((terms) => `{"paginate":{"match":{"index":"${name}"}${terms}}${ts}}`)),
        ...COLLECTIONS.flatMap((name) => IDS.map((id) => `{"ref":{"collection":"${name}"},"id":"${id}"}`)).flatMap((doc) => [`{"exists":${doc}${ts}}`, `{"identify":${doc},"password":"p"}`]),
      ].map((body) => ({ database, body }));
    }),
  ]);
}

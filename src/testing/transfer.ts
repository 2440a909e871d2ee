// Whole databases for tests of export and import: one with a little of everything, and what
// is asked of it to tell whether another is the same.
import type { Engine } from '../engine/index.ts';
import type { TestClient } from './client.ts';

export type Client = Pick<TestClient, 'query' | 'send'>;

const obj = (fields: Record<string, unknown>): unknown => ({ object: fields });
const spell = (id: number): unknown => ({ ref: { collection: 'spells' }, id: String(id) });

/** What is read of an answered document, where it has that. */
interface Shown {
  readonly ts: number;
  readonly secret: string;
}

export interface World {
  /** Of a key of the child database. */
  readonly childSecret: string;
  readonly tokenSecret: string;
  /** Between the first version of the documents and the second. */
  readonly middle: number;
}

/** Documents with history, indexes, functions, roles, keys, tokens, a provider, a GraphQL schema and a child database. */
export async function makeWorld({ query, send }: Client, pad = 1000): Promise<World> {
  const run = async (expression: unknown): Promise<Shown> => {
    const { status, text } = await query(JSON.stringify(expression));
    if (status >= 300) throw new Error(text);
    return (JSON.parse(text) as { resource: Shown }).resource;
  };
  await run({ create_collection: obj({ name: 'spells', history_days: null }) });
  await run({ create_index: obj({ name: 'by_name', source: { collection: 'spells' }, terms: [obj({ field: ['data', 'name'] })], values: [obj({ field: ['ts'] }), obj({ field: ['ref'] })] }) });
  await run({ create_index: obj({ name: 'all_names', unique: true, source: { collection: 'spells' }, values: [obj({ field: ['data', 'name'] })], terms: [obj({ field: ['data', 'n'] })] }) });
  for (let n = 1; n <= 40; n++) await run({ create: spell(n), params: obj({ data: obj({ n, name: `spell ${n % 5}`, pad: String(n).repeat(pad), odd: [n / 3, '⚡\u2028"\n', { time: '2020-01-01T00:00:00Z' }, spell(1)] }) }) });
  const middle = (await run({ get: spell(40) })).ts;
  for (let n = 1; n <= 40; n += 2) await run({ update: spell(n), params: obj({ data: obj({ name: 'renamed' }) }) });
  for (let n = 1; n <= 40; n += 5) await run({ delete: spell(n) });
  await run({ insert: spell(2), ts: { time: '2019-06-01T00:00:00Z' }, action: 'create', params: obj({ data: obj({ name: 'of old' }) }) });
  await run({ remove: spell(40), ts: middle, action: 'create' });
  await run({ create: spell(100), params: obj({ data: obj({ name: 'short lived' }), ttl: { time: '2100-01-01T00:00:00Z' }, credentials: obj({ password: 'open' }) }) });
  await run({ create_function: obj({ name: 'twice', body: { query: { lambda: 'x', expr: { multiply: [{ var: 'x' }, 2] } } } }) });
  await run({ create_role: obj({ name: 'reader', membership: obj({ resource: { collection: 'spells' } }), privileges: [obj({ resource: { collection: 'spells' }, actions: obj({ read: true }) })] }) });
  await run({ create_access_provider: obj({ name: 'gate', issuer: 'https://gate.example', jwks_uri: 'https://gate.example/jwks', roles: [{ role: 'reader' }] }) });
  const token = await run({ login: spell(100), params: obj({ password: 'open' }) });
  await run({ create_database: obj({ name: 'child' }) });
  const key = await run({ create_key: obj({ role: 'server', database: { database: 'child' } }) });
  const inChild = { authorization: `Bearer ${key.secret}`, 'x-faunadb-api-version': '4' };
  await send('POST', '/', JSON.stringify({ create_collection: obj({ name: 'toys' }) }), inChild);
  await send('POST', '/', JSON.stringify({ create: { ref: { collection: 'toys' }, id: '7' }, params: obj({ data: obj({ name: 'bear' }) }) }), inChild);
  const schema = 'type Todo { title: String! @unique } type Query { allTodos: [Todo!] }';
  const imported = await send('POST', '/import', schema);
  if (imported.status !== 200) throw new Error(imported.text);
  await send('POST', '/graphql', JSON.stringify({ query: 'mutation { createTodo(data: { title: "Water the moss" }) { _id } }' }));
  return { childSecret: key.secret, tokenSecret: token.secret, middle };
}

/** A request, and how it is sent. */
export interface Question {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const V4 = { 'x-faunadb-api-version': '4' };

/** What a client can tell of it: documents, entries and events, now and in the past; keys, tokens, the child, GraphQL. */
export function questionsOf({ childSecret, tokenSecret, middle }: World): Question[] {
  const sets = [
    { documents: { collection: 'spells' } },
    { match: { index: 'by_name' }, terms: 'renamed' },
    { match: { index: 'by_name' }, terms: 'spell 3' },
    { match: { index: 'all_names' }, terms: 2 },
    { collections: null }, { indexes: null }, { functions: null }, { roles: null }, { databases: null }, { keys: null }, { tokens: null },
    { access_providers: null },
  ];
  const all = (set: unknown): unknown => ({ paginate: set, size: 1000 });
  const elements = { lambda: 'x', expr: { if: { is_ref: { var: 'x' } }, then: { get: { var: 'x' } }, else: { var: 'x' } } };
  const asRoot: unknown[] = [
    ...sets.flatMap((set) => [all(set), { at: middle, expr: all(set) }, { paginate: set, size: 1000, events: true }, { map: elements, collection: all(set) }]),
    ...[1, 2, 3, 40, 100].map((id) => ({ paginate: spell(id), size: 1000, events: true })),
    { call: { function: 'twice' }, arguments: 21 },
    { identify: spell(100), password: 'open' },
  ];
  const asOthers: unknown[] = [{ get: { ref: { collection: 'toys' }, id: '7' } }, { get: spell(100) }, { paginate: { collections: null } }];
  return [
    ...asRoot.map((asked) => ({ path: '/', body: JSON.stringify(asked), headers: V4 })),
    ...[childSecret, tokenSecret].flatMap((secret) =>
      asOthers.map((asked) => ({ path: '/', body: JSON.stringify(asked), headers: { ...V4, authorization: `Bearer ${secret}` } })),
    ),
    { path: '/graphql', body: JSON.stringify({ query: '{ allTodos { data { _id _ts title } } }' }), headers: {} },
  ];
}

export async function askAll({ send }: Client, questions: readonly Question[]): Promise<string[]> {
  const answers: string[] = [];
  for (const { path, body, headers } of questions) answers.push((await send('POST', path, body, headers)).text);
  return answers;
}

export const describeWorld = (client: Client, world: World): Promise<string[]> => askAll(client, questionsOf(world));

/** The whole file of an export, as it comes. */
export async function exported(engine: Engine): Promise<Uint8Array> {
  return joined(engine.exportDatabase());
}

export async function joined(file: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file) chunks.push(chunk);
  const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  chunks.reduce((at, chunk) => (whole.set(chunk, at), at + chunk.length), 0);
  return whole;
}

/** A file in chunks of a size that is none of its own. */
export async function* chunked(file: Uint8Array, size = 7919): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}

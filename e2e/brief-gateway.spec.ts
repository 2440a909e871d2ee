// The GraphQL gateway: what an import makes, its modes, secrets and their errors (brief §1,
// §2.1, §4.1, §5, §7).
import type { Page } from 'playwright/test';
import { inBothForms, type Database } from './support/database.ts';
import { ROOT, send, type Via } from './support/http.ts';
import { match, object } from './support/spells.ts';
import { expect, test } from './support/test.ts';

const SDL = `type Todo { title: String! completed: Boolean owner: User! }
type User { name: String! @unique address: Address todos: [Todo!] @relation }
type Address @embedded { city: String! }
type Query { allTodos: [Todo!] todosByTitle(title: String!): [Todo!]! }`;

const IMPORTED = `Schema imported successfully.
Use the following HTTP header to connect to the FaunaDB GraphQL API:

{ "Authorization": "Bearer secret" }`;

const importSchema = (db: Database, sdl: string, mode = ''): Promise<{ status: number; text: string }> =>
  db.send({ path: `/import${mode}`, body: sdl }).then(({ status, text }) => ({ status, text }));

inBothForms('an import makes collections and indexes with their metadata under data.gql', async (db) => {
  const { wire } = db;
  expect(await importSchema(db, SDL)).toEqual({ status: 200, text: IMPORTED });
  const read = async (query: object): Promise<{ ts: number; time: string }> => {
    const document = await db.value<{ ts: number; data: { gql: { ts: { '@ts': string } } } }>(query);
    return { ts: document.ts, time: document.data.gql.ts['@ts'] };
  };
  const collection = async (name: string, meta: string): Promise<void> => {
    const { ts, time } = await read({ get: { class: name } });
    await db.shows(
      { get: { class: name } },
      `{${wire.head(wire.collection(name), wire.native('collections'), ts)},"history_days":30,"name":"${name}","data":{"gql":{"ts":{"@ts":"${time}"},"meta":${meta}}}}`,
    );
  };
  const index = async (name: string, fields: string, meta: string): Promise<void> => {
    const { ts, time } = await read({ get: { index: name } });
    await db.shows(
      { get: { index: name } },
      `{${wire.head(wire.index(name), wire.native('indexes'), ts)},"active":true,"serialized":true,"name":"${name}",${fields},"data":{"gql":{"ts":{"@ts":"${time}"}${meta}}}}`,
    );
  };

  await collection('Todo', '{"name":"Todo","fields":[{"name":"title","type":{"NotNull":{"Named":"String"}}},{"name":"completed","type":{"Named":"Boolean"}},' +
    '{"name":"owner","directives":[{"name":"relation","args":{"name":"todo_owner"}}],"type":{"NotNull":{"Named":"User"}}}],' +
    '"directives":[{"name":"collection","args":{"name":"Todo"}}]}');
  await collection('User', '{"name":"User","fields":[{"name":"name","directives":[{"name":"unique","args":{"index":"unique_User_name"}}],"type":{"NotNull":{"Named":"String"}}},' +
    '{"name":"address","type":{"Named":"Address"}},{"name":"todos","directives":[{"name":"relation","args":{"name":"todo_owner"}}],"type":{"List":{"NotNull":{"Named":"Todo"}}}}],' +
    '"directives":[{"name":"collection","args":{"name":"User"}}]}');
  const source = (name: string): string => `"unique":false,"source":${wire.collection(name)}`;
  await index('allTodos', `${source('Todo')},"terms":[],"values":[],"partitions":8`,
    ',"meta":{"name":"allTodos","directives":[{"name":"index","args":{"name":"allTodos"}}],"type":{"List":{"NotNull":{"Named":"Todo"}}}}');
  await index('todosByTitle', `${source('Todo')},"terms":[{"field":["data","title"]}],"values":[],"partitions":1`,
    ',"meta":{"name":"todosByTitle","directives":[{"name":"index","args":{"name":"todosByTitle"}}],"type":{"NotNull":{"List":{"NotNull":{"Named":"Todo"}}}},' +
    '"arguments":[{"name":"title","type":{"NotNull":{"Named":"String"}}}]}');
  await index('unique_User_name', `"unique":true,"source":${wire.collection('User')},"terms":[{"field":["data","name"]}],"values":[],"partitions":1`, '');
  await db.gives({ paginate: { classes: null } }, `{"data":[${wire.collection('Todo')},${wire.collection('User')}]}`);
});

inBothForms('merge keeps what is there, override deletes what carries metadata and nothing else', async (db) => {
  const { wire } = db;
  await db.write({ create_class: object({ name: 'spells' }) });
  await db.write({ create_class: object({ name: 'Todo' }) });
  await db.write({ create: { ref: { class: 'Todo' }, id: '1' }, params: object({ data: object({ title: 'old' }) }) });
  expect((await importSchema(db, 'type Todo { title: String! } type Query { allTodos: [Todo] }', '?mode=merge')).status).toBe(200);
  await db.gives({ paginate: match('allTodos') }, `{"data":[${wire.document('Todo', 1)}]}`);
  const asked = await db.send({ path: '/graphql', body: JSON.stringify({ query: '{ allTodos { data { _id title } } }' }) });
  expect(asked).toMatchObject({ status: 200, text: '{"data":{"allTodos":{"data":[{"_id":"1","title":"old"}]}}}' });

  expect((await importSchema(db, 'type Note { text: String }')).status).toBe(200);
  const names = (...all: string[]): string => `{"data":[${all.map((name) => wire.collection(name)).join(',')}]}`;
  await db.gives({ paginate: { classes: null } }, names('spells', 'Todo', 'Note'));
  expect((await importSchema(db, 'type Card { text: String } type Query { allCards: [Card] }', '?mode=override')).status).toBe(200);
  await db.gives({ paginate: { classes: null } }, names('spells', 'Card'));
  await db.gives({ paginate: { indexes: null } }, `{"data":[${wire.index('allCards')}]}`);
});

/** What each address says to a bad secret. */
const REFUSALS: readonly (readonly [path: string, body: string, said: (message: string) => object])[] = [
  ['/graphql', '{"query":"{ __typename }"}', (message) => ({ status: 200, type: 'application/json', text: `{"errors":[{"message":"${message}."}]}` })],
  ['/import', 'type A { b: Int }', (message) => ({ status: 401, type: 'text/plain', text: `${message}.` })],
  ['/', '{"add":[1,2]}', () => ({ status: 401, type: 'application/json', text: '{"errors":[{"code":"unauthorized","description":"Unauthorized"}]}' })],
];

test('each address asks for a secret, and says what is wrong with it', async ({ shared: page }) => {
  const answer = async (via: Via, path: string, body: string, authorization: string | null): Promise<object> => {
    const { status, headers, text } = await send(page, via, { path, body, headers: authorization === null ? {} : { Authorization: authorization } });
    return { status, type: headers['content-type']?.split(';')[0], text };
  };
  for (const via of ['fetch', 'XMLHttpRequest'] as const) {
    for (const [path, body, said] of REFUSALS) {
      expect.soft(await answer(via, path, body, null), path).toEqual(said('Missing authorization header'));
      for (const malformed of ['secret', 'Basic', 'Basic c2VjcmV0', 'Basic ?', 'bearer secret', 'Digest secret', 'Bearer a b']) {
        expect.soft(await answer(via, path, body, malformed), `${path} ${malformed}`).toEqual(said('Invalid authorization header'));
      }
      for (const wrong of ['Bearer wrong', `Basic ${btoa('wrong:')}`, 'Bearer fnADg_KvxqAAdIqH0C1VEwsOvDtTja49zV4NzH1N', 'Bearer ey.J.x']) {
        expect.soft(await answer(via, path, body, wrong), `${path} ${wrong}`).toEqual(said('Invalid database secret'));
      }
    }
  }
  await expectBothSchemes(page);
});

async function expectBothSchemes(page: Page): Promise<void> {
  for (const authorization of [ROOT, `Basic ${btoa('secret:')}`]) {
    const headers = { Authorization: authorization };
    expect(await send(page, 'fetch', { body: '{"add":[1,2]}', headers })).toMatchObject({ status: 200, text: '{"resource":3}' });
    const imported = await send(page, 'fetch', { path: '/import', body: 'type A { b: Int } type Query { as: [A] }', headers });
    expect(imported).toMatchObject({ status: 200, text: IMPORTED.replace('Bearer secret', authorization) });
    expect(imported.headers['content-type']).toBe('text/plain;charset=utf-8');
    const asked = await send(page, 'XMLHttpRequest', { path: '/graphql', body: '{"query":"{ as { data { b } } }"}', headers });
    expect(asked).toMatchObject({ status: 200, text: '{"data":{"as":{"data":[]}}}' });
    expect(asked.headers['content-type']).toBe('application/json;charset=utf-8');
  }
}

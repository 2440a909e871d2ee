// The official driver 4.8.2, unmodified: against this page's own address, and told nothing
// but the secret, so that it calls https://db.fauna.com.
import type { Page } from 'playwright/test';
import { loadDriver } from './drivers/generations.ts';
import { expect, test } from './support/test.ts';

type Settings = { readonly secret: string; readonly domain?: string; readonly port?: number; readonly scheme?: 'http' | 'https' };
type Window4 = { readonly faunadb: typeof import('faunadb') };

const OWN: Settings = { secret: 'secret', domain: 'localhost', scheme: 'http' };
const ADDRESSES: readonly { readonly title: string; settings(page: Page): Settings }[] = [
  { title: 'this origin', settings: (page) => ({ ...OWN, port: Number(new URL(page.url()).port) }) },
  { title: 'https://db.fauna.com', settings: () => ({ secret: 'secret' }) },
];

const spell = (id: string): object => ({ '@ref': { id, collection: { '@ref': { id: 'spells', collection: { '@ref': { id: 'collections' } } } } } });

for (const { title, settings } of ADDRESSES) {
  test.describe(`faunadb 4.8.2 at ${title}`, () => {
    test.beforeEach(async ({ shared: page }) => {
      await loadDriver(page, '4.8.2');
    });

    test('creates a database, a key, and in it a collection, an index and documents', async ({ shared: page }) => {
      const made = await page.evaluate(async (given) => {
        const { Client, query: q, values } = (window as unknown as Window4).faunadb;
        const root = new Client(given);
        const database = await root.query<object>(q.CreateDatabase({ name: 'prydain' }));
        const key = await root.query<{ secret: string }>(q.CreateKey({ database: q.Database('prydain'), role: 'admin' }));
        const client = new Client({ ...given, secret: key.secret });
        const collection = await client.query<object>(q.CreateCollection({ name: 'spells' }));
        const index = await client.query<object>(q.CreateIndex({ name: 'by_element', source: q.Collection('spells'), terms: [{ field: ['data', 'element'] }] }));
        const data = {
          element: 'water', when: q.Time('2017-01-01T00:00:00.5Z'), day: q.Date('2017-01-01'), bytes: new Uint8Array([1, 2, 3]),
          self: q.Ref(q.Collection('spells'), '1'), list: [1, 2.5, 'é'], nested: { deep: true, none: null },
        };
        const created = await client.query<object>(q.Create(q.Ref(q.Collection('spells'), '1'), { data }));
        const got = await client.query<{ data: Record<string, unknown>; ref: { id: string } }>(q.Get(q.Match(q.Index('by_element'), 'water')));
        const classes = {
          when: got.data['when'] instanceof values.FaunaTime, day: got.data['day'] instanceof values.FaunaDate,
          bytes: got.data['bytes'] instanceof values.Bytes, self: got.data['self'] instanceof values.Ref, id: got.ref.id,
        };
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        const outside = await root.query<boolean>(q.Exists(q.Collection('spells')));
        return { database: plain(database), secret: key.secret, collection: plain(collection), index: plain(index), created: plain(created), got: plain(got), classes, outside, ping: await client.ping('write') };
      }, settings(page));

      const ts = expect.any(Number);
      const named = (kind: string, id: string): object => ({ '@ref': { id, collection: { '@ref': { id: kind } } } });
      expect(made.database).toEqual({ ref: named('databases', 'prydain'), ts, name: 'prydain', global_id: expect.any(String) });
      expect(made.secret).toMatch(/^fn[\w-]{38}$/);
      expect(made.collection).toEqual({ ref: named('collections', 'spells'), ts, history_days: 30, name: 'spells' });
      expect(made.index).toEqual({
        ref: named('indexes', 'by_element'), ts, active: true, serialized: true, name: 'by_element',
        source: named('collections', 'spells'), terms: [{ field: ['data', 'element'] }], partitions: 1,
      });
      const document = {
        ref: spell('1'), ts,
        data: {
          element: 'water', when: { '@ts': '2017-01-01T00:00:00.500Z' }, day: { '@date': '2017-01-01' }, bytes: { '@bytes': 'AQID' },
          self: spell('1'), list: [1, 2.5, 'é'], nested: { deep: true },
        },
      };
      expect(made.created).toEqual(document);
      expect(made.got).toEqual(document);
      expect(made.classes).toEqual({ when: true, day: true, bytes: true, self: true, id: '1' });
      expect(made.outside).toBe(false);
      expect(made.ping).toBe('Scope write is OK');
    });

    test('updates, replaces, deletes and reads pages and events', async ({ shared: page }) => {
      const seen = await page.evaluate(async (given) => {
        const { Client, query: q } = (window as unknown as Window4).faunadb;
        // Its type declarations leave this method out.
        const client = new Client(given) as import('faunadb').Client & { getLastTxnTime(): number };
        await client.query(q.CreateCollection({ name: 'spells' }));
        await client.query(q.CreateIndex({ name: 'levels', source: q.Collection('spells'), values: [{ field: ['data', 'level'] }] }));
        await client.query(q.CreateIndex({ name: 'all', source: q.Collection('spells') }));
        const ref = (id: number) => q.Ref(q.Collection('spells'), String(id));
        await client.query(q.Map([1, 2, 3, 4, 5], q.Lambda('n', q.Create(q.Ref(q.Collection('spells'), q.Var('n')), { data: { level: q.Multiply(q.Var('n'), 10) } }))));
        type Page = { data: unknown[]; after?: unknown[]; before?: unknown[] };

        const first = await client.query<Page>(q.Paginate(q.Match(q.Index('levels')), { size: 2 }));
        const second = await client.query<Page>(q.Paginate(q.Match(q.Index('levels')), { size: 2, after: first.after as never }));
        const each: unknown[] = [];
        await client.paginate(q.Match(q.Index('levels')), { size: 2 }).each((data) => void each.push(data));
        const reversed: unknown[] = [];
        await client.paginate(q.Match(q.Index('levels')), { size: 2 }).eachReverse((data) => void reversed.push(data));
        const mapped: unknown[] = [];
        await client.paginate(q.Match(q.Index('all')), { size: 3 })
          .map((document) => q.Select(['data', 'level'], q.Get(document)))
          .each((data) => void mapped.push(data));
        const filtered: unknown[] = [];
        await client.paginate(q.Match(q.Index('levels'))).filter((level) => q.GT(level, 30)).each((data) => void filtered.push(data));

        const updated = await client.query<{ data: unknown; ts: number }>(q.Update(ref(1), { data: { name: 'Beak' } }));
        const replaced = await client.query<{ data: unknown; ts: number }>(q.Replace(ref(1), { data: { level: 11 } }));
        await client.query(q.Delete(ref(1)));
        const events = await client.query<{ data: { action: string; ts: number; document: unknown; data: unknown }[] }>(q.Paginate(q.Events(ref(1))));
        const set = await client.query<{ data: { action: string; data: unknown }[] }>(q.Paginate(q.Match(q.Index('levels')), { events: true, size: 100 }));
        const before = await client.query<{ data: unknown }>(q.At(updated.ts, q.Get(ref(1))));
        const exists = await client.query(q.Exists(ref(1)));
        return {
          first: first.data, second: second.data, each, reversed, mapped, filtered, updated: updated.data, replaced: replaced.data, before: before.data, exists,
          events: events.data.map(({ action, data }) => ({ action, data })),
          times: [events.data[1]?.ts === updated.ts, events.data[2]?.ts === replaced.ts],
          set: set.data.map(({ action, data }) => [action, data]),
          lastSeen: client.getLastTxnTime() >= replaced.ts,
        };
      }, settings(page));

      expect(seen).toEqual({
        first: [10, 20], second: [30, 40],
        each: [[10, 20], [30, 40], [50]], reversed: [[40, 50], [20, 30], [10]],
        mapped: [[10, 20, 30], [40, 50]], filtered: [[40, 50]],
        updated: { level: 10, name: 'Beak' }, replaced: { level: 11 }, before: { level: 10, name: 'Beak' }, exists: false,
        events: [
          { action: 'create', data: { level: 10 } },
          { action: 'update', data: { name: 'Beak' } },
          { action: 'update', data: { level: 11, name: null } },
          { action: 'delete', data: null },
        ],
        times: [true, true],
        set: [...[10, 20, 30, 40, 50].map((level) => ['add', [level]]), ['remove', [10]], ['add', [11]], ['remove', [11]]],
        lastSeen: true,
      });
    });

    test('throws its own errors', async ({ shared: page }) => {
      const failures = await page.evaluate(async (given) => {
        const { Client, errors, query: q } = (window as unknown as Window4).faunadb;
        const client = new Client(given);
        await client.query(q.CreateCollection({ name: 'spells' }));
        await client.query(q.CreateIndex({ name: 'names', source: q.Collection('spells'), terms: [{ field: ['data', 'name'] }], unique: true }));
        await client.query(q.Create(q.Collection('spells'), { data: { name: 'Beak' } }));
        const { secret } = await client.query<{ secret: string }>(q.CreateKey({ role: 'server' }));
        const server = new Client({ ...given, secret });
        const wrong = new Client({ ...given, secret: 'wrong' });
        const classes = [errors.BadRequest, errors.Unauthorized, errors.PermissionDenied, errors.NotFound] as const;
        const failure = async (promise: Promise<unknown>) => {
          const error = await promise.then(() => null, (reason: unknown) => reason);
          if (!(error instanceof errors.FaunaHTTPError)) return String(error);
          const { name, message, description, requestResult } = error;
          return { name, message, description, status: requestResult.statusCode, known: classes.some((kind) => error instanceof kind), errors: error.errors() };
        };
        return [
          await failure(client.query(q.Get(q.Ref(q.Collection('spells'), '99')))),
          await failure(client.query(q.Add('one', 2))),
          await failure(client.query(q.Create(q.Collection('spells'), { data: { name: 'Beak' } }))),
          await failure(wrong.query(q.Now())),
          await failure(server.query(q.CreateDatabase({ name: 'no' }))),
          await failure(client.query(q.Abort('enough'))),
        ];
      }, settings(page));

      const failed = (name: string, status: number, message: string, description: string, position: unknown) => ({
        name, message, description, status, known: true, errors: [{ ...(position === null ? {} : { position }), code: message, description }],
      });
      expect(failures).toEqual([
        failed('NotFound', 404, 'instance not found', 'Document not found.', []),
        failed('BadRequest', 400, 'invalid argument', 'Number expected, String provided.', ['add', 0]),
        failed('BadRequest', 400, 'instance not unique', 'document is not unique.', ['create']),
        { ...failed('Unauthorized', 401, 'unauthorized', 'Unauthorized', null), message: expect.stringMatching(/^unauthorized/) },
        failed('PermissionDenied', 403, 'permission denied', 'Insufficient privileges to perform the action.', ['create_database']),
        failed('BadRequest', 400, 'transaction aborted', 'enough', []),
      ]);
    });
  });
}

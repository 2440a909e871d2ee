// The driver 1.1.2 of 2017, unmodified: no version header, refs as strings, and the old REST
// paths, on this page's own address and at https://db.fauna.com.
import type { Page } from 'playwright/test';
import { loadDriver } from './drivers/generations.ts';
import { expect, test } from './support/test.ts';

/** What is used of it; its own type declarations do not have all of that. */
interface Driver {
  readonly Client: new (options: object) => Client;
  readonly errors: Readonly<Record<'FaunaHTTPError' | 'BadRequest' | 'NotFound' | 'Unauthorized' | 'PermissionDenied', new () => Failure>>;
  readonly values: Readonly<Record<'Ref' | 'FaunaTime' | 'FaunaDate', new (value: string) => { readonly value: string }>>;
  readonly query: Readonly<Record<Form, (...parameters: readonly unknown[]) => unknown>>;
}
type Form =
  | 'CreateDatabase' | 'CreateKey' | 'CreateClass' | 'CreateIndex' | 'Create' | 'Update' | 'Replace' | 'Delete' | 'Get' | 'Exists'
  | 'Paginate' | 'Match' | 'Index' | 'Class' | 'Database' | 'Ref' | 'Select' | 'Time' | 'Date' | 'Map' | 'Lambda' | 'Var' | 'Multiply' | 'Add' | 'Union' | 'NextId';
interface Client {
  query<T>(expression: unknown): Promise<T>;
  paginate(set: unknown, options?: object): PageHelper;
  get<T>(path: unknown, query?: object): Promise<T>;
  post<T>(path: unknown, data: object): Promise<T>;
  put<T>(path: unknown, data: object): Promise<T>;
  patch<T>(path: unknown, data: object): Promise<T>;
  delete<T>(path: unknown): Promise<T>;
  ping(scope?: string): Promise<string>;
}
interface PageHelper {
  map(lambda: (ref: unknown) => unknown): PageHelper;
  each(consume: (page: unknown) => void): Promise<void>;
  eachReverse(consume: (page: unknown) => void): Promise<void>;
}
interface Failure {
  readonly name: string;
  readonly message: string;
  readonly requestResult: { readonly statusCode: number };
  errors(): unknown;
}
type Window1 = { readonly faunadb: Driver };

const ADDRESSES: readonly { readonly title: string; settings(page: Page): object }[] = [
  { title: 'this origin', settings: (page) => ({ secret: 'secret', domain: 'localhost', scheme: 'http', port: Number(new URL(page.url()).port) }) },
  { title: 'https://db.fauna.com', settings: () => ({ secret: 'secret' }) },
];

for (const { title, settings } of ADDRESSES) {
  test.describe(`faunadb 1.1.2 at ${title}`, () => {
    test.beforeEach(async ({ shared: page }) => {
      await loadDriver(page, '1.1.2');
    });

    test('creates, reads, pages and follows events in the forms of 2.0', async ({ shared: page }) => {
      const seen = await page.evaluate(async (given) => {
        const { Client, query: q, values } = (window as unknown as Window1).faunadb;
        const root = new Client(given);
        const database = await root.query(q.CreateDatabase({ name: 'prydain' }));
        const key = await root.query<{ secret: string; ref: { value: string } }>(q.CreateKey({ database: q.Database('prydain'), role: 'server' }));
        const client = new Client({ ...given, secret: key.secret });
        const made = await client.query(q.CreateClass({ name: 'spells' }));
        const index = await client.query(q.CreateIndex({ name: 'levels', source: q.Class('spells'), values: [{ field: ['data', 'level'] }] }));
        await client.query(q.CreateIndex({ name: 'all', source: q.Class('spells') }));
        const ref = (id: number): unknown => q.Ref(`classes/spells/${id}`);
        for (let n = 1; n <= 20; n++) await client.query(q.Create(ref(n), { data: { level: n * 10 } }));
        const time = await client.query<{ data: Record<string, unknown>; class: { value: string } }>(q.Create(ref(21), { data: { level: 0, when: q.Time('2017-01-01T00:00:00Z'), day: q.Date('2017-01-01') } }));
        const kinds = [time.data['when'] instanceof values.FaunaTime, time.data['day'] instanceof values.FaunaDate, time.class.value];
        await client.query(q.Delete(ref(21)));

        type Page = { data: unknown[]; after?: unknown };
        const first = await client.query<Page>(q.Paginate(q.Match(q.Index('levels'))));
        const second = await client.query<Page>(q.Paginate(q.Match(q.Index('levels')), { after: first.after }));
        const each: unknown[] = [];
        await client.paginate(q.Match(q.Index('levels')), { size: 8 }).each((data) => void each.push(data));
        const reversed: unknown[] = [];
        await client.paginate(q.Match(q.Index('levels')), { size: 12 }).eachReverse((data) => void reversed.push(data));
        const mapped: unknown[] = [];
        await client.paginate(q.Match(q.Index('all'))).map((document) => q.Select(['data', 'level'], q.Get(document))).each((data) => void mapped.push(data));

        const updated = await client.query(q.Update(ref(1), { data: { name: 'Beak' } }));
        await client.query(q.Delete(ref(1)));
        const events = await client.query<Page>(q.Paginate(ref(1), { events: true }));
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        return {
          database: plain(database), key: key.ref.value, made: plain(made), index: plain(index), kinds, first: first.data.length, second: second.data,
          each, reversed, mapped, updated: plain(updated), events: plain(events.data), exists: await client.query(q.Exists(ref(1))), ping: await client.ping(),
        };
      }, settings(page));

      const ts = expect.any(Number);
      const ref = (path: string): object => ({ '@ref': path });
      const tens = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => (from + at) * 10);
      const resource = ref('classes/spells/1');
      expect(seen).toEqual({
        database: { ref: ref('databases/prydain'), class: ref('databases'), ts, name: 'prydain', global_id: expect.any(String) },
        key: expect.stringMatching(/^keys\/\d{18}$/),
        made: { ref: ref('classes/spells'), class: ref('classes'), ts, history_days: 30, name: 'spells' },
        index: { ref: ref('indexes/levels'), class: ref('indexes'), ts, active: true, serialized: true, name: 'levels', source: ref('classes/spells'), values: [{ field: ['data', 'level'] }], partitions: 8 },
        kinds: [true, true, 'classes/spells'],
        first: 16, second: tens(17, 20),
        each: [tens(1, 8), tens(9, 16), tens(17, 20)], reversed: [tens(9, 20), tens(1, 8)],
        mapped: [tens(1, 16), tens(17, 20)],
        updated: { ref: resource, class: ref('classes/spells'), ts, data: { level: 10, name: 'Beak' } },
        events: [
          { ts, action: 'create', resource, data: { level: 10 } },
          { ts, action: 'update', resource, data: { name: 'Beak' } },
          { ts, action: 'delete', resource, data: null },
        ],
        exists: false,
        ping: 'Scope write is OK',
      });
    });

    test('uses the REST paths', async ({ shared: page }) => {
      const seen = await page.evaluate(async (given) => {
        const { Client, errors, query: q } = (window as unknown as Window1).faunadb;
        const client = new Client(given);
        const made = await client.post('classes', { name: 'spells' });
        await client.post('indexes', { name: 'all', source: q.Ref('classes/spells') });
        const created = await client.post<{ ref: { value: string } }>('classes/spells', { data: { name: 'Beak', level: 1 } });
        const got = await client.get(created.ref);
        const patched = await client.patch<{ data: unknown }>(created.ref, { data: { level: 2 } });
        const put = await client.put<{ data: unknown }>(created.ref, { data: { name: 'Claw' } });
        const listed = await client.get<{ data: unknown }>('classes');
        const page = await client.query<{ data: unknown[] }>(q.Paginate(q.Match(q.Index('all'))));
        await client.delete(created.ref);
        const events = await client.get<{ data: { action: string }[] }>(`${created.ref.value}/events`);
        const few = await client.get<{ data: unknown[] }>(`${created.ref.value}/events`, { size: 2 });
        const gone = await client.get(created.ref).then(() => null, (error: unknown) => error);
        const missing = await client.get('classes/none').then(() => null, (error: unknown) => error);
        const describe = (error: unknown): unknown =>
          error instanceof errors.NotFound ? { name: error.name, message: error.message, status: error.requestResult.statusCode, errors: error.errors() } : String(error);
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        return {
          made: plain(made), same: JSON.stringify(created) === JSON.stringify(got), patched: patched.data, put: put.data, listed: plain(listed.data),
          inIndex: page.data.length, actions: events.data.map(({ action }) => action), few: few.data.length, gone: describe(gone), missing: describe(missing),
        };
      }, settings(page));

      expect(seen).toEqual({
        made: { ref: { '@ref': 'classes/spells' }, class: { '@ref': 'classes' }, ts: expect.any(Number), history_days: 30, name: 'spells' },
        same: true,
        patched: { name: 'Beak', level: 2 }, put: { name: 'Claw' },
        listed: [{ '@ref': 'classes/spells' }], inIndex: 1,
        actions: ['create', 'update', 'update', 'delete'], few: 2,
        gone: { name: 'NotFound', message: 'instance not found', status: 404, errors: [{ position: [], code: 'instance not found', description: 'Instance not found.' }] },
        missing: { name: 'NotFound', message: 'not found', status: 404, errors: [{ code: 'not found', description: 'Not Found' }] },
      });
    });

    test('throws its own errors', async ({ shared: page }) => {
      const failures = await page.evaluate(async (given) => {
        const { Client, errors, query: q } = (window as unknown as Window1).faunadb;
        const client = new Client(given);
        await client.query(q.CreateClass({ name: 'spells' }));
        const { secret } = await client.query<{ secret: string }>(q.CreateKey({ role: 'server' }));
        const failure = async (promise: Promise<unknown>) => {
          const error = await promise.then(() => null, (reason: unknown) => reason);
          if (!(error instanceof errors.FaunaHTTPError)) return String(error);
          return { name: error.name, message: error.message, status: error.requestResult.statusCode, errors: error.errors() };
        };
        return [
          await failure(client.query(q.Get(q.Ref('classes/spells/99')))),
          await failure(client.query(q.Add('one', 2))),
          await failure(client.query(q.Paginate(q.Class('spells'), { size: 1025 }))),
          await failure(new Client({ ...given, secret: 'wrong' }).query(q.NextId())),
          await failure(new Client({ ...given, secret }).query(q.CreateDatabase({ name: 'no' }))),
        ];
      }, settings(page));

      const failed = (name: string, status: number, message: string, description: string, position?: unknown) => ({
        name, message, status, errors: [{ ...(position === undefined ? {} : { position }), code: message, description }],
      });
      expect(failures).toEqual([
        failed('NotFound', 404, 'instance not found', 'Instance not found.', []),
        failed('BadRequest', 400, 'invalid argument', 'Number expected, String provided.', ['add', 0]),
        failed('BadRequest', 400, 'invalid argument', 'Page size 1025 exceeds the maximum of 1024.', ['size']),
        failed('Unauthorized', 401, 'unauthorized', 'Unauthorized'),
        failed('PermissionDenied', 403, 'permission denied', 'Insufficient privileges to perform the action.', ['create_database']),
      ]);
    });
  });
}

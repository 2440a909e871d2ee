// What a client does besides pages: settings, observers, times, values, and an error class for each status.
import type { Given, Query } from '../driver.ts';
import type { Methods, RequestResult, Stage } from './method.ts';

const SPELL = { name: 'Fire Beak', element: 'fire', level: 10 };
const newer = { from: '2.14.2' } as const;
const newest = { from: '4.8.2' } as const;
/** Where every path is the database's. */
export const AWAY = { domain: 'db.fauna.com', scheme: 'https', port: 443 } as const;
const FAR = 9_000_000_000_000_000;

/** Takes longer than a millisecond. */
const heavy = (q: Query): Given => {
  const list = Array.from({ length: 1500 }, (_, at) => at);
  return q.Reduce((sum, x) => q.Add(sum, q.Sum(q.Map(list, (y) => q.Multiply(x, y)))), 0, list);
};

const watched = async ({ connect }: Stage, ask: Given, settings: object = {}, options?: object): Promise<readonly RequestResult[]> => {
  const seen: RequestResult[] = [];
  await connect({ ...settings, observer: (result: RequestResult) => void seen.push(result) }).query(ask, options).catch(() => null);
  return seen;
};

/** Of what class an error is, and what it says. */
const errorOf = async ({ driver }: Stage, name: string, asked: Promise<unknown>): Promise<unknown> => {
  const error = await asked.then(() => null, (reason: unknown) => reason);
  if (!(error instanceof driver.errors.FaunaHTTPError)) return String(error);
  const Class = driver.errors[name];
  return [Class !== undefined && error instanceof Class, error.name, error.requestResult.statusCode, error.errors()[0]?.code];
};

export const client: Methods = {
  'Client.query': [
    [({ client }) => client.query(1), 1],
    [({ client }) => client.query(null, { secret: 'wrong' }), { failed: { name: 'Unauthorized', code: 'unauthorized', description: 'Unauthorized' } }, newer],
    [({ client, q }) => client.query(q.Add(1, 2), { queryTimeout: 5000 }), 3, newer],
    [async (stage) => {
      const [seen] = await watched(stage, 1, {}, { tags: { a: '1', b: '2' }, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
      return seen?.responseHeaders['x-fauna-tags'];
    }, 'b=2,a=1', newest],
    [({ client }) => client.query(1, { tags: { ['k'.repeat(41)]: '1' } }), { failed: { name: 'BadRequest', code: 'bad request', description: "Invalid header 'x-fauna-tags': invalid key" } }, newest],
    [({ client, q }) => {
      const control = new AbortController();
      const asked = client.query(heavy(q), { signal: control.signal });
      control.abort();
      return asked;
    }, { thrown: 'Error', message: 'Request aborted' }, newest],
  ],
  'Client.ping': [
    [async ({ client }) => [await client.ping(), await client.ping('all'), await client.ping('node', 2000)], ['Scope write is OK', 'Scope all is OK', 'Scope node is OK']],
  ],
  'Client.getLastTxnTime': [
    [async ({ connect }) => {
      let told = 0;
      const mine = connect({ observer: ({ responseHeaders }: RequestResult) => (told = Number(responseHeaders['x-txn-time'])) });
      const before = mine.getLastTxnTime();
      await mine.query(1);
      return [before, told > 0, mine.getLastTxnTime() === told];
    }, [null, true, true]],
  ],
  'Client.syncLastTxnTime': [
    // A time to come is sent, and lifts nothing.
    [async ({ connect, q }) => {
      const mine = connect({});
      mine.syncLastTxnTime(FAR);
      mine.syncLastTxnTime(5);
      return [mine.getLastTxnTime(), (await mine.query<number>(q.ToMicros(q.Now()))) < FAR];
    }, [FAR, true]],
  ],
  'Client.queryWithMetrics': [
    [({ client, q }) => client.queryWithMetrics(q.Get(q.Ref('classes/spells/1'))), (say) => ({
      value: say.doc('collections/spells/1', { data: SPELL }),
      metrics: { 'x-compute-ops': 1, 'x-byte-read-ops': 1, 'x-byte-write-ops': 0, 'x-query-time': say.ts, 'x-txn-retries': 0 },
    })],
    [async ({ client, q }) => (await client.queryWithMetrics(q.Create(q.Class('notes'), { data: { text: 'x'.repeat(3000) } }))).metrics,
      (say) => ({ 'x-compute-ops': 1, 'x-byte-read-ops': say.ts, 'x-byte-write-ops': say.ts, 'x-query-time': say.ts, 'x-txn-retries': 0 })],
  ],
  'Client.close': [
    [async ({ connect }) => {
      const mine = connect({});
      const asked = mine.query(1);
      await mine.close();
      return [await asked, await mine.query(2).catch((reason: Error) => reason.name)];
    }, [1, 'ClientClosed']],
    [async ({ connect, q }) => {
      const mine = connect({});
      const asked = mine.query(heavy(q)).catch((reason: Error) => reason.name);
      await mine.close({ force: true });
      return asked;
    }, 'ClientClosed'],
  ],
  settings: [
    [async (stage) => (await watched(stage, 1, { headers: { 'X-FaunaDB-Formatted-JSON': 'true' } })).map(({ responseRaw }) => responseRaw), ['{\n  "resource": 1\n}'], newer],
    [({ connect }) => connect({ queryTimeout: 600_001 }).query(1), { failed: { name: 'BadRequest', code: 'bad request', description: "Invalid header 'x-query-timeout': Must be less than or equal to 600000." } }, newer],
    [({ connect }) => connect({ endpoint: 'https://db.fauna.com' }).query(1), 1, newest],
    [({ connect }) => connect({ secret: 'wrong' }).query(1), { failed: { name: 'Unauthorized', code: 'unauthorized', description: 'Unauthorized' } }],
  ],
  observer: [
    [async (stage) => {
      const seen = [...(await watched(stage, stage.q.Add(1, 2))), ...(await watched(stage, stage.q.Add('one', 2)))];
      return seen.map(({ method, path, statusCode, responseContent, responseHeaders, startTime, endTime }) => [
        method, path, statusCode, responseContent, /^\d{16}$/.test(responseHeaders['x-txn-time'] ?? ''), endTime >= startTime,
      ]);
    }, [
      ['POST', '', 200, { resource: 3 }, true, true],
      ['POST', '', 400, { errors: [{ position: ['add', 0], code: 'invalid argument', description: 'Number expected, String provided.' }] }, true, true],
    ]],
    [async ({ driver, connect, q }) => {
      let text = '';
      await connect({ observer: driver.clientLogger.logger((told) => (text = told)) }).query(q.Add(1, 2));
      return [text.startsWith('Fauna POST /\n'), text.includes('"resource": 3'), text.includes('Response (200)')];
    }, [true, true, true]],
  ],
  values: [
    // What a driver read it can send again.
    [async ({ client, q }) => client.query(await client.query<object>([q.Ref('classes/spells/1'), q.Match(q.Index('by_element'), 'fire'), q.Time('2020-01-01T00:00:00Z'), q.Date('2020-01-01'), new Uint8Array([1, 2])])),
      (say) => [say.spell(1), { Set: { match: { Ref: 'indexes/by_element' }, terms: 'fire' } }, { Time: '2020-01-01T00:00:00Z' }, { Date: '2020-01-01' }, { Bytes: [1, 2] }]],
    [async ({ client, q }) => {
      const body = await client.query<object>(q.Select('body', q.Get(q.Function('double'))));
      await client.query(q.CreateFunction({ name: 'double_again', body }));
      return client.query(q.Call(q.Function('double_again'), 21));
    }, 42, { from: '2.0.0' }],
    [async ({ client, q, driver }) => {
      const { Native } = driver.values as unknown as { readonly Native: Readonly<Record<string, object>> };
      const found = await client.query<{ readonly collection: object; equals(other: object): boolean }>(q.Collection('spells'));
      return [found.collection === Native['COLLECTIONS'], found.equals(await client.query<object>(q.Class('spells'))), found.equals(await client.query<object>(q.Collection('books')))];
    }, [true, true, false], newer],
  ],
  errors: [
    [(stage) => errorOf(stage, 'BadRequest', stage.client.query(stage.q.Add('one', 2))), [true, 'BadRequest', 400, 'invalid argument']],
    [(stage) => errorOf(stage, 'Unauthorized', stage.connect({ secret: 'wrong' }).query(1)), [true, 'Unauthorized', 401, 'unauthorized']],
    [async (stage) => {
      const key = await stage.client.query<{ readonly secret: string }>(stage.q.CreateKey({ role: 'server' }));
      return errorOf(stage, 'PermissionDenied', stage.connect({ secret: key.secret }).query(stage.q.CreateDatabase({ name: 'no' })));
    }, [true, 'PermissionDenied', 403, 'permission denied']],
    [(stage) => errorOf(stage, 'NotFound', stage.client.query(stage.q.Get(stage.q.Ref('classes/spells/9')))), [true, 'NotFound', 404, 'instance not found']],
    [(stage) => errorOf(stage, 'MethodNotAllowed', stage.client.put('classes', {})), [true, 'MethodNotAllowed', 405, 'method not allowed'], { before: '2.0.0' }],
    [(stage) => errorOf(stage, 'FaunaHTTPError', stage.client.query(['x'.repeat(8 << 20)])), [true, 'UnknownError', 413, 'request too large']],
    [(stage) => errorOf(stage, 'InternalError', stage.connect(AWAY).get('error')), [true, 'InternalError', 500, 'internal server error'], { before: '2.0.0' }],
    [(stage) => errorOf(stage, 'UnavailableError', stage.connect({ queryTimeout: 1 }).query(heavy(stage.q))), [true, 'UnavailableError', 503, 'time out'], newer],
  ],
};

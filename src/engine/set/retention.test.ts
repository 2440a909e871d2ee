// History ends where a collection's `history_days` say (reference: data/documents.md §3, data/history.md §5).
import { beforeEach, describe, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from '../../testing/client.ts';

const MINUTE = 60_000_000;
const DAY = 24 * 60 * MINUTE;

let client: TestClient;

async function ask(query: string): Promise<string> {
  return (await client.query(query)).text;
}

/** Runs a query and answers its time. */
async function run(query: string): Promise<number> {
  const { headers } = succeeded(await client.query(query));
  return Number(headers['x-txn-time']);
}

const doc = (id: number): string => `{"ref":{"collection":"c"},"id":"${id}"}`;
const fields = (n: number): string => `"params":{"object":{"data":{"object":{"n":${n},"k":1}}}}`;
const put = (id: number, n: number): Promise<number> => run(`{"create":${doc(id)},${fields(n)}}`);
const update = (id: number, n: number): Promise<number> => run(`{"update":${doc(id)},${fields(n)}}`);
const pass = (micros: number): void => client.platform.setNow(client.platform.now() + micros);
const keep = (days: string): Promise<number> => run(`{"update":{"collection":"c"},"params":{"object":{"history_days":${days}}}}`);

const TOO_EARLY = /^\{"errors":\[\{"code":"bad request","description":"Requested timestamp \S+Z less than minimum allowed timestamp \S+Z\."\}\]\}$/;

beforeEach(async () => {
  client = await testClient();
  await run('{"create_collection":{"object":{"name":"c","history_days":1}}}');
  await run(`{"create_index":{"object":{"name":"numbers","source":{"collection":"c"},"values":[{"object":{"field":["data","n"]}}]}}}`);
  await run('{"create_index":{"object":{"name":"everything","source":"_"}}}');
  await run(`{"create_index":{"object":{"name":"by_k","source":{"collection":"c"},"terms":[{"object":{"field":["data","k"]}}]}}}`);
});

const numbers = '{"match":{"index":"numbers"}}';
const reads = (ts: number): string[] => [
  `{"get":${doc(1)},"ts":${ts}}`,
  `{"at":${ts},"expr":{"get":${doc(1)}}}`,
  `{"exists":${doc(1)},"ts":${ts}}`,
  `{"paginate":${numbers},"ts":${ts}}`,
  `{"paginate":{"documents":{"collection":"c"}},"ts":${ts}}`,
  `{"paginate":{"match":{"index":"everything"}},"ts":${ts}}`,
  `{"paginate":{"singleton":${doc(1)}},"ts":${ts}}`,
  `{"paginate":{"union":[${numbers},${numbers}]},"ts":${ts}}`,
  `{"paginate":{"range":${numbers},"from":1,"to":2},"ts":${ts}}`,
  `{"paginate":{"join":{"documents":{"collection":"c"}},"with":{"index":"by_k"}},"ts":${ts}}`,
  `{"at":${ts},"expr":{"count":${numbers}}}`,
];

describe('reading the past', () => {
  it('is refused before the edge and fifteen minutes, with a 400 that names both times', async () => {
    const first = await put(1, 1);
    pass(DAY + 14 * MINUTE);
    for (const query of reads(first)) expect(await ask(query)).not.toMatch(/errors/);
    pass(2 * MINUTE);
    for (const query of reads(first)) expect(await ask(query)).toMatch(TOO_EARLY);
    const earliest = client.platform.now() - DAY - 15 * MINUTE;
    const [before, at] = [await ask(`{"exists":${doc(1)},"ts":${earliest - 1_000_000}}`), await ask(`{"exists":${doc(1)},"ts":${earliest + 1_000_000}}`)];
    expect([TOO_EARLY.test(before), at]).toEqual([true, '{"resource":true}']);
    expect((await client.query(reads(first)[0] ?? '')).status).toBe(400);
    expect(await ask(`{"get":${doc(1)}}`)).toMatch(/"n":1/);
  });

  it('is refused where a join leads to what is not kept so long, unless it leads there from nothing', async () => {
    await run('{"create_collection":{"object":{"name":"brief","history_days":0}}}');
    await run('{"create_index":{"object":{"name":"briefs","source":{"collection":"brief"},"terms":[{"object":{"field":["data","n"]}}]}}}');
    await put(1, 1);
    const then = await run('{"create":{"collection":"brief"},"params":{"object":{"data":{"object":{"n":1}}}}}');
    const by = (source: string): string[] => ['{"index":"briefs"}', '{"lambda":"n","expr":{"match":{"index":"briefs"},"terms":{"var":"n"}}}'].map((target) => `{"join":${source},"with":${target}}`);
    pass(16 * MINUTE);
    for (const join of by(numbers)) {
      for (const query of [`{"paginate":${join},"ts":${then}}`, `{"at":${then},"expr":{"count":${join}}}`, `{"at":${then},"expr":{"count":{"union":[${join},${join}]}}}`]) expect(await ask(query)).toMatch(TOO_EARLY);
      expect(await ask(`{"count":${join}}`)).toBe('{"resource":1}');
      expect(await ask(`{"count":{"events":{"difference":[${numbers},${join}]}}}`)).toBe('{"resource":1}');
    }
    for (const join of by('{"range":{"match":{"index":"numbers"}},"from":2,"to":[]}')) expect(await ask(`{"at":${then},"expr":{"count":${join}}}`)).toBe('{"resource":0}');
  });

  it('goes back for ever where no days are named', async () => {
    const first = await put(1, 1);
    await keep('null');
    pass(5000 * DAY);
    for (const query of reads(first)) expect(await ask(query)).not.toMatch(/errors/);
  });

  it('does not come back when more days are kept again', async () => {
    const first = await put(1, 1);
    pass(2 * DAY);
    await keep('30');
    expect(await ask(`{"get":${doc(1)},"ts":${first}}`)).toMatch(TOO_EARLY);
    await keep('null');
    expect(await ask(`{"get":${doc(1)},"ts":${first}}`)).toMatch(TOO_EARLY);
    expect(await ask('{"get":{"collection":"c"}}')).toMatch(/"name":"c"\}\}$/);
    const second = await update(1, 2);
    pass(20 * DAY);
    expect(await ask(`{"get":${doc(1)},"ts":${second}}`)).toMatch(/"n":2/);
  });

  it('of schema documents goes back for ever', async () => {
    pass(5000 * DAY);
    expect(await ask('{"exists":{"collection":"c"},"ts":0}')).toBe('{"resource":false}');
  });
});

const events = async (set: string): Promise<string> => {
  const { resource } = JSON.parse(await ask(`{"paginate":{"events":${set}}}`)) as { resource: { data: { action: string; document: { '@ref': { id: string } }; data?: unknown }[] } };
  return resource.data.map(({ action, document, data }) => `${action} ${document['@ref'].id} ${JSON.stringify(data ?? null)}`).join(', ');
};

describe('histories', () => {
  it('of a document begin with the version of the edge, as its creation', async () => {
    await put(1, 1);
    await update(1, 2);
    pass(DAY + 20 * MINUTE);
    await update(1, 3);
    expect(await events(doc(1))).toBe('create 1 {"n":2,"k":1}, update 1 {"n":3}');
    expect(await ask(`{"select":["data",0,"action"],"from":{"paginate":${doc(1)},"events":true,"before":null,"size":2}}`)).toBe('{"resource":"create"}');
  });

  it('of a document that was deleted before the edge show nothing of it', async () => {
    await put(1, 1);
    await run(`{"delete":${doc(1)}}`);
    pass(DAY + 20 * MINUTE);
    expect(await events(doc(1))).toBe('');
    await put(1, 2);
    expect(await events(doc(1))).toBe('create 1 {"n":2,"k":1}');
  });

  it('of a singleton begin with the version of the edge, as those of its document do', async () => {
    const single = (id: number): string => `{"singleton":${doc(id)}}`;
    await put(1, 1);
    await put(2, 1);
    await run(`{"delete":${doc(2)}}`);
    const second = await update(1, 2);
    pass(DAY + 20 * MINUTE);
    expect(await Promise.all([single(1), single(2), `{"distinct":${single(1)}}`, `{"union":[${single(1)},${numbers}]}`].map(events))).toEqual(['add 1 null', '', 'add 1 null', 'add 1 null']);
    expect(await ask(`{"select":["data",0,"ts"],"from":{"paginate":{"events":${single(1)}},"before":null,"size":1}}`)).toBe(`{"resource":${second}}`);
    // What others held by then nobody can say.
    expect(await events(`{"intersection":[${single(1)},${single(1)}]}`)).toBe('');
    expect(await events(`{"difference":[${single(1)},${single(2)}]}`)).toBe('');
    await put(2, 3);
    await run(`{"delete":${doc(1)}}`);
    expect(await Promise.all([single(1), single(2), `{"intersection":[${single(1)},${single(1)}]}`].map(events))).toEqual(['add 1 null, remove 1 null', 'add 2 null', 'remove 1 null']);
  });

  it('of sets begin after the edge', async () => {
    await put(1, 1);
    await put(2, 1);
    pass(DAY + 20 * MINUTE);
    await update(1, 3);
    await run(`{"delete":${doc(2)}}`);
    expect(await events(numbers)).toBe('remove 1 [1], add 1 [3], remove 2 [1]');
    expect(await events('{"documents":{"collection":"c"}}')).toBe('remove 2 null');
    expect(await events(`{"singleton":${doc(2)}}`)).toBe('add 2 null, remove 2 null');
    expect(await events(`{"intersection":[${numbers},${numbers}]}`)).toBe('add 1 [3], remove 1 [1], remove 2 [1]');
  });
});

describe('a document that has run out', () => {
  const ends = (id: number, minutes: number): Promise<number> => run(`{"update":${doc(id)},"params":{"object":{"ttl":{"time_add":{"now":null},"offset":${minutes},"unit":"minutes"}}}}`);
  const sets = [numbers, '{"match":{"index":"by_k"},"terms":1}', '{"documents":{"collection":"c"}}', `{"singleton":${doc(1)}}`, `{"union":[${numbers},${numbers}]}`];

  it('is not there at any time, as if it never had been', async () => {
    await put(1, 1);
    const then = await ends(1, 10);
    pass(5 * MINUTE);
    for (const set of sets) expect(await ask(`{"at":${then},"expr":{"count":${set}}}`)).toBe('{"resource":1}');
    pass(10 * MINUTE);
    for (const set of sets) expect(await ask(`{"at":${then},"expr":{"count":${set}}}`)).toBe('{"resource":0}');
    expect(await ask(`{"exists":${doc(1)},"ts":${then}}`)).toBe('{"resource":false}');
    expect(await ask(`{"at":${then},"expr":{"get":${doc(1)}}}`)).toMatch(/instance not found/);
    expect(await ask(`{"get":${numbers},"ts":${then}}`)).toMatch(/Set not found/);
  });

  it('is there at the times of versions that have not', async () => {
    const first = await put(1, 1);
    const second = await ends(1, 10);
    const third = await ends(1, 60);
    pass(20 * MINUTE);
    for (const [time, count] of [[first, 1], [second, 0], [third, 1]]) {
      for (const set of sets) expect(await ask(`{"at":${time},"expr":{"count":${set}}}`)).toBe(`{"resource":${count}}`);
    }
  });

  it('is nowhere in its history when it ran out before the edge', async () => {
    await put(1, 1);
    await ends(1, 10);
    pass(DAY + 20 * MINUTE);
    expect(await Promise.all([doc(1), `{"singleton":${doc(1)}}`].map(events))).toEqual(['create 1 {"n":1,"k":1}', 'add 1 null']);
    pass(10 * MINUTE);
    expect(await Promise.all([doc(1), `{"singleton":${doc(1)}}`].map(events))).toEqual(['', '']);
    await put(1, 2);
    expect(await Promise.all([doc(1), `{"singleton":${doc(1)}}`].map(events))).toEqual(['create 1 {"n":2,"k":1}', 'add 1 null']);
  });

  it('keeps its history', async () => {
    await put(1, 1);
    await ends(1, 10);
    const both = `{"intersection":[${numbers},${numbers}]}`;
    const told = await Promise.all([doc(1), numbers, both].map(events));
    pass(20 * MINUTE);
    expect(await Promise.all([doc(1), numbers, both].map(events))).toEqual(told);
    expect(told).toEqual(['create 1 {"n":1,"k":1}, update 1 null', 'add 1 [1], remove 1 [1], add 1 [1]', 'add 1 [1]']);
  });
});

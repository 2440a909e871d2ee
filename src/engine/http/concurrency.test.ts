// Many requests at once, in one engine and in several on one log: one serial order explains
// what every client saw.
import { describe, expect, it } from 'vitest';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import type { LogStore } from '../kv/log-store.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { queryRequest, testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';

const ACCOUNT = (id: number): string => `{"ref":{"class":"accounts"},"id":"${id}"}`;
const BALANCE = (id: number): string => `{"select":["data","balance"],"from":{"get":${ACCOUNT(id)}}}`;
const SET = (id: number, value: string): string =>
  `{"update":${ACCOUNT(id)},"params":{"object":{"data":{"object":{"balance":${value}}}}}}`;
const INCREMENT = SET(1, `{"add":[${BALANCE(1)},1]}`);

async function open(client: TestClient, accounts: number): Promise<void> {
  await client.query('{"create_class":{"object":{"name":"accounts"}}}');
  for (let id = 1; id <= accounts; id++) {
    await client.query(`{"create":${ACCOUNT(id)},"params":{"object":{"data":{"object":{"balance":100}}}}}`);
  }
}

const resource = (text: string): unknown => (JSON.parse(text) as { resource: unknown }).resource;
const balance = async (client: TestClient, id: number): Promise<number> => resource((await client.query(BALANCE(id))).text) as number;

/** A store whose calls end after waits of a few turns, different for each call. */
function slow(store: LogStore, seed: number): LogStore {
  let state = seed;
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return faulty(store, () => {
    state = (state * 48271) % 0x7fffffff;
    return { when: state % 2 === 0 ? 'before' : 'after', until: turns(state % 5) };
  });
}

/** A store whose appends take a few milliseconds, as those of a disk do. */
function held(store: LogStore): LogStore {
  return faulty(store, (method) => (method === 'append' ? { when: 'after', until: new Promise((resolve) => setTimeout(resolve, 5)) } : undefined));
}

async function engines(count: number, options?: Parameters<typeof testClient>[2]): Promise<TestClient[]> {
  const log = memoryLog();
  return Promise.all(Array.from({ length: count }, (_, at) => testClient(slow(memoryLogStore(log), at + 7), testPlatform(), options)));
}

describe('one engine', () => {
  it.each(Array.from({ length: 12 }, (_, at) => at + 1))('a commit that is acknowledged while a writer waits for its block number %i is seen by it', async (waitsAt) => {
    const log = memoryLog();
    const setUp = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 1 });
    const enter = (group: string, n: number): string => `{"create":{"collection":"members"},"params":{"object":{"data":{"object":{"group":"${group}","n":${n}}}}}}`;
    await setUp.query('{"create_collection":{"object":{"name":"members"}}}');
    await setUp.query('{"create_index":{"object":{"name":"by_group","source":{"collection":"members"},"terms":[{"object":{"field":["data","group"]}}],"values":[{"object":{"field":["data","n"]}}]}}}');
    for (const group of ['a', 'z']) await setUp.query(enter(group, 1));
    await setUp.engine.upkeep();

    let acknowledge = (): void => {};
    const held = new Promise<void>((resolve) => (acknowledge = resolve));
    let first: Promise<unknown> = held;
    const called = { append: 0, readBlocks: 0 };
    let isCounting = false;
    const store = faulty(memoryLogStore(log), (method) => {
      if (method === 'append') return called.append++ === 0 ? { when: 'before', until: held } : undefined;
      if (method !== 'readBlocks' || !isCounting || ++called.readBlocks !== waitsAt) return undefined;
      acknowledge();
      return { when: 'before', until: first };
    });
    const client = await testClient(store, testPlatform(), { flushAt: 2 ** 20, cacheBytes: 0 });
    // The second stays in line behind the first, which is acknowledged meanwhile; its entry comes before that one's.
    first = client.query(enter('m', 9));
    await expect.poll(() => called.append).toBe(1);
    const second = client.query(enter('m', 5));
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    isCounting = true;
    const counting = client.query('{"do":[{"create":{"collection":"members"}},{"count":{"match":{"index":"by_group"},"terms":"m"}}]}');
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    acknowledge();
    expect(resource((await counting).text)).toBe(2);
    await Promise.all([first, second]);
  });

  it('a hundred increments at once all count, and none has to be tried again by the client', async () => {
    const client = await testClient();
    await open(client, 1);
    const replies = await Promise.all(Array.from({ length: 100 }, () => client.query(INCREMENT)));
    expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(await balance(client, 1)).toBe(200);
  });

  it('so do a hundred that all wait for the same look at the log', async () => {
    const store = faulty(memoryLogStore(), () => ({ when: 'after', until: new Promise((resolve) => setTimeout(resolve, 2)) }));
    const client = await testClient(store);
    await open(client, 1);
    const replies = await Promise.all(Array.from({ length: 100 }, () => client.query(INCREMENT)));
    expect(replies.map(({ status, headers }) => `${status}, ${headers['x-txn-retries']} retries`)).toEqual(Array(100).fill('200, 0 retries'));
  });

  it('writers that meet while one is on its way share the next log record', async () => {
    const client = await testClient(held(memoryLogStore()));
    await open(client, 1);
    const before = (await client.engine.status()).applied;
    await Promise.all(Array.from({ length: 50 }, () => client.query(INCREMENT)));
    expect((await client.engine.status()).applied - before).toBeLessThanOrEqual(3);
  });

  it('but no record is longer than a megabyte and a last transaction', async () => {
    const records: number[] = [];
    const store = held(memoryLogStore());
    const noting: LogStore = {
      ...store,
      append: (after, plan) =>
        store.append(after, (unseen) => {
          const body = plan(unseen);
          records.push(body?.length ?? 0);
          return body;
        }),
    };
    const client = await testClient(noting);
    await open(client, 1);
    const large = `{"create":{"class":"accounts"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(100_000)}"}}}}}`;
    const replies = await Promise.all(Array.from({ length: 40 }, () => client.query(large)));
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(201));
    expect(Math.max(...records)).toBeGreaterThan(1_000_000);
    expect(Math.max(...records)).toBeLessThan(1_000_000 + 250_000);
  });

  it('readers see a commit only when it is acknowledged, and then at once', async () => {
    const client = await testClient(slow(memoryLogStore(), 3));
    await open(client, 1);
    const writing = client.query(INCREMENT);
    const early = await balance(client, 1);
    await writing;
    expect([100, 101]).toContain(early);
    expect(await balance(client, 1)).toBe(101);
  });

  it('a class made in one request is there for the next one of the same moment', async () => {
    const client = await testClient();
    const [made, used] = await Promise.all([
      client.query('{"create_class":{"object":{"name":"spells"}}}'),
      client.query('{"create":{"class":"spells"},"params":{"object":{}}}'),
    ]);
    expect([made?.status, used?.status]).toEqual([201, 201]);
  });
});

describe('a writer that loses', () => {
  /** Adds `steps` units of work between the read and the write. */
  const slowIncrement = (steps: number): string => {
    const numbers = `[${Array.from({ length: steps }, (_, at) => at).join()}]`;
    const work = `{"count":{"map":{"lambda":"n","expr":{"add":[{"var":"n"},1]}},"collection":${numbers}}}`;
    return `{"let":[{"before":${BALANCE(1)}},{"work":${work}}],"in":${SET(1, '{"add":[{"var":"before"},1]}')}}`;
  };

  it('to quicker neighbours gets its turn', async () => {
    const client = await testClient();
    await open(client, 1);
    let done = false;
    const slow = client.query(slowIncrement(10_000)).finally(() => (done = true));
    let quick = 0;
    while (!done && quick < 500) {
      await client.query(INCREMENT);
      await new Promise((resolve) => setImmediate(resolve));
      quick++;
    }
    expect((await slow).status).toBe(200);
    expect(quick).toBeLessThan(500);
    expect(await balance(client, 1)).toBe(101 + quick);
  });

  it.each([2, 4, 8])('to other engines, %i in all, is never refused: a hot counter counts every increment', async (count) => {
    // In memory: a writer that has to wait for its rows cannot be run again while it holds the log.
    const clients = await engines(count, {});
    const [first] = clients as [TestClient];
    await open(first, 1);
    const often = async (client: TestClient): Promise<number[]> => {
      const replies = [];
      for (let n = 0; n < 15; n++) replies.push((await client.query(INCREMENT)).status);
      return replies;
    };
    const replies = (await Promise.all(clients.flatMap((client) => [often(client), often(client), often(client)]))).flat();
    expect(replies.filter((status) => status !== 200)).toEqual([]);
    expect(await balance(first, 1)).toBe(100 + 45 * count);
  });
});

describe('several engines on one log', () => {
  it('lose no increment', async () => {
    const clients = await engines(3);
    const [first] = clients as [TestClient];
    await open(first, 1);
    const replies = await Promise.all(clients.flatMap((client) => Array.from({ length: 20 }, () => client.query(INCREMENT))));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    for (const client of clients) expect(await balance(client, 1)).toBe(160);
  });

  it('keep the sum while money moves between accounts, in every snapshot', async () => {
    const clients = await engines(3);
    const [first] = clients as [TestClient];
    await open(first, 5);
    const total = `{"add":[${[1, 2, 3, 4, 5].map(BALANCE).join(',')}]}`;
    const transfer = (from: number, to: number): string =>
      `{"do":[${SET(from, `{"subtract":[${BALANCE(from)},7]}`)},${SET(to, `{"add":[${BALANCE(to)},7]}`)}]}`;
    let seed = 11;
    const random = (below: number): number => (seed = (seed * 48271) % 0x7fffffff) % below;
    const work = clients.flatMap((client) =>
      Array.from({ length: 15 }, async () => {
        const from = 1 + random(5);
        await client.query(transfer(from, 1 + ((from + random(4)) % 5)));
        return resource((await client.query(total)).text);
      }),
    );
    expect(new Set(await Promise.all(work))).toEqual(new Set([500]));
  });

  it('let one claim of a unique name win', async () => {
    const clients = await engines(3);
    const [first] = clients as [TestClient];
    await first.query('{"create_class":{"object":{"name":"users"}}}');
    await first.query(
      '{"create_index":{"object":{"name":"by_name","unique":true,"source":{"class":"users"},"terms":[{"object":{"field":["data","name"]}}]}}}',
    );
    for (let round = 0; round < 5; round++) {
      const claim = `{"create":{"class":"users"},"params":{"object":{"data":{"object":{"name":"n${round}"}}}}}`;
      const replies = await Promise.all(clients.map((client) => client.query(claim)));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    }
  });

  it.each([
    ['is not serialized', '"serialized":false', 0],
    ['is serialized', '"serialized":true', 1],
    ['is unique, serialized or not', '"serialized":false,"unique":true', 1],
  ])('a read of an index that %s is checked at the commit or not', async (_what, setting, seen) => {
    const log = memoryLog();
    // Its rows stay in the log: the other one would begin anew above a lifted floor.
    const quick = await testClient(memoryLogStore(log), testPlatform(), {});
    let isHeld = false;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let appends = 0;
    const store = faulty(memoryLogStore(log), (method) => (method === 'append' && isHeld && ++appends === 1 ? { when: 'before', until: held } : undefined));
    const late = await testClient(store, testPlatform(), {});
    for (const name of ['members', 'marks']) await quick.query(`{"create_collection":{"object":{"name":"${name}"}}}`);
    await quick.query(`{"create_index":{"object":{"name":"by_group","source":{"collection":"members"},"terms":[{"object":{"field":["data","group"]}}],${setting}}}}`);
    isHeld = true;
    const counting = late.query('{"do":[{"create":{"collection":"marks"}},{"count":{"match":{"index":"by_group"},"terms":"m"}}]}');
    await expect.poll(() => appends).toBe(1);
    await quick.query('{"create":{"collection":"members"},"params":{"object":{"data":{"object":{"group":"m"}}}}}');
    release();
    expect(resource((await counting).text)).toBe(seen);
    expect(resource((await quick.query('{"count":{"documents":{"collection":"marks"}}}')).text)).toBe(1);
  });

  it('see what another has committed in their next answer', async () => {
    const [one, two] = (await engines(2)) as [TestClient, TestClient];
    await open(one, 1);
    for (let round = 1; round <= 10; round++) {
      await one.query(INCREMENT);
      expect(await balance(two, 1)).toBe(100 + 2 * round - 1);
      await two.query(INCREMENT);
      expect(await balance(one, 1)).toBe(100 + 2 * round);
    }
  });

  it('start from the log: an engine opened late has it all', async () => {
    const log = memoryLog();
    const early = await testClient(memoryLogStore(log));
    await open(early, 3);
    const late = await testClient(memoryLogStore(log));
    expect(await balance(late, 3)).toBe(100);
    expect((await late.engine.status()).lastCommit).toBe((await early.engine.status()).lastCommit);
  });
});

describe('a request sent again', () => {
  const send = async (client: TestClient, id: string, body: string): Promise<string> => {
    const response = await client.engine.handle(queryRequest(body, { id }));
    return new TextDecoder().decode(response.body as Uint8Array);
  };

  it('applies once and gives the same answer, from another engine too', async () => {
    const [one, two] = (await engines(2)) as [TestClient, TestClient];
    await open(one, 1);
    const create = '{"create":{"class":"accounts"},"params":{"object":{"data":{"object":{"id":{"new_id":null},"at":{"now":null}}}}}}';
    const first = await send(one, 'the same request', create);
    expect(await send(one, 'the same request', create)).toBe(first);
    expect(await send(two, 'the same request', create)).toBe(first);
    expect(resource((await one.query('{"count":{"documents":{"class":"accounts"}}}')).text)).toBe(2);
  });

  it('applies once when both copies are under way together', async () => {
    const client = await testClient(slow(memoryLogStore(), 5));
    await open(client, 1);
    const [a, b] = await Promise.all([send(client, 'twins', INCREMENT), send(client, 'twins', INCREMENT)]);
    expect(a).toBe(b);
    expect(await balance(client, 1)).toBe(101);
  });

  it('applies once when another engine has applied it while this one had it in line', async () => {
    const log = memoryLog();
    const [one, two] = [await testClient(held(memoryLogStore(log))), await testClient(memoryLogStore(log))];
    await open(one, 1);
    const create = '{"create":{"class":"accounts"},"params":{"object":{}}}';
    const before = one.query(INCREMENT);
    const waiting = send(one, 'the same request', create);
    const there = await send(two, 'the same request', create);
    // A look at the log: it shows what the other has applied, before the line moves on.
    await one.query(BALANCE(1));
    await before;
    expect(await waiting).toBe(there);
    expect(resource((await two.query('{"count":{"documents":{"class":"accounts"}}}')).text)).toBe(2);
  });

  it('with secrets: the same key secret again', async () => {
    const client = await testClient();
    const create = '{"create_key":{"object":{"role":"server"}}}';
    const first = await send(client, 'key', create);
    expect(first).toContain('"secret":"fnA');
    expect(await send(client, 'key', create)).toBe(first);
  });
});

describe('a writer that goes on from what it opened as a reader', () => {
  it('has the clock of when it runs, also where it had to wait for upkeep', async () => {
    const platform = testPlatform();
    let end = (): void => {};
    let ended = Promise.resolve();
    // Upkeep is left to another engine, which takes its time to say so.
    const client = await testClient(memoryLogStore(), platform, { flushAt: 250, exclusively: () => ended });
    await client.query('{"create_collection":{"object":{"name":"things"}}}');
    await client.query('{"create":{"ref":{"collection":"things"},"id":"1"},"params":{"object":{"ttl":{"time":"2020-01-01T00:00:30Z"}}}}');
    const text = 'x'.repeat(200);
    for (let n = 0; n < 40; n++) await client.query(`{"create":{"collection":"things"},"params":{"object":{"data":{"object":{"text":"${text}"}}}}}`);
    ended = new Promise<void>((resolve) => (end = resolve));
    const answer = client.query('{"do":[{"create":{"collection":"things"}},[{"exists":{"ref":{"collection":"things"},"id":"1"}},{"to_string":{"now":null}}]]}');
    await new Promise((resolve) => setTimeout(resolve, 50));
    platform.setNow(1_577_836_800_000_000 + 60_000_000);
    end();
    expect((await answer).text).toMatch(/\[false,"2020-01-01T00:01:/);
  });

  it('costs the same whether others wait for the log or not, also when it fails', async () => {
    const client = await testClient(memoryLogStore(), testPlatform(), { solitude: { period: () => 1 } });
    await client.query('{"create_collection":{"object":{"name":"things"}}}');
    const thing = '{"ref":{"collection":"things"},"id":"1"}';
    await client.query(`{"create":${thing}}`);
    const fails = `{"do":[{"get":${thing}},{"delete":${thing}},{"abort":"stays"}]}`;
    const alone = await client.query(fails);
    const [, beside] = await Promise.all([client.query('{"create":{"collection":"things"}}'), client.query(fails)]);
    const costs = ({ headers }: typeof alone): unknown => [headers['x-byte-read-ops'], headers['x-storage-bytes-read']];
    expect(costs(alone)).toEqual(['1', expect.stringMatching(/^[1-9]/)]);
    expect(costs(beside)).toEqual(costs(alone));
  });
});

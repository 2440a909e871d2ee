// Answers when the log is slow, full or cut off, and when clocks and settings move: what was
// told is true, and nobody pays for a neighbour.
import { describe, expect, it } from 'vitest';
import { type LogStore, StorageError } from '../kv/log-store.ts';
import type { HttpResponse } from './message.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { faulty, faultAt } from '../../testing/faulty-store.ts';
import { type Reply, testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const slow = (store: LogStore, milliseconds: number): LogStore =>
  faulty(store, (method) => (method === 'append' ? { when: 'before', until: pause(milliseconds) } : undefined));
const create = (name: string): string => `{"create":{"class":"users"},"params":{"object":{"data":{"object":{"name":"${name}"}}}}}`;
const at = (id: number): string => `{"ref":{"class":"users"},"id":"${id}"}`;
const put = (id: number, text: string): string => `{"create":${at(id)},"params":{"object":{"data":{"object":{"text":"${text}"}}}}}`;

async function schema(client: TestClient): Promise<void> {
  await client.query('{"create_class":{"object":{"name":"users"}}}');
  await client.query(
    '{"create_index":{"object":{"name":"by_name","unique":true,"source":{"class":"users"},"terms":[{"object":{"field":["data","name"]}}]}}}',
  );
}

const resourceOf = ({ text }: Reply): unknown => (JSON.parse(text) as { resource: unknown }).resource;
const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);

interface Extra {
  readonly id: string;
  readonly headers?: Record<string, string>;
  readonly sentAt?: number;
  readonly resent?: boolean;
}

const send = async (client: TestClient, body: string, extra: Extra): Promise<number> => (await answer(client, body, extra)).status;

async function answer(client: TestClient, body: string, { id, headers = {}, sentAt, resent = false }: Extra): Promise<HttpResponse> {
  return client.engine.handle({
    method: 'POST',
    path: '/',
    search: '',
    headers: { authorization: 'Bearer secret', ...headers },
    body: new TextEncoder().encode(body),
    id,
    resent,
    ...(sentAt === undefined ? {} : { sentAt }),
  });
}

describe('a log that fails', () => {
  it('takes back what was built on it: an error that rests on it is not told', async () => {
    const log = memoryLog();
    await schema(await testClient(memoryLogStore(log)));
    const full = new StorageError('quota', 'the disk is full');
    const store = faulty(memoryLogStore(log), faultAt('append', 1, { when: 'before', until: pause(20), error: full }));
    const client = await testClient(store);
    const [first, second] = await Promise.all([client.query(create('x')), client.query(create('x'))]);
    expect([first?.status, second?.status]).toEqual([507, 201]);
  });

  // One that is alone sends all four together; otherwise the first goes ahead while the others look at the log.
  it.each([['alone', 1], ['among others', null]])('fails for those it does not take, and not for who stands before or behind them (%s)', async (_, period) => {
    const log = memoryLog();
    const plain = memoryLogStore(log);
    const client0 = await testClient(memoryLogStore(log));
    await schema(client0);
    await client0.query(put(1, 'small'));
    // A disk with room for a little: deletions fit.
    const small: LogStore = {
      ...faulty(plain, (method) => (method === 'append' ? { when: 'after', until: pause(5) } : undefined)),
      append: async (after, plan) => {
        await pause(5);
        return plain.append(after, (unseen) => {
          const body = plan(unseen);
          if (body !== null && body.length > 1000) throw new StorageError('quota', 'the disk is full');
          return body;
        });
      },
    };
    const client = await testClient(small, testPlatform(), { solitude: { period: () => period } });
    const replies = await Promise.all([
      client.query(put(2, 'fits')),
      client.query(put(3, 'x'.repeat(5000))),
      client.query(`{"delete":${at(1)}}`),
      client.query(put(4, 'fits too')),
    ]);
    expect(statuses(replies)).toEqual([201, 507, 200, 201]);
  });

  it('is asked before a write whose end was not seen counts as failed', async () => {
    const log = memoryLog();
    await schema(await testClient(memoryLogStore(log)));
    const cut = new StorageError('lost', 'the line was cut', { uncertain: true });
    const client = await testClient(faulty(memoryLogStore(log), faultAt('append', 1, { when: 'after', error: cut })));
    expect((await client.query(create('x'))).status).toBe(201);
    expect((await client.query('{"count":{"documents":{"class":"users"}}}')).text).toBe('{"resource":1}');
  });
});

describe('a log that is slow', () => {
  it('and its answer then says what it would have said: that it has written, and how much', async () => {
    const [log, platform] = [memoryLog(), testPlatform()];
    const cut = new StorageError('lost', 'a test cut the line', { uncertain: true });
    const clients = [memoryLogStore(log), faulty(memoryLogStore(memoryLog()), faultAt('append', 3, { when: 'after', error: cut }))].map((store) => testClient(store, platform));
    const answers: HttpResponse[] = [];
    for await (const client of clients) {
      await schema(client);
      answers.push(await answer(client, create('x'), { id: 'once' }), await answer(client, create('x'), { id: 'once', resent: true }));
    }
    const facts = answers.map(({ status, headers }) => [status, headers['x-byte-write-ops'], headers['x-storage-bytes-write'], headers['x-compute-ops']]);
    expect(Number(facts[0]?.[2])).toBeGreaterThan(100);
    expect(facts).toEqual(answers.map(() => [201, '1', facts[0]?.[2], '1']));
  });

  it('lets both copies of a request have the one answer, however long it takes', async () => {
    const log = memoryLog();
    await schema(await testClient(memoryLogStore(log)));
    const client = await testClient(slow(memoryLogStore(log), 300));
    const body = create('x');
    expect(await Promise.all([send(client, body, { id: 'twin' }), send(client, body, { id: 'twin' })])).toEqual([201, 201]);
  });

  it('does not make a request wait beyond its time', async () => {
    const log = memoryLog();
    await schema(await testClient(memoryLogStore(log)));
    const client = await testClient(slow(memoryLogStore(log), 5000));
    const began = Date.now();
    expect(await send(client, create('x'), { id: 'late', headers: { 'x-query-timeout': '100' } })).toBe(503);
    expect(Date.now() - began).toBeLessThan(3000);
  });
});

describe('writers side by side', () => {
  it('those that turn out to write nothing cost the others no retry', async () => {
    const log = memoryLog();
    const setUp = await testClient(memoryLogStore(log));
    await schema(setUp);
    const platform = testPlatform();
    const still: typeof platform = { ...platform, now: () => 1_600_000_000_000_000 };
    const client = await testClient(slow(memoryLogStore(log), 2), still);
    const nothing = `{"if":{"exists":${at(999)}},"then":{"delete":${at(999)}},"else":null}`;
    const work = Array.from({ length: 60 }, (_, id) =>
      send(client, id % 2 === 0 ? put(id, 'x') : nothing, { id: `w${id}`, headers: { 'x-max-retries-on-contention': '0' } }),
    );
    expect((await Promise.all(work)).filter((status) => status >= 400)).toEqual([]);
  });
});

describe('an engine that slept while the log was trimmed', () => {
  const text = (id: number): string => `{"select":["data","text"],"from":{"get":${at(id)}}}`;
  const replace = (value: string): string => `{"replace":${at(1)},"params":{"object":{"data":{"object":{"text":"${value}"}}}}}`;

  it('reads what was written meanwhile, adds to it, and knows its own requests of before', async () => {
    const log = memoryLog();
    const [sleeper, other] = [await testClient(memoryLogStore(log)), await testClient(memoryLogStore(log), testPlatform(), { flushAt: 1, cacheBytes: 0 })];
    await schema(sleeper);
    expect(await send(sleeper, put(1, 'mine'), { id: 'before sleep' })).toBe(201);
    for (let n = 0; n < 12; n++) {
      await other.query(replace(`v${n}`));
      await other.engine.upkeep();
    }
    // What the sleeper knows of lies below: the log cannot tell it.
    expect(log.header.floor).toBeGreaterThan(4);
    expect(resourceOf(await sleeper.query(text(1)))).toBe('v11');
    expect(await send(sleeper, put(1, 'mine'), { id: 'before sleep', resent: true })).toBe(201);
    expect(resourceOf(await other.query(text(1)))).toBe('v11');
    expect(await send(sleeper, put(2, 'after'), { id: 'after sleep' })).toBe(201);
    expect(resourceOf(await other.query(text(2)))).toBe('after');
  });

  it('in the middle of a write: it is run again on what is there now, and applied once', async () => {
    const log = memoryLog();
    let wake = (): void => {};
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const other = await testClient(memoryLogStore(log), testPlatform(), { flushAt: 1, cacheBytes: 0 });
    await schema(other);
    await other.query(put(1, 'v'));
    const sleeper = await testClient(faulty(memoryLogStore(log), faultAt('append', 1, { when: 'before', until: asleep })));
    const append = `{"update":${at(1)},"params":{"object":{"data":{"object":{"text":{"concat":[${text(1)},"!"]}}}}}}`;
    const writing = sleeper.query(append);
    for (let n = 0; n < 5; n++) {
      await other.query(append);
      await other.engine.upkeep();
    }
    wake();
    expect((await writing).status).toBe(200);
    expect(resourceOf(await other.query(text(1)))).toBe('v!!!!!!');
    expect(resourceOf(await sleeper.query(text(1)))).toBe('v!!!!!!');
  });
});

describe('clocks and settings', () => {
  it('an engine whose clock is ahead gives out no time of a write that was lost', async () => {
    const log = memoryLog();
    const [ahead, other] = [await testClient(slow(memoryLogStore(log), 20)), await testClient(memoryLogStore(log))];
    await schema(other);
    await other.query(put(1, 'first'));
    ahead.platform.setNow(ahead.platform.now() + 3_600_000_000);
    const replace = (text: string): string => `{"replace":${at(1)},"params":{"object":{"data":{"object":{"text":"${text}"}}}}}`;
    const losing = send(ahead, replace('lost'), { id: 'lost', headers: { 'x-max-retries-on-contention': '0' } });
    const winning = await other.query(replace('won'));
    expect(await losing).toBe(409);
    const idle = await ahead.query(`{"if":false,"then":${replace('never')},"else":1}`);
    expect(idle.headers['x-txn-time']).toBe(winning.headers['x-txn-time']);
  });

  it('a request that was sent too long ago is not applied', async () => {
    const client = await testClient();
    await schema(client);
    const now = client.platform.now();
    expect(await send(client, create('x'), { id: 'old', sentAt: now - 12 * 60 * 1_000_000 })).toBe(503);
    expect(await send(client, create('x'), { id: 'new', sentAt: now - 60 * 1_000_000 })).toBe(201);
  });

  it('a clock that is set forward by a year and back forgets no request', async () => {
    const log = memoryLog();
    const client = await testClient(memoryLogStore(log));
    await schema(client);
    const now = client.platform.now();
    expect(await send(client, create('x'), { id: 'once' })).toBe(201);
    client.platform.setNow(now + 365 * 86_400_000_000);
    await client.query(create('y'));
    client.platform.setNow(now);
    expect(await send(client, create('x'), { id: 'once', resent: true })).toBe(201);
    expect((await client.query('{"count":{"documents":{"class":"users"}}}')).text).toBe('{"resource":2}');
  });

  const YEAR = 365 * 86_400_000_000;
  const JUMPS = [
    ['forward', [YEAR]],
    ['back', [-YEAR]],
    ['forward and back again', [YEAR, -YEAR]],
    ['back and forward again', [-YEAR, YEAR]],
  ] as const;
  it.each(JUMPS.flatMap(([name, jumps]) => (['between commits', 'across a reopening', 'across engines'] as const).map((where) => [name, where, jumps] as const)))(
    'a clock set %s by a year %s changes no order, and hides nothing',
    async (_, where, jumps) => {
      const log = memoryLog();
      const small = { flushAt: 400, cacheBytes: 2 ** 20 };
      let client = await testClient(memoryLogStore(log), testPlatform(), small);
      await schema(client);
      await client.query('{"update":{"class":"users"},"params":{"object":{"history_days":null}}}');
      const told: number[] = [];
      const write = async (writer: TestClient): Promise<void> => {
        const text = `v${told.length / 2}`;
        const query = told.length === 0 ? put(1, text) : `{"update":${at(1)},"params":{"object":{"data":{"object":{"text":"${text}"}}}}}`;
        const reply = await writer.query(`{"do":[${query},{"to_micros":{"now":null}}]}`);
        expect(reply.status).toBe(200);
        // The present of a query lies after all that was told before, and not after its own commit.
        told.push(resourceOf(reply) as number, Number(reply.headers['x-txn-time']));
        await writer.engine.upkeep();
      };
      await write(client);
      for (const jump of jumps) {
        const now = client.platform.now() + jump;
        const before = client;
        if (where !== 'between commits') client = await testClient(memoryLogStore(log), testPlatform(), small);
        client.platform.setNow(now);
        await write(client);
        // Of several engines the others still have the old time.
        await write(where === 'across engines' ? before : client);
      }
      expect(told).toEqual(told.toSorted((a, b) => a - b));
      const times = told.filter((_, place) => place % 2 === 1);
      expect(new Set(times).size).toBe(times.length);
      const texts = times.map((_, n) => `v${n}`);
      const events = resourceOf(await client.query(`{"select":"data","from":{"paginate":{"events":${at(1)}}}}`)) as { ts: number; data: { text: string } }[];
      expect(events.map(({ ts, data }) => [ts, data.text])).toEqual(times.map((ts, n) => [ts, texts[n]]));
      for (const [n, ts] of times.entries()) {
        expect(resourceOf(await client.query(`{"at":${ts},"expr":{"select":["data","text"],"from":{"get":${at(1)}}}}`))).toBe(texts[n]);
      }
      expect(resourceOf(await client.query(`{"select":["data","text"],"from":{"get":${at(1)}}}`))).toBe(texts.at(-1));
      // An engine that was open all the time with its clock as it was sees the same.
      const late = await testClient(memoryLogStore(log));
      expect(resourceOf(await late.query(`{"select":["data","text"],"from":{"get":${at(1)}}}`))).toBe(texts.at(-1));
    },
  );

  it('a setting that one engine changes holds for all that are open', async () => {
    const log = memoryLog();
    const client = await testClient(memoryLogStore(log));
    expect((await client.engine.status()).durability).toBe('strict');
    await memoryLogStore(log).open({ durability: 'relaxed' });
    expect((await client.engine.status()).durability).toBe('relaxed');
  });
});

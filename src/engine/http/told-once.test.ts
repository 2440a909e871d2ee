// One request with two engines, of which one was told that it writes nothing: it does not write later.
import { describe, expect, it } from 'vitest';
import { queryRequest, type TestClient, testClient } from '../../testing/client.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { settled, withSleeper } from '../../testing/sleeper.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const SPELL = '{"ref":{"collection":"spells"},"id":"1"}';
const LEVEL = `{"select":["data","level"],"from":{"get":${SPELL}}}`;
const level = (n: number): string => `{"object":{"data":{"object":{"level":${n}}}}}`;
const setTo = (n: number): string => `{"update":${SPELL},"params":${level(n)}}`;

/** Two engines on one log, with one spell. */
async function twoEngines(): Promise<Record<'one' | 'two', TestClient>> {
  const log = memoryLog();
  let now = 1_577_836_800_000_000;
  const platform = () => ({ ...testPlatform(), now: () => (now += 1000) });
  const [one, two] = [await testClient(memoryLogStore(log), platform()), await testClient(memoryLogStore(log), platform(), { flushAt: 1 })];
  await one.query('{"create_collection":{"object":{"name":"spells"}}}');
  await one.query(`{"create":${SPELL},"params":${level(1)}}`);
  return { one, two };
}

describe('a request that is sent again and comes to nothing', () => {
  it.each([
    ['as its condition does not hold', `{"if":{"equals":[${LEVEL},0]},"then":{"do":[${setTo(5)},true]},"else":false}`, 200, 'false'],
    ['as it is refused', `{"if":{"equals":[${LEVEL},0]},"then":${setTo(5)},"else":{"abort":"not now"}}`, 400, 'not now'],
  ])('%s, does so for good: the engine that has its first copy does not apply that later', async (_, query, status, words) => {
    for (const isInBlocks of [false, true]) {
      const { one, two } = await twoEngines();
      const request = queryRequest(query, { id: 'the-very-same-request' });
      const answer = await two.engine.handle({ ...request, resent: true });
      expect([answer.status, new TextDecoder().decode(answer.body as Uint8Array)]).toEqual([status, expect.stringContaining(words)]);
      // Now it would.
      await two.query(setTo(0));
      if (isInBlocks) await two.engine.upkeep();
      const late = await one.engine.handle(request);
      expect([late.status, new TextDecoder().decode(late.body as Uint8Array)]).toEqual([status, expect.stringContaining(words)]);
      expect((await two.query(LEVEL)).text).toBe('{"resource":0}');
    }
  });

  it.each([
    ['a version', ['1'], 30, /Version bytes .* exceeds threshold/],
    ['a transaction', ['1', '2', '3', '4', '5', '6'], 10, /Transaction exceeded limit/],
  ])('as %s would be too large, does so for good, and is told so again', async (_, ids, times, words) => {
    const { one, two } = await twoEngines();
    const text = `{"select":["data","text"],"from":{"get":${SPELL}}}`;
    const write = (what: string, id: string, value: string): string => `{"${what}":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"text":${value}}}}}}`;
    await one.query(write('update', '1', JSON.stringify('x'.repeat(300_000))));
    for (const id of ids.slice(1)) await one.query(write('create', id, '""'));
    const request = queryRequest(`{"do":[${ids.toReversed().map((id) => write('update', id, `{"repeat":${text},"number":${times}}`)).join()}]}`, { id: 'the-very-same-request' });
    const refused = { status: 400, text: expect.stringMatching(words) as string };
    const ask = async ({ engine }: TestClient, isResent: boolean): Promise<object> => {
      const { status, body } = await engine.handle({ ...request, resent: isResent });
      return { status, text: new TextDecoder().decode(body as Uint8Array) };
    };
    expect(await ask(two, true)).toEqual(refused);
    // Now it would not.
    await two.query(write('update', '1', '"x"'));
    expect(await ask(one, false)).toEqual(refused);
    expect((await two.query(text)).text).toBe('{"resource":"x"}');
  });

  it('leaves nothing where it is sent once, or only reads', async () => {
    const { one } = await twoEngines();
    const before = (await one.query(LEVEL)).headers['x-txn-time'];
    await one.engine.handle(queryRequest(`{"if":true,"then":1,"else":${setTo(2)}}`, { id: 'once' }));
    await one.engine.handle(queryRequest(LEVEL, { id: 'reads', resent: true }));
    expect((await one.query(LEVEL)).headers['x-txn-time']).toBe(before);
  });
});

it('a request that is sent again and meets others all the time is not told 409, after which its first copy would be applied', async () => {
  const log = memoryLog();
  let meet = 0;
  const one = await testClient(memoryLogStore(log));
  const met = memoryLogStore(log);
  const append = met.append.bind(met);
  const two = await testClient(
    Object.assign(met, {
      append: async (...to: Parameters<typeof append>) => {
        // Another engine is first, so many times.
        if (meet-- > 0) await one.query(setTo(100));
        return append(...to);
      },
    }),
  );
  await one.query('{"create_collection":{"object":{"name":"spells"}}}');
  await one.query(`{"create":${SPELL},"params":${level(1)}}`);
  const request = queryRequest(`{"select":["data","level"],"from":{"update":${SPELL},"params":${level(0).replace('0', `{"add":[1,${LEVEL}]}`)}}}`, { id: 'the-very-same-request' });
  const unbending = { ...request, headers: { ...request.headers, 'x-max-retries-on-contention': '0' } };
  meet = 2;
  expect((await two.engine.handle({ ...unbending, id: 'another one' })).status).toBe(409);
  meet = 2;
  expect((await two.engine.handle({ ...unbending, resent: true })).status).toBe(200);
  expect((await one.engine.handle(unbending)).status).toBe(200);
  expect((await one.query(LEVEL)).text).toBe('{"resource":101}');
});

/** What a copy is told that is sent again, whose first one is applied, and heard of, while this one looks for it in blocks. */
async function toldAgain({ awake, sleeper, sleepAt, hasCome, wake }: Awaited<ReturnType<typeof withSleeper>>, request: ReturnType<typeof queryRequest>): Promise<string> {
  sleepAt(1);
  const again = Promise.resolve(sleeper.engine.handle({ ...request, resent: true }));
  await settled();
  expect(hasCome()).toBe(true);
  expect((await awake.engine.handle(request)).status).toBe(200);
  // It hears of that by a request of another client.
  await sleeper.engine.status();
  wake();
  return new TextDecoder().decode((await again).body as Uint8Array);
}

it('a logout that was applied is told so to its other copies, of which it has ended the right', async () => {
  const both = await withSleeper('readBlocks');
  await both.awake.query('{"create":{"ref":{"collection":"log"},"id":"1"},"params":{"object":{"credentials":{"object":{"password":"p"}}}}}');
  const { secret } = (JSON.parse((await both.awake.query('{"login":{"ref":{"collection":"log"},"id":"1"},"params":{"object":{"password":"p"}}}')).text) as { resource: { secret: string } }).resource;
  await both.sleeper.engine.status();
  const request = queryRequest('{"logout":false}', { id: 'the-very-same-request', headers: { authorization: `Bearer ${secret}`, 'x-faunadb-api-version': '4' } });
  expect(await toldAgain(both, request)).toBe('{"resource":true}');
});

it('a request that is sent again does not see its own first copy, which is heard of while this one waits', async () => {
  const query = '{"if":{"exists":{"ref":{"collection":"log"},"id":"7"}},"then":false,"else":{"do":[{"create":{"ref":{"collection":"log"},"id":"7"}},true]}}';
  expect(await toldAgain(await withSleeper('readBlocks'), queryRequest(query, { id: 'the-very-same-request' }))).toBe('{"resource":true}');
});

it('a refusal tells the time of what it was judged on, whatever has been committed since', async () => {
  const { one } = await twoEngines();
  const refuse = `{"if":{"equals":[${LEVEL},3]},"then":${setTo(4)},"else":{"abort":"not three"}}`;
  // They go to the log together.
  const [two, refused, three] = await Promise.all([one.query(setTo(2)), one.query(refuse), one.query(setTo(3))]);
  const [before, at, after] = [two, refused, three].map(({ headers }) => Number(headers['x-txn-time'])) as [number, number, number];
  expect(refused.text).toContain('not three');
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThan(after);
});

describe('now()', () => {
  const COUNT = '{"count":{"documents":{"collection":"log"}}}';
  const READ = `[{"to_micros":{"now":null}},${COUNT}]`;
  const WRITE = '{"do":[{"create":{"collection":"log"}},1]}';
  const at = (time: number): string => `{"at":{"epoch":${time},"unit":"microsecond"},"expr":${COUNT}}`;

  /** An engine on a clock that is moved by hand, whose appends can be held up. */
  async function world() {
    let now = 1_577_836_800_000_000;
    let held: Promise<void> | undefined;
    const store = faulty(memoryLogStore(memoryLog()), (method) => (method === 'append' && held !== undefined ? { when: 'before', until: held } : undefined));
    const client = await testClient(store, { ...testPlatform(), now: () => now });
    await client.query('{"create_collection":{"object":{"name":"log"}}}');
    now += 10_000;
    const read = async (query: string): Promise<unknown> => (JSON.parse((await client.query(query)).text) as { resource: unknown }).resource;
    const hold = (): (() => void) => {
      let go = (): void => undefined;
      held = new Promise((resolve) => (go = resolve));
      return () => ((held = undefined), go());
    };
    return { client, read, hold, pass: (micros: number): void => void (now += micros), time: (): number => now };
  }

  it.each([['that only reads', READ], ['that might have written', `{"if":true,"then":${READ},"else":${WRITE}}`]])('in a query %s is a time at which the same is read for ever', async (_, query) => {
    const { client, read } = await world();
    const [now, count] = (await read(query)) as [number, number];
    // In the same microsecond by the clock.
    await client.query(WRITE);
    expect(await read(at(now))).toBe(count);
    expect(await read(COUNT)).toBe(count + 1);
  });

  it('is so in a query that waits in the middle of its reading, and in an error', async () => {
    let now = 1_577_836_800_000_000;
    const log = memoryLog();
    let wake = (): void => undefined;
    let isAsleep = false;
    const store = faulty(memoryLogStore(log), (method) => (method === 'readBlocks' && isAsleep ? { when: 'before', until: new Promise<void>((resolve) => (wake = resolve)) } : undefined));
    const client = await testClient(store, { ...testPlatform(), now: () => now }, { flushAt: 1, cacheBytes: 0 });
    for (const name of ['log', 'other']) await client.query(`{"create_collection":{"object":{"name":"${name}"}}}`);
    await client.query('{"create":{"collection":"other"}}');
    await client.engine.upkeep();
    now += 10_000;
    await client.query('{"exists":{"collection":"other"}}');
    isAsleep = true;
    const reading = client.query(`[${COUNT},{"count":{"documents":{"collection":"other"}}},{"to_micros":{"now":null}}]`);
    await settled();
    isAsleep = false;
    await client.query(WRITE);
    wake();
    const [count, , told] = (JSON.parse((await reading).text) as { resource: [number, number, number] }).resource;
    expect((await client.query(at(told))).text).toBe(`{"resource":${count}}`);

    now += 10_000;
    const refused = await client.query('{"abort":{"to_string":{"to_micros":{"now":null}}}}');
    const before = (await client.query(COUNT)).text;
    await client.query(WRITE);
    expect((await client.query(at(Number(/\d{16}/.exec(refused.text)?.[0])))).text).toBe(before);
  });

  it('is before what is on its way, and not seen', async () => {
    const { client, read, hold, pass } = await world();
    const go = hold();
    const writing = client.query(WRITE);
    await settled();
    pass(3000);
    const [now, count] = (await read(READ)) as [number, number];
    go();
    await writing;
    expect([count, await read(at(now)), await read(COUNT)]).toEqual([0, 0, 1]);
  });

  it('that was told a year too early does not take what is committed there', async () => {
    const { client, read, pass, time } = await world();
    const year = 365 * 24 * 3600 * 1_000_000;
    pass(year);
    await read(READ);
    pass(-year);
    await client.query(WRITE);
    expect(Number((await client.query(COUNT)).headers['x-txn-time'])).toBeLessThan(time() + 2_000_000);
  });
});

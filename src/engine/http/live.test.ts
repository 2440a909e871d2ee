// Live queries through the whole engine: each change of the answer is told, once, and nothing else.
import { describe, expect, it } from 'vitest';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { counting } from '../set/lazy.ts';
import { testClient, type TestClient } from '../../testing/client.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { BY_LEVEL, create, ref, spells, update } from '../../testing/spells.ts';
import { type Message, openStream, type StreamOptions, type TestStream } from '../../testing/stream.ts';

const live = (client: TestClient, json: string, options: StreamOptions = {}): Promise<TestStream> => openStream(client, json, { path: '/live', ...options });
const level = (id: number): string => `{"select":["data","level"],"from":{"get":${ref(id)}}}`;
const result = (message: Message | undefined): unknown => (message as { resource?: unknown } | undefined)?.resource;

describe('a live query', () => {
  it('gives its result now and after each change that affects it', async () => {
    const { client, run } = await spells();
    const first = await run(create(1, '"level":1'));
    const stream = await live(client, level(1));
    expect(await stream.line()).toBe(`{"type":"result","txn":${first},"resource":1}`);
    const second = await run(update(1, '"level":2'));
    expect(await stream.line()).toBe(`{"type":"result","txn":${second},"resource":2}`);
    await run(create(2, '"level":9'));
    await run(update(1, '"other":1'));
    const third = await run(update(1, '"level":3'));
    expect(await stream.line()).toBe(`{"type":"result","txn":${third},"resource":3}`);
    await stream.close();
    expect((await client.engine.status()).streams).toBe(0);
  });

  it('is nothing that an HTTP client can ask for: to it there is no such path', async () => {
    const { client } = await spells();
    for (const method of ['POST', 'GET']) {
      const [live, unknown] = await Promise.all(['/live', '/nowhere'].map((path) => client.send(method, path, '1')));
      expect([live?.status, live?.text]).toEqual([404, unknown?.text]);
    }
  });

  it('is not run again for what it has not read', async () => {
    const { client, run } = await spells();
    await run(create(1, '"level":1'));
    // Each run has a time of its own, so that it would show.
    const stream = await live(client, `[${level(1)},{"now":null}]`);
    await stream.next();
    const line = stream.line();
    for (let id = 2; id < 30; id++) await run(create(id, '"level":1'));
    const ts = await run(update(1, '"level":2'));
    expect(JSON.parse((await line) ?? '')).toMatchObject({ txn: ts, resource: [2, { '@ts': expect.any(String) as string }] });
    await stream.close();
  });

  it('over a set sees what enters, leaves and lies between', async () => {
    const { client, run } = await spells();
    const stream = await live(client, `{"select":["data"],"from":{"paginate":${BY_LEVEL}}}`);
    expect(result(await stream.next())).toEqual([]);
    await run(create(1, '"level":1,"name":"b"'));
    expect(result(await stream.next())).toEqual(['b']);
    await run(create(2, '"level":1,"name":"a"'));
    expect(result(await stream.next())).toEqual(['a', 'b']);
    await run(create(3, '"level":2,"name":"c"'));
    await run(update(1, '"level":2'));
    expect(result(await stream.next())).toEqual(['a']);
    await run(`{"delete":${ref(2)}}`);
    expect(result(await stream.next())).toEqual([]);
    await stream.close();
  });

  it('sees changes of an index that is not serialized', async () => {
    const { client, run } = await spells();
    await run('{"update":{"index":"by_level"},"params":{"object":{"serialized":false}}}');
    const stream = await live(client, `{"count":${BY_LEVEL}}`);
    expect(result(await stream.next())).toBe(0);
    await run(create(1, '"level":1,"name":"a"'));
    expect(result(await stream.next())).toBe(1);
    await stream.close();
  });

  it('fails for as long as what it asks for is not there', async () => {
    const { client, run } = await spells();
    const stream = await live(client, level(1));
    expect(await stream.next()).toEqual({
      type: 'failure',
      txn: expect.any(Number) as number,
      status: 404,
      errors: [{ position: ['from'], code: 'instance not found', description: 'Document not found.' }],
    });
    await run(create(1, '"level":1'));
    expect(result(await stream.next())).toBe(1);
    await run(`{"delete":${ref(1)}}`);
    expect(await stream.next()).toMatchObject({ type: 'failure', status: 404 });
    await stream.close();
  });

  it('follows names: what it means by one may come later', async () => {
    const { client, run } = await spells();
    const stream = await live(client, '{"count":{"documents":{"collection":"charms"}}}');
    expect(await stream.next()).toMatchObject({ type: 'failure', status: 400, errors: [{ code: 'invalid ref' }] });
    await run('{"create_collection":{"object":{"name":"charms"}}}');
    expect(result(await stream.next())).toBe(0);
    await run('{"create":{"collection":"charms"}}');
    expect(result(await stream.next())).toBe(1);
    await stream.close();
  });

  it.each([
    ['a document', `{"exists":${ref(1)}}`, true, false],
    ['an entry', `{"count":${BY_LEVEL}}`, 1, 0],
    ['one of those that are counted block by block', '{"count":{"documents":{"collection":"spells"}}}', 1, 0],
  ])('sees %s run out', async (_what, query, before, after) => {
    await expect.poll(counting).not.toBeNull();
    const { client, run } = await spells();
    const ttl = `{"time_add":{"now":null},"offset":1500,"unit":"milliseconds"}`;
    await run(`{"create":${ref(1)},"params":{"object":{"ttl":${ttl},"data":{"object":{"level":1,"name":"brief"}}}}}`);
    const stream = await live(client, query);
    expect(result(await stream.next())).toBe(before);
    client.platform.setNow(client.platform.now() + 1_500_000);
    expect(result(await stream.next())).toBe(after);
    await stream.close();
  });

  it('gives one that is slow the newest result, and not those between', async () => {
    const { client, run } = await spells();
    await run(create(1, '"level":0'));
    const stream = await live(client, level(1));
    await stream.next();
    for (let n = 1; n <= 50; n++) await run(update(1, `"level":${n}`));
    expect(result(await stream.next())).toBe(50);
    await run(update(1, '"level":51'));
    await run(update(1, '"level":50'));
    const line = stream.line();
    await run(update(1, '"level":52'));
    expect(JSON.parse((await line) ?? '')).toMatchObject({ resource: 52 });
    await stream.close();
  });

  it('ends when its secret does', async () => {
    const { client, run } = await spells();
    await run(create(1, '"level":1'));
    const { text } = await client.query('{"create_key":{"object":{"role":"server"}}}');
    const { resource } = JSON.parse(text) as { resource: { secret: string; ref: { '@ref': { id: string } } } };
    const stream = await live(client, level(1), { secret: resource.secret });
    await stream.next();
    await run(`{"delete":{"ref":{"keys":null},"id":"${resource.ref['@ref'].id}"}}`);
    expect(await stream.line()).toBe('{"type":"end","status":401,"errors":[{"code":"unauthorized","description":"Unauthorized"}]}');
    expect(await stream.line()).toBeNull();
    expect((await client.engine.status()).streams).toBe(0);
  });

  it('sees rights given and taken', async () => {
    const { client, run } = await spells();
    await run(create(1, '"level":1'));
    const role = (read: boolean): string => `{"object":{"name":"reader","privileges":{"object":{"resource":{"collection":"spells"},"actions":{"object":{"read":${read}}}}}}}`;
    await run(`{"create_role":${role(true)}}`);
    const { text } = await client.query('{"create_key":{"object":{"role":{"role":"reader"}}}}');
    const { secret } = (JSON.parse(text) as { resource: { secret: string } }).resource;
    const stream = await live(client, level(1), { secret });
    expect(result(await stream.next())).toBe(1);
    await run(`{"update":{"role":"reader"},"params":${role(false)}}`);
    expect(await stream.next()).toMatchObject({ type: 'failure', status: 403 });
    await run(`{"update":{"role":"reader"},"params":${role(true)}}`);
    expect(result(await stream.next())).toBe(1);
    await stream.close();
  });

  it.each([
    [`{"create":{"collection":"spells"}}`, 'Call performs a write, which is not allowed in live queries.'],
    ['{"nonsense":1}', 'No form/function found, or invalid argument keys: { nonsense }.'],
    ['not json', 'Request body is not valid JSON.'],
  ])('that is wrong as it is written is refused: %s', async (json, description) => {
    const { client } = await spells();
    const { status, text } = await live(client, json);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(`"code":"invalid expression","description":"${description}"`) as string });
    expect((await client.engine.status()).streams).toBe(0);
  });

  it('needs a secret', async () => {
    const { client } = await spells();
    expect((await live(client, '1', { secret: 'wrong' })).status).toBe(401);
  });

  it('ends with its engine', async () => {
    const { client } = await spells();
    const stream = await live(client, '1');
    await stream.next();
    await client.engine.close();
    expect(await stream.next()).toMatchObject({ type: 'end', status: 503 });
    expect(await stream.line()).toBeNull();
  });
});

describe('over several engines on one log', () => {
  async function engines(options: { flushAt: number }, asleep: () => Promise<unknown> | undefined): Promise<{ writer: TestClient; reader: TestClient }> {
    const log = memoryLog();
    const store = faulty(memoryLogStore(log), (method) => {
      const until = asleep();
      return method === 'tail' && until !== undefined ? { when: 'before', until } : undefined;
    });
    const reader = await testClient(store, testPlatform(), { flushAt: 2 ** 20, cacheBytes: 1e7 });
    const writer = await testClient(memoryLogStore(log), testPlatform(), { cacheBytes: 1e7, ...options });
    await writer.query('{"create_collection":{"object":{"name":"spells"}}}');
    await writer.query(create(1, '"level":0'));
    return { writer, reader };
  }

  it('misses no last state, whoever writes it and whenever', async () => {
    const { writer, reader } = await engines({ flushAt: 2 ** 20 }, () => undefined);
    const streams = await Promise.all([writer, reader].map((client) => live(client, level(1))));
    await Promise.all([writer, reader].map(async (client, at) => {
      for (let n = 1; n <= 30; n++) {
        await client.query(update(1, `"level":${2 * n + at}`));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }));
    const last = (JSON.parse((await reader.query(level(1))).text) as { resource: number }).resource;
    for (const stream of streams) {
      const seen: unknown[] = [];
      while (seen.at(-1) !== last) seen.push(result(await stream.next()));
      expect(new Set(seen).size).toBe(seen.length);
      const more = stream.line();
      await stream.close();
      expect(await more).toBeNull();
    }
  });

  it('ends where a bug of ours ends it, and says nothing more of that', async () => {
    const log = memoryLog();
    let isBroken = false;
    const broken = faulty(memoryLogStore(log), (method) => (isBroken && method === 'readBlocks' ? { when: 'before', error: new TypeError('a bug') } : undefined));
    const client = await testClient(broken, testPlatform(), { flushAt: 1, cacheBytes: 0 });
    await client.query('{"create_collection":{"object":{"name":"spells"}}}');
    await client.query(create(1, '"level":0'));
    await client.engine.upkeep();
    const stream = await live(client, '{"select":"data","from":{"paginate":{"documents":{"collection":"spells"}}}}');
    await stream.next();
    isBroken = true;
    await (await testClient(memoryLogStore(log))).query(create(2, '"level":0'));
    await client.query('1');
    expect(await stream.line()).toBe('{"type":"end","status":500,"errors":[{"code":"internal server error","description":"Internal server error."}]}');
    await expect(stream.line()).rejects.toThrow('a bug');
  });

  it('runs again when the log was trimmed while its engine slept', async () => {
    let asleep: Promise<unknown> | undefined;
    const { writer, reader } = await engines({ flushAt: 1 }, () => asleep);
    const stream = await live(reader, level(1));
    expect(result(await stream.next())).toBe(0);
    let wake = (): void => {};
    asleep = new Promise<void>((resolve) => (wake = resolve));
    for (let n = 1; n <= 5; n++) {
      await writer.query(update(1, `"level":${n}`));
      await writer.engine.upkeep();
    }
    wake();
    asleep = undefined;
    expect(result(await stream.next())).toBe(5);
    await stream.close();
  });
});

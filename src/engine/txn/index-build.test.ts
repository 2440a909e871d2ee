// An index over much that is there already: made at once, built in the background, and the
// same in the end as one that was there from the start.
import { describe, expect, it } from 'vitest';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { faulty } from '../../testing/faulty-store.ts';
import { testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { chunked, exported } from '../../testing/transfer.ts';
import { all, ask, bound, create, definition, doc, expectBuilt, fields, MANY, match, open, populated, populatedLog, SMALL, THINGS, update, upTo } from '../../testing/index-builds.ts';

const INACTIVE = { status: 400, text: '{"errors":[{"position":["paginate","index"],"code":"instance not found","description":"Index \'built\' is not active."}]}' };
const READ = `{"paginate":${match('built', 'all')}}`;

describe('an index over a large collection', () => {
  it('is made inactive, and active with a new time once it is built', async () => {
    const client = await populated();
    const made = JSON.parse(await ask(client, definition('built', THINGS))) as { ts: number; active: boolean };
    expect(made.active).toBe(false);
    await client.engine.upkeep();
    const now = JSON.parse(await ask(client, '{"get":{"index":"built"}}')) as { ts: number; active: boolean };
    expect({ active: now.active, later: now.ts > made.ts }).toEqual({ active: true, later: true });
    expect({ ...now, ts: 0, active: false }).toEqual({ ...made, ts: 0 });
    await expectBuilt(client);
  });

  it('is made in a commit that does not grow with what is there', async () => {
    const log = await populatedLog();
    const client = await open(log);
    await ask(client, definition('built', THINGS));
    expect(log.records.at(-1)?.body.length).toBeLessThan(2000);
  });

  it('is not read meanwhile; only version 2.0 answers with what is there', async () => {
    const log = await populatedLog();
    // Nothing goes into blocks until it is allowed to.
    let allow: () => void = () => undefined;
    const allowed = new Promise<void>((resolve) => (allow = resolve));
    const store = faulty(memoryLogStore(log), (method) => (method === 'writeBlocks' ? { when: 'before', until: allowed } : undefined));
    const client = await testClient(store, testPlatform(), SMALL);
    await ask(client, definition('built', THINGS));
    for (const version of ['2.1', '2.7', '4']) {
      const { status, text } = await client.query(READ, version);
      expect({ status, text }).toEqual(INACTIVE);
    }
    expect((await client.query(`{"paginate":{"join":{"documents":{"collection":"parts"}},"with":{"index":"built"}}}`)).text).toMatch(/is not active/);
    await ask(client, update(1, 5000));
    // What was written since is there, older things are not yet.
    const partial = await client.query(`{"select":["data",0,0],"from":${READ}}`, '2.0');
    expect(partial.text).toBe('{"resource":5000}');
    expect((await client.query(`{"count":${match('built', 'all')}}`, '2.0')).text).toBe('{"resource":1}');
    const { builds } = await client.engine.status();
    expect(builds).toEqual([{ database: [], index: 'built', versions: 0 }]);
    allow();
    await client.engine.upkeep();
    await expectBuilt(client);
  });

  it('goes on where a file takes it, from where it was', async () => {
    const never = new Promise<never>(() => undefined);
    const store = faulty(memoryLogStore(await populatedLog()), (method, nth) => (method === 'writeBlocks' && nth > 4 ? { when: 'before', until: never } : undefined));
    const client = await testClient(store, testPlatform(), SMALL);
    await ask(client, definition('built', THINGS));
    await expect.poll(async () => (await client.engine.status()).builds[0]?.versions).toBeGreaterThan(0);
    const file = await exported(client.engine);
    const into = await open(memoryLog());
    await into.engine.importDatabase(chunked(file));
    await expectBuilt(into);
  });

  it('goes with a file together with many others', { timeout: 60_000 }, async () => {
    const never = new Promise<never>(() => undefined);
    const client = await testClient(faulty(memoryLogStore(await populatedLog()), (method) => (method === 'writeBlocks' ? { when: 'before', until: never } : undefined)), testPlatform(), SMALL);
    for (const n of upTo(30)) await ask(client, definition(`other_${n}`, THINGS));
    await ask(client, definition('built', THINGS));
    const file = await exported(client.engine);
    const into = await open(memoryLog());
    await into.engine.importDatabase(chunked(file));
    await expectBuilt(into);
  });

  it('tells in its status how far it is', async () => {
    const log = await populatedLog();
    const seen: number[] = [];
    const watching = faulty(memoryLogStore(log), (method) => {
      if (method === 'install') void client.engine.status().then(({ builds }) => seen.push(...builds.map(({ versions }) => versions)));
      return undefined;
    });
    const client = await testClient(watching, testPlatform(), SMALL);
    await ask(client, definition('built', THINGS));
    await expectBuilt(client);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBeGreaterThan(2);
  });

  it('may be read before it is built by whoever says that it is active', async () => {
    const client = await populated();
    await ask(client, definition('built', THINGS));
    expect(await ask(client, '{"select":"active","from":{"update":{"index":"built"},"params":{"object":{"active":true}}}}')).toBe('true');
    expect((await client.query(READ)).status).toBe(200);
    await client.engine.upkeep();
    await expectBuilt(client);
  });

  it('is built at once where there is little, and up to 128 versions are little', async () => {
    const client = await open(memoryLog());
    await ask(client, '{"create_collection":{"object":{"name":"things"}}}');
    await ask(client, `[${upTo(128).map((n) => create(n)).join()}]`);
    const active = (name: string): Promise<string> =>
      ask(client, `{"select":"active","from":{"create_index":{"object":{"name":"${name}","source":{"collection":"things"}}}}}`);
    expect(await active('first')).toBe('true');
    expect(await ask(client, '{"count":{"match":{"index":"first"}}}')).toBe('128');
    await ask(client, create(128));
    expect(await active('second')).toBe('false');
    await client.engine.upkeep();
    expect(await ask(client, '{"count":{"match":{"index":"second"}}}')).toBe('129');
  });
});

describe('what is written while an index is built', () => {
  it('is in it: by the query that makes it, by others, and in history', async () => {
    const client = await populated();
    await ask(client, `[${create(1000)},${update(2, 2000)},${definition('built', THINGS)},${create(1001)},${update(3, 3000)},{"delete":${doc(4)}}]`);
    const [first] = JSON.parse(await ask(client, all(doc(8).replace(/^/, '{"events":').concat('}')))) as { ts: number }[];
    const ts = first?.ts ?? 0;
    await Promise.all([
      client.engine.upkeep(),
      ...upTo(30).map((n) => client.query(update(n + 30, n + 4000))),
      client.query(`{"insert":${doc(8)},"ts":${ts - 10},"action":"create",${fields(77)}}`),
      client.query(`{"insert":${doc(9)},"ts":${ts + 1},"action":"delete"}`),
      client.query(`{"remove":${doc(11)},"ts":${ts},"action":"create"}`),
      client.query(`{"delete":${doc(12)}}`),
    ]);
    await client.engine.upkeep();
    await expectBuilt(client);
  });

  it('rewrites history before, between and after the slices', async () => {
    const log = await populatedLog();
    const client = await open(log);
    const [first] = JSON.parse(await ask(client, all(`{"events":${doc(8)}}`))) as { ts: number }[];
    const ts = first?.ts ?? 0;
    let installs = 0;
    const rewriting = faulty(memoryLogStore(log), (method) => {
      if (method !== 'install') return undefined;
      const n = (installs++ * 37) % MANY;
      const write = n % 2 === 0 ? `{"insert":${doc(n)},"ts":${ts - 5 - n},"action":"create",${fields(n)}}` : `{"remove":${doc(n)},"ts":${ts},"action":"create"}`;
      return { when: 'before', until: client.query(write) };
    });
    const builder = await testClient(rewriting, testPlatform(), SMALL);
    await ask(builder, definition('built', THINGS));
    await builder.engine.upkeep();
    expect(installs).toBeGreaterThan(4);
    await expectBuilt(client);
    await expectBuilt(builder);
  });
});

describe('an index that is built', () => {
  it('from several collections, and from all there are', async () => {
    const sources = bound('[{"collection":"things"},{"collection":"parts"}]');
    const wild = bound('"_"');
    for (const source of [sources, wild]) {
      const client = await populated(source);
      await ask(client, definition('built', source));
      await ask(client, '{"create_collection":{"object":{"name":"later"}}}');
      if (source === wild) await ask(client, create(5, 'later'));
      await client.engine.upkeep();
      await expectBuilt(client);
    }
  });

  it('together with others, in a database below', async () => {
    const root = await open(memoryLog());
    await ask(root, '{"create_database":{"object":{"name":"child"}}}');
    const secret = JSON.parse(await ask(root, '{"select":"secret","from":{"create_key":{"object":{"role":"admin","database":{"database":"child"}}}}}')) as string;
    const inChild = async (query: string): Promise<string> => {
      const { text } = await root.queryAs(secret, query);
      return text;
    };
    await inChild('{"create_collection":{"object":{"name":"things"}}}');
    await inChild(`[${upTo(150).map((n) => create(n)).join()}]`);
    await inChild(`[${['one', 'two', 'three'].map((name) => definition(name, THINGS)).join()}]`);
    expect((await root.engine.status()).builds.map(({ database, index }) => [database, index])).toEqual(['one', 'two', 'three'].map((name) => [['child'], name]));
    await root.engine.upkeep();
    for (const name of ['one', 'two', 'three']) expect(await inChild(`{"count":${match(name, 'all')}}`)).toBe('{"resource":150}');
  });

  it('is given up when it, its collection or its database is deleted', async () => {
    for (const gone of ['{"delete":{"index":"built"}}', '{"delete":{"collection":"things"}}']) {
      const client = await populated();
      await ask(client, definition('built', THINGS));
      await ask(client, gone);
      await client.engine.upkeep();
      expect((await client.engine.status()).builds).toEqual([]);
      expect((await client.query('{"get":{"index":"built"}}')).status).toBe(400);
    }
    const root = await open(memoryLog());
    await ask(root, '{"create_database":{"object":{"name":"child"}}}');
    const secret = JSON.parse(await ask(root, '{"select":"secret","from":{"create_key":{"object":{"role":"admin","database":{"database":"child"}}}}}')) as string;
    await root.queryAs(secret, '{"create_collection":{"object":{"name":"things"}}}');
    await root.queryAs(secret, `[${upTo(150).map((n) => create(n)).join()}]`);
    await root.queryAs(secret, definition('built', THINGS));
    await ask(root, '{"delete":{"database":"child"}}');
    await root.engine.upkeep();
    expect((await root.engine.status()).builds).toEqual([]);
  });

  it('leaves out entries that are too large, and their documents can still be written', async () => {
    const client = await populated();
    const huge = `"big":"${'x'.repeat(32_500)}","name":"${'x'.repeat(32_500)}"`;
    await ask(client, `{"create":${doc(5000)},"params":{"object":{"data":{"object":{${huge}}}}}}`);
    await ask(client, '{"create_index":{"object":{"name":"bigs","source":{"collection":"things"},"terms":[{"object":{"field":["data","big"]}}],"values":[{"object":{"field":["data","name"]}}]}}}');
    await client.engine.upkeep();
    expect(await ask(client, '{"select":"active","from":{"get":{"index":"bigs"}}}')).toBe('true');
    // As they stand they are too large still, whether a write changes them or not.
    expect((await client.query(`{"update":${doc(5000)},"params":{"object":{"data":{"object":{"other":1}}}}}`)).text).toMatch(/Key bytes/);
    await ask(client, `{"update":${doc(5000)},"params":{"object":{"data":{"object":{"big":"small"}}}}}`);
    expect(await ask(client, '{"count":{"match":{"index":"bigs"},"terms":"small"}}')).toBe('1');
    expect((await client.query(`{"update":${doc(5000)},"params":{"object":{"data":{"object":{${huge}}}}}}`)).text).toMatch(/Key bytes/);
  });

  it('leaves out what a binding makes that is too large, holds up no other, and its document can still be written', async () => {
    const client = await populated();
    const big = (n: number): string => `"params":{"object":{"data":{"object":{"n":1,"big":${n},"tags":["all"]}}}}`;
    await ask(client, `{"create":${doc(5000)},${big(100)}}`);
    const megabytes = '{"length":{"repeat":{"repeat":{"repeat":"x","number":1024},"number":1024},"number":{"select":["data","big"],"from":{"var":"d"},"default":1}}}';
    const source = `{"object":{"collection":{"collection":"things"},"fields":{"object":{"size":{"query":{"lambda":"d","expr":${megabytes}}}}}}}`;
    await ask(client, `{"create_index":{"object":{"name":"sizes","source":${source},"terms":[{"object":{"field":["data","tags"]}}],"values":[{"object":{"field":["data","big"]}},{"object":{"binding":"size"}}]}}}`);
    await ask(client, definition('built', THINGS));
    await expectBuilt(client);
    expect(await ask(client, '{"select":"active","from":{"get":{"index":"sizes"}}}')).toBe('true');
    const first = `{"select":["data",0],"from":{"paginate":{"range":${match('sizes', 'all')},"from":1,"to":1000}}}`;
    expect(await ask(client, first)).toBe('[100,null]');
    expect((await client.query(`{"update":${doc(5000)},${big(101)}}`)).status).toBe(400);
    await ask(client, `{"update":${doc(5000)},${big(3)}}`);
    expect(await ask(client, first)).toBe(`[3,${3 * 2 ** 20}]`);
    await ask(client, `{"delete":${doc(5000)}}`);
    expect((await client.query(first)).status).toBe(404);
  });

  it('is built in parts of ten thousand versions, however few of them have entries', async () => {
    let installs = 0;
    const store = faulty(memoryLogStore(), (method) => void (installs += method === 'install' ? 1 : 0));
    const client = await testClient(store, testPlatform(), {});
    await ask(client, '{"create_collection":{"object":{"name":"things"}}}');
    const thousand = `{"foreach":{"lambda":"_","expr":{"create":{"collection":"things"}}},"collection":[${upTo(1000).join()}]}`;
    for (let n = 0; n < 12; n++) await ask(client, thousand);
    await ask(client, `{"create":${doc(0)},"params":{"object":{"data":{"object":{"flag":true}}}}}`);
    await client.engine.upkeep();
    await ask(client, '{"create_index":{"object":{"name":"flagged","source":{"collection":"things"},"terms":[{"object":{"field":["data","flag"]}}]}}}');
    installs = 0;
    await client.engine.upkeep();
    expect(installs).toBe(2);
    expect(await ask(client, '{"count":{"match":{"index":"flagged"},"terms":true}}')).toBe('1');
  });

  it('with unique entries takes documents in as they are, and keeps out what they hold once it is built', async () => {
    const client = await populated();
    await ask(client, `[${create(6000)},{"create":${doc(6001)},${fields(6000)}}]`);
    await ask(client, '{"create_index":{"object":{"name":"only","unique":true,"source":{"collection":"things"},"terms":[{"object":{"field":["data","n"]}}]}}}');
    await client.engine.upkeep();
    expect(await ask(client, '{"count":{"match":{"index":"only"},"terms":6000}}')).toBe('2');
    expect((await client.query(`{"create":${doc(6002)},${fields(6000)}}`)).text).toMatch(/instance not unique/);
  });
});

describe('indexes that wait to be built', () => {
  it('are five hundred of a database at most', async () => {
    const log = await populatedLog();
    // Upkeep is always another's.
    const client = await testClient(memoryLogStore(log), testPlatform(), { ...SMALL, cacheBytes: 1e7, exclusively: async () => {} });
    const plain = (n: number): string => `{"create_index":{"object":{"name":"i${n}","source":{"collection":"things"},"terms":[{"object":{"field":["data","n"]}}]}}}`;
    await ask(client, `{"do":[${upTo(499).map(plain).join()},true]}`);
    await ask(client, plain(499));
    const refused = {
      status: 429,
      text: '{"errors":[{"code":"too many requests","description":"Too many pending index builds. Pending: 500 Limit: 500"}]}',
    };
    const before = (await client.engine.status()).lastCommit;
    expect(await client.query(plain(500))).toMatchObject(refused);
    expect(await client.query(`[${create(5000)},${plain(500)}]`)).toMatchObject(refused);
    expect((await client.engine.status()).lastCommit).toBe(before);
    // What is built at once does not wait.
    await ask(client, '[{"create_collection":{"object":{"name":"none"}}},{"create_index":{"object":{"name":"of_none","source":{"collection":"none"}}}}]');
    await ask(client, '{"delete":{"index":"i7"}}');
    await ask(client, plain(500));
    expect(await client.query(plain(501))).toMatchObject(refused);
  }, 60_000);
});

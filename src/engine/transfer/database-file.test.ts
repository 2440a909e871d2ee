// A whole database as a file and back: it is the same, or nothing has changed.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newBase } from '../kv/epochs.ts';
import { type LogStore, StorageError } from '../kv/log-store.ts';
import { EMPTY_MANIFEST } from '../kv/manifest.ts';
import { encodeManifest } from '../kv/manifest-writer.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../kv/memory.ts';
import { testClient, type TestClient } from '../../testing/client.ts';
import { faultAt, faulty, type Method } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { chunked, describeWorld, exported, joined, makeWorld, type World } from '../../testing/transfer.ts';

/** Rows go into blocks soon, and none is kept: all reading waits. */
const COLD = { flushAt: 20_000, cacheBytes: 0 };
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const note = (id: number): string => `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(500)}"}}}}}`;

let source: TestClient;
let log: MemoryLog;
let world: World;
let file: Uint8Array;
let told: string[];

beforeAll(async () => {
  log = memoryLog();
  source = await testClient(memoryLogStore(log), testPlatform(), {});
  world = await makeWorld(source);
  file = await exported(source.engine);
  told = await describeWorld(source, world);
}, 60_000);

let otherLog: MemoryLog;
beforeAll(async () => {
  otherLog = memoryLog();
  const client = await testClient(memoryLogStore(otherLog), testPlatform(), COLD);
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  for (let id = 1; id <= 60; id++) await client.query(note(id));
  await client.engine.upkeep();
}, 60_000);

/** A database of its own with something in it, in blocks, and the file of that. */
async function other(): Promise<{ log: MemoryLog; client: TestClient; before: Uint8Array }> {
  const itsLog = structuredClone(otherLog);
  const client = await testClient(memoryLogStore(itsLog), testPlatform(), COLD);
  return { log: itsLog, client, before: await exported(client.engine) };
}

const failing = (importing: Promise<void>): Promise<unknown> => importing.then(() => 'it was imported', (error: unknown) => error);

describe('a database that was exported and imported', () => {
  it('answers as it did, now and at past times, with all events, keys, tokens and children; and is the same file again', async () => {
    const into = await testClient(memoryLogStore(), testPlatform(), {});
    await into.engine.importDatabase(chunked(file));
    expect(text(await exported(into.engine))).toBe(text(file));
    expect(await describeWorld(into, world)).toEqual(told);
    expect(told.filter((answer) => answer.startsWith('{"resource":') || answer.startsWith('{"data":')).length).toBeGreaterThan(55);
  });

  it('is the same file whether it lies in memory or in blocks', async () => {
    const into = await testClient(memoryLogStore(), testPlatform(), COLD);
    await into.engine.importDatabase(chunked(file, 100_000));
    expect(text(await exported(into.engine))).toBe(text(file));
    expect(await describeWorld(into, world)).toEqual(told);
  });

  it('goes on: writes come after all that is in it, in every engine', async () => {
    const shared = memoryLog();
    const [into, neighbour] = await Promise.all([memoryLogStore(shared), memoryLogStore(shared)].map((store) => testClient(store, testPlatform(), {})));
    if (into === undefined || neighbour === undefined) throw new Error('two clients');
    await neighbour.query('1');
    await into.engine.importDatabase(chunked(file));
    expect(await describeWorld(neighbour, world)).toEqual(told);
    const { text: answer } = await neighbour.query('{"update":{"ref":{"collection":"spells"},"id":"2"},"params":{"object":{"data":{"object":{"name":"later"}}}}}');
    expect((JSON.parse(answer) as { resource: { ts: number } }).resource.ts).toBeGreaterThan((await source.engine.status()).lastCommit);
    expect((await into.query('{"select":["data","name"],"from":{"get":{"ref":{"collection":"spells"},"id":"2"}}}')).text).toBe('{"resource":"later"}');
  });

  it('holds no secret: neither of keys and tokens nor a password', () => {
    for (const secret of [world.childSecret, world.tokenSecret, '"open"']) expect(text(file)).not.toContain(secret);
  });

  it('an empty database is a file too', async () => {
    const [from, into] = [await testClient(memoryLogStore(), testPlatform(), {}), await testClient(memoryLogStore(), testPlatform(), {})];
    const empty = await exported(from.engine);
    await into.engine.importDatabase(chunked(empty));
    expect(await exported(into.engine)).toEqual(empty);
  });
});

describe('an export', () => {
  it('is the state at its first step, while writes, flushes and merges go on', async () => {
    const { client, before } = await other();
    const chunks: Uint8Array[] = [];
    let id = 1000;
    for await (const chunk of client.engine.exportDatabase()) {
      chunks.push(chunk);
      for (let n = 0; n < 30; n++) expect((await client.query(note(id++))).status).toBe(201);
      await client.query('{"delete":{"ref":{"collection":"spells"},"id":"5"}}');
      await client.engine.upkeep();
    }
    expect(chunks.length).toBeGreaterThan(3);
    expect(text(await joined(chunked(before)))).toBe(chunks.map(text).join(''));
  });

  it('has all of a collection that is as young, and deleted and merged away meanwhile', async () => {
    const client = await testClient(memoryLogStore(), testPlatform(), COLD);
    await client.query('{"create_collection":{"object":{"name":"spells"}}}');
    for (let id = 1; id <= 400; id++) await client.query(note(id));
    await client.engine.upkeep();
    const before = text(await exported(client.engine));
    const chunks: string[] = [];
    for await (const chunk of client.engine.exportDatabase()) {
      chunks.push(text(chunk));
      if (chunks.length > 1) continue;
      await client.query('[{"delete":{"collection":"spells"}},{"create_collection":{"object":{"name":"notes"}}}]');
      for (let id = 1000; id < 3000; id += 100) {
        await client.query(`[${Array.from({ length: 100 }, (_, n) => note(id + n).replace('spells', 'notes')).join()}]`);
        await client.engine.upkeep();
      }
    }
    expect(chunks.join('')).toBe(before);
  });

  it('tells how far it has come, and ends at the end', async () => {
    const seen: { bytes: number; of: number }[] = [];
    const { client } = await other();
    for await (const _ of client.engine.exportDatabase((progress) => seen.push(progress)));
    expect(seen.map(({ bytes }) => bytes)).toEqual(seen.map(({ bytes }) => bytes).toSorted((a, b) => a - b));
    const last = seen.at(-1);
    expect(last?.bytes).toBe(last?.of);
    // The estimate before its correction at the end was no guess.
    expect(seen.at(-2)?.bytes).toBeGreaterThan(0.7 * (last?.of ?? 0));
  });

  it('reads as it is read: what nobody has asked for is not fetched', async () => {
    const { log: itsLog } = await other();
    let read = 0;
    const store = faulty(memoryLogStore(itsLog), (method) => void (read += method === 'readBlocks' ? 1 : 0));
    const client = await testClient(store, testPlatform(), COLD);
    // Many pieces of the file, each of which has some blocks in it.
    for (let id = 2000; id < 5000; id += 100) await client.query(`[${Array.from({ length: 100 }, (_, at) => note(id + at)).join()}]`);
    await client.engine.upkeep();
    read = 0;
    const chunks = client.engine.exportDatabase()[Symbol.asyncIterator]();
    for (let n = 0; n < 3; n++) await chunks.next();
    const atFirst = read;
    while ((await chunks.next()).done !== true);
    expect(atFirst).toBeGreaterThan(0);
    expect(read).toBeGreaterThan(2 * atFirst);
  });

  it('fails by name when the database is emptied under it', async () => {
    const { client } = await other();
    const chunks = client.engine.exportDatabase()[Symbol.asyncIterator]();
    await chunks.next();
    await client.engine.reset();
    await expect(chunks.next()).rejects.toMatchObject({ name: 'TransferError', code: 'database changed', status: 409 });
  });

  it('goes on where nothing can be written any more', async () => {
    const full = new StorageError('quota', 'full');
    const writes: readonly Method[] = ['append', 'writeBlocks', 'install'];
    const client = await testClient(faulty(memoryLogStore(log), (method) => (writes.includes(method) ? { when: 'before', error: full } : undefined)), testPlatform(), {});
    expect((await client.query(note(1))).status).toBe(507);
    expect(text(await exported(client.engine))).toBe(text(file));
  });
});

describe('a file that is no good changes nothing, and is told apart:', () => {
  const lines = (): string[] => text(file).split('\n');
  const utf8 = (words: string): Uint8Array => new TextEncoder().encode(words);
  const flipped = (at: number): Uint8Array => file.map((byte, place) => (place === at ? byte ^ 4 : byte));
  const cases: readonly (readonly [name: string, file: () => Uint8Array, code: string])[] = [
    ['nothing at all', () => new Uint8Array(), 'not an export'],
    ['a picture', () => Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) & 0xff), 'not an export'],
    ['a text', () => utf8('Once upon a time\n'), 'not an export'],
    ['another JSON', () => utf8('{"data":[]}\n'), 'not an export'],
    ['null', () => utf8('null\n'), 'not an export'],
    ['one of a later form', () => utf8('{"vivarium":"database","version":99,"lastCommit":0}\n'), 'newer export'],
    ['one that ends after its first line', () => file.subarray(0, file.indexOf(10) + 1), 'truncated export'],
    ['one without its last line', () => utf8(lines().slice(0, -2).join('\n') + '\n'), 'truncated export'],
    ['one without its last byte', () => file.subarray(0, -1), 'truncated export'],
    ['one with a line too many at its end', () => utf8(`${text(file)}{"end":true}\n`), 'damaged export'],
    ['one with another first line', () => utf8(text(file).replace(/"lastCommit":\d/, '"lastCommit":9')), 'damaged export'],
    ['one with a changed document', () => utf8(text(file).replace('renamed', 'renameD')), 'damaged export'],
    ['one that misses a row', () => utf8(lines().filter((_, at) => at !== 9).join('\n')), 'damaged export'],
    ['one whose last line counts wrong', () => utf8(text(file).replace(/"rows":\d/, '"rows":9')), 'damaged export'],
  ];

  it.each(cases)('%s', async (_, bad, code) => {
    const { client, log: itsLog, before } = await other();
    const blocks = [...itsLog.blocks.keys()];
    const error = await failing(client.engine.importDatabase(chunked(bad()), { replace: true }));
    expect(error).toMatchObject({ name: 'TransferError', code, status: 400 });
    expect(await exported(client.engine)).toEqual(before);
    expect([...itsLog.blocks.keys()]).toEqual(blocks);
  });

  it('a bit that fell over anywhere, and an end at any place (200 trials)', async () => {
    const { client, log: itsLog, before } = await other();
    const blocks = itsLog.blocks.size;
    for (let trial = 0; trial < 100; trial++) {
      const at = (trial * 7919 * 31) % file.length;
      for (const bad of [flipped(at), file.subarray(0, at)]) {
        expect(await failing(client.engine.importDatabase(chunked(bad), { replace: true })), `byte ${at}`).toMatchObject({ status: 400 });
      }
    }
    expect(itsLog.blocks.size).toBe(blocks);
    expect(await exported(client.engine)).toEqual(before);
  }, 60_000);

  it('a stream that breaks off', async () => {
    const { client, before } = await other();
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield file.subarray(0, 5000);
      throw new Error('the cable was pulled');
    };
    expect(await failing(client.engine.importDatabase(broken(), { replace: true }))).toMatchObject({ message: 'the cable was pulled' });
    expect(await exported(client.engine)).toEqual(before);
  });
});

describe('an import', () => {
  it('leaves a database alone that holds anything, unless it is told to replace it', async () => {
    const { client, before, log: itsLog } = await other();
    const closed = vi.fn();
    const refused = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* chunked(file);
      } finally {
        closed();
      }
    };
    expect(await failing(client.engine.importDatabase(refused()))).toMatchObject({ code: 'database not empty', status: 409 });
    expect(closed).toHaveBeenCalledOnce();
    expect(await exported(client.engine)).toEqual(before);
    await client.engine.importDatabase(chunked(file), { replace: true });
    expect(text(await exported(client.engine))).toBe(text(file));
    expect(await describeWorld(client, world)).toEqual(told);
    // What was replaced is gone from the store too.
    const size = [...itsLog.blocks.values()].reduce((sum, { length }) => sum + length, 0);
    expect(size).toBeLessThan(file.length);
  });

  it('leaves it alone also where another engine has merged its blocks since', async () => {
    const { client, log: itsLog } = await other();
    // Before each change of the manifest this one looks, so that it misses only the last.
    const looking = faulty(memoryLogStore(itsLog), (method) => (method === 'install' ? { when: 'before', until: client.query('null') } : undefined));
    const neighbour = await testClient(looking, testPlatform(), COLD);
    for (let id = 61; id <= 240; id++) {
      await neighbour.query(note(id));
      if (id % 60 === 0) await neighbour.engine.upkeep();
    }
    expect(await failing(client.engine.importDatabase(chunked(file)))).toMatchObject({ code: 'database not empty' });
  });

  it('does not lose a write that another engine makes while it runs', async () => {
    const shared = memoryLog();
    const into = await testClient(memoryLogStore(shared), testPlatform(), {});
    const neighbour = await testClient(memoryLogStore(shared), testPlatform(), {});
    const slowly = async function* (): AsyncGenerator<Uint8Array> {
      let chunks = 0;
      for await (const chunk of chunked(file)) {
        yield chunk;
        if (++chunks === 3) expect((await neighbour.query('{"create_collection":{"object":{"name":"meanwhile"}}}')).status).toBe(201);
      }
    };
    expect(await failing(into.engine.importDatabase(slowly()))).toMatchObject({ code: 'database not empty' });
    expect((await into.query('{"exists":{"collection":"meanwhile"}}')).text).toBe('{"resource":true}');
    expect(shared.blocks.size).toBe(0);
  });

  it('of two at once the later one stands, and the other says so', async () => {
    const shared = memoryLog();
    const [a, b] = [await testClient(memoryLogStore(shared), testPlatform(), {}), await testClient(memoryLogStore(shared), testPlatform(), {})];
    let start = (): void => {};
    const started = new Promise<void>((resolve) => (start = resolve));
    let go = (): void => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    const slowly = async function* (): AsyncGenerator<Uint8Array> {
      yield file.subarray(0, 30_000);
      start();
      await held;
      yield file.subarray(30_000);
    };
    const first = failing(a.engine.importDatabase(slowly(), { replace: true }));
    await started;
    await new Promise((resolve) => setTimeout(resolve, 20));
    await b.engine.importDatabase(chunked(file), { replace: true });
    go();
    expect(await first).toMatchObject({ code: 'database changed' });
    expect(text(await exported(a.engine))).toBe(text(file));
  });

  it('has come to its end with its last change, even if nothing can be read after that', async () => {
    let installs = 0;
    let failures = 0;
    const store = faulty(memoryLogStore(), (method) => {
      if (method === 'install') installs++;
      if (installs < 2 || failures > 0 || (method !== 'tail' && method !== 'header')) return undefined;
      failures++;
      return { when: 'before', error: new StorageError('timeout', 'by the test') };
    });
    const into = await testClient(store, testPlatform(), {});
    await into.engine.importDatabase(chunked(file));
    expect(failures).toBe(1);
    expect(text(await exported(into.engine))).toBe(text(file));
  });

  it('goes in slices: no call of the store writes more than eight blocks', async () => {
    const slices: number[] = [];
    const store = memoryLogStore();
    const watched: LogStore = { ...bound(store), writeBlocks: (blocks) => (slices.push(blocks.length), store.writeBlocks(blocks)) };
    const into = await testClient(watched, testPlatform(), {});
    await into.engine.importDatabase(chunked(file));
    expect(slices.length).toBeGreaterThan(1);
    expect(Math.max(...slices)).toBe(8);
  });

  it('ended at any call of the store leaves the old state or the new one, and the next one clears up', async () => {
    const ends: string[] = [];
    for (const method of ['writeBlocks', 'install'] as const) {
      for (const when of ['before', 'after'] as const) {
        for (let nth = 1; ; nth++) {
          const { log: itsLog, before } = await other();
          let isHit = false;
          const end = new Promise<never>(() => undefined);
          let hit = (): void => {};
          const isOver = new Promise<void>((resolve) => (hit = () => setTimeout(resolve, 20)));
          // From there on the engine is gone: its call never returns.
          const store = faulty(memoryLogStore(itsLog), (called, count) => {
            if (called === method && count === nth) hit();
            isHit ||= called === method && count === nth;
            return isHit ? { when, until: end } : undefined;
          });
          const doomed = await testClient(store, testPlatform(), { cacheBytes: 0 });
          await Promise.race([doomed.engine.importDatabase(chunked(file), { replace: true }), isOver]);
          const next = await testClient(memoryLogStore(itsLog), testPlatform(), { cacheBytes: 0 });
          const now = text(await exported(next.engine));
          expect([text(before), text(file)], `${method} ${nth} ${when}`).toContain(now);
          if (!isHit) break;
          ends.push(now === text(file) ? 'new' : 'old');
          await next.engine.importDatabase(chunked(file), { replace: true });
          expect(text(await exported(next.engine))).toBe(text(file));
          expect(itsLog.blocks.size).toBeLessThan(file.length / 10_000 + 5);
        }
      }
    }
    expect(new Set(ends)).toEqual(new Set(['old', 'new']));
  }, 60_000);

  it('for which there is no room says so, leaves no block behind, and the old state stands', async () => {
    const { log: itsLog, before } = await other();
    const blocks = [...itsLog.blocks.keys()];
    const store = faulty(memoryLogStore(itsLog), faultAt('writeBlocks', 2, { when: 'before', error: new StorageError('quota', 'there is no room left') }));
    const client = await testClient(store, testPlatform(), { cacheBytes: 0 });
    expect(await failing(client.engine.importDatabase(chunked(file), { replace: true }))).toMatchObject({ name: 'StorageError', code: 'quota' });
    expect(await exported(client.engine)).toEqual(before);
    expect([...itsLog.blocks.keys()]).toEqual(blocks);
  });
});

/** A store's methods as fields, so that some can be replaced. */
function bound(store: LogStore): LogStore {
  return faulty(store, () => undefined);
}

it('what an import writes is of the epoch that its announcement ends, also where another engine has installed meanwhile', async () => {
  const itsLog = memoryLog();
  const into = await testClient(memoryLogStore(itsLog), testPlatform(), COLD);
  const another = memoryLogStore(itsLog);
  await another.open();
  // As merges do, which leave the floor where it is: nobody learns of them by a look at the log.
  for (let expected = 0; expected < 3; expected++) await another.install({ expected, manifest: encodeManifest(EMPTY_MANIFEST, testPlatform().utf8), floor: 0 });
  await into.engine.importDatabase(chunked(file));
  expect(Math.min(...itsLog.blocks.keys())).toBeGreaterThanOrEqual(newBase(3, 0));
});

// What happens to databases in browsers: deleted, upgraded, damaged, blocked.
import { deleteDB, openDB } from 'idb';
import { describe, expect, it, vi } from 'vitest';
import { FORMAT, type LogStore } from '../engine/kv/log-store.ts';
import { ownDatabase } from '../testing/native-database.ts';
import { appended, bytes, counting, noise, record, write } from '../testing/records.ts';
import { openDatabase } from './database.ts';
import { openStore } from './open.ts';
import { partKey, type StoredPart, VOID } from './parts.ts';
import { exportStores, importStores } from './raw-copy.ts';
import type { StoredBlock, StoredHeader, StoredManifest } from './stored.ts';

const own = ownDatabase('trouble');
const { engine, openEngine, outside } = own;
/** Changes one stored value from outside. */
const change = <T>(store: string, key: IDBValidKey, edit: (value: T) => T): Promise<unknown> =>
  outside(async (db) => db.put(store, edit(await db.get(store, key)), key));
/** Of a call: longer than a busy machine takes for one that nothing holds up. */
const LIMIT_MS = 3_000;
const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte, at) => (at === 1 ? byte ^ 1 : byte));

describe('a database deleted while it is open', () => {
  it('is let go at once, and its loss is reported until somebody opens again', async () => {
    const store = await openEngine();
    await write(store, 'one');
    await deleteDB(own.name);
    await expect(store.tail(0)).rejects.toMatchObject({ code: 'evicted' });
    await expect(store.append(1, () => bytes('two'))).rejects.toMatchObject({ code: 'evicted' });
    // To look at the header again makes no other database of it.
    await expect(store.header()).rejects.toMatchObject({ code: 'evicted' });
    expect(await store.open()).toMatchObject({ floor: 0, manifest: null });
    expect(await store.append(0, () => bytes('anew'))).toMatchObject({ kind: 'appended', number: 1 });
  });

  it('is not made again by finding out', async () => {
    const store = await openEngine();
    await deleteDB(own.name);
    await expect(store.tail(0)).rejects.toMatchObject({ code: 'evicted' });
    // WebKit lists what was only asked for, under version 0.
    const there = (await indexedDB.databases()).filter(({ version = 0 }) => version > 0);
    expect(there.map((database) => database.name)).not.toContain(own.name);
  });

  it('is not taken for a new one of the same name', async () => {
    const [store, other] = [await openEngine(), await openEngine()];
    await write(store, 'one');
    await deleteDB(own.name);
    await other.tail(0).catch(() => undefined);
    await other.open();
    await write(other, 'another one');
    await expect(store.tail(1)).rejects.toMatchObject({ code: 'evicted' });
  });

  it('is told from a copy of it that knows less, to which nothing is added', async () => {
    const store = await openEngine();
    await write(store, 'one');
    const copy = await new Response(exportStores({ name: own.name })).blob();
    await write(store, 'two', 'three');
    await deleteDB(own.name);
    await importStores(copy, { name: own.name });
    await expect(store.append(3, () => bytes('four'))).rejects.toMatchObject({ code: 'evicted' });
    expect((await (await openEngine()).tail(0)).records).toEqual([record(1, 'one')]);
  });

  it('is told from a copy of it whose log begins to count anew', async () => {
    const [store, other] = [await openEngine(), await openEngine()];
    await write(store, 'one');
    await write(other, 'two');
    await other.install({ expected: 0, manifest: bytes('manifest'), floor: 2 });
    const copy = await new Response(exportStores({ name: own.name })).blob();
    other.close();
    await deleteDB(own.name);
    await importStores(copy, { name: own.name });
    await (await openEngine()).open({ durability: 'relaxed' });
    await expect(store.append(1, () => bytes('late'))).rejects.toMatchObject({ code: 'evicted' });
  });

  it('is missed also by a store that was closed meanwhile, and by open itself', async () => {
    const store = await openEngine();
    store.close();
    await deleteDB(own.name);
    await expect(store.open()).rejects.toMatchObject({ code: 'evicted' });
    expect(await store.open()).toMatchObject({ floor: 0 });
  });
});

describe('a connection closed underneath', () => {
  it('is opened again by the next call', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const store = await openEngine();
    await write(store, 'one');
    const db = transaction.mock.contexts.at(-1) as IDBDatabase;
    db.close();
    db.dispatchEvent(new Event('close'));
    expect((await store.tail(0)).records).toEqual([record(1, 'one')]);
    expect(transaction.mock.contexts.at(-1)).not.toBe(db);
  });

  it('ends what is under way before it is given up for an upgrade', async () => {
    const store = await openEngine();
    const asleep = await openEngine();
    await write(asleep, 'one');
    await write(store, 'two');
    // The end of both is told only once the upgrade has asked for the connections.
    const original = IDBDatabase.prototype.transaction;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      const transaction = original.apply(this, args);
      const asked = new Promise((resolve) => this.addEventListener('versionchange', resolve));
      const hold = (event: Event): void => {
        event.stopImmediatePropagation();
        void asked.then(() => transaction.dispatchEvent(new Event('complete')));
      };
      transaction.addEventListener('complete', hold, { once: true });
      return transaction;
    });
    const appending = Promise.allSettled([store.append(2, () => bytes('three')), asleep.append(1, () => bytes('four'))]);
    const upgraded = await openDB(own.name, 3);
    upgraded.close();
    vi.restoreAllMocks();
    // Both were sent before; the second has to look again, and finds a newer version at work.
    expect(await appending).toMatchObject([
      { status: 'fulfilled', value: { kind: 'appended', number: 3 } },
      { status: 'rejected', reason: { code: 'newer-format' } },
    ]);
    // Of the fourth there is a void record.
    expect(await outside((db) => db.getAllKeys('log'))).toEqual([1, 2, 3, 4]);
    await expect(store.tail(0)).rejects.toMatchObject({ code: 'newer-format' });
  });
});

describe('a database of a newer version', () => {
  const upgrade = async (): Promise<void> => {
    await change<StoredHeader>('meta', 'header', (header) => ({ ...header, format: FORMAT + 1, floor: 1_000_000 }));
    // As whoever changes the header leaves a void record.
    await outside((db) => db.add('log', { ...VOID, format: FORMAT + 1 }));
  };

  it('is refused at opening', async () => {
    await openEngine();
    await upgrade();
    await expect(engine().open()).rejects.toMatchObject({ code: 'newer-format' });
  });

  it('is refused by every call of an engine that was open before', async () => {
    const store = await openEngine();
    await write(store, 'one');
    await upgrade();
    await expect(store.tail(1)).rejects.toMatchObject({ code: 'newer-format' });
    await expect(store.append(1, () => bytes('two'))).rejects.toMatchObject({ code: 'newer-format' });
    await expect(store.append(0, () => bytes('two'))).rejects.toMatchObject({ code: 'newer-format' });
    await expect(store.install({ expected: 0, manifest: bytes('old'), floor: 1 })).rejects.toMatchObject({ code: 'newer-format' });
    await expect(store.reset()).rejects.toMatchObject({ code: 'newer-format' });
    expect(await outside((db) => db.get('meta', 'manifest'))).toBeUndefined();
  });
});

describe('a damaged database', () => {
  const withRecords = async (): Promise<LogStore> => {
    const store = await openEngine();
    await write(store, 'one', 'two', 'three');
    return store;
  };

  it('is noticed by a changed byte in a record, read or appended after', async () => {
    const store = await withRecords();
    await change<StoredPart>('log', partKey(2), (part) => ({ ...part, bytes: flip(part.bytes) }));
    await expect(store.tail(0)).rejects.toMatchObject({ code: 'corrupt', message: 'record 2 does not match its checksum' });
    // The first leaves a void record, and then it knows.
    for (let time = 0; time < 5; time++) await expect(store.append(0, () => bytes('four'))).rejects.toMatchObject({ code: 'corrupt' });
    expect(await outside((db) => db.count('log'))).toBe(4);
  });

  it('is noticed by a record missing in the middle', async () => {
    const store = await withRecords();
    await outside((db) => db.delete('log', partKey(2)));
    await expect(store.tail(0)).rejects.toMatchObject({ code: 'corrupt', message: 'part 0 of record 2 is missing or damaged' });
  });

  it('is noticed by a missing part', async () => {
    const store = await openEngine();
    await store.append(0, () => noise(150_000, 1));
    await outside((db) => db.delete('log', partKey(1, 2)));
    await expect(store.tail(0)).rejects.toMatchObject({ code: 'corrupt', message: 'part 2 of record 1 is missing or damaged' });
  });

  it('is noticed by a changed byte in a block', async () => {
    const store = await openEngine();
    await store.writeBlocks([{ id: 5, bytes: bytes('block') }]);
    await change<StoredBlock>('blocks', 5, (block) => ({ ...block, bytes: flip(block.bytes) }));
    await expect(store.readBlocks([5])).rejects.toMatchObject({ code: 'corrupt', message: 'block 5 is damaged' });
  });

  it('is noticed by a changed byte in the manifest', async () => {
    const store = await openEngine();
    await store.install({ expected: 0, manifest: bytes('manifest'), floor: 0 });
    await change<StoredManifest>('meta', 'manifest', (manifest) => ({ ...manifest, bytes: manifest.bytes && flip(manifest.bytes) }));
    await expect(store.open()).rejects.toMatchObject({ code: 'corrupt', message: 'the manifest is damaged' });
    await expect(store.install({ expected: 1, manifest: bytes('next'), floor: 0 })).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('is noticed by a header that is missing or makes no sense', async () => {
    const store = await openEngine();
    const header = (await outside((db) => db.get('meta', 'header'))) as StoredHeader;
    for (const broken of [{ floor: -1 }, { identity: 'x' }, { settings: undefined }]) {
      await outside((db) => db.put('meta', { ...header, ...broken }, 'header'));
      await expect(store.tail(0)).rejects.toMatchObject({ code: 'corrupt', message: 'the header is damaged' });
    }
    await outside((db) => db.delete('meta', 'header'));
    await expect(engine().open()).rejects.toMatchObject({ code: 'corrupt', message: 'the header is missing or damaged' });
  });

  it('is noticed when it has no object stores of ours', async () => {
    (await openDB(own.name, 1)).close();
    await expect(engine().open()).rejects.toMatchObject({ code: 'corrupt' });
  });
});

describe('the time limit', () => {
  /** In Chromium an append is sent for good: it stands before all that is asked later. Else it is called back, as an install is. */
  const isSentAtOnce = /Chrome\//.test(navigator.userAgent);

  /** A transaction held open from outside, as by a tab frozen inside it. */
  const freeze = async (): Promise<() => Promise<void>> => {
    const db = (await openDatabase(own.name, { create: false, onClosed: () => undefined })) as IDBDatabase;
    const transaction = db.transaction(['meta', 'log', 'blocks'], 'readwrite');
    const done = new Promise<void>((resolve) => transaction.addEventListener('complete', () => resolve()));
    let isFrozen = true;
    const keepAlive = (): void => {
      if (isFrozen) transaction.objectStore('meta').count().onsuccess = keepAlive;
    };
    keepAlive();
    return async () => {
      isFrozen = false;
      await done;
      db.close();
    };
  };

  it('ends every call, and says of which the end is open', async () => {
    const store = await openEngine({ timeoutMs: LIMIT_MS });
    await write(store, 'one');
    const thaw = await freeze();
    const calls = [
      store.tail(0),
      store.readBlocks([1]),
      store.install({ expected: 0, manifest: bytes('manifest'), floor: 1 }),
      store.append(1, () => bytes('two')),
    ];
    const [tail, blocks, install, append] = await Promise.all(calls.map((call: Promise<unknown>) => call.catch((error: unknown) => error)));
    expect(tail).toMatchObject({ code: 'timeout', uncertain: false });
    expect(blocks).toMatchObject({ code: 'timeout', uncertain: false });
    expect(install).toMatchObject({ code: 'timeout', uncertain: false });
    expect(append).toMatchObject({ code: 'timeout', uncertain: isSentAtOnce });
    await thaw();
    expect(await store.tail(0)).toMatchObject({ floor: 0, records: [record(1, 'one'), ...(isSentAtOnce ? [record(2, 'two')] : [])] });
  });

  it.each([
    ['append', isSentAtOnce, (store) => store.append(1, () => bytes('two'))],
    ['install', false, (store) => store.install({ expected: 0, manifest: bytes('manifest'), floor: 1 })],
  ] as readonly [string, boolean, (store: LogStore) => Promise<unknown>][])('ends one %s, too', async (_, isSent, act) => {
    const store = await openEngine({ timeoutMs: LIMIT_MS });
    await write(store, 'one');
    const thaw = await freeze();
    await expect(act(store)).rejects.toMatchObject({ code: 'timeout', uncertain: isSent });
    await thaw();
    expect(await store.tail(0)).toMatchObject({ floor: 0, records: [record(1, 'one'), ...(isSent ? [record(2, 'two')] : [])] });
    expect(await store.header()).toMatchObject({ manifestNumber: 0 });
  });
});

describe('a blocked upgrade', () => {
  it('is reported, at once to those who come later, and gives way once it is through', async () => {
    (await openEngine()).close();
    const old = await openDB(own.name, 2);
    const upgrade = (): Promise<unknown> => openDatabase(own.name, { create: true, version: 3, onClosed: () => undefined });
    await expect(upgrade()).rejects.toMatchObject({ code: 'blocked' });
    const began = performance.now();
    await expect(upgrade()).rejects.toMatchObject({ code: 'blocked' });
    expect(performance.now() - began).toBeLessThan(500);
    old.close();
    // Would be blocked in turn if the late connection were kept.
    await deleteDB(own.name);
  });
});

describe('durability', () => {
  const durabilities = (spy: { mock: { calls: unknown[][] } }): unknown[] =>
    spy.mock.calls.filter(([, mode]) => mode === 'readwrite').map(([, , options]) => (options as IDBTransactionOptions).durability);

  it('is strict unless the settings say otherwise', async () => {
    const store = await openEngine();
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await store.append(0, () => bytes('one'));
    await store.open({ durability: 'relaxed' });
    await store.append(1, () => bytes('two'));
    await store.append(0, () => bytes('three'));
    expect(durabilities(spy)).toEqual(['strict', 'strict', 'relaxed', 'relaxed', 'relaxed']);
  });

  it.each([
    ['has added nothing yet', [], ['relaxed', 'strict']],
    ['has added something, and adds blindly', ['one'], ['relaxed', 'relaxed', 'strict']],
  ])('made strict by another engine holds from the next append on, also for one that %s', async (_, before, expected) => {
    const [a, b] = [await openEngine(), await openEngine()];
    await a.open({ durability: 'relaxed' });
    await write(a, ...before);
    const after = (await a.tail(0)).records.length;
    await b.open({ durability: 'strict' });
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const { number } = appended(await a.append(after, () => noise(1_000, 1)));
    // What had gone out relaxed is written once more before it is acknowledged.
    expect(durabilities(spy)).toEqual(expected);
    await a.append(number, () => noise(100_000, 2));
    expect(durabilities(spy)).toEqual([...expected, 'strict']);
    const { records } = await b.tail(after);
    expect(counting(records).map(({ body }) => body)).toEqual([noise(1_000, 1), noise(100_000, 2)]);
  });
});

describe('others on the database', () => {
  it('are told before the log changes, and of nothing else', async () => {
    let told = 0;
    const store = await openEngine({ announced: (change) => (told++, change()) });
    await store.open({ durability: 'strict' });
    await store.tail(0);
    await store.writeBlocks([{ id: 1, bytes: bytes('block') }]);
    await store.readBlocks([1]);
    await store.deleteBlocks({ from: 1, to: 2 }, 1);
    expect(told).toBe(0);
    const changes = [
      () => store.append(0, () => bytes('one')),
      () => store.install({ expected: 0, manifest: bytes('manifest'), floor: 1 }),
      () => store.open({ durability: 'relaxed' }),
      () => store.reset(),
    ];
    for (const [before, change] of changes.entries()) {
      await change();
      expect(told).toBe(before + 1);
    }
  });

  it('have to be told before: where that fails, nothing changes', async () => {
    const store = await openEngine({ announced: () => Promise.reject(new Error('no locks')) });
    await expect(store.append(0, () => bytes('one'))).rejects.toThrow('no locks');
    expect((await store.tail(0)).records).toEqual([]);
  });
});

describe('what is stored', () => {
  it('is the view, not the buffer around it', async () => {
    const store = await openEngine();
    const large = new Uint8Array(1_000_000);
    await store.append(0, () => large.subarray(0, 10));
    await store.writeBlocks([{ id: 1, bytes: large.subarray(0, 10) }]);
    await store.install({ expected: 0, manifest: large.subarray(0, 10), floor: 0 });
    const stored = await outside(async (db) => [await db.get('log', partKey(1)), await db.get('blocks', 1), await db.get('meta', 'manifest')]);
    expect(stored.map(({ bytes }: { bytes: Uint8Array }) => bytes.buffer.byteLength)).toEqual([10, 10, 10]);
  });

  it('holds no more of the log than what is above the floor', async () => {
    const [store, asleep] = [await openEngine(), await openEngine()];
    await write(store, 'one', 'two', 'three');
    await store.install({ expected: 0, manifest: bytes('first'), floor: 2 });
    expect(await outside((db) => db.getAllKeys('log'))).toEqual([partKey(3)]);
    // A dead record, under the floor, goes with the next install.
    await asleep.append(0, () => bytes('late'));
    await store.install({ expected: 1, manifest: bytes('second'), floor: 2 });
    expect(await outside((db) => db.getAllKeys('log'))).toEqual([partKey(3)]);
  });

  it('is in IndexedDB where there is one', async () => {
    const { store, header } = await openStore(own.name);
    own.kept(store);
    expect(store.info).toEqual({ backend: 'indexeddb', persistent: true });
    expect(await store.open()).toEqual(header);
  });
});

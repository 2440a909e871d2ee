// What was lost, or may have been: a database that the browser has thrown away, a write whose time has run out, an
// install whose end nobody saw.
import { deleteDB } from 'idb';
import { afterEach, expect, it, vi } from 'vitest';
import { type NativeFaults, nativeFaults } from '../testing/native-faults.ts';
import { ownDatabase } from '../testing/native-database.ts';
import { bytes, record, write } from '../testing/records.ts';
import { openDatabase } from './database.ts';
import { idbLogStore } from './idb.ts';
import { runner } from './transact.ts';

let faults: NativeFaults | null = null;
const own = ownDatabase('lost');
const { engine, outside } = own;

afterEach(() => {
  faults?.restore();
  faults = null;
});

it('a database of which the browser says that it has lost it is told of once, and is empty from then on', async () => {
  const told = vi.fn(() => 'total');
  const own = Object.getOwnPropertyDescriptor(IDBVersionChangeEvent.prototype, 'dataLoss');
  Object.defineProperty(IDBVersionChangeEvent.prototype, 'dataLoss', { configurable: true, get: told });
  try {
    await expect(engine().open()).rejects.toMatchObject({ code: 'evicted' });
  } finally {
    Reflect.deleteProperty(IDBVersionChangeEvent.prototype, 'dataLoss');
    if (own !== undefined) Object.defineProperty(IDBVersionChangeEvent.prototype, 'dataLoss', own);
  }
  expect(told).toHaveBeenCalled();
  const store = engine();
  expect(await store.open()).toMatchObject({ floor: 0, manifest: null });
  await write(store, 'one');
  expect((await store.tail(0)).records).toEqual([record(1, 'one')]);
});

it('where a database that was removed cannot be opened again, calls are refused until it is', async () => {
  const store = engine();
  await store.open();
  await write(store, 'one');
  await deleteDB(own.name);
  await expect(store.tail(1)).rejects.toMatchObject({ code: 'evicted' });
  const opening = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  await expect(store.open()).rejects.toMatchObject({ code: 'quota' });
  opening.mockRestore();
  await expect(store.tail(1)).rejects.toMatchObject({ code: 'evicted' });
  await expect(store.append(1, () => bytes('two'))).rejects.toMatchObject({ code: 'evicted' });
  // Nobody has made another one.
  expect((await indexedDB.databases()).filter(({ name, version }) => name === own.name && version)).toEqual([]);
  expect(await store.open()).toMatchObject({ floor: 0, manifest: null });
  await write(store, 'anew');
  expect((await store.tail(0)).records).toEqual([record(1, 'anew')]);
});

it('nor are they allowed where its settings cannot be written', async () => {
  const store = engine();
  await store.open({ durability: 'relaxed' });
  await write(store, 'one');
  await deleteDB(own.name);
  await expect(store.tail(1)).rejects.toMatchObject({ code: 'evicted' });
  const { put } = IDBObjectStore.prototype;
  const writing = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value: { settings?: { durability: string } }, key) {
    if (value.settings?.durability === 'relaxed') throw new DOMException('no room', 'QuotaExceededError');
    return put.call(this, value, key);
  });
  await expect(store.open({ durability: 'relaxed' })).rejects.toMatchObject({ code: 'quota' });
  writing.mockRestore();
  await expect(store.tail(1)).rejects.toMatchObject({ code: 'evicted' });
  expect(await store.open({ durability: 'relaxed' })).toMatchObject({ settings: { durability: 'relaxed' } });
});

it('a store that is closed closes its connection, too', async () => {
  const store = engine();
  await store.open();
  const closed = vi.spyOn(IDBDatabase.prototype, 'close');
  store.close();
  await vi.waitFor(() => expect(closed.mock.contexts.map((db) => (db as IDBDatabase).name)).toContain(own.name), 10_000);
});

it('a write that begins when its time has run out does nothing', async () => {
  const db = (await openDatabase(own.name, { create: true, onClosed: () => undefined })) as IDBDatabase;
  const late = runner(db, AbortSignal.abort()).write(['blocks'], 'strict', (transaction) => {
    transaction.objectStore('blocks').add('late', 1);
    return () => undefined;
  });
  await expect(late).rejects.toMatchObject({ code: 'timeout', uncertain: false });
  db.close();
  expect(await outside((db) => db.count('blocks'))).toBe(0);
});

it('a change that is stopped when nothing is asked any more may have taken effect', async () => {
  const store = idbLogStore(own.name, { timeoutMs: 500 });
  await store.open();
  // As in Chromium, which lets an abort pass while the commit waits for the disk.
  const { transaction } = IDBDatabase.prototype;
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    const its = transaction.apply(this, args);
    its.addEventListener('complete', (event) => event.stopImmediatePropagation());
    return Object.assign(its, { abort: () => undefined });
  });
  try {
    await expect(store.install({ expected: 0, manifest: bytes('late'), floor: 0 })).rejects.toMatchObject({ code: 'timeout', uncertain: true });
  } finally {
    begun.mockRestore();
  }
  expect(await store.header()).toMatchObject({ manifestNumber: 1 });
  store.close();
});

it('an install whose end nobody saw, and upon which another one has built, may have taken effect', async () => {
  const [store, other] = [engine(), engine()];
  await store.open();
  await other.open();
  await write(store, 'one');
  let building: Promise<boolean> | null = null;
  faults = nativeFaults((nth) => {
    // It is lost after its commit, and before it looks what became of it the other one has gone on.
    if (nth === 2) building = other.install({ expected: 1, manifest: bytes('built upon it'), floor: 0 });
    return nth === 1 ? 'unseen' : undefined;
  });
  await expect(store.install({ expected: 0, manifest: bytes('unseen'), floor: 0 })).rejects.toMatchObject({ code: 'lost', uncertain: true });
  expect(await building).toBe(true);
  expect((await store.tail(0)).records).toEqual([record(1, 'one')]);
});

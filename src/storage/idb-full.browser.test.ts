// A disk that is full, and the reset that makes room again.
import { describe, expect, it, vi } from 'vitest';
import { ownDatabase } from '../testing/native-database.ts';
import { bytes, record, texts, write } from '../testing/records.ts';

const own = ownDatabase('full');
const { openEngine, outside } = own;

describe('a full disk', () => {
  it('changes nothing where one of several requests fails, though later ones would not', async () => {
    const store = await openEngine();
    await write(store, 'one', 'two');
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value: unknown, key) {
      // Found out when it is carried out, as that there is no room.
      return key === 'manifest' ? this.add(value, 'header') : put.call(this, value, key);
    });
    await expect(store.install({ expected: 0, manifest: bytes('manifest'), floor: 2 })).rejects.toMatchObject({ name: 'ConstraintError' });
    vi.restoreAllMocks();
    expect(await store.open()).toMatchObject({ floor: 0, manifest: null });
    expect(texts((await store.tail(0)).records)).toEqual(['one', 'two']);
  });

  it('is reported as such, and changes nothing', async () => {
    const store = await openEngine();
    await write(store, 'one');
    for (const change of [() => store.append(1, () => bytes('two')), () => store.writeBlocks([{ id: 1, bytes: bytes('block') }])]) {
      vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
        throw new DOMException('full', 'QuotaExceededError');
      });
      await expect(change()).rejects.toMatchObject({ code: 'quota', uncertain: false });
    }
    expect(await store.readBlocks([1])).toEqual([undefined]);
    expect((await store.tail(0)).records).toEqual([record(1, 'one')]);
  });

  it('has room again after a reset: nothing is left of records and blocks', async () => {
    const store = await openEngine();
    await write(store, 'one', 'two');
    await store.writeBlocks([{ id: 1, bytes: bytes('block') }]);
    await store.reset();
    expect(await outside((db) => Promise.all([db.count('log'), db.count('blocks')]))).toEqual([0, 0]);
    const { floor } = await store.open();
    expect(await store.append(floor, () => bytes('anew'))).toMatchObject({ kind: 'appended', number: floor + 1 });
  });

  it('can be reset all the same, and to every engine on it that is a reset', async () => {
    const [store, other] = [await openEngine(), await openEngine()];
    await store.open({ durability: 'relaxed' });
    await write(store, 'one', 'two');
    const last = (await other.tail(0)).records.length;
    const put = IDBObjectStore.prototype.put;
    // Even the database made anew finds no room at first.
    let refusals = 2;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      const isRefused = refusals-- > 0;
      if (isRefused && this.transaction.mode === 'readwrite') throw new DOMException('full', 'QuotaExceededError');
      const request = put.apply(this, args);
      if (isRefused) queueMicrotask(() => this.transaction.abort());
      return request;
    });
    const resetting = store.reset();
    const meanwhile = store.tail(last);
    await resetting;
    expect(refusals).toBeLessThan(0);
    const { floor, ...header } = await store.open();
    // Newer than whatever somebody may have installed meanwhile.
    expect(header).toMatchObject({ settings: { durability: 'relaxed' }, manifestNumber: 100, manifest: null });
    expect(await meanwhile).toMatchObject({ records: [] });
    expect(await other.tail(last)).toMatchObject({ floor, records: [] });
    expect(await other.append(last, () => bytes('late'))).toEqual({ kind: 'trimmed', floor });
    expect(await other.append(floor, () => bytes('anew'))).toMatchObject({ kind: 'appended', number: floor + 1 });
  });
});

it.each([true, false])('a log that was trimmed far goes on above its floor after a reset (full disk: %s)', async (isFull) => {
  const store = await openEngine();
  await outside(async (db) => db.put('meta', { ...((await db.get('meta', 'header')) as object), floor: 50_000 }, 'header'));
  if (isFull) {
    vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
  }
  await store.reset();
  const { floor } = await store.open();
  expect(floor).toBeGreaterThan(50_000);
  expect(await store.append(floor, () => bytes('anew'))).toMatchObject({ kind: 'appended', number: floor + 1 });
});

describe('a full disk that is reset while others work on', () => {
  it('is not taken for the database that another engine made meanwhile', async () => {
    const [store, other] = [await openEngine(), await openEngine()];
    await write(store, 'one');
    vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const resetting = store.reset().catch((error: unknown) => error);
    await vi.waitUntil(async () => (await indexedDB.databases()).every((database) => database.name !== own.name), 10_000);
    await expect(other.tail(1)).rejects.toMatchObject({ code: 'evicted' });
    await other.open();
    await write(other, 'theirs');
    expect(await resetting).toMatchObject({ code: 'evicted' });
    await expect(store.append(1, () => bytes('lost between'))).rejects.toMatchObject({ code: 'evicted' });
    await store.open();
    expect((await store.tail(0)).records).toEqual([record(1, 'theirs')]);
  });

  it('goes on also where others have waited for it in vain', async () => {
    const store = own.engine({ timeoutMs: 1000 });
    const { identity } = await store.open();
    await write(store, 'one');
    vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const resetting = store.reset();
    await vi.waitUntil(async () => (await indexedDB.databases()).every((database) => database.name !== own.name), 10_000);
    for (let time = 0; time < 2; time++) await expect(store.tail(1)).rejects.toMatchObject({ code: 'timeout' });
    await resetting;
    expect(await store.open()).toMatchObject({ identity, manifest: null });
  });
});

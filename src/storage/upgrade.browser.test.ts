// A database of format 1 that is opened by this build, also while an engine of format 1 works on it.
import { deleteDB, type IDBPDatabase } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { numberAfterFormat1 } from '../engine/kv/block-ids.ts';
import { FORMAT, type LogStore } from '../engine/kv/log-store.ts';
import { outsideOf } from '../testing/native-database.ts';
import { bytes, record, write } from '../testing/records.ts';
import { idbLogStore } from './idb.ts';
import { partKey, toParts } from './parts.ts';
import type { StoredHeader } from './stored.ts';

let name: string;
let stores: LogStore[];
const engine = (): LogStore => {
  const store = idbLogStore(name);
  stores.push(store);
  return store;
};
const outside = <T>(work: (db: IDBPDatabase) => Promise<T>): Promise<T> => outsideOf(name, work);
const format = (): Promise<number> => outside(async (db) => ((await db.get('meta', 'header')) as StoredHeader).format);

beforeEach(async () => {
  name = `upgrade ${crypto.randomUUID()}`;
  stores = [];
  const store = engine();
  await write(store, 'one', 'two', 'three');
  await store.install({ expected: 0, manifest: bytes('manifest'), floor: 1 });
  await outside(async (db) => db.put('meta', { ...(await db.get('meta', 'header')), format: 1 }, 'header'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const store of stores) store.close();
  await deleteDB(name);
});

const LIFTED = { format: FORMAT, floor: 4, manifestNumber: numberAfterFormat1(1), manifest: bytes('manifest') };
const RECORDS = [record(5, 'two'), record(6, 'three')];

describe('a database of format 1', () => {
  it('is lifted when it is opened, above all that an engine of format 1 could add', async () => {
    const store = engine();
    expect(await store.open()).toMatchObject(LIFTED);
    expect((await store.tail(4)).records).toEqual(RECORDS);
    expect(await format()).toBe(FORMAT);
    expect(await outside((db) => db.getAllKeys('log'))).toEqual([partKey(5), partKey(6)]);
  });

  it('is lifted once by engines that open it together, and keeps its identity and settings', async () => {
    const headers = await Promise.all([engine(), engine(), engine()].map((store) => store.open({ durability: 'relaxed' })));
    const before = await outside((db) => db.get('meta', 'header')) as StoredHeader;
    for (const header of headers) expect(header).toMatchObject({ ...LIFTED, identity: before.identity, settings: { durability: 'relaxed' } });
  });

  it('does not count what an engine of format 1 adds that has not heard of it', async () => {
    const store = engine();
    await store.open();
    await outside(async (db) => {
      for (const part of toParts(4, bytes('late'), 7)) await db.add('log', { ...part, format: 1 }, partKey(4));
    });
    expect((await store.tail(4)).records).toEqual(RECORDS);
    expect(await store.append(6, () => bytes('four'))).toMatchObject({ kind: 'appended', number: 7 });
    expect((await store.tail(4)).records).toEqual([...RECORDS, record(7, 'four')]);
  });

  it('is worked on as it is where there is no room to lift it, until there is', async () => {
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const store = engine();
    expect(await store.open()).toMatchObject({ format: 1, floor: 1, manifestNumber: 1 });
    expect((await store.tail(1)).records).toEqual([record(2, 'two'), record(3, 'three')]);
    expect(await store.append(3, () => bytes('four'))).toMatchObject({ kind: 'appended', number: 4 });
    put.mockRestore();
    expect(await store.open()).toMatchObject({ format: FORMAT, floor: 5 });
    expect((await store.tail(5)).records).toEqual([record(6, 'two'), record(7, 'three'), record(8, 'four')]);
  });

  it('says that it is of this format once something of it was installed', async () => {
    vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const store = engine();
    await store.open();
    expect(await format()).toBe(1);
    expect(await store.install({ expected: 1, manifest: bytes('next'), floor: 2 })).toBe(true);
    expect(await format()).toBe(FORMAT);
  });
});

// Databases of earlier formats that are opened by this build, also while an engine of an earlier one has them open.
import { type IDBPDatabase, openDB } from 'idb';
import { describe, expect, it, vi } from 'vitest';
import { numberAfterFormat1 } from '../engine/kv/block-ids.ts';
import { FORMAT } from '../engine/kv/log-store.ts';
import { ownDatabase } from '../testing/native-database.ts';
import { bytes, record } from '../testing/records.ts';
import { partKey, toParts } from './parts.ts';
import { newHeader, newManifest, type StoredHeader } from './stored.ts';

const LARGE = new Uint8Array(150_000).fill(7);

const own = ownDatabase('upgrade');
const { engine, outside } = own;
const open = (): Promise<IDBPDatabase> =>
  openDB(own.name, 1, { upgrade: (db) => ['log', 'blocks', 'meta'].forEach((store) => db.createObjectStore(store)) });

/** As a build of that format leaves it: three records, the first of which was trimmed and the last is large. */
async function make(format: number): Promise<StoredHeader> {
  const db = await open();
  const header: StoredHeader = { ...newHeader(), format, floor: 1 };
  await db.put('meta', header, 'header');
  await db.put('meta', newManifest(1, bytes('manifest')), 'manifest');
  const records = [bytes('one'), bytes('two'), LARGE].entries();
  for (const [at, body] of records) {
    for (const part of toParts(at + 1, body, 7)) await db.put('log', { ...part, format }, part.number * 1024 + part.part);
  }
  db.close();
  return header;
}

describe.each([
  [1, numberAfterFormat1(1)],
  [2, 1],
])('a database of format %i', (format, manifestNumber) => {
  const LIFTED = { format: FORMAT, floor: 1, manifestNumber, manifest: bytes('manifest') };
  const RECORDS = [record(2, 'two'), { number: 3, body: LARGE }];

  it('is lifted when it is opened, and goes on where it was', async () => {
    await make(format);
    const store = engine();
    expect(await store.open()).toMatchObject(LIFTED);
    expect((await store.tail(1)).records).toEqual(RECORDS);
    expect(await store.append(3, () => bytes('four'))).toEqual({ kind: 'appended', number: 4, unseen: [] });
    expect(await store.append(4, () => bytes('five'))).toEqual({ kind: 'appended', number: 5, unseen: [] });
    expect(await outside((db) => db.getAllKeys('log'))).toEqual([partKey(2), partKey(3), partKey(3, 1), partKey(3, 2), partKey(4), partKey(5)]);
  });

  it('whose records were all trimmed goes on above its floor', async () => {
    await make(format);
    const db = await open();
    await db.clear('log');
    db.close();
    const store = engine();
    expect(await store.open()).toMatchObject(LIFTED);
    expect(await outside((db) => db.add('log', 'the next'))).toBe(2);
  });

  it('is lifted once by engines that open it together, and keeps its identity and settings', async () => {
    const { identity } = await make(format);
    const headers = await Promise.all([engine(), engine(), engine()].map((store) => store.open({ durability: 'relaxed' })));
    for (const header of headers) expect(header).toMatchObject({ ...LIFTED, identity, settings: { durability: 'relaxed' } });
  });

  it('is closed before by an engine of that format, which cannot open it again', async () => {
    await make(format);
    const old = await open();
    old.addEventListener('versionchange', () => old.close());
    expect(await engine().open()).toMatchObject(LIFTED);
    await expect(open()).rejects.toMatchObject({ name: 'VersionError' });
  });

  it('is not touched while an engine of that format is frozen, nor where there is no room for it', async () => {
    const before = await make(format);
    const old = await open();
    await expect(engine().open()).rejects.toMatchObject({ code: 'blocked' });
    expect(await old.get('meta', 'header')).toEqual(before);
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    old.close();
    const store = engine();
    // What was refused comes about first.
    await vi.waitFor(() => expect(store.open()).rejects.toMatchObject({ code: 'quota' }), 10_000);
    expect(await outside((db) => db.get('meta', 'header'))).toEqual(before);
    put.mockRestore();
    expect(await store.open()).toMatchObject(LIFTED);
    expect((await store.tail(1)).records).toEqual(RECORDS);
  });

  it('is not touched where the browser gives up in the middle', async () => {
    const before = await make(format);
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      const request = put.apply(this, args);
      if (args[1] === 'manifest') queueMicrotask(() => this.transaction.abort());
      return request;
    });
    await expect(engine().open()).rejects.toMatchObject({ code: 'lost' });
    vi.restoreAllMocks();
    expect(await outside((db) => db.get('meta', 'header'))).toEqual(before);
    expect(await engine().open()).toMatchObject(LIFTED);
  });

  it('that is damaged is refused as it is', async () => {
    const before = await make(format);
    await outside((db) => db.delete('log', 2 * 1024));
    await expect(engine().open()).rejects.toMatchObject({ code: 'corrupt', message: 'part 0 of record 2 is missing or damaged' });
    expect(await outside((db) => db.get('meta', 'header'))).toEqual(before);
  });
});

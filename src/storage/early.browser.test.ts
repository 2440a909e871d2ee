// Connections that are there before the engine: they serve the store that is opened first, and stand in nobody's way.
import { deleteDB, openDB } from 'idb';
import { expect, it, vi } from 'vitest';
import type { LogStore } from '../engine/kv/log-store.ts';
import { ownDatabase } from '../testing/native-database.ts';
import { record, write } from '../testing/records.ts';
import { type Early, openEarly } from './early.ts';

const own = ownDatabase('early');
const engine = (early?: Early): LogStore => own.engine({ ...(early && { early }) });
const versionOf = async (): Promise<number> => (await indexedDB.databases()).find((each) => each.name === own.name)?.version ?? 0;

/** Once it is open, or is not to be had. */
async function soon(): Promise<Early> {
  const opening = vi.spyOn(indexedDB, 'open');
  const early = openEarly(own.name);
  const request = opening.mock.results[0]?.value as IDBOpenDBRequest;
  opening.mockRestore();
  await new Promise((resolve) => ['success', 'error'].forEach((type) => request.addEventListener(type, resolve)));
  return early;
}

async function made(): Promise<number> {
  const store = engine();
  const { identity } = await store.open();
  await write(store, 'one');
  store.close();
  return identity;
}

it('a store works on a connection that was there before, and opens none', async () => {
  const identity = await made();
  const early = await soon();
  const opened = vi.spyOn(indexedDB, 'open');
  const store = engine(early);
  expect(await store.open()).toMatchObject({ identity });
  expect((await store.tail(0)).records).toEqual([record(1, 'one')]);
  expect(opened).not.toHaveBeenCalledWith(own.name, expect.anything());
});

it('where there is no database none is made, and the store makes its own', async () => {
  const early = await soon();
  // WebKit lists what was never made, too, as of no version.
  expect(await versionOf()).toBe(0);
  expect(await engine(early).open()).toMatchObject({ floor: 0 });
});

it('a connection to stores of another version is closed', async () => {
  const newer = await openDB(own.name, 99);
  newer.close();
  const closed = vi.spyOn(IDBDatabase.prototype, 'close');
  expect(await openEarly(own.name)(1, () => undefined)).toBe(undefined);
  expect(closed).toHaveBeenCalledOnce();
  await expect(engine(openEarly(own.name)).open()).rejects.toMatchObject({ code: 'newer-format' });
});

it('a connection that nobody has taken yet ends when somebody else wants it to, and the store finds what is there', async () => {
  await made();
  const early = await soon();
  await deleteDB(own.name, { blocked: () => expect.unreachable() });
  const identity = await made();
  expect(await engine(early).open()).toMatchObject({ identity });
});

it('a connection that a store has taken ends, too, and is opened again', async () => {
  await made();
  const store = engine(openEarly(own.name));
  const lost = vi.fn();
  store.onLost = lost;
  await store.open();
  await deleteDB(own.name, { blocked: () => expect.unreachable() });
  expect(lost).toHaveBeenCalledOnce();
  await expect(store.tail(0)).rejects.toMatchObject({ code: 'evicted' });
});

it('that the browser has lost the database is told although it was asked before', async () => {
  const own = Object.getOwnPropertyDescriptor(IDBVersionChangeEvent.prototype, 'dataLoss');
  Object.defineProperty(IDBVersionChangeEvent.prototype, 'dataLoss', { configurable: true, get: () => 'total' });
  const early = await soon();
  Reflect.deleteProperty(IDBVersionChangeEvent.prototype, 'dataLoss');
  if (own !== undefined) Object.defineProperty(IDBVersionChangeEvent.prototype, 'dataLoss', own);
  await expect(engine(early).open()).rejects.toMatchObject({ code: 'evicted' });
  expect(await engine().open()).toMatchObject({ floor: 0 });
});

it('where a page may store nothing, there is none', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('not here', 'SecurityError');
  });
  expect(await openEarly(own.name)(1, () => undefined)).toBe(undefined);
});

it('only one store takes it', async () => {
  await made();
  const early = openEarly(own.name);
  const [first, second] = [engine(early), engine(early)];
  await first.open();
  await second.open();
  first.close();
  expect((await second.tail(0)).records).toEqual([record(1, 'one')]);
});

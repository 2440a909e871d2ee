// The durability in the header: one that is none is neither written nor a reason to open no more.
import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LogStore, Settings } from '../engine/kv/log-store.ts';
import { outsideOf } from '../testing/native-database.ts';
import { bytes, counting, write } from '../testing/records.ts';
import { idbLogStore } from './idb.ts';
import type { StoredHeader } from './stored.ts';

let name: string;
let store: LogStore;
beforeEach(() => {
  name = `durability ${crypto.randomUUID()}`;
  store = idbLogStore(name);
});
afterEach(async () => {
  store.close();
  await deleteDB(name);
});

const stored = (): Promise<StoredHeader> => outsideOf(name, (db) => db.get('meta', 'header') as Promise<StoredHeader>);

it.each(['fast', null, undefined, 'toString'])('%s is refused, and nothing is written', async (durability) => {
  await store.open({ durability: 'relaxed' });
  const before = await stored();
  await expect(store.open({ durability } as unknown as Settings)).rejects.toThrow(TypeError);
  expect(await stored()).toEqual(before);
  expect((await store.open()).settings).toEqual({ durability: 'relaxed' });
});

it.each(['fast', null])('%s in the header is read as strict, until one is set', async (durability) => {
  await store.open({ rootSecret: '1:c2FsdA==:aGFzaA==' });
  await write(store, 'one');
  store.close();
  const { settings, ...header } = await stored();
  await outsideOf(name, (db) => db.put('meta', { ...header, settings: { ...settings, durability } }, 'header'));

  expect((await store.open()).settings).toEqual({ ...settings, durability: 'strict' });
  expect(await store.append(0, () => bytes('two'))).toMatchObject({ kind: 'appended' });
  const tail = await store.tail(0);
  expect(tail.settings.durability).toBe('strict');
  expect(counting(tail.records).map(({ body }) => body)).toEqual([bytes('one'), bytes('two')]);
  expect((await store.open({ durability: 'relaxed' })).settings.durability).toBe('relaxed');
  expect((await stored()).settings).toEqual({ ...settings, durability: 'relaxed' });
});

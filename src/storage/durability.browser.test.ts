// The durability in the header: one that is none is neither written nor a reason to open no more.
import { beforeEach, expect, it } from 'vitest';
import type { LogStore, Settings } from '../engine/kv/log-store.ts';
import { ownDatabase } from '../testing/native-database.ts';
import { bytes, counting, write } from '../testing/records.ts';
import type { StoredHeader } from './stored.ts';

const { engine, outside } = ownDatabase('durability');
let store: LogStore;
beforeEach(() => void (store = engine()));

const stored = (): Promise<StoredHeader> => outside((db) => db.get('meta', 'header') as Promise<StoredHeader>);

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
  await outside((db) => db.put('meta', { ...header, settings: { ...settings, durability } }, 'header'));

  expect((await store.open()).settings).toEqual({ ...settings, durability: 'strict' });
  expect(await store.append(0, () => bytes('two'))).toMatchObject({ kind: 'appended' });
  const tail = await store.tail(0);
  expect(tail.settings.durability).toBe('strict');
  expect(counting(tail.records).map(({ body }) => body)).toEqual([bytes('one'), bytes('two')]);
  expect((await store.open({ durability: 'relaxed' })).settings.durability).toBe('relaxed');
  expect((await stored()).settings).toEqual({ ...settings, durability: 'relaxed' });
});

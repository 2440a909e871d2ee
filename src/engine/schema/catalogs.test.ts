import { expect, it, vi } from 'vitest';
import { testPlatform } from '../../testing/platform.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { memoryLogStore } from '../kv/memory.ts';
import { Applied } from '../txn/applied.ts';
import { CommitLog } from '../txn/log.ts';
import type { Catalog } from './catalog.ts';
import { Catalogs } from './catalogs.ts';

async function opened(): Promise<{ readonly log: CommitLog; readonly catalogs: Catalogs }> {
  const [store, platform] = [memoryLogStore(), testPlatform()];
  const applied = new Applied(new BlockCache(store, platform.utf8, 0), platform.utf8);
  const log = new CommitLog(store, platform, applied);
  await log.start(await store.open());
  return { log, catalogs: new Catalogs(() => log.lastCommit) };
}

it('the last hundred catalogs that were read are kept, and none before them', async () => {
  const { log, catalogs } = await opened();
  const read = async (scope: number): Promise<Catalog> => catalogs.get(log.beginRead(''), BigInt(scope), [`d${scope}`]);
  const all: Catalog[] = [];
  for (let scope = 0; scope < 300; scope++) all.push(await read(scope));
  for (let scope = 200; scope < 300; scope++) expect(await read(scope)).toBe(all[scope]);
  for (let scope = 0; scope < 200; scope++) expect(await read(scope)).not.toBe(all[scope]);
});

it('a catalog that is read again pushes out no other', async () => {
  const { log, catalogs } = await opened();
  const read = async (scope: number, name = ''): Promise<Catalog> => catalogs.get(log.beginRead(''), BigInt(scope), [`d${scope}${name}`]);
  const first = await read(0);
  for (let scope = 1; scope < 100; scope++) await read(scope);
  const renamed = await read(50, 'renamed');
  expect(await read(0)).toBe(first);
  expect(await read(50, 'renamed')).toBe(renamed);
});

it('a catalog that was being read when all were forgotten is not kept', async () => {
  const { log, catalogs } = await opened();
  const slow = log.beginRead('');
  vi.spyOn(slow, 'current').mockReturnValue({ next: () => Promise.resolve(null), seek: () => {} });
  const reading = catalogs.get(slow, 1n, []);
  catalogs.clear();
  const stale = await reading;
  expect(await catalogs.get(log.beginRead(''), 1n, [])).not.toBe(stale);
});

import { expect, it } from 'vitest';
import { testPlatform } from '../../testing/platform.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { StorageError, type StorageErrorCode } from '../kv/log-store.ts';
import { EMPTY_MANIFEST } from '../kv/manifest.ts';
import { encodeManifest } from '../kv/manifest-writer.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { Applied } from './applied.ts';
import { coalesce } from './coalesce.ts';
import { CommitLog } from './log.ts';
import { encodeCommits } from './record.ts';
import { withResolvers } from './waiting.ts';

it('a look that crosses the taking over of a manifest still sees the records after its floor', async () => {
  const shared = memoryLog();
  const [store, other] = [memoryLogStore(shared), memoryLogStore(shared)];
  const platform = testPlatform();
  const { utf8 } = platform;
  const applied = new Applied(new BlockCache(store, utf8, 0), utf8);
  const log = new CommitLog(store, platform, applied);
  await log.start(await store.open());

  await other.open();
  for (const number of [1, 2]) {
    const commit = { ts: number, requestHash: '0123456789abcdef', now: number, rows: [{ key: `V${number}`, text: 'c{}' }] };
    await other.append(number - 1, () => encodeCommits([commit], utf8));
  }
  await other.install({ expected: 0, manifest: encodeManifest({ ...EMPTY_MANIFEST, lastCommit: 1 }, utf8), floor: 1 });
  const tail = store.tail.bind(store);
  store.tail = async (after) => {
    const found = await tail(after);
    // Before the look hears of it, a reader that missed a block has the manifest read anew.
    if (after === 0) await log.reload();
    return found;
  };
  await log.look();
  expect(applied.record).toBe(2);
});

it('who waits for a look that runs out of its time does not wait for another one; after any other failure they look again', async () => {
  const looks: ReturnType<typeof withResolvers<void>>[] = [];
  const look = coalesce(() => {
    looks.push(withResolvers());
    return (looks.at(-1) as (typeof looks)[0]).promise;
  });
  const fails = (code: StorageErrorCode): unknown => looks.pop()?.reject(new StorageError(code, 'no answer'));

  const late = [look(), look(), look()];
  fails('timeout');
  for (const one of late) await expect(one).rejects.toMatchObject({ code: 'timeout' });
  expect(looks).toHaveLength(0);

  const [lost, ...others] = [look(), look(), look()];
  fails('lost');
  await expect(lost).rejects.toMatchObject({ code: 'lost' });
  await expect.poll(() => looks.length).toBe(1);
  looks.pop()?.resolve();
  await Promise.all(others);
  expect(looks).toHaveLength(0);
});

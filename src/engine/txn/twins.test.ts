// The same request twice in the line before the log.
import { expect, it } from 'vitest';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { StorageError } from '../kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { Applied } from './applied.ts';
import { CommitLog } from './log.ts';
import type { Txn } from './txn.ts';

const put = (txn: Txn, name: string): void => txn.stage(name, [{ key: ({ down }) => `X${name}${down}`, content: { text: () => 'x', memo: undefined } }]);
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it('one that writes nothing at first, and does when it is run again in its place, is applied once', async () => {
  let fail = (): void => {};
  let appends = 0;
  const held = new Promise<void>((resolve) => (fail = resolve));
  const store = faulty(memoryLogStore(memoryLog()), (method) =>
    method !== 'append' || ++appends > 1 ? undefined : { when: 'before', until: held, error: new StorageError('unavailable', 'no') },
  );
  const platform = testPlatform();
  const log = new CommitLog(store, platform, new Applied(new BlockCache(store, platform.utf8, 0), platform.utf8));
  await log.start(await store.open());
  const first = log.beginWrite('first');
  put(first, 'x');
  const failing = log.submit(first, 'hash of first...').catch((error: unknown) => error);
  await turns(3);
  // Writes nothing as long as x is there.
  const second = log.beginWrite('second');
  const answer = log.submit(second, 'hash of second..', (txn) => {
    put(txn, 'y');
    return true;
  });
  await turns(3);
  fail();
  await failing;
  const twin = log.beginWrite('second');
  put(twin, 'y');
  const twinAnswer = log.submit(twin, 'hash of second..');
  expect([(await answer).kind, (await twinAnswer).kind]).toEqual(['committed', 'conflict']);
});

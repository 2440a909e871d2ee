import { expect, it } from 'vitest';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { badRequest } from '../errors/codes.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { StorageError } from '../kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { Applied } from './applied.ts';
import { CommitLog } from './log.ts';
import type { Txn } from './txn.ts';

const put = (txn: Txn, name: string, text: () => string = () => 'x'): void => txn.stage(name, [{ key: ({ down }) => `X${name}${down}`, content: { text, memo: undefined } }]);
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const ended = (promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise.then((outcome) => (outcome as { kind: string }).kind, (error: unknown) => `failed: ${(error as Error).message}`), new Promise((resolve) => setTimeout(resolve, 500, 'hangs'))]);
const tooLarge = (): never => { throw badRequest('Version bytes (9000000) exceeds threshold (8388608)'); };

it.each(['fails', 'is overtaken'] as const)('a writer that becomes too large when it is run again in its place does no harm to its neighbours (the group before it %s)', async (how) => {
  const shared = memoryLog();
  let go = (): void => {};
  let appends = 0;
  const held = new Promise<void>((resolve) => (go = resolve));
  const store = faulty(memoryLogStore(shared), (method) => {
    if (method !== 'append' || ++appends > 1) return undefined;
    return how === 'fails' ? { when: 'before', until: held, error: new StorageError('unavailable', 'no') } : { when: 'before', until: held };
  });
  const platform = testPlatform();
  const log = new CommitLog(store, platform, new Applied(new BlockCache(store, platform.utf8, 0), platform.utf8));
  await log.start(await store.open());
  const first = log.beginWrite('first');
  put(first, 'a');
  const one = log.submit(first, 'hash of first...');
  await turns(3);
  // Both stand in line behind it.
  const second = log.beginWrite('second');
  second.reads.add({ from: 'Xa', to: 'Xb' });
  put(second, 'b');
  const two = log.submit(second, 'hash of second..', (txn) => {
    put(txn, 'b', tooLarge);
    return true;
  });
  const third = log.beginWrite('third');
  put(third, 'c');
  const three = log.submit(third, 'hash of third...');
  await turns(3);
  if (how === 'is overtaken') {
    const platform = testPlatform();
    const other = memoryLogStore(shared);
    const log2 = new CommitLog(other, platform, new Applied(new BlockCache(other, platform.utf8, 0), platform.utf8));
    await log2.start(await other.open());
    const foreign = log2.beginWrite('foreign');
    put(foreign, 'a', () => 'foreign');
    await log2.submit(foreign, 'hash of foreign.');
  }
  go();
  const results = await Promise.all([one, two, three].map(ended));
  expect(results).not.toContain('hangs');
  expect(results[1]).toMatch(/Version bytes|conflict/);
  expect(results[2]).toMatch(/committed|conflict/);
});

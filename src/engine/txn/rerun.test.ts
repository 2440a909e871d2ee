import { describe, expect, it } from 'vitest';
import { faulty, type Schedule } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { badRequest } from '../errors/codes.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { type LogStore, StorageError } from '../kv/log-store.ts';
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

describe('what a writer writes when it is run again in its place is compared with what those behind it have read', () => {
  /** It reads `a` and writes `c`, or `d` once that has changed. The one behind it reads `d`, and has seen nothing of it. */
  const scene = async (schedule: Schedule = () => undefined) => {
    const shared = memoryLog();
    const make = async (store: LogStore): Promise<CommitLog> => {
      const platform = testPlatform();
      const log = new CommitLog(store, platform, new Applied(new BlockCache(store, platform.utf8, 0), platform.utf8));
      await log.start(await store.open());
      return log;
    };
    const log = await make(faulty(memoryLogStore(shared), schedule));
    const behind = log.beginWrite('behind');
    behind.reads.add({ from: 'Xd', to: 'Xe' });
    put(behind, 'q');
    return {
      log,
      foreign: async (): Promise<void> => {
        const other = await make(memoryLogStore(shared));
        const txn = other.beginWrite('foreign');
        put(txn, 'a', () => 'foreign');
        expect(await other.submit(txn, 'hash of foreign.')).toMatchObject({ kind: 'committed' });
      },
      rerun: (): Promise<unknown> => {
        const txn = log.beginWrite('rerun');
        txn.reads.add({ from: 'Xa', to: 'Xb' });
        put(txn, 'c');
        return ended(log.submit(txn, 'hash of rerun...', (again) => (put(again, 'd'), true)));
      },
      behind: (): Promise<unknown> => ended(log.submit(behind, 'hash of behind..')),
    };
  };

  it('in the same group', async () => {
    const { foreign, rerun, behind } = await scene();
    await foreign();
    expect(await Promise.all([rerun(), behind()])).toEqual(['committed', 'conflict']);
  });

  it('where they wait for the next one', async () => {
    let go = (): void => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    const { foreign, rerun, behind } = await scene((method, nth) => (method === 'append' && nth === 1 ? { when: 'before', until: held } : undefined));
    await foreign();
    const first = rerun();
    await turns(3);
    const second = behind();
    go();
    expect(await Promise.all([first, second])).toEqual(['committed', 'conflict']);
  });

  it('where it had built on one that failed', async () => {
    let go = (): void => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    const { log, rerun, behind } = await scene((method, nth) => (method === 'append' && nth === 1 ? { when: 'before', until: held, error: new StorageError('unavailable', 'no') } : undefined));
    const txn = log.beginWrite('first');
    put(txn, 'a');
    const first = ended(log.submit(txn, 'hash of first...'));
    await turns(3);
    const [second, third] = [rerun(), behind()];
    go();
    expect(await Promise.all([first, second, third])).toEqual(['failed: no', 'committed', 'conflict']);
  });
});

// What a transaction takes for the present, while commits are on their way to the log.
import { describe, expect, it } from 'vitest';
import { faulty } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { settled } from '../../testing/sleeper.ts';
import type { Ts } from '../base/platform.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { type LogStore, StorageError } from '../kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { Applied } from './applied.ts';
import { CommitLog } from './log.ts';
import type { Txn } from './txn.ts';
import type { Outcome } from './waiting.ts';

const put = (txn: Txn, name: string): void => txn.stage(name, [{ key: ({ down }) => `X${name}${down}`, content: { text: () => 'x', memo: undefined } }]);
const hashOf = (name: string): string => name.padEnd(16, '.');
const timeOf = (outcome: Outcome): Ts => (outcome.kind === 'committed' ? outcome.ts : Number.NaN);

/** Two logs on one store, whose clock is set by hand. From `hold()` on each call of the first one's `append` waits for `go()`, before it takes effect or before that is known, and fails where that is given an error. */
async function world() {
  let now = 10;
  const shared = memoryLog();
  const held: ((error?: Error) => void)[] = [];
  let when: 'before' | 'after' | null = null;
  const store = memoryLogStore(shared);
  const wait = (): Promise<void> => new Promise((resolve, reject) => held.push((error) => (error === undefined ? resolve() : reject(error))));
  const slow: LogStore = {
    ...faulty(store, () => undefined),
    async append(after, plan) {
      const asked = when;
      if (asked === 'before') await wait();
      const result = await store.append(after, plan);
      if (asked === 'after') await wait();
      return result;
    },
  };
  const open = async (on: LogStore): Promise<CommitLog> => {
    const platform = { ...testPlatform(), now: () => now };
    const log = new CommitLog(on, platform, new Applied(new BlockCache(on, platform.utf8, 0), platform.utf8));
    await log.start(await on.open());
    return log;
  };
  const [one, two] = [await open(slow), await open(memoryLogStore(shared))];
  /** Begins a writer; what it gives sends it to the log. */
  const begin = (log: CommitLog, name: string, writes = true): (() => Promise<Outcome>) => {
    const txn = log.beginWrite(name);
    txn.leavesMark = !writes && name === 'mark';
    if (writes) put(txn, name);
    return () => log.submit(txn, hashOf(name));
  };
  return { one, two, begin, at: (time: Ts): void => void (now = time), hold: (how: 'before' | 'after' = 'before'): void => void (when = how), go: (error?: Error): void => held.shift()?.(error) };
}

describe('the present of a reader', () => {
  it('is before all that is on its way, also before what has got a later time there than those behind it', async () => {
    const { one, two, begin, at, hold, go } = await world();
    const b = begin(one, 'b');
    const g = begin(one, 'g');
    hold('after');
    const G = g();
    await settled();
    hold();
    at(20);
    const A = begin(one, 'a')();
    await settled();
    // Of another engine, which goes before `a`.
    at(25);
    await begin(two, 'f')();
    at(30);
    const B = b();
    await one.look();
    go();
    await G;
    await settled();
    at(35);
    const reader = one.beginRead('reader');
    go();
    await settled();
    go();
    const times = [timeOf(await A), timeOf(await B)];
    expect(times).toEqual([expect.any(Number), expect.any(Number)]);
    expect(reader.now).toBeLessThan(Math.min(...times));
  });

  it('is so where it reads as of a commit, too, as live queries do', async () => {
    const { one, begin, at, hold, go } = await world();
    await begin(one, 'g')();
    at(20);
    hold();
    const A = begin(one, 'a')();
    await settled();
    at(30);
    const { now } = one.beginReadAt('live', one.lastCommit);
    go();
    expect(now).toBeLessThan(timeOf(await A));
  });
});

it('a mark that could not be written is no time at which another one has read', async () => {
  const { one, begin, at, hold, go } = await world();
  await begin(one, 'g')();
  at(20);
  hold();
  const mark = begin(one, 'mark', false)();
  await settled();
  const after = begin(one, 'after', false);
  go(new StorageError('quota', 'full'));
  await expect(mark).rejects.toThrow('full');
  expect((await after()).kind).toBe('conflict');
});

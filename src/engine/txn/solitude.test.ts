import { expect, it } from 'vitest';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import type { LogStore } from '../kv/log-store.ts';
import { testPlatform } from '../../testing/platform.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { Applied } from './applied.ts';
import { CommitLog } from './log.ts';

/** A log in a period that the test sets, and how often it was looked at. */
async function openLog(): Promise<{ log: CommitLog; setPeriod(period: number | null): void; looks(): number; store: LogStore }> {
  const store = memoryLogStore(memoryLog());
  const tail = store.tail.bind(store);
  let looks = 0;
  store.tail = (after) => {
    looks++;
    return tail(after);
  };
  let period: number | null = null;
  const platform = testPlatform();
  const applied = new Applied(new BlockCache(store, platform.utf8, 0), platform.utf8);
  const log = new CommitLog(store, platform, applied, { period: () => period });
  await log.start(await store.open());
  looks = 0;
  return { log, store, setPeriod: (next) => (period = next), looks: () => looks };
}

it('an engine that may not be alone looks at the log every time', async () => {
  const { log, looks } = await openLog();
  await log.refresh();
  await log.refresh();
  expect(looks()).toBe(2);
});

it('one that is alone looks once in each period', async () => {
  const { log, looks, setPeriod } = await openLog();
  setPeriod(1);
  await log.refresh();
  await log.refresh();
  expect(looks()).toBe(1);
  setPeriod(2);
  await log.refresh();
  await log.refresh();
  expect(looks()).toBe(2);
  setPeriod(null);
  await log.refresh();
  expect(looks()).toBe(3);
});

it('a look that began before the period does not count for it', async () => {
  const { log, looks, setPeriod } = await openLog();
  const looking = log.refresh();
  setPeriod(1);
  await looking;
  await log.refresh();
  expect(looks()).toBe(2);
});

it('after a failed append it looks, though it is alone', async () => {
  const { log, looks, setPeriod, store } = await openLog();
  setPeriod(1);
  await log.refresh();
  store.append = () => Promise.reject(new Error('lost'));
  const txn = log.beginWrite('request');
  txn.stage('one', [{ key: () => 'Vkey', content: { text: () => 'c{}', memo: null } }]);
  await expect(log.submit(txn, 'hash')).rejects.toThrow('lost');
  await log.refresh();
  expect(looks()).toBe(2);
});

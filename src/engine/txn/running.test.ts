import { expect, it } from 'vitest';
import { testPlatform } from '../../testing/platform.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { Applied } from './applied.ts';
import { CommitLog } from './log.ts';
import { type Txn } from './txn.ts';

const put = (txn: Txn, name: string): void => txn.stage(name, [{ key: ({ down }) => `X${name}${down}`, content: { text: () => 'x', memo: undefined } }]);

it('writers that overlap without a break keep no keys of commits that were there when all of them began', async () => {
  const store = memoryLogStore(memoryLog());
  const platform = testPlatform();
  const log = new CommitLog(store, platform, new Applied(new BlockCache(store, platform.utf8, 0), platform.utf8));
  await log.start(await store.open());
  let running = log.beginWrite('w0');
  for (let n = 1; n <= 5000; n++) {
    // The next one begins before this one ends, as under a steady load of writers that wait for blocks.
    const next = log.beginWrite(`w${n}`);
    put(running, `n${n}`);
    await log.submit(running, `hash ${n}`.padEnd(16));
    running = next;
  }
  const { recent } = (log as unknown as { running: { recent: unknown[] } }).running;
  expect(recent.length).toBeLessThan(10);
});

import { expect, it } from 'vitest';
import { testPlatform } from '../../testing/platform.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { Applied } from './applied.ts';
import { Memtable } from '../kv/memtable.ts';
import { CommitLog } from './log.ts';
import { Running } from './running.ts';
import { Txn } from './txn.ts';

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

it('what a writer has read is put in order once for all commits that came meanwhile: nobody else gets a turn then', () => {
  const running = new Running({ adoptions: 0 });
  const txn = new Txn(new Memtable(), 1, 1, null, 'id');
  running.begin(txn, { requestId: 'id', buildsOnPending: false });
  for (let n = 0; n < 100_000; n++) txn.reads.add({ from: `V${n}`, to: `V${n}\0` });
  for (let n = 0; n < 1000; n++) running.arrived([{ ts: n, requestHash: '', now: n, rows: [{ key: `X${n}`, text: '' }] }]);
  const began = performance.now();
  expect(running.isDisturbed(txn)).toBe(false);
  expect(performance.now() - began).toBeLessThan(3000);
  running.arrived([{ ts: 1001, requestHash: '', now: 1000, rows: [{ key: 'V7', text: '' }] }]);
  expect(running.isDisturbed(txn)).toBe(true);
});

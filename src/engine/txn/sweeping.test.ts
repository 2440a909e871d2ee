// Deleting what merging has replaced: all of it goes, and no place is looked at twice.
import { expect, it } from 'vitest';
import { testClient, type TestClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { type BlockRange, blockId } from '../kv/block-ids.ts';
import { newBase, rangeOf } from '../kv/epochs.ts';
import type { LogStore } from '../kv/log-store.ts';
import { basesOf, decodeManifest } from '../kv/manifest.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../kv/memory.ts';
import { sweep } from '../kv/sweep.ts';
import { without } from '../kv/without.ts';

const platform = testPlatform();

/** A store that notes where blocks are deleted. */
function watched(log: MemoryLog): { readonly store: LogStore; readonly asked: BlockRange[] } {
  const store = memoryLogStore(log);
  const asked: BlockRange[] = [];
  const { deleteBlocks } = store;
  store.deleteBlocks = (range, most) => {
    asked.push(range);
    return deleteBlocks.call(store, range, most);
  };
  return { store, asked };
}

/** Adds documents until their log has gone into blocks and been merged more than once. */
async function fill(client: TestClient, times = 40): Promise<void> {
  await client.query('{"create_collection":{"object":{"name":"things"}}}');
  for (let n = 0; n < times; n++) {
    const made = Array.from({ length: 10 }, (_, at) => `{"create":{"collection":"things"},"params":{"object":{"data":{"object":{"n":${10 * n + at}}}}}}`);
    await client.query(`[${made.join()}]`);
    await client.engine.upkeep();
  }
}

const open = (store: LogStore): Promise<TestClient> => testClient(store, testPlatform(), { flushAt: 3000, cacheBytes: 0 });

/** Blocks that the manifest does not name. */
function strays(log: MemoryLog): number[] {
  const kept = basesOf(decodeManifest(log.header, platform.utf8)).map(rangeOf);
  return [...log.blocks.keys()].filter((id) => !kept.some(({ from, to }) => from <= id && id < to));
}

const overlaps = (ranges: readonly BlockRange[]): boolean => ranges.some((one, at) => ranges.slice(at + 1).some((other) => one.from < other.to && other.from < one.to));

it('what merging has replaced is deleted, and each place is looked at once', async () => {
  const log = memoryLog();
  const { store, asked } = watched(log);
  await fill(await open(store));
  expect(asked.length).toBeGreaterThan(20);
  expect(overlaps(asked)).toBe(false);
  expect(strays(log)).toEqual([]);
});

it('an engine that opens deletes what others have left behind', async () => {
  const log = memoryLog();
  await fill(await open(memoryLogStore(log)), 8);
  log.blocks.set(blockId(newBase(1, 1000), 'tops', 0), new Uint8Array(3));
  expect(strays(log)).toHaveLength(1);
  await fill(await open(memoryLogStore(log)), 8);
  expect(strays(log)).toEqual([]);
});

it('what others leave behind where it was deleted already is deleted a while later', async () => {
  const log = memoryLog();
  const { store, asked } = watched(log);
  const platform = testPlatform();
  const client = await testClient(store, platform, { flushAt: 3000, cacheBytes: 0 });
  await fill(client, 30);
  log.blocks.set(blockId(newBase(1, 1000), 'tops', 0), new Uint8Array(3));
  await fill(client, 8);
  expect(strays(log)).toHaveLength(1);
  expect(overlaps(asked)).toBe(false);
  platform.setNow(platform.now() + 16 * 60 * 1_000_000);
  await fill(client, 8);
  expect(strays(log)).toEqual([]);
});

it('another database under the same name is looked through as a whole', async () => {
  const log = memoryLog();
  const client = await open(memoryLogStore(log));
  await fill(client, 30);
  const { header } = log;
  log.header = { ...header, identity: header.identity + 1, manifestNumber: header.manifestNumber + 1, floor: header.floor + 1, manifest: null };
  log.records.length = 0;
  log.blocks.clear();
  log.blocks.set(blockId(newBase(1, 1000), 'tops', 0), new Uint8Array(3));
  await fill(client, 8);
  expect(log.blocks.size).toBeGreaterThan(0);
  expect(strays(log)).toEqual([]);
});

it('deletes so many blocks in a turn, and goes on where it was', async () => {
  const log = memoryLog();
  const { store, asked } = watched(log);
  await store.open();
  const ids = Array.from({ length: 150 }, (_, at) => 2 * at + 1);
  await store.writeBlocks(ids.map((id) => ({ id, bytes: new Uint8Array(1) })));
  const left: number[] = [];
  await sweep(store, [{ from: 0, to: 100 }, { from: 100, to: 290 }], async () => void left.push(log.blocks.size));
  expect(left).toEqual([86, 22]);
  expect(asked).toEqual([{ from: 0, to: 100 }, { from: 100, to: 290 }, { from: 129, to: 290 }, { from: 257, to: 290 }]);
  expect([...log.blocks.keys()].sort((a, b) => a - b)).toEqual([291, 293, 295, 297, 299]);
});

it.each([
  ['before and behind', [[0, 5], [20, 30]], [[5, 20]]],
  ['at the beginning and the end', [[5, 8], [15, 20]], [[8, 15]]],
  ['in the middle', [[8, 9], [11, 12]], [[5, 8], [9, 11], [12, 20]]],
  ['all of it', [[0, 30]], []],
])('what is left of a range without others: %s', (_, others, left) => {
  const ranges = (pairs: readonly (readonly number[])[]): BlockRange[] => pairs.map(([from = 0, to = 0]) => ({ from, to }));
  expect(without(ranges([[5, 20]]), ranges(others))).toEqual(ranges(left));
});

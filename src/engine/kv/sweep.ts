// Deletes blocks that nobody refers to any more.
import type { BlockRange } from './block-ids.ts';
import type { LogStore } from './log-store.ts';

/** Blocks deleted in one transaction. */
const SWEPT = 64;

/** Deletes all blocks in the ranges, a slice at a time, with a turn for others between. */
export async function sweep(store: Pick<LogStore, 'deleteBlocks'>, ranges: readonly BlockRange[], pause: () => Promise<void>): Promise<void> {
  while (await store.deleteBlocks(ranges, SWEPT)) await pause();
}

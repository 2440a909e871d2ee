// Deletes blocks that nobody refers to any more.
import type { BlockRange } from './block-ids.ts';
import type { LogStore } from './log-store.ts';

/** So many blocks are deleted in one turn, or places looked at. */
const SWEPT = 64;

/**
 * Deletes all blocks in the ranges, a slice at a time, with a turn for others between. No place is
 * looked at twice: Chromium reads all that was deleted there before it comes to what was not.
 */
export async function sweep(store: Pick<LogStore, 'deleteBlocks'>, ranges: readonly BlockRange[], pause: () => Promise<void>): Promise<void> {
  let left = SWEPT;
  for (const { from, to } of ranges) {
    for (let at: number | null = from; at !== null; ) {
      const { deleted, next } = await store.deleteBlocks({ from: at, to }, left);
      left -= Math.max(1, deleted);
      at = next;
      if (left > 0) continue;
      await pause();
      left = SWEPT;
    }
  }
}

// Deletes blocks that nobody refers to any more.
import type { BlockRange } from './block-ids.ts';
import type { LogStore } from './log-store.ts';

/** How many blocks are deleted, or ranges looked at, in one turn. */
const SWEPT = 64;

/**
 * Deletes all blocks in the ranges, a slice at a time, and pauses between. No range is searched from its
 * beginning again: Chromium would read everything that was deleted there first.
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

// Which segments of a log are to be merged. Segments of about the same size make a tier, and each tier is FAN
// times larger than the one before: so a row is written anew once a tier, and a reader has few segments to look into.
import type { Ts } from '../base/platform.ts';
import type { SegmentInfo } from '../kv/segment.ts';

/** Segments to merge: neighbours in a manifest's list, the newest first; without the one at `end`. */
export interface Merge {
  readonly start: number;
  readonly end: number;
}

/** Segments merged at a time, and how many times larger each tier is than the one before. */
const FAN = 4;
/** Most segments merged at once, the oldest of them: there must be memory for the blocks read ahead in each. */
const MOST = 16;
/** Merging has fallen behind when beside one merge's segments in each tier there are those of so many merges more. */
const BACKLOG = 3;
/** Rows that say that there is nothing make a segment worth writing anew when there are so many, and they are so large a part of all. */
const HOLLOW = 1000;
const HOLLOW_PART = 1 / 8;

/** What to merge next: a segment of format 1 alone, which is written anew, or the first neighbours of one tier that are enough. @param flushAt size of the smallest tier */
export function nextMerge(segments: readonly SegmentInfo[], flushAt: number): Merge | null {
  const old = segments.findIndex(({ format }) => format === 1);
  if (old >= 0) return { start: old, end: old + 1 };
  const tiers = segments.map(({ bytes }) => tierOf(bytes, flushAt));
  for (let start = 0; start < segments.length; ) {
    let end = start + 1;
    while (end < tiers.length && (tiers[end] as number) <= (tiers[start] as number)) end++;
    if (end - start >= FAN) return { start: Math.max(start, end - MOST), end };
    start = end;
  }
  return null;
}

/**
 * The segments from the first that holds rows which say that there is nothing, down to the oldest, if such rows are
 * many: every reader of what lies beside them steps over each. Only where nothing lies beneath does merging take them away.
 * @param latest later rows of the kind have to stay
 */
export function hollowMerge(segments: readonly SegmentInfo[], latest: Ts): Merge | null {
  const counts = segments.map(({ holes }) => (holes !== undefined && holes.last <= latest ? holes.count : 0));
  const count = counts.reduce((sum, one) => sum + one, 0);
  const start = counts.findIndex((one) => one > 0);
  const end = segments.length;
  if (count < HOLLOW || end - start > MOST) return null;
  const rows = segments.slice(start).reduce((sum, { holes }) => sum + (holes?.among ?? Infinity), 0);
  return count >= rows * HOLLOW_PART ? { start, end } : null;
}

/** Whether merging has fallen behind: many more segments than would wait for others of their tier anyhow, and each costs every reader something. */
export function lags(segments: readonly SegmentInfo[], flushAt: number): boolean {
  const tiers = new Set(segments.map(({ bytes }) => tierOf(bytes, flushAt)));
  return segments.length >= FAN * (BACKLOG + tiers.size);
}

const tierOf = (bytes: number, flushAt: number): number => Math.floor(Math.log(Math.max(1, bytes / flushAt)) / Math.log(FAN));

// The manifest says what the blocks of a database are: which segments there are, and what an engine
// that starts on them must know of the log that went into them.
import type { Platform, Ts } from '../base/platform.ts';
import { fromBase64, keyFromBytes } from '../base/bytes.ts';
import type { Build } from './builds.ts';
import { basesOfSegment1 } from './block-ids.ts';
import type { Header } from './log-store.ts';
import type { RunInfo } from './run.ts';
import type { SegmentInfo } from './segment.ts';

export interface Manifest {
  /** Number of the manifest with which this state of the database began: a reset and an import begin another. */
  readonly era: number;
  /** Time of the last commit that went into the segments; 0 when there is none. */
  readonly lastCommit: Ts;
  /** Newest first: where two hold the same key, the earlier one counts. */
  readonly segments: readonly SegmentInfo[];
  /** Blocks of request hashes, oldest first. */
  readonly hashes: readonly HashBlock[];
  /** Base of the segment of an import that is under way, or ended midway. */
  readonly loading: number | null;
  /** Indexes that are being built. */
  readonly builds: readonly Build[];
  /** Bases of segments that whoever installed this manifest is still writing. */
  readonly begun: readonly number[];
}

/** A block of rows `hash → ts now`, of requests that were applied up to a time. */
export interface HashBlock {
  /** Its id, the only one of that base. */
  readonly base: number;
  readonly upTo: Ts;
  /** What the clock showed when it was written: less than `upTo` after a clock that was ahead. */
  readonly clock: Ts;
}

export const EMPTY_MANIFEST: Manifest = { era: 0, lastCommit: 0, segments: [], hashes: [], loading: null, builds: [], begun: [] };

export function decodeManifest({ manifest, manifestNumber }: Pick<Header, 'manifest' | 'manifestNumber'>, utf8: Platform['utf8']): Manifest {
  if (manifest === null) return { ...EMPTY_MANIFEST, era: manifestNumber };
  // The backend vouches for the bytes; what they hold is what `encodeManifest` wrote.
  const stored = JSON.parse(utf8.decode(manifest)) as {
    era: number;
    lastCommit: number;
    segments: (StoredSegment | StoredSegment1)[];
    hashes: [base: number, upTo: number, clock?: number][];
    loading: number | null;
    builds?: { scope: string; index: string; commit: number; left: string; versions: number }[];
    /** Not in format 1. */
    begun?: number[];
  };
  const key = (text: string): string => keyFromBytes(fromBase64(text) ?? new Uint8Array());
  const run = (info: StoredRun): RunInfo => ({ last: key(info.last), index: info.index.map(([first, place]) => ({ first: key(first), place })) });
  const segment = (info: StoredSegment | StoredSegment1): SegmentInfo => {
    if (!('index' in info)) return { format: 2, ...info, tops: info.tops && run(info.tops), olds: info.olds && run(info.olds), schema: info.schema ?? null, past: info.past ?? Infinity };
    const [base] = basesOfSegment1(info.index[0]?.[1] ?? 0);
    return { format: 1, base, bytes: info.bytes, tops: null, olds: run(info), schema: null, filter: 0, past: -Infinity, hides: false };
  };
  return {
    era: stored.era,
    lastCommit: stored.lastCommit,
    segments: stored.segments.map(segment),
    hashes: stored.hashes.map(([base, upTo, clock = upTo]) => ({ base, upTo, clock })),
    // An import that a build of format 1 has begun will not be able to end.
    loading: stored.begun === undefined ? null : stored.loading,
    builds: (stored.builds ?? []).map((build) => ({ ...build, scope: BigInt(build.scope), index: BigInt(build.index), left: key(build.left) })),
    begun: stored.begun ?? [],
  };
}

export interface StoredRun {
  readonly last: string;
  readonly index: readonly (readonly [first: string, place: number])[];
}

export interface StoredSegment extends Pick<SegmentInfo, 'base' | 'bytes' | 'filter' | 'hides' | 'holes'> {
  readonly tops: StoredRun | null;
  readonly olds: StoredRun | null;
  /** Not noted by earlier builds. */
  readonly schema?: number | null;
  /** `null` for never. */
  readonly past: number | null;
}

export interface StoredSegment1 extends StoredRun {
  readonly bytes: number;
}

/** Where the ids of all blocks begin that a manifest speaks of. */
export const basesOf = ({ segments, hashes, loading, begun }: Manifest): number[] => [
  ...segments.flatMap(({ format, base }) => (format === 1 ? basesOfSegment1(base) : [base])),
  ...hashes.map(({ base }) => base),
  ...(loading === null ? [] : [loading]),
  ...begun,
];

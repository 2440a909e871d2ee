// The manifest: what the blocks of a database are. It says which segments there are, and
// what an engine that starts on them must know of the log that went into them.
import type { Platform, Ts } from '../base/platform.ts';
import { bytesFromKey, keyFromBytes, fromBase64, toBase64 } from '../base/bytes.ts';
import type { Build } from './builds.ts';
import type { Header } from './log-store.ts';
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
  /** First id of the blocks of an import that is under way, or ended midway: nothing refers to them. */
  readonly loading: number | null;
  /** Indexes that are being built. */
  readonly builds: readonly Build[];
}

/** A block of rows `hash → ts now`, of requests that were applied up to a time. */
export interface HashBlock {
  readonly id: number;
  readonly upTo: Ts;
}

export const EMPTY_MANIFEST: Manifest = { era: 0, lastCommit: 0, segments: [], hashes: [], loading: null, builds: [] };

export function encodeManifest({ era, lastCommit, segments, hashes, loading, builds }: Manifest, utf8: Platform['utf8']): Uint8Array {
  const text = (key: string): string => toBase64(bytesFromKey(key));
  return utf8.encode(
    JSON.stringify({
      era,
      lastCommit,
      segments: segments.map(({ bytes, last, index }) => ({ bytes, last: text(last), index: index.map(({ first, id }) => [text(first), id]) })),
      hashes: hashes.map(({ id, upTo }) => [id, upTo]),
      loading,
      ...(builds.length === 0 ? {} : { builds: builds.map((build) => ({ ...build, scope: String(build.scope), index: String(build.index), left: text(build.left) })) }),
    }),
  );
}

export function decodeManifest({ manifest, manifestNumber }: Pick<Header, 'manifest' | 'manifestNumber'>, utf8: Platform['utf8']): Manifest {
  if (manifest === null) return { ...EMPTY_MANIFEST, era: manifestNumber };
  // The backend vouches for the bytes; what they hold is what `encodeManifest` wrote.
  const stored = JSON.parse(utf8.decode(manifest)) as {
    era: number;
    lastCommit: number;
    segments: { bytes: number; last: string; index: [string, number][] }[];
    hashes: [number, number][];
    loading: number | null;
    builds?: { scope: string; index: string; commit: number; left: string; versions: number }[];
  };
  const key = (text: string): string => keyFromBytes(fromBase64(text) ?? new Uint8Array());
  return {
    era: stored.era,
    lastCommit: stored.lastCommit,
    segments: stored.segments.map(({ bytes, last, index }) => ({ bytes, last: key(last), index: index.map(([first, id]) => ({ first: key(first), id })) })),
    hashes: stored.hashes.map(([id, upTo]) => ({ id, upTo })),
    loading: stored.loading,
    builds: (stored.builds ?? []).map((build) => ({ ...build, scope: BigInt(build.scope), index: BigInt(build.index), left: key(build.left) })),
  };
}

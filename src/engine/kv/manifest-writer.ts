// Encodes a manifest (manifest.ts). Apart from reading, as only what installs one needs it.
import { toBase64 } from '../base/bytes.ts';
import { bytesFromKey } from '../base/key-bytes.ts';
import type { Platform } from '../base/platform.ts';
import type { Manifest, StoredRun, StoredSegment, StoredSegment1 } from './manifest.ts';
import type { RunInfo } from './run.ts';
import type { SegmentInfo } from './segment.ts';

export function encodeManifest({ era, lastCommit, segments, hashes, loading, builds, begun }: Manifest, utf8: Platform['utf8']): Uint8Array {
  const text = (key: string): string => toBase64(bytesFromKey(key));
  const run = (info: RunInfo | null): StoredRun | null => info && { last: text(info.last), index: info.index.map(({ first, place }) => [text(first), place]) };
  const segment = ({ format, base, bytes, tops, olds, schema, filter, past, hides, holes }: SegmentInfo): StoredSegment | StoredSegment1 => {
    if (format === 1) return { bytes, ...(run(olds) as StoredRun) };
    return { base, bytes, tops: run(tops), olds: run(olds), schema, filter, past: past === Infinity ? null : past, hides, ...(holes && { holes }) };
  };
  return utf8.encode(
    JSON.stringify({
      era,
      lastCommit,
      segments: segments.map(segment),
      hashes: hashes.map(({ base, upTo, clock }) => [base, upTo, clock]),
      loading,
      ...(builds.length === 0 ? {} : { builds: builds.map((build) => ({ ...build, scope: String(build.scope), index: String(build.index), left: text(build.left) })) }),
      begun,
    }),
  );
}

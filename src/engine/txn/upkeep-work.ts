// The work of upkeep. Flushing: the rows of a log that has grown go into a new segment of blocks, and the log is
// trimmed. Merging (merge-policy.ts): several segments become one, without what nobody may read any more.
// Building: an index takes in the history, a slice at a time. Each ends in one `install`, fenced by the manifest's
// number: where two engines do the same, one of them has worked in vain and nothing else happens. Sweeping, at the
// end: blocks that no manifest names are deleted, and when it is quiet room is given back.
// All of it gives way to others (giving-way.ts). Loaded when there is something to do.
import { ALL_KEYS } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { baseOf, type BlockRange } from '../kv/block-ids.ts';
import { ageOf, deadRanges, newBase, rangeOf } from '../kv/epochs.ts';
import { type Build, isSame, isThrough } from '../kv/builds.ts';
import { type Block, isFailure, type LogStore } from '../kv/log-store.ts';
import { basesOf, type HashBlock, type Manifest } from '../kv/manifest.ts';
import { encodeManifest } from '../kv/manifest-writer.ts';
import { mergeSources } from '../kv/merge.ts';
import type { Row, RowCursor } from '../kv/rows.ts';
import { Segment, type SegmentInfo } from '../kv/segment.ts';
import { writeSegment, type Writing } from '../kv/segment-writer.ts';
import { sweep } from '../kv/sweep.ts';
import { without } from '../kv/without.ts';
import type { Applied } from './applied.ts';
import { type Around, GivingWay, HASTE, type Pace } from './giving-way.ts';
import { hashBlocks } from './hash-blocks.ts';
import { hollowMerge, type Merge, nextMerge } from './merge-policy.ts';
import { KEEP_ALL, type Keeping, pastOf, Sorting, SPARED } from './sorting.ts';
import { isPassing, Overtaken, type Upkeep, type Work } from './upkeep.ts';

/** The parts of an engine that the work needs. */
export interface Workplace extends Around {
  readonly store: LogStore;
  readonly upkeep: Pick<Upkeep, 'stopped' | 'awaited' | 'isLong' | 'isUntidy' | 'written' | 'flushing'>;
  /** What of the past may still be read by those who see at least the commits up to `spared`. */
  keeping(spared: Ts): Promise<Keeping>;
  readonly builder: Builder;
}

/** What building an index takes besides rows: its definition, and a last commit. */
export interface Builder {
  /** Learns of what other engines have done, to the blocks too. */
  refresh(): Promise<void>;
  /** The entries of the next versions in order, about so many characters of them, and what is left then. */
  slice(build: Build, size: number, pause: () => Promise<void>): Promise<{ readonly rows: RowCursor; readonly build: Build }>;
  /** Makes the index active, if there is still one and nobody comes before: one attempt. */
  finish(build: Build): Promise<void>;
}

const HASH_BLOCKS_KEPT = 16;
/** After so long everything is swept again (microseconds): another engine, or an import, may have left blocks in ranges already swept before it knew that it worked in vain. */
const SWEPT_FOR: Ts = 15 * 60 * 1_000_000;
/** An import that has not ended after so many manifests counts as cut off: what it has written is swept. */
const LOADING = 256;
/** Memory for blocks that are being merged. */
const MERGE_BYTES = 16 * 2 ** 20;

/** Where blocks of past epochs were deleted. */
interface Swept {
  /** Of the database. */
  readonly life: number;
  readonly ranges: readonly BlockRange[];
  /** When the last sweep began that looked at all of them. */
  readonly since: Ts;
}

const NOWHERE: Swept = { life: -1, ranges: [], since: 0 };

export class UpkeepWork implements Work {
  /** Bases of what is being written over several manifests. */
  private begun: readonly number[] = [];
  /** Counts what is begun, from a random number on: so do other engines. */
  private runs: number;
  private swept = NOWHERE;
  private readonly givingWay: GivingWay;
  private readonly store: LogStore;
  private readonly platform: Platform;
  private readonly applied: Applied;

  constructor(private readonly place: Workplace) {
    const { store, platform, applied } = place;
    [this.store, this.platform, this.applied] = [store, platform, applied];
    this.givingWay = new GivingWay(place);
    const [a = 0, b = 0] = platform.random(2);
    this.runs = (a << 8) | b;
  }

  async run(): Promise<void> {
    // Without it, work would begin on blocks that another engine has merged, again and again in vain.
    await this.place.builder.refresh();
    /** Of builds that have failed: nothing else waits for them. */
    const failures = new Map<string, unknown>();
    do {
      while (this.isFlushDue) {
        await this.givingWay.toRequests();
        // Another engine may have done it meanwhile.
        if (!this.isFlushDue) break;
        await this.flushOnce(this.applied.manifestNumber, 'soon');
      }
      for (let next = this.nextMerge(); next !== null; next = this.nextMerge()) await this.merge(next);
    } while (await this.buildOn(failures));
    await this.sweep();
    for (const error of failures.values()) throw error;
  }

  async tidy(): Promise<void> {
    const { builder, upkeep } = this.place;
    await builder.refresh();
    if (upkeep.isLong) await this.flushOnce(this.applied.manifestNumber, 'now');
    if (!upkeep.stopped) await this.run();
    if (upkeep.isUntidy) await this.store.reclaim?.();
  }

  private get isFlushDue(): boolean {
    return this.applied.unflushed >= this.place.flushAt;
  }

  /** Takes the first build that has not failed one slice further; false when there is none. */
  private async buildOn(failures: Map<string, unknown>): Promise<boolean> {
    if (this.place.upkeep.stopped || this.applied.builds.length === 0) return false;
    await this.place.builder.refresh();
    const { builds } = this.applied;
    const build = builds.find((one) => !failures.has(nameOf(one)));
    if (build === undefined) return builds.length === 0;
    try {
      await (isThrough(build) ? this.place.builder.finish(build) : this.buildSlice(build));
    } catch (error) {
      if (isPassing(error)) throw error;
      failures.set(nameOf(build), error);
    }
    return true;
  }

  private async buildSlice(build: Build): Promise<void> {
    const { builds, manifest, manifestNumber, floor } = this.applied;
    const fence = this.fence(manifestNumber);
    const slice = await this.place.builder.slice(build, this.place.flushAt, () => this.givingWay.pause('now'));
    // Builds that are over stay as long as the log speaks of them, so that whoever reads it knows that their entries are there.
    const over = manifest.builds.filter((one) => !builds.some((other) => isSame(one, other)));
    const others = [...builds, ...over].filter((other) => !isSame(other, build));
    try {
      await this.whole(fence, async () => {
        const segments = await this.withRows(slice.rows, manifest, fence, 'later');
        await this.install({ ...manifest, segments, builds: [slice.build, ...others] }, floor, fence);
      });
    } catch (error) {
      // Where another engine was faster, its slice stands, and the next one begins there.
      if (!(error instanceof Overtaken)) throw error;
    }
  }

  /** @returns the number of the manifest that follows */
  private async flushOnce(number: number, pace: Pace): Promise<number> {
    const { record, lastCommit, manifest, builds, unflushed } = this.applied;
    const rows = this.applied.rowsInMemory();
    const fence = this.fence(number);
    let at = 0;
    let done = 0;
    const next = (): Row | null => {
      const row = rows[at++] ?? null;
      if (row !== null) done += row.key.length + row.text.length;
      return row;
    };
    this.place.upkeep.flushing = { least: Math.max(unflushed, HASTE * this.place.flushAt), share: () => done / (unflushed || 1) };
    try {
      return await this.whole(fence, async () => {
        const hashes = await this.writeHashes(manifest, lastCommit, fence);
        const segments = await this.withRows({ next, seek: () => {} }, manifest, fence, pace);
        return this.install({ ...manifest, lastCommit, segments, hashes, builds }, record, fence);
      });
    } finally {
      this.place.upkeep.flushing = null;
    }
  }

  /** Writes rows as the newest segment. @returns the segments with it */
  private async withRows(rows: RowCursor, { segments }: Manifest, fence: Fence, pace: Pace): Promise<readonly SegmentInfo[]> {
    const settled = segments.length === 0;
    // Only merging leaves something out.
    const sorter = new Sorting(KEEP_ALL, settled, -Infinity);
    const written = await this.writeSegment(rows, { base: this.newBase(), settled, sorter, write: (slice) => this.write(slice, fence, pace) });
    return [...written, ...segments];
  }

  private writeSegment(rows: RowCursor, writing: Omit<Writing, 'inHaste'>): Promise<readonly SegmentInfo[]> {
    return writeSegment(rows, { ...writing, inHaste: this.givingWay.inHaste }, this.platform.utf8);
  }

  /** Puts the hashes of the requests since the floor into blocks; those of long ago are left out. */
  private async writeHashes({ hashes }: Manifest, upTo: Ts, fence: Fence): Promise<readonly HashBlock[]> {
    // The last ones always stay, and no clock counts that the flush before has not shown, so that one that is ahead for a
    // moment forgets nothing. One whose `upTo` is still to come, as some clock was ahead before it and the log's times with
    // that, is dated by what the clock showed when it was written.
    const oldest = Math.min(this.spared(), (hashes.at(-1)?.clock ?? 0) - SPARED);
    const clock = this.platform.now();
    const blocks: HashBlock[] = hashes.filter(({ upTo, clock: then }, at) => (upTo > clock ? then : upTo) > oldest || at >= hashes.length - HASH_BLOCKS_KEPT);
    for (const block of hashBlocks(this.applied, () => this.newBase(), this.platform)) {
      await this.write([block], fence, 'now');
      blocks.push({ base: baseOf(block.id), upTo, clock });
    }
    return blocks;
  }

  private nextMerge(): Merge | null {
    const { builds, manifest: { segments } } = this.applied;
    const next = nextMerge(segments, this.place.flushAt);
    // While an index is built, older entries may still come beneath a removal that has nothing under it now.
    if (next !== null || builds.length > 0) return next;
    // Not of later removals: even where no history is kept, GRACE (schema/retention.ts), which is as long, still keeps what they ended.
    return hollowMerge(segments, this.spared() - SPARED);
  }

  /** Merges segments into one. The log goes on growing meanwhile and is flushed in between. */
  private async merge({ start, end }: Merge): Promise<void> {
    const fence = this.fence(this.applied.manifestNumber);
    const { segments } = this.applied.manifest;
    const old = segments.slice(start, end);
    const settled = end === segments.length;
    // While an index is built, rows of any time may still come.
    const newer = Math.min(...segments.slice(0, start).map(({ past }) => past));
    const above = this.applied.builds.length > 0 ? -Infinity : this.applied.rowsInMemory().reduce((past, row) => Math.min(past, pastOf(row)), newer);
    const sorter = new Sorting(await this.place.keeping(this.spared()), settled, above, this.applied.builds.length === 0);
    // Memory of its own: what is read once pushes nothing out that is read often.
    const cache = new BlockCache(this.store, this.platform.utf8, MERGE_BYTES);
    const source = mergeSources(old.map((info) => new Segment(info, cache)));
    const base = this.newBase();
    this.begun = [base];
    this.applied.retire(old);
    try {
      const write = async (slice: readonly Block[]): Promise<void> => {
        await this.write(slice, fence, 'later');
        while (this.isFlushDue) fence.number = await this.flushOnce(fence.number, 'soon');
      };
      await this.whole(fence, async () => {
        const merged = await this.writeSegment(source.scan(ALL_KEYS), { base, settled, sorter, write });
        const { manifest, floor } = this.applied;
        const at = manifest.segments.findIndex((segment) => segment.base === old[0]?.base);
        this.begun = [];
        await this.install({ ...manifest, segments: manifest.segments.toSpliced(at, old.length, ...merged) }, floor, fence);
      });
    } finally {
      this.begun = [];
    }
  }

  /** Deletes the blocks that nobody will refer to any more. */
  private async sweep(): Promise<void> {
    const { manifest, manifestNumber, life } = this.applied;
    const dead = deadRanges(basesOf(manifest), manifestNumber);
    const now = this.platform.now();
    const age = now - this.swept.since;
    const isKnown = this.swept.life === life && age >= 0 && age < SWEPT_FOR;
    await this.delete(isKnown ? without(dead, this.swept.ranges) : dead, life, () => this.givingWay.pause('later'));
    this.swept = { life, ranges: dead, since: isKnown ? this.swept.since : now };
  }

  /** Deletes blocks of a database, as long as it is the one of now. */
  private delete(ranges: readonly BlockRange[], life: number, pause: () => Promise<void>): Promise<void> {
    return sweep(this.store, ranges, async () => {
      await pause();
      if (this.applied.life !== life) throw new Overtaken();
    });
  }

  private fence(number: number): Fence {
    return { number, life: this.applied.life, bases: new Set() };
  }

  private newBase(): number {
    return newBase(this.applied.manifestNumber, this.runs++);
  }

  /** What does not fit on the disk leaves no part of itself there: it would take the room of the next attempt. After other failures a manifest may name its blocks all the same. */
  private async whole<T>(fence: Fence, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (isFailure(error, 'quota') && !error.uncertain && this.applied.life === fence.life) {
        this.applied.forget(fence.bases);
        await this.delete([...fence.bases].map(rangeOf), fence.life, () => this.platform.later(0)).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Counted from the earlier of clock and last commit: a clock that was ahead for a moment must take nothing from anybody. */
  private spared(): Ts {
    return Math.min(this.applied.lastCommit, this.platform.now()) - SPARED;
  }

  private async write(slice: readonly Block[], fence: Fence, pace: Pace): Promise<void> {
    await this.givingWay.pause(pace);
    if (!this.stands(fence) || !(await this.applied.write(slice))) throw new Overtaken();
    for (const { id, bytes } of slice) {
      fence.bases.add(baseOf(id));
      this.place.upkeep.written += bytes.length;
    }
  }

  private stands({ number, life }: Pick<Fence, 'number' | 'life'>): boolean {
    return this.applied.manifestNumber === number && this.applied.life === life;
  }

  private async install(manifest: Manifest, floor: number, fence: Fence): Promise<number> {
    const { utf8 } = this.platform;
    const { number, life } = fence;
    if (!this.stands(fence)) throw new Overtaken();
    const loading = manifest.loading !== null && ageOf(manifest.loading, number) < LOADING ? manifest.loading : null;
    const installed = await this.store.install({ expected: number, manifest: encodeManifest({ ...manifest, loading, begun: this.begun }, utf8), floor });
    // A manifest names them now, or there is a newer one.
    fence.bases.clear();
    await this.place.builder.refresh();
    if (!installed || !this.stands({ number: number + 1, life })) throw new Overtaken();
    return this.applied.manifestNumber;
  }
}

const nameOf = ({ scope, index }: Build): string => `${scope}/${index}`;

/** The manifest that what is being written belongs to, and the database: of another one it may have the same number. */
interface Fence {
  readonly life: number;
  number: number;
  /** Where the blocks begin that the store has taken of it. */
  readonly bases: Set<number>;
}

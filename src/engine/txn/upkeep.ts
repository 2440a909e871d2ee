// Upkeep: what keeps a database quick to open and to read. Rows of a log that has grown go
// into a segment of blocks and the log is trimmed; segments of about the same size are
// merged into one of the next. Both end in one `install`, fenced by the manifest's number:
// where two engines do the same, one of them was working in vain and nothing else happens.
// Between them the indexes that are being built take in the history, a slice at a time.
import type { Platform, Ts } from '../base/platform.ts';
import { encodeBlock } from '../kv/block.ts';
import { BlockGone, type BlockCache } from '../kv/block-cache.ts';
import { type Build, isSame, isThrough } from '../kv/builds.ts';
import { type LogStore, StorageError } from '../kv/log-store.ts';
import { encodeManifest, type HashBlock, type Manifest } from '../kv/manifest.ts';
import { mergeSources } from '../kv/merge.ts';
import type { Row, RowCursor } from '../kv/rows.ts';
import { blocksOf, Segment, type SegmentInfo } from '../kv/segment.ts';
import { newBlockId, writeSegment } from '../kv/segment-writer.ts';
import type { Applied } from './applied.ts';

export interface UpkeepLimits {
  /** Characters of log rows at which they go into blocks. */
  readonly flushAt: number;
}

/** What building an index takes besides rows: its definition, and a last commit. */
export interface Builder {
  /** Learns of what other engines have done, to the blocks too. */
  refresh(): Promise<void>;
  /** The entries of the next versions, about so many characters of them, and what is left then. */
  slice(build: Build, size: number): Promise<{ readonly rows: readonly Row[]; readonly build: Build }>;
  /** Makes the index active, if there is still one. */
  finish(build: Build): Promise<void>;
}

/** Where work is left that another engine has in hand, or that failed, it is looked at again (milliseconds). */
const AGAIN = 1000;
/** Segments merged at a time; each tier is this many times larger than the one before. */
const FAN = 4;
/** Hashes of request ids are kept this long (microseconds). */
const HASHES_KEPT: Ts = 15 * 60 * 1_000_000;
const HASH_BLOCKS_KEPT = 4;

export class Upkeep {
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly store: LogStore,
    private readonly platform: Platform,
    private readonly applied: Applied,
    private readonly cache: BlockCache,
    private readonly limits: UpkeepLimits,
    private readonly builder: Builder,
    /** Runs work that no other engine on the log should do at the same time, or leaves it to them. */
    private readonly exclusively: (work: () => Promise<void>) => Promise<void>,
  ) {}

  /** Begins upkeep in the background when there is need of it and it is not under way. */
  wake(): void {
    if (this.running !== null || this.stopped || !this.isDue()) return;
    this.running = this.exclusively(() => this.run())
      // What failed is tried again with the next commit; the database is whole meanwhile.
      .catch((error: unknown) => {
        if (!(error instanceof StorageError) && !(error instanceof BlockGone)) throw error;
      })
      .finally(() => {
        this.running = null;
        if (this.applied.builds.length > 0) void this.platform.later(AGAIN).then(() => this.wake());
      });
  }

  /** Begins nothing any more. */
  stop(): void {
    this.stopped = true;
  }

  /** Does what is due; resolves when nothing is under way. */
  async settled(): Promise<void> {
    for (this.wake(); this.running !== null; ) await this.running;
  }

  private isDue(): boolean {
    return this.applied.unflushed >= this.limits.flushAt || this.applied.builds.length > 0;
  }

  private async run(): Promise<void> {
    // Blocks that others have merged are gone: whoever begins on them begins in vain, each time anew.
    await this.builder.refresh();
    do {
      while (this.applied.unflushed >= this.limits.flushAt) if (!(await this.flush())) return;
      for (let run = this.mergeable(); run !== null; run = this.mergeable()) if (!(await this.compact(run))) return;
    } while (await this.buildOn());
  }

  /** Takes the build in hand one slice further; false when there is none. */
  private async buildOn(): Promise<boolean> {
    if (this.stopped || this.applied.builds.length === 0) return false;
    await this.builder.refresh();
    const { builds, manifest, manifestNumber, floor } = this.applied;
    const [build] = builds;
    if (build === undefined) return true;
    if (isThrough(build)) {
      await this.builder.finish(build);
      return true;
    }
    const slice = await this.builder.slice(build, this.limits.flushAt);
    const segment = await writeSegment(cursorOf(slice.rows), await this.newId(), this.store, this.platform);
    const segments = segment === null ? manifest.segments : [segment, ...manifest.segments];
    const others = builds.filter((other) => !isSame(other, build));
    // Where another engine was faster, its slice stands, and the next one begins there.
    await this.install({ ...manifest, segments, builds: [slice.build, ...others] }, manifestNumber, [], floor);
    return true;
  }

  private async flush(): Promise<boolean> {
    const { record, lastCommit, manifest, manifestNumber, builds } = this.applied;
    const rows = this.applied.rowsInMemory();
    const hashes = await this.writeHashes(manifest, lastCommit);
    const segment = await writeSegment(cursorOf(rows), await this.newId(), this.store, this.platform);
    const segments = segment === null ? manifest.segments : [segment, ...manifest.segments];
    const dropped = manifest.hashes.filter((block) => !hashes.includes(block)).map(({ id }) => id);
    return this.install({ ...manifest, lastCommit, segments, hashes, builds }, manifestNumber, dropped, record);
  }

  /** Puts the hashes of the requests since the floor into a block; those of long ago are left out. */
  private async writeHashes({ hashes }: Manifest, upTo: Ts): Promise<readonly HashBlock[]> {
    // From the earlier of clock and log, and never the last ones: a clock that was ahead for a moment forgets nothing.
    const oldest = Math.min(upTo, this.platform.now()) - HASHES_KEPT;
    const kept = hashes.filter((block, at) => block.upTo > oldest || at >= hashes.length - HASH_BLOCKS_KEPT);
    const rows = [...this.applied.requestsInMemory()]
      .map(([key, { ts, now }]): Row => ({ key, text: `${ts} ${now}` }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    if (rows.length === 0) return kept;
    const id = await this.newId();
    await this.store.writeBlocks([{ id, bytes: encodeBlock(rows, this.platform.utf8) }]);
    return [...kept, { id, upTo }];
  }

  private newId(): Promise<number> {
    return newBlockId(this.store, this.platform, this.applied.manifestNumber);
  }

  /** The first run of neighbouring segments of one tier that is long enough to merge. */
  private mergeable(): { readonly start: number; readonly end: number } | null {
    const { segments } = this.applied.manifest;
    const tier = ({ bytes }: SegmentInfo): number => Math.floor(Math.log(Math.max(1, bytes / this.limits.flushAt)) / Math.log(FAN));
    for (let start = 0; start < segments.length; ) {
      let end = start + 1;
      while (end < segments.length && tier(segments[end] as SegmentInfo) <= tier(segments[start] as SegmentInfo)) end++;
      if (end - start >= FAN) return { start, end };
      start = end;
    }
    return null;
  }

  private async compact({ start, end }: { readonly start: number; readonly end: number }): Promise<boolean> {
    const { manifest, manifestNumber, floor } = this.applied;
    const old = manifest.segments.slice(start, end);
    const source = mergeSources(old.map((info) => new Segment(info, this.cache)));
    const merged = await writeSegment(source.scan({ from: '', to: '\xff' }, false), await this.newId(), this.store, this.platform);
    const segments = manifest.segments.toSpliced(start, end - start, ...(merged === null ? [] : [merged]));
    return this.install({ ...manifest, segments }, manifestNumber, await blocksOf(old, this.cache), floor);
  }

  private async install(manifest: Manifest, expected: number, dropBlocks: readonly number[], floor: number): Promise<boolean> {
    const installed = await this.store.install({ expected, manifest: encodeManifest(manifest, this.platform.utf8), dropBlocks, floor });
    const header = await this.store.open();
    // A floor above what is applied is found by the next look at the log, which starts over.
    if (header.floor <= this.applied.record) this.applied.adopt(header);
    return installed;
  }
}

function cursorOf(rows: readonly Row[]): RowCursor {
  let at = 0;
  return { next: () => rows[at++] ?? null, seek: () => {} };
}


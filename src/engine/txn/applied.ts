// What an engine has applied of the log: rows in memory since the floor, segments of blocks
// below it. A reader holds on to the source it began with, so taking over a new manifest
// disturbs nobody.
import { ALL_KEYS, type Key } from '../base/bytes.ts';
import { andThen, fold, type MaybePromise, readAll } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { type Build, buildsAfter, isThrough } from '../kv/builds.ts';
import { type BlockCache, BlockGone } from '../kv/block-cache.ts';
import { blockId } from '../kv/block-ids.ts';
import type { Block, Header } from '../kv/log-store.ts';
import { BUILD } from '../kv/keyspace.ts';
import { basesOf, decodeManifest, EMPTY_MANIFEST, type Manifest } from '../kv/manifest.ts';
import { Memtable } from '../kv/memtable.ts';
import { mergeSources } from '../kv/merge.ts';
import type { Row, RowSource } from '../kv/rows.ts';
import { Segment, type SegmentInfo } from '../kv/segment.ts';
import type { Commit } from './record.ts';

/** What the log says of a request that was already applied. */
export interface AppliedRequest {
  readonly ts: Ts;
  readonly now: Ts;
}

/** How many index and filter blocks of all segments are fetched before they are asked for, and how many blocks of hashes at a time. */
const MOST_AHEAD = 16;

export class Applied {
  /** Number of the last record applied. */
  record = 0;
  /** Time of the last commit applied; 0 before the first. */
  lastCommit: Ts = 0;
  /** All applied rows. */
  source: RowSource;
  manifest: Manifest = EMPTY_MANIFEST;
  manifestNumber = 0;
  floor = 0;
  /** Counts the manifests taken over: sources from before one do not get what is applied after it. */
  adoptions = 0;
  /** Indexes that are being built. */
  builds: readonly Build[] = [];
  /** Characters of the rows since the floor. */
  unflushed = 0;
  /** An index has become active whose entries lie in blocks that another engine has installed: nothing can be read until their manifest was taken over. */
  isBehind = false;
  /** That of the database whose state this is; 0 before the first. */
  identity = 0;
  /** Counts the databases it was the state of. Unlike `identity` it also grows when an older copy takes the place of a database. */
  life = 0;
  private table = new Memtable();
  private segments: readonly Segment[] = [];
  /** The records after the floor, in order. */
  private records: { readonly number: number; readonly commits: readonly Commit[] }[] = [];
  private requests = new Map<Key, AppliedRequest>();

  constructor(
    private readonly cache: BlockCache,
    private readonly utf8: Platform['utf8'],
  ) {
    this.source = this.table;
  }

  apply(number: number, commits: readonly Commit[]): void {
    this.record = number;
    this.records.push({ number, commits });
    for (const commit of commits) this.take(commit);
  }

  /**
   * Takes over the manifest of a header. Records after its floor stay in memory if it is still the same database.
   * @param isAnew whether it is another database, whatever its identity: an older copy may have been put in its place
   * @returns whether the floor lies above what was applied, so that the state has changed
   */
  adopt(header: Header, isAnew: boolean): boolean {
    const isBefore = header.manifestNumber < this.manifestNumber;
    const isBeyond = header.floor > this.record;
    // In one history the floor never falls: one of before that lies beyond is a copy's, put in its place.
    const isOther = isAnew || header.identity !== this.identity || (isBefore && isBeyond);
    const isChanged = isOther || isBeyond;
    // Headers may arrive out of order, and an older one tells nothing new.
    const isOlder = isBefore || (header.manifestNumber === this.manifestNumber && !isChanged);
    if (isOlder && !isOther) return false;
    if (isOther) {
      this.cache.clear();
      this.life++;
      this.identity = header.identity;
    }
    const later = isChanged ? [] : this.records.filter(({ number }) => number > header.floor);
    this.restart(header);
    for (const { number, commits } of later) this.apply(number, commits);
    // The first request will need it. Where there is much of it, few requests need much.
    if (isOther) this.segments.reduce((left, segment) => left - segment.fetchDirectory(left), MOST_AHEAD);
    return isChanged;
  }

  /** The state at the floor of a header: what its blocks hold, and nothing in memory. */
  private restart(header: Header): void {
    this.adoptions++;
    this.manifest = decodeManifest(header, this.utf8);
    this.manifestNumber = header.manifestNumber;
    this.floor = header.floor;
    this.record = header.floor;
    this.lastCommit = this.manifest.lastCommit;
    this.builds = this.manifest.builds;
    this.isBehind = false;
    this.segments = this.manifest.segments.map((info) => new Segment(info, this.cache));
    this.cache.retain(basesOf(this.manifest));
    this.table = new Memtable();
    this.source = mergeSources([this.table, ...this.segments]);
    this.records = [];
    this.requests = new Map();
    this.unflushed = 0;
  }

  /** Stores blocks of a manifest to come. @returns whether the store has taken them */
  write(blocks: readonly Block[]): Promise<boolean> {
    return this.cache.write(blocks);
  }

  /** The blocks of these bases are deleted: no manifest has come to name them. */
  forget(bases: ReadonlySet<number>): void {
    this.cache.forget(bases);
  }

  /** A merge of these segments begins: its result will take the place of their blocks. */
  retire(segments: readonly SegmentInfo[]): void {
    this.cache.retire(segments.map(({ base }) => base));
  }

  /** Rows that came after a manifest, and perhaps some of its own: those of newer segments, and those in memory. */
  since({ segments }: Manifest): RowSource {
    const known = new Set(segments.map(({ base }) => base));
    return mergeSources([this.table, ...this.segments.filter(({ info }) => !known.has(info.base))]);
  }

  /** The rows in memory, in order. */
  rowsInMemory(): readonly Row[] {
    // A memtable never makes a reader wait.
    return readAll(this.table.scan(ALL_KEYS).next, (row) => row) as Row[];
  }

  /** The requests applied since the floor. */
  requestsInMemory(): ReadonlyMap<Key, AppliedRequest> {
    return this.requests;
  }

  /** A request that was applied since the floor. */
  request(hash: Key): AppliedRequest | undefined {
    return this.requests.get(hash);
  }

  /** Blocks of hashes in which a request may be found. The newest comes first: who asks again has mostly asked a moment ago. */
  private blocksOfHashes({ since, known }: Coming): number[] {
    const isLater = (base: number): boolean => known.every((block) => block.base !== base);
    return this.manifest.hashes.filter(({ base, upTo }) => upTo >= since || isLater(base)).map(({ base }) => blockId(base, 'tops', 0)).reverse();
  }

  /** Whether a request has to be looked for in blocks. */
  mayBeInBlocks(coming: Coming): boolean {
    return this.blocksOfHashes(coming).length > 0;
  }

  /** A request that was applied some minutes ago, as far as hashes are kept. */
  olderRequest(hash: Key, coming: Coming = ANY): MaybePromise<AppliedRequest | undefined> {
    const ids = this.blocksOfHashes(coming);
    return fold(ids, this.requests.get(hash), (found, id, at) => {
      if (found !== undefined) return found;
      if (at % MOST_AHEAD === 1) this.cache.ahead(ids.slice(at, at + MOST_AHEAD));
      return andThen(this.cache.first(id, hash), (row) => {
        if (row?.key !== hash) return undefined;
        const [ts = 0, now = 0] = row.text.split(' ').map(Number);
        return { ts, now };
      });
    });
  }

  private take(commit: Commit): void {
    const { rows } = commit;
    // One commit may have many: a plain loop makes nothing for each of them.
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as Row;
      if (row.key.startsWith(BUILD)) this.noteBuilds(buildsAfter(this.builds, row, commit.ts));
      else this.table.put(row);
      this.unflushed += row.key.length + row.text.length;
    }
    this.lastCommit = Math.max(this.lastCommit, commit.ts);
    this.requests.set(commit.requestHash, { ts: commit.ts, now: commit.now });
  }

  private noteBuilds(builds: readonly Build[]): void {
    const ended = this.builds.filter((build) => !builds.includes(build));
    this.builds = builds;
    if (ended.every(isThrough)) return;
    this.isBehind = true;
    this.source = BEHIND;
  }
}

/** When a request came: of what was applied before it was sent there is no need to look into blocks. */
export interface Coming {
  /** It was not applied before, by the clock there was then. */
  readonly since: Ts;
  /** The blocks there were. In later ones it may be whatever their times say: the clock may have been set back. */
  readonly known: Manifest['hashes'];
}

const ANY: Coming = { since: -Infinity, known: [] };

const gone = (): never => {
  throw new BlockGone('its blocks are not known yet');
};
const BEHIND: RowSource = { hides: false, scan: gone, tops: gone, pieces: gone, holders: gone };

// Writes sorted rows as a segment, a slice of some blocks at a time: a long native transaction
// would hold up every commit.
import { andThen, loop } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { documentOf } from './belonging.ts';
import { blockId } from './block-ids.ts';
import { BLOCK_BYTES, encodeBlock } from './block-writer.ts';
import { hashOf } from './filter.ts';
import { filterBlocks, Hashes } from './filter-writer.ts';
import type { Block } from './log-store.ts';
import type { Row, RowCursor } from './rows.ts';
import type { IndexRef, RunInfo } from './run.ts';
import type { Holes, SegmentInfo } from './segment.ts';

/** Blocks in a slice; and in haste: one transaction of many blocks is sooner done than many of few. */
const SLICE = 2;
const HASTY_SLICE = 8;

/** Where a row goes: to those that may count now, to history, or nowhere. */
export type Fate = 'top' | 'old' | 'gone';

export interface Sorter {
  /** Asked of each row once, in order. */
  fate(row: Row): Fate;
  /** The earliest time of a row it let pass that was written into the past; `Infinity` when there is none. */
  readonly past: Ts;
  /** Whether it sent a group's first row to history, as it says that there is nothing. */
  readonly hides: boolean;
  /** Rows that say that there is nothing, and stayed among the tops: how many, of how many rows, and the last commit of one. */
  readonly holes: Holes;
}

export interface Writing {
  /** Where the ids of its blocks begin. */
  readonly base: number;
  /** Its tops count before anything in older segments. */
  readonly settled: boolean;
  readonly sorter: Sorter;
  /** Whether the whole matters more now than whom a slice holds up. */
  inHaste(): boolean;
  /** Stores a slice, and gives others a turn. */
  write(slice: readonly Block[]): Promise<void>;
}

/**
 * @param cursor rows in order; a key that comes twice counts once
 * @returns the segment, if any rows are left
 */
export async function writeSegment(cursor: RowCursor, writing: Writing, utf8: Platform['utf8']): Promise<readonly SegmentInfo[]> {
  const { base } = writing;
  let slice: Block[] = [];
  const flush = async (): Promise<void> => {
    if (slice.length === 0) return;
    const full = slice;
    slice = [];
    await writing.write(full);
  };
  const write = async (block: Block): Promise<void> => {
    slice.push(block);
    if (slice.length >= (writing.inHaste() ? HASTY_SLICE : SLICE)) await flush();
  };
  let indexBlocks = 0;
  const index: IndexPlaces = () => {
    const place = indexBlocks++;
    return { place, id: blockId(base, 'index', place) };
  };
  const tops = new RunWriter(base, 'tops', writing.settled, index, write, utf8);
  const olds = new RunWriter(base, 'olds', false, index, write, utf8);
  const hashes = new Hashes();
  let document: string | null = null;
  let schema: number | null = null;
  let last: string | null = null;

  for (;;) {
    // As many rows as come without waiting, up to a full block.
    const full = await loop<RunWriter | 'end'>(() =>
      andThen(cursor.next(), (row) => {
        if (row === null) return 'end';
        if (row.key === last) return undefined;
        last = row.key;
        const of = documentOf(row.key);
        const fate = writing.sorter.fate(row);
        if (fate === 'gone') return undefined;
        if (of !== null && fate === 'top') schema ??= tops.place;
        if (of !== null && of !== document) {
          document = of;
          hashes.add(hashOf(of));
        }
        const run = fate === 'top' ? tops : olds;
        return run.add(row) ? run : undefined;
      }),
    );
    if (full === 'end') break;
    await full.close();
  }
  const [topRun, oldRun] = [await tops.end(), await olds.end()];
  const filter = filterBlocks(hashes.size);
  await flush();
  // Making one takes as long as making two of rows.
  for (let at = 0; at < filter; at++) await writing.write([{ id: blockId(base, 'filter', at), bytes: hashes.filterBlock(at, filter) }]);
  const { past, hides, holes } = writing.sorter;
  return topRun === null && oldRun === null ? [] : [{ format: 2, base, bytes: tops.bytes + olds.bytes, tops: topRun, olds: oldRun, schema, filter, past, hides, holes }];
}

/** The places of index blocks are shared by the runs of a segment. */
type IndexPlaces = () => { readonly place: number; readonly id: number };

/** Writes the rows of one run. */
class RunWriter {
  /** Bytes of its data blocks. */
  bytes = 0;
  private readonly data: BlockFiller;
  private readonly entries: BlockFiller;
  private readonly index: IndexRef[] = [];
  /** Of the block at hand. */
  place = 0;
  private last = '';

  constructor(
    private readonly base: number,
    private readonly part: 'tops' | 'olds',
    settled: boolean,
    private readonly nextIndex: IndexPlaces,
    private readonly write: (block: Block) => Promise<void>,
    utf8: Platform['utf8'],
  ) {
    this.data = new BlockFiller(settled, utf8);
    this.entries = new BlockFiller(false, utf8);
  }

  /** Whether its block is full with this row. */
  add(row: Row): boolean {
    this.last = row.key;
    return this.data.add(row);
  }

  /** Writes the block at hand. */
  async close(): Promise<void> {
    const closed = this.data.close();
    if (closed === null) return;
    const place = this.place++;
    this.bytes += closed.bytes.length;
    if (this.entries.add({ key: closed.first, text: String(place) })) await this.closeEntries();
    await this.write({ id: blockId(this.base, this.part, place), bytes: closed.bytes });
  }

  async end(): Promise<RunInfo | null> {
    await this.close();
    await this.closeEntries();
    return this.index.length === 0 ? null : { last: this.last, index: this.index };
  }

  private async closeEntries(): Promise<void> {
    const closed = this.entries.close();
    if (closed === null) return;
    const { place, id } = this.nextIndex();
    this.index.push({ first: closed.first, place });
    await this.write({ id, bytes: closed.bytes });
  }
}

/** Gathers rows until they fill a block. */
class BlockFiller {
  private rows: Row[] = [];
  private size = 0;

  constructor(
    private readonly settled: boolean,
    private readonly utf8: Platform['utf8'],
  ) {}

  /** Whether the block is full with this row. */
  add(row: Row): boolean {
    this.rows.push(row);
    this.size += row.key.length + row.text.length;
    return this.size >= BLOCK_BYTES;
  }

  close(): { readonly first: string; readonly bytes: Uint8Array } | null {
    const [first] = this.rows;
    if (first === undefined) return null;
    const bytes = encodeBlock(this.rows, this.utf8, this.settled);
    this.rows = [];
    this.size = 0;
    return { first: first.key, bytes };
  }
}

// Segments: what one flush or merge has written. Rows that may count now lie apart from
// those that are history, so that reading the present does not step over the past; a filter
// tells which documents have versions in it.
import type { Key, Span } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { BlockCache } from './block-cache.ts';
import { blockId, type Part } from './block-ids.ts';
import { filterBlockOf, hashOf, mayHold } from './filter.ts';
import { mergeCursors } from './merge.ts';
import { Run, type RunInfo } from './run.ts';
import { type Holder, NOTHING, type Piece, type Row, type RowCursor } from './rows.ts';

export interface SegmentInfo {
  /** A segment of format 1 has all its rows in `olds`, also those that may count, no filter, and block ids for places. */
  readonly format: 1 | 2;
  /** Where the ids of its blocks begin. */
  readonly base: number;
  /** Bytes of its rows' blocks. */
  readonly bytes: number;
  /** Of each group of V, I and H the first row. */
  readonly tops: RunInfo | null;
  /** The rest, and all of E and D. */
  readonly olds: RunInfo | null;
  /** Place of the block of `tops` in which documents begin, the root's schema first; `null` where there are none, or nobody has noted it. */
  readonly schema: number | null;
  /** Blocks of its filter; 0 when it has no versions of documents. */
  readonly filter: number;
  /** The earliest time of a row that was written into the past; `Infinity` when there is none. */
  readonly past: Ts;
  /** Whether first rows that say that there is nothing are among `olds`. */
  readonly hides: boolean;
  /** Absent where an earlier build has written it. */
  readonly holes?: Holes;
}

/** The rows of a segment's tops that say that there is nothing. */
export interface Holes {
  readonly count: number;
  /** Of all its rows: what merging them away has to write anew. */
  readonly among: number;
  /** The last commit of one. */
  readonly last: Ts;
}

export class Segment implements Holder {
  private readonly topRun: Run | null;
  private readonly oldRun: Run | null;
  private readonly alone: readonly Holder[] = [this];

  constructor(
    readonly info: SegmentInfo,
    private readonly cache: BlockCache,
  ) {
    const { format, base, tops, olds } = info;
    const idOf = (part: Part, place: number): number => (format === 1 ? place : blockId(base, part, place));
    this.topRun = tops && new Run(tops, 'tops', idOf, cache);
    this.oldRun = olds && new Run(olds, 'olds', idOf, cache);
  }

  scan(span: Span, reverse = false): RowCursor {
    return mergeCursors([this.topRun, this.oldRun].map((run) => run?.scan(span, reverse) ?? NOTHING), reverse);
  }

  tops(span: Span, reverse = false): RowCursor {
    return this.present?.scan(span, reverse) ?? NOTHING;
  }

  pieces(span: Span): MaybePromise<readonly (readonly Piece[])[]> {
    return andThen(this.present?.pieces(span) ?? [], (pieces) => [pieces]);
  }

  first(span: Span): MaybePromise<Row | null> {
    return this.present?.first(span) ?? null;
  }

  ahead(prefix: Key): MaybePromise<void> {
    return this.present?.ahead(prefix);
  }

  /** Where the rows are that may count now. */
  private get present(): Run | null {
    return this.info.format === 1 ? this.oldRun : this.topRun;
  }

  /** Fetches what the first request reads, whatever it is: the block of the schema, and index and filter blocks unless they are more than `most`. @returns how many of those */
  fetchDirectory(most: number): number {
    const { base, filter, schema } = this.info;
    if (schema !== null) this.cache.ahead([blockId(base, 'tops', schema)]);
    const index = [this.topRun, this.oldRun].flatMap((run) => run?.directory() ?? []);
    const count = index.length + filter;
    if (count > most) return 0;
    this.cache.ahead(index);
    this.cache.ahead(Array.from({ length: filter }, (_, at) => blockId(base, 'filter', at)));
    return count;
  }

  get hides(): boolean {
    return this.info.hides;
  }

  holders(document: Key): MaybePromise<readonly Holder[]> {
    const { format, base, filter } = this.info;
    if (filter === 0) return format === 1 ? this.alone : NONE;
    const hash = hashOf(document);
    const block = this.cache.bytes(blockId(base, 'filter', filterBlockOf(hash, filter)));
    if (block instanceof Promise) return block.then((bits) => (mayHold(bits, hash) ? this.alone : NONE));
    return mayHold(block, hash) ? this.alone : NONE;
  }
}

const NONE: readonly Holder[] = [];

// Rows in key order: what the engine reads, wherever they come from.
import type { Key, Span } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';
import type { Room } from './room.ts';
import type { Sheets } from './sheets.ts';

/** One row. `memo` keeps what a reader made of the text, so that it is made once. */
export interface Row {
  readonly key: Key;
  readonly text: string;
  /** Its segment had nothing older beneath it when it was written: no row of an older segment counts in its place. */
  readonly settled?: boolean | undefined;
  memo?: unknown;
  /** That of its block: counts the memory that memos take, and drops them where there is no room. */
  readonly weight?: { remember(row: Row, size: number, counted: number): void; count(row: Row, size: number): number } | undefined;
  /** Bytes of the text in UTF-8, once somebody has counted them. */
  textBytes?: number | undefined;
}

/** Makes a row. All rows that are searched are made here, with the same fields in the same order: the innermost loops are slow when they meet objects of several shapes. */
export function rowOf(key: Key, text: string, textBytes?: number, memo?: unknown, settled?: boolean, weight?: Row['weight']): Row {
  return { key, text, settled, memo, textBytes, weight };
}

/** Place of the first row whose key is not less than `key`. */
export function lowerBound(rows: readonly Row[], key: Key): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as Row).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A position in sorted rows. Forward or backward is decided when it is opened. */
export interface RowCursor {
  /** The next row, or `null` at the end. Waits only where a row is not in memory. */
  next(): MaybePromise<Row | null>;
  /** Leaps: the next row is the first with a key ≥ `key`; backward, the last with a key < `key`. Never goes back. */
  seek(key: Key): void;
}

/** Rows of a source that follow each other, none of which is missing. */
export interface Piece {
  /** No row lies before it. */
  readonly from: Key;
  /** All rows lie before it; of a block's, also what other sources have about the same things. */
  readonly to: Key;
  /** The block whose rows these are, all of them, one about each thing; else `null`. */
  readonly block: BlockPlace | null;
  rows(): MaybePromise<readonly Row[]>;
}

/** A block, and what it is read through. */
export interface BlockPlace {
  readonly id: number;
  readonly cache: Blocks;
}

/** What blocks are read through (block-cache.ts). */
export interface Blocks {
  /** Fetches blocks that are likely to be asked for next, where there is enough memory for that. */
  ahead(ids: readonly number[]): void;
  /** For blocks and all that is kept of them. */
  readonly room: Room;
  /** What is kept of blocks beyond their rows, if anything is. */
  sheets: Sheets | null;
}

export interface RowSource {
  /** Whether `tops` may leave out a group's first row, as that says that there is nothing: a deletion, say. */
  readonly hides: boolean;
  /** All rows of a span, in order or, if `reverse`, from the last to the first. */
  scan(span: Span, reverse?: boolean): RowCursor;
  /**
   * The rows of a span of V, I or H that may count now: the first of each group, unless it says that
   * there is nothing, and perhaps others. A reader has to look through all rows of a group instead if
   * it does not see the commit of the first one; or if the source hides rows, and that one is not
   * settled and was written into the past.
   */
  tops(span: Span, reverse?: boolean): RowCursor;
  /** The same rows as pieces: in each list those of one part of the source, in order. */
  pieces(span: Span): MaybePromise<readonly (readonly Piece[])[]>;
  /** The parts of it that may have versions of a document. */
  holders(document: Key): MaybePromise<readonly Holder[]>;
}

/** A source that is not merged of others. */
export interface Holder extends RowSource {
  /** The first of the `tops` of a span, for documents: most of them are one row, which takes no cursor. */
  first(span: Span): MaybePromise<Row | null>;
  /** Fetches what `first` would read for a prefix. Absent where all rows are in memory. */
  ahead?(prefix: Key): MaybePromise<void>;
}

export const NOTHING: RowCursor = { next: () => null, seek: () => {} };

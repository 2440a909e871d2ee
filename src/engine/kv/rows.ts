// Rows in key order: what the engine reads, wherever they come from.
import type { Key, Span } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';

/** One row. `memo` keeps what a reader made of the text, so that it is made once. */
export interface Row {
  readonly key: Key;
  readonly text: string;
  /** No row of an older segment counts before it. */
  readonly settled?: boolean | undefined;
  memo?: unknown;
  /** That of its block: counts the memory that memos take, and drops them where there is no room. */
  readonly weight?: { remember(row: Row, memo: unknown): void } | undefined;
  /** Bytes of the text in UTF-8, once somebody has counted them. */
  textBytes?: number | undefined;
}

/** Makes a row. All that are searched among are made here, with the same fields in the same order: the innermost loops are slow where they meet objects of several shapes. */
export function rowOf(key: Key, text: string, textBytes?: number, memo?: unknown, settled?: boolean, weight?: Row['weight']): Row {
  return { key, text, settled, memo, textBytes, weight };
}

/** Place of the first row whose key is not less. */
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

export interface RowSource {
  /** Whether `tops` leaves out a group's first row where that says that there is nothing, as a deletion does. */
  readonly hides: boolean;
  /** All rows of a span. */
  scan(span: Span, reverse: boolean): RowCursor;
  /**
   * The rows of a span of V, I or H that may count now: the first of each group, unless it says that
   * there is nothing, and perhaps others. A reader has to look through all rows of the group instead
   * where the first is of a commit it does not see, or was, in a source that hides rows, written into
   * the past and is not settled.
   */
  tops(span: Span, reverse: boolean): RowCursor;
  /** Those of its parts that may have versions of a document. */
  holders(document: Key): MaybePromise<readonly Holder[]>;
}

/** One that is no merger of others. */
export interface Holder extends RowSource {
  /** The first of the `tops` of a span: without a cursor, as most documents are one row. */
  first(span: Span): MaybePromise<Row | null>;
  /** Where rows are not in memory: fetches what the `first` of a prefix reads. */
  ahead?(prefix: Key): MaybePromise<void>;
}

export const NOTHING: RowCursor = { next: () => null, seek: () => {} };

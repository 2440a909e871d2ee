// Rows in key order: what the engine reads, wherever they come from.
import type { Key, Span } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';

/** One row. `memo` keeps what a reader made of the text, so that it is made once. */
export interface Row {
  readonly key: Key;
  readonly text: string;
  memo?: unknown;
}

/** A position in sorted rows. Forward or backward is decided when it is opened. */
export interface RowCursor {
  /** The next row, or `null` at the end. Waits only where a row is not in memory. */
  next(): MaybePromise<Row | null>;
  /** Leaps: the next row is the first with a key ≥ `key`; backward, the last with a key < `key`. Never goes back. */
  seek(key: Key): void;
}

export interface RowSource {
  scan(span: Span, reverse: boolean): RowCursor;
}

// Rows in memory, kept sorted in chunks: a lookup is two binary searches, an insert moves
// at most one chunk. A cursor survives inserts and deletes between two of its steps.
import type { Key, Span } from '../base/bytes.ts';
import { type Holder, lowerBound, type Piece, type Row, type RowCursor } from './rows.ts';

const CHUNK = 256;

export class Memtable implements Holder {
  private chunks: Row[][] = [[]];
  /** Grows with every change, so that cursors know when to look for their place again. */
  private changes = 0;
  readonly hides = false;

  /** Adds a row, or replaces the one with its key. */
  put(row: Row): void {
    this.changes++;
    const chunkAt = this.chunkOf(row.key);
    const chunk = this.chunks[chunkAt] as Row[];
    const at = lowerBound(chunk, row.key);
    if (chunk[at]?.key === row.key) {
      chunk[at] = row;
      return;
    }
    if (at === chunk.length) chunk.push(row);
    else chunk.splice(at, 0, row);
    if (chunk.length > CHUNK * 2) this.chunks.splice(chunkAt + 1, 0, chunk.splice(CHUNK));
  }

  delete(key: Key): void {
    const chunkAt = this.chunkOf(key);
    const chunk = this.chunks[chunkAt] as Row[];
    const at = lowerBound(chunk, key);
    if (chunk[at]?.key !== key) return;
    this.changes++;
    chunk.splice(at, 1);
    if (chunk.length === 0 && this.chunks.length > 1) this.chunks.splice(chunkAt, 1);
  }

  scan(span: Span, reverse = false): RowCursor {
    return reverse ? this.backward(span) : this.forward(span);
  }

  /** All rows: it does not know which of them count. */
  tops(span: Span, reverse = false): RowCursor {
    return this.scan(span, reverse);
  }

  /** Those that it holds now. */
  pieces({ from, to }: Span): readonly (readonly Piece[])[] {
    const rows: Row[] = [];
    for (let at = this.chunkOf(from); at < this.chunks.length; at++) {
      const chunk = this.chunks[at] as Row[];
      const end = lowerBound(chunk, to);
      for (let row = lowerBound(chunk, from); row < end; row++) rows.push(chunk[row] as Row);
      if (end < chunk.length) break;
    }
    return [[{ from, to, block: null, rows: () => rows }]];
  }

  /** Always itself, whatever it holds: while a reader waits for the filters of others, rows that it must see may be added here. */
  holders(): readonly Holder[] {
    return [this];
  }

  first({ from, to }: Span): Row | null {
    const chunkAt = this.chunkOf(from);
    const chunk = this.chunks[chunkAt] as Row[];
    const row = chunk[lowerBound(chunk, from)] ?? this.chunks[chunkAt + 1]?.[0];
    return row !== undefined && row.key < to ? row : null;
  }

  private forward({ from, to }: Span): RowCursor {
    let bound = from;
    let chunkAt = 0;
    let at = 0;
    let seen = -1;
    return {
      next: () => {
        if (seen !== this.changes) {
          chunkAt = this.chunkOf(bound);
          at = lowerBound(this.chunks[chunkAt] as Row[], bound);
          seen = this.changes;
        }
        while (at >= (this.chunks[chunkAt] as Row[]).length) {
          if (chunkAt + 1 >= this.chunks.length) return null;
          chunkAt++;
          at = 0;
        }
        const row = (this.chunks[chunkAt] as Row[])[at] as Row;
        if (row.key >= to) return null;
        at++;
        bound = `${row.key}\0`;
        return row;
      },
      seek: (key) => {
        if (key <= bound) return;
        bound = key;
        seen = -1;
      },
    };
  }

  private backward({ from, to }: Span): RowCursor {
    let bound = to;
    let chunkAt = 0;
    let at = 0;
    let seen = -1;
    return {
      next: () => {
        if (seen !== this.changes) {
          chunkAt = this.chunkOf(bound);
          at = lowerBound(this.chunks[chunkAt] as Row[], bound) - 1;
          seen = this.changes;
        }
        while (at < 0) {
          if (chunkAt === 0) return null;
          chunkAt--;
          at = (this.chunks[chunkAt] as Row[]).length - 1;
        }
        const row = (this.chunks[chunkAt] as Row[])[at] as Row;
        if (row.key < from) return null;
        at--;
        bound = row.key;
        return row;
      },
      seek: (key) => {
        if (key >= bound) return;
        bound = key;
        seen = -1;
      },
    };
  }

  /** The chunk that holds `key` or would take it: the last one that begins at or before it. */
  private chunkOf(key: Key): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const first = this.chunks[middle]?.[0];
      if (first === undefined || first.key <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

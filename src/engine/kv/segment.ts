// Segments: sorted runs of rows in blocks. Which block holds a key stands in index blocks,
// rows of `first key → block id`; where those begin stands in the manifest. So the manifest
// stays small and a lookup needs two blocks at most.
import type { Key, Span } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { BlockCache } from './block-cache.ts';
import type { Row, RowCursor, RowSource } from './rows.ts';

/** A block and the first key in it. */
export interface BlockRef {
  readonly first: Key;
  readonly id: number;
}

export interface SegmentInfo {
  /** Bytes of its data blocks. */
  readonly bytes: number;
  readonly last: Key;
  readonly index: readonly BlockRef[];
}

export class Segment implements RowSource {
  constructor(
    readonly info: SegmentInfo,
    private readonly cache: BlockCache,
  ) {}

  scan(span: Span, reverse: boolean): RowCursor {
    const { last, index } = this.info;
    const first = index[0]?.first ?? '';
    if (span.from > last || span.to <= first) return NOTHING;
    return reverse ? this.backward(span) : this.forward(span);
  }

  private forward({ from, to }: Span): RowCursor {
    let bound = from;
    let rows: readonly Row[] = [];
    let at = 0;
    /** First key of the block after the one at hand; `null` at the end of the segment. */
    let beyond: Key | null = this.info.index[0]?.first ?? null;
    const step = (): MaybePromise<Row | null> => {
      const row = rows[at];
      if (row !== undefined) {
        if (row.key >= to) return null;
        at++;
        bound = `${row.key}\0`;
        return row;
      }
      if (beyond === null || beyond >= to) return null;
      return andThen(this.locate(bound > beyond ? bound : beyond), (found) => {
        ({ rows, beyond } = found);
        at = lowerBound(rows, bound);
        return step();
      });
    };
    return {
      next: step,
      seek: (key) => {
        if (key <= bound) return;
        bound = key;
        if (beyond !== null && key >= beyond) rows = [];
        else at = Math.max(at, lowerBound(rows, key));
        if (rows.length === 0) at = 0;
      },
    };
  }

  private backward({ from, to }: Span): RowCursor {
    let bound = to;
    let rows: readonly Row[] = [];
    let at = -1;
    /** First key of the block at hand: what lies before it is in another. */
    let first: Key | null = null;
    const step = (): MaybePromise<Row | null> => {
      const row = rows[at];
      if (row !== undefined) {
        if (row.key < from) return null;
        at--;
        bound = row.key;
        return row;
      }
      const begin = this.info.index[0]?.first ?? '';
      const edge = first !== null && first < bound ? first : bound;
      if (edge <= begin || edge <= from) return null;
      return andThen(this.locateBefore(edge), (found) => {
        ({ rows, first } = found);
        at = lowerBound(rows, bound) - 1;
        return step();
      });
    };
    return {
      next: step,
      seek: (key) => {
        if (key >= bound) return;
        bound = key;
        if (first !== null && key <= first) {
          rows = [];
          at = -1;
        } else {
          at = Math.min(at, lowerBound(rows, key) - 1);
        }
      },
    };
  }

  /** The block that holds `key` or would, and where the next one begins. */
  private locate(key: Key): MaybePromise<{ rows: readonly Row[]; beyond: Key | null }> {
    const { index } = this.info;
    const top = Math.max(0, lastAtMost(index.length, (at) => (index[at] as BlockRef).first, key));
    return andThen(this.cache.get((index[top] as BlockRef).id), (entries) => {
      const at = Math.max(0, lastAtMost(entries.length, (place) => (entries[place] as Row).key, key));
      const beyond = entries[at + 1]?.key ?? index[top + 1]?.first ?? null;
      return andThen(this.cache.get(Number((entries[at] as Row).text)), (rows) => ({ rows, beyond }));
    });
  }

  /** The last block that begins before `key`. */
  private locateBefore(key: Key): MaybePromise<{ rows: readonly Row[]; first: Key }> {
    const { index } = this.info;
    const top = Math.max(0, lastBelow(index.length, (at) => (index[at] as BlockRef).first, key));
    return andThen(this.cache.get((index[top] as BlockRef).id), (entries) => {
      const entry = entries[Math.max(0, lastBelow(entries.length, (place) => (entries[place] as Row).key, key))] as Row;
      return andThen(this.cache.get(Number(entry.text)), (rows) => ({ rows, first: entry.key }));
    });
  }
}

/** Ids of all blocks of segments. @throws BlockGone */
export async function blocksOf(segments: readonly SegmentInfo[], cache: BlockCache): Promise<number[]> {
  const ids: number[] = [];
  for (const { index } of segments) {
    for (const { id } of index) ids.push(id, ...(await cache.get(id)).map(({ text }) => Number(text)));
  }
  return ids;
}

const NOTHING: RowCursor = { next: () => null, seek: () => {} };

/** The last of `length` ascending keys that is ≤ `key`; -1 when none is. */
const lastAtMost = (length: number, keyAt: (at: number) => Key, key: Key): number => countWhile(length, (at) => keyAt(at) <= key) - 1;
const lastBelow = (length: number, keyAt: (at: number) => Key, key: Key): number => countWhile(length, (at) => keyAt(at) < key) - 1;

/** How many places from the first on pass a test that never passes again once it failed. */
function countWhile(length: number, passes: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const lowerBound = (rows: readonly Row[], key: Key): number => countWhile(rows.length, (at) => (rows[at] as Row).key < key);

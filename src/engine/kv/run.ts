// Runs: sorted rows in blocks. Which block holds a key stands in index blocks, rows of
// `first key → place`; where those begin stands in the manifest. So the manifest stays small
// and a lookup needs two blocks at most.
import type { Key, Span } from '../base/bytes.ts';
import { andThen, type MaybePromise, together } from '../base/maybe.ts';
import type { BlockCache } from './block-cache.ts';
import type { Part } from './block-ids.ts';
import { STAMP_BYTES } from './keyspace.ts';
import { lowerBound, NOTHING, type Piece, type Row, type RowCursor } from './rows.ts';

export interface RunInfo {
  readonly last: Key;
  /** Its index blocks, in order. */
  readonly index: readonly IndexRef[];
}

/** An index block: the first key under it, and its place. */
export interface IndexRef {
  readonly first: Key;
  readonly place: number;
}

/** Where a block is, and its neighbours. */
interface Place {
  readonly entries: readonly Row[];
  /** Its own place among the entries. */
  readonly at: number;
  /** Where the block after it begins; `null` at the end. */
  readonly beyond: Key | null;
}

/** A block that holds all keys of the run from one on, up to where the next one begins. */
interface Known extends Pick<Place, 'beyond'> {
  readonly first: Key;
  readonly id: number;
}

/** A block that was read. */
interface Located extends Place {
  readonly rows: readonly Row[];
}

/** Follows all bytes that a key may go on with. */
const BEYOND_BYTES = '\u0100';

/** Blocks fetched ahead of a scan, at most. */
export const MOST_AHEAD = 16;

/** Which blocks to fetch ahead of a scan: none at its first block, then more and more, always many in one call. */
export class Ahead {
  private size = 0;
  /** How many were fetched and not reached yet; -1 before the first block. */
  private left = -1;

  /** Called at every block that is reached. @param coming the blocks after it */
  next<T>(coming: readonly T[]): readonly T[] {
    if (this.left < 0) {
      this.left = 0;
      return [];
    }
    const left = Math.max(0, this.left - 1);
    this.left = left;
    if (left > this.size / 2) return [];
    this.size = Math.min(MOST_AHEAD, this.size * 2 || 2);
    this.left = this.size;
    return coming.slice(left, this.size);
  }
}

export class Run {
  /** Where the last lookup has led: the next one often leads there, too. */
  private known: Known | null = null;

  constructor(
    private readonly info: RunInfo,
    private readonly part: 'tops' | 'olds',
    private readonly idAt: (part: Part, place: number) => number,
    private readonly cache: BlockCache,
  ) {}

  /** Ids of its index blocks. */
  directory(): number[] {
    return this.info.index.map(({ place }) => this.idAt('index', place));
  }

  scan(span: Span, reverse: boolean): RowCursor {
    const { last, index } = this.info;
    const first = index[0]?.first ?? '';
    if (span.from > last || span.to <= first || span.from >= span.to) return NOTHING;
    return reverse ? this.backward(span) : this.forward(span);
  }

  /** The first row of a span. */
  first({ from, to }: Span): MaybePromise<Row | null> {
    const { last, index } = this.info;
    if (from > last || to <= (index[0]?.first ?? '')) return null;
    const { known } = this;
    if (known !== null && known.first <= from && (known.beyond === null || from < known.beyond)) return this.firstIn(known, from, to);
    const place = this.find(from, true);
    return place instanceof Promise ? place.then((found) => this.firstAt(found, from, to)) : this.firstAt(place, from, to);
  }

  /** The rows of a span, block by block. */
  pieces({ from, to }: Span): MaybePromise<readonly Piece[]> {
    const { last, index } = this.info;
    const end = last.slice(0, -STAMP_BYTES) + BEYOND_BYTES;
    const within = index.filter(({ first }, at) => first < to && from < (index[at + 1]?.first ?? end));
    const blocks = together(within.map(({ place }) => this.cache.rows(this.idAt('index', place))));
    const isTops = this.part === 'tops';
    // Other sources may have newer rows about a block's first thing, and older ones about its last.
    const begin = ({ key }: Row): Key => (isTops ? key.slice(0, -STAMP_BYTES) : key);
    return andThen(blocks, (read) =>
      read.flat().flatMap((entry, at, entries): readonly Piece[] => {
        const next = entries[at + 1];
        const [first, beyond] = [begin(entry), next === undefined ? end : begin(next)];
        if (first >= to || beyond <= from) return [];
        const { cache } = this;
        const id = this.idOf(entry);
        if (isTops && first >= from && beyond <= to) return [{ from: first, to: beyond, block: { id, cache }, rows: () => cache.rows(id) }];
        const part = (rows: readonly Row[]): readonly Row[] => rows.slice(lowerBound(rows, from), lowerBound(rows, to));
        return [{ from: first > from ? first : from, to: beyond < to ? beyond : to, block: null, rows: () => andThen(cache.rows(id), part) }];
      }),
    );
  }

  private firstAt({ entries, at, beyond }: Place, from: Key, to: Key): MaybePromise<Row | null> {
    const entry = entries[at] as Row;
    this.known = { first: entry.key, id: this.idOf(entry), beyond };
    return this.firstIn(this.known, from, to);
  }

  private firstIn(block: Known, from: Key, to: Key): MaybePromise<Row | null> {
    const row = this.cache.first(block.id, from);
    return row instanceof Promise ? row.then((read) => this.within(read, block, to)) : this.within(row, block, to);
  }

  private within(row: Row | null, { beyond }: Known, to: Key): MaybePromise<Row | null> {
    if (row !== null) return row.key < to ? row : null;
    return beyond === null || beyond >= to ? null : this.first({ from: beyond, to });
  }

  private forward({ from, to }: Span): RowCursor {
    let bound = from;
    let rows: readonly Row[] = [];
    let at = 0;
    let ahead = new Ahead();
    /** First key of the block after the one at hand; `null` at the end of the run. */
    let beyond: Key | null = this.info.index[0]?.first ?? null;
    /** Goes on in the block that begins there. */
    const enter = (first: Key): MaybePromise<void> =>
      andThen(this.locate(bound > first ? bound : first, true), (found) => {
        ({ rows, beyond } = found);
        at = lowerBound(rows, bound);
        this.fetch(ahead.next(found.entries.slice(found.at + 1, found.at + 1 + MOST_AHEAD).filter(({ key }) => key < to)));
      });
    const step = (): MaybePromise<Row | null> => {
      const row = rows[at];
      if (row !== undefined) {
        if (row.key >= to) return null;
        at++;
        return row;
      }
      if (beyond === null || beyond >= to) return null;
      return andThen(enter(beyond), step);
    };
    return {
      next: step,
      seek: (key) => {
        if (key <= bound) return;
        bound = key;
        if (beyond === null || key < beyond) {
          at = Math.max(at, lowerBound(rows, key));
          return;
        }
        rows = [];
        at = 0;
        ahead = new Ahead();
      },
    };
  }

  private backward({ from, to }: Span): RowCursor {
    let bound = to;
    let rows: readonly Row[] = [];
    let at = -1;
    let ahead = new Ahead();
    /** First key of the block at hand: what lies before it is in another block. */
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
      return andThen(this.locate(edge, false), (found) => {
        rows = found.rows;
        first = found.entries[found.at]?.key ?? null;
        at = lowerBound(rows, bound) - 1;
        const before = found.entries.slice(Math.max(0, found.at - MOST_AHEAD), found.at).reverse();
        this.fetch(ahead.next(before.filter((_, place) => (before[place - 1]?.key ?? first ?? '') > from)));
        return step();
      });
    };
    return {
      next: step,
      seek: (key) => {
        if (key >= bound) return;
        bound = key;
        if (first !== null && key > first) {
          at = Math.min(at, lowerBound(rows, key) - 1);
          return;
        }
        rows = [];
        at = -1;
        ahead = new Ahead();
      },
    };
  }

  /** Fetches the block where the first key with a prefix would be and, if that key may begin the next one, that block, too. */
  ahead(prefix: Key): MaybePromise<void> {
    return andThen(this.find(prefix, true), ({ entries, at, beyond }) => this.fetch(entries.slice(at, beyond?.startsWith(prefix) === true ? at + 2 : at + 1)));
  }

  private fetch(entries: readonly Row[]): void {
    this.cache.ahead(entries.map((entry) => this.idOf(entry)));
  }

  private idOf({ text }: Row): number {
    return this.idAt(this.part, Number(text));
  }

  /** Reads the block that `find` finds. */
  private locate(key: Key, inclusive: boolean): MaybePromise<Located> {
    return andThen(this.find(key, inclusive), (place) =>
      andThen(this.cache.rows(this.idOf(place.entries[place.at] as Row)), (rows) => ({ ...place, rows })),
    );
  }

  /** The last block that begins before a key or, if `inclusive`, with it: then the one that the key is in, or would be. */
  private find(key: Key, inclusive: boolean): MaybePromise<Place> {
    const { index } = this.info;
    let top = index.length - 1;
    for (; top > 0; top--) {
      const { first } = index[top] as IndexRef;
      if (inclusive ? first <= key : first < key) break;
    }
    const entries = this.cache.rows(this.idAt('index', (index[top] as IndexRef).place));
    const beyond = index[top + 1]?.first ?? null;
    return entries instanceof Promise ? entries.then((read) => placeIn(read, key, inclusive, beyond)) : placeIn(entries, key, inclusive, beyond);
  }
}

/** @param end first key under the next index block */
function placeIn(entries: readonly Row[], key: Key, inclusive: boolean, end: Key | null): Place {
  const place = lowerBound(entries, key);
  const at = Math.max(0, inclusive && entries[place]?.key === key ? place : place - 1);
  return { entries, at, beyond: entries[at + 1]?.key ?? end };
}

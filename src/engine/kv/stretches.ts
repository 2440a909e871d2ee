// What several sources hold of a span, taken together a stretch at a time: a block as it is, and beside it the
// few rows that others have in between. So whoever knows a block need not read its rows (see set/tally.ts).
import type { Key } from '../base/bytes.ts';
import { andThen, each, type MaybePromise } from '../base/maybe.ts';
import { MOST_AHEAD } from './run.ts';
import { type BlockPlace, lowerBound, type Piece, type Row } from './rows.ts';

/** A piece that is a block. */
export interface Leaf extends Piece {
  readonly block: BlockPlace;
  /** Those that come after it in the same source, as many as are fetched in one go. */
  next(): readonly Piece[];
}

export interface Stretch {
  readonly leaf: Leaf | null;
  /** All other rows, in order: none lies before those of the stretch before, or after those of the next. */
  readonly loose: readonly Row[];
}

/** The pieces of one source, and how far they were taken. */
class Lane {
  private at = 0;
  /** The rows of the piece that comes next, if some of them were taken. */
  private rows: readonly Row[] | null = null;
  private row = 0;

  constructor(private readonly pieces: readonly Piece[]) {}

  /** No row of it lies before this key; `null` at its end. */
  get from(): Key | null {
    return this.rows?.[this.row]?.key ?? this.pieces[this.at]?.from ?? null;
  }

  /** All rows of the piece that comes next lie before it. */
  get to(): Key | null {
    return this.pieces[this.at]?.to ?? null;
  }

  /** Whether a block comes next, and nothing was taken of it. */
  get isWhole(): boolean {
    return this.rows === null && (this.pieces[this.at]?.block ?? null) !== null;
  }

  /** Whether several of its blocks begin before a key. */
  hasMoreBefore(end: Key): boolean {
    const coming = this.isWhole ? this.at : this.at + 1;
    const second = this.pieces[coming + 1];
    return second !== undefined && second.block !== null && second.from < end;
  }

  /** Reads the rows of the block that comes next, which is taken row by row then. */
  open(): MaybePromise<void> {
    return andThen((this.pieces[this.at] as Piece).rows(), (rows) => void (this.rows = rows));
  }

  /** Takes that block. */
  leaf(): Leaf {
    const { pieces, at } = this;
    const piece = pieces[at] as Leaf;
    this.skip();
    return { ...piece, next: () => pieces.slice(at + 1, at + 1 + MOST_AHEAD) };
  }

  private skip(): void {
    this.at++;
    this.rows = null;
    this.row = 0;
  }

  /** Takes all rows before a key. */
  take(end: Key, into: Row[]): MaybePromise<void> {
    for (let { from } = this; from !== null && from < end; { from } = this) {
      if (this.rows === null) {
        const opened = this.open();
        if (opened instanceof Promise) return opened.then(() => this.take(end, into));
      }
      const rows: readonly Row[] = this.rows ?? [];
      for (; this.row < rows.length && (rows[this.row] as Row).key < end; this.row++) into.push(rows[this.row] as Row);
      if (this.row === rows.length) this.skip();
    }
  }
}

/** @param sources of each its pieces, in order; where two have the same row, that of the first is taken */
export function stretches(sources: readonly (readonly Piece[])[]): () => MaybePromise<Stretch | null> {
  const lanes = sources.map((pieces) => new Lane(pieces));

  function next(): MaybePromise<Stretch | null> {
    let lead: Lane | null = null;
    let first: Key = '';
    for (const lane of lanes) {
      const { from } = lane;
      // Of a block and others that begin with it, the block is the one that is left whole.
      if (from === null || (lead !== null && (from > first || (from === first && !lane.isWhole)))) continue;
      lead = lane;
      first = from;
    }
    if (lead === null) return null;
    let end = lead.to as Key;
    // One of few rows far apart is taken by these, so that those of others within it stay whole.
    if (lead.isWhole && lanes.some((lane) => lane !== lead && lane.hasMoreBefore(end))) return andThen(lead.open(), next);
    const leaf = lead.isWhole ? lead.leaf() : null;
    // Rows that make no whole block are taken up to where one may begin.
    if (leaf === null) for (const { isWhole, from, to } of lanes) end = earlier(end, isWhole ? from : to);
    const taken: Row[] = [];
    return andThen(each(lanes, (lane) => lane.take(end, taken)), () => ({ leaf, loose: inOrder(taken) }));
  }
  return next;
}

const earlier = (a: Key, b: Key | null): Key => (b !== null && b < a ? b : a);

/** Rows in order, each once: of those with the same key the first. */
export function inOrder(rows: Row[]): readonly Row[] {
  const isSorted = rows.every(({ key }, at) => at === 0 || (rows[at - 1] as Row).key < key);
  if (isSorted) return rows;
  return rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).filter(({ key }, at) => rows[at - 1]?.key !== key);
}

/** Places of those rows that are about the same things as others. All of both end in a stamp. @param others in order */
export function placesOf(rows: readonly Row[], others: readonly Row[], groupOf: (row: Row) => Key): readonly number[] {
  const places: number[] = [];
  for (const other of others) {
    const group = groupOf(other);
    const at = lowerBound(rows, group);
    if (rows[at]?.key.startsWith(group) === true && places.at(-1) !== at) places.push(at);
  }
  return places;
}

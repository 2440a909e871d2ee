// Rows of V, I and H end in ↓time ↓commit. This reads, for each thing that has rows, the one
// that counts at a time: the newest time at or before it that the snapshot sees, skipping
// versions that were taken out of history.
import { prefixSpan, type Key, type Span } from '../base/bytes.ts';
import { andThen, drawing, loop, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { downTs, PENDING, readDownTs, STAMP_BYTES, TS_BYTES } from '../kv/keyspace.ts';
import { mergeSources } from '../kv/merge.ts';
import type { Holder, Row, RowCursor, RowSource } from '../kv/rows.ts';
import { REMOVED } from './version.ts';

/** What a reader sees: rows valid at or before `time`, committed at or before `snapshot`, and its own. */
export class View {
  /** How rows of the snapshot end: those of later commits are less. */
  readonly edge: Key;

  constructor(
    readonly time: Ts,
    readonly snapshot: Ts,
  ) {
    this.edge = downTs(snapshot);
  }
}

const OWN = downTs(PENDING);

/** The time before that of own writes: what was there without them. */
export const COMMITTED: Ts = PENDING - 1;

/** What the keys of the rows about one thing have in common. Only for rows of V, I and H: it does not look which table a row is of. */
export const groupOf = (row: Row): Key => row.key.slice(0, -STAMP_BYTES);
/** Of a row of V, I or H. */
export const timeOf = (row: Row): Ts => readDownTs(row.key, row.key.length - STAMP_BYTES);
/** Of any row. */
export const commitOf = (row: Row): Ts => readDownTs(row.key, row.key.length - TS_BYTES);

/** Whether a snapshot sees a commit; own writes are always seen. */
export const seesCommit = (snapshot: Ts, commit: Ts): boolean => commit <= snapshot || commit === PENDING;
const sees = (view: View, time: Ts, commit: Ts): boolean => time <= view.time && seesCommit(view.snapshot, commit);

/** So many rows of a group that is done are stepped over one by one before a leap to the next group. */
export const STEPS_BEFORE_LEAP = 4;
const GROUP_END = '\xff'.repeat(STAMP_BYTES);

/** What rows are read from, one after the other. */
export type Scanned = Pick<RowSource, 'hides' | 'scan' | 'tops'>;

/** Of each thing in a span the row that counts. The present is read without the past; for any other time all rows are read. */
export function currentRows(source: Scanned, span: Span, view: View, reverse = false): RowCursor {
  if (view.time < COMMITTED) return countingRows(source.scan(span, reverse), view, reverse);
  const tops = source.tops(span, reverse);
  const wholly = whollyIn(source, view);
  const { hides } = source;
  return reverse ? presentBackward(tops, hides, view, wholly) : presentForward(tops, hides, view, wholly);
}

/** The row that counts of one thing, whose rows make up the span. @param holders those that may have some of them */
export function currentRow(holders: readonly Holder[], span: Span, view: View): MaybePromise<Row | null> {
  const among = (): MaybePromise<Row | null> => currentRows(mergeSources(holders), span, view).next();
  if (view.time < COMMITTED) return among();
  const chosen = (first: Row | null, hides: boolean): MaybePromise<Row | null> => (first === null || counts(first, view, hides) ? first : among());
  let first: Row | null = null;
  let hides = false;
  for (let at = 0; at < holders.length; at++) {
    const holder = holders[at] as Holder;
    const row = holder.first(span);
    if (row instanceof Promise) {
      // All are asked in one turn: in the next, rows may have moved from one to another.
      const others = holders.slice(at + 1).map((other) => other.first(span));
      return Promise.all([first, row, ...others]).then((rows) => chosen(rows.reduce(earlier), holders.some((one) => one.hides)));
    }
    first = earlier(first, row);
    hides ||= holder.hides;
  }
  return chosen(first, hides);
}

const earlier = (a: Row | null, b: Row | null): Row | null => (a === null || (b !== null && b.key < a.key) ? b : a);

/** The same from all rows of a span. */
export function countingRows(rows: RowCursor, view: View, reverse = false): RowCursor {
  return reverse ? backward(rows, view) : forward(rows, view);
}

/** The row that counts among all rows of a group; `undefined` when there is none. */
export type Wholly = (group: Key) => MaybePromise<Row | undefined>;

export const whollyIn =
  (source: Pick<Scanned, 'scan'>, view: View): Wholly =>
  (group) =>
    andThen(forward(source.scan(prefixSpan(group)), view).next(), (found) => found ?? undefined);

/** Whether a group's first row is the one that counts, whatever lies in its past. */
export function counts(row: Row, view: View, hides: boolean): boolean {
  const { key } = row;
  if (endsBefore(key, view.edge) && !key.endsWith(OWN)) return false;
  // A row that was written into the past may have a later removal, which a source that `hides` has among its history alone.
  const isPlain = !hides || row.settled === true || key.slice(-STAMP_BYTES, -TS_BYTES) === key.slice(-TS_BYTES);
  return isPlain && row.text !== REMOVED && (view.time === PENDING || timeOf(row) <= view.time);
}

/** Whether the last characters of a key, as many as there are in `edge`, are less than it; without a string for each key. */
function endsBefore(key: Key, edge: Key): boolean {
  const from = key.length - edge.length;
  for (let at = 0; at < edge.length; at++) {
    const difference = key.charCodeAt(from + at) - edge.charCodeAt(at);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function presentForward(rows: RowCursor, hides: boolean, view: View, wholly: Wholly): RowCursor {
  let done: Row | null = null;
  let skipped = 0;
  const take = (row: Row | null): MaybePromise<Row | null | undefined> => {
    if (row === null) return null;
    if (done !== null && areOfOne(done, row)) {
      if (++skipped >= STEPS_BEFORE_LEAP) rows.seek(groupOf(done) + GROUP_END);
      return undefined;
    }
    done = row;
    skipped = 0;
    return counts(row, view, hides) ? row : wholly(groupOf(row));
  };
  // What is left of the group stays passed over: a leap never goes back.
  return { next: drawing(rows.next, take), seek: rows.seek };
}

/** Backward, a group's first row comes last: it is known by the next group, or the end. */
function presentBackward(rows: RowCursor, hides: boolean, view: View, wholly: Wholly): RowCursor {
  let held: Row | null = null;
  let skipped = 0;
  const take = (row: Row | null): MaybePromise<Row | null | undefined> => {
    const before = held;
    held = row;
    if (row !== null && before !== null && isOf(row, groupOf(before))) {
      if (++skipped < STEPS_BEFORE_LEAP) return undefined;
      const group = groupOf(row);
      held = null;
      skipped = 0;
      rows.seek(group);
      return wholly(group);
    }
    skipped = 0;
    if (before === null) return row === null ? null : undefined;
    return counts(before, view, hides) ? before : wholly(groupOf(before));
  };
  return {
    next: drawing(rows.next, take),
    seek: (key) => {
      if (held !== null && held.key >= key) held = null;
      rows.seek(key);
    },
  };
}

/** Whether two rows are about one thing. Two things mostly differ in the last of the characters that name them. */
export function areOfOne({ key: a }: Row, { key: b }: Row): boolean {
  if (a.length !== b.length) return false;
  let at = a.length - STAMP_BYTES - 1;
  while (at >= 0 && a.charCodeAt(at) === b.charCodeAt(at)) at--;
  return at < 0;
}

const isOf = ({ key }: Row, group: Key): boolean => key.length === group.length + STAMP_BYTES && key.startsWith(group);

function forward(rows: RowCursor, view: View): RowCursor {
  let done: Key | null = null;
  let skipped = 0;
  let removedTime: Ts | null = null;
  let removedGroup: Key | null = null;
  const take = (row: Row | null): Row | null | undefined => {
    if (row === null) return null;
    if (done !== null && isOf(row, done)) {
      if (++skipped >= STEPS_BEFORE_LEAP) rows.seek(done + GROUP_END);
      return undefined;
    }
    const time = timeOf(row);
    if (!sees(view, time, commitOf(row))) return undefined;
    const group = groupOf(row);
    if (removedGroup === group && removedTime === time) return undefined;
    if (row.text === REMOVED) {
      removedGroup = group;
      removedTime = time;
      return undefined;
    }
    done = group;
    skipped = 0;
    return row;
  };
  return {
    next: drawing(rows.next, take),
    // What is left of the group stays passed over: a leap never goes back.
    seek: rows.seek,
  };
}

function backward(rows: RowCursor, view: View): RowCursor {
  let ahead: Row | null | undefined;
  return {
    next: () => {
      let group: Key | null = null;
      /** Counting rows of the group from the oldest time on; the last one wins. */
      let held: Row[] = [];
      return loop<Row | null>(() =>
        andThen(ahead === undefined ? rows.next() : ahead, (row) => {
          const rowGroup = row === null ? null : groupOf(row);
          if (row === null || (group !== null && rowGroup !== group)) {
            const found = held.at(-1);
            ahead = row;
            group = rowGroup;
            held = [];
            if (found !== undefined) return found;
            if (row === null) return null;
          }
          ahead = undefined;
          group = rowGroup;
          const time = timeOf(row);
          if (!sees(view, time, commitOf(row))) return undefined;
          const last = held.at(-1);
          if (last !== undefined && timeOf(last) === time) held.pop();
          if (row.text !== REMOVED) held.push(row);
          return undefined;
        }),
      );
    },
    seek: (key) => {
      if (ahead !== undefined && ahead !== null && ahead.key >= key) ahead = undefined;
      rows.seek(key);
    },
  };
}

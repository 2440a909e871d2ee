// Rows of V and I end in ↓time ↓commit. This reads, for each thing that has rows, the one
// that counts at a time: the newest time at or before it that the snapshot sees, skipping
// versions that were taken out of history.
import type { Key } from '../base/bytes.ts';
import { andThen, drawing, loop } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { PENDING, readDownTs, STAMP_BYTES } from '../kv/keyspace.ts';
import type { Row, RowCursor } from '../kv/rows.ts';
import { REMOVED } from './version.ts';

/** What a reader sees: rows valid at or before `time`, committed at or before `snapshot`, and its own. */
export interface View {
  readonly time: Ts;
  readonly snapshot: Ts;
}

export const groupOf = (row: Row): Key => row.key.slice(0, -STAMP_BYTES);
export const timeOf = (row: Row): Ts => readDownTs(row.key, row.key.length - STAMP_BYTES);
export const commitOf = (row: Row): Ts => readDownTs(row.key, row.key.length - STAMP_BYTES / 2);

export function sees(view: View, time: Ts, commit: Ts): boolean {
  return time <= view.time && (commit <= view.snapshot || commit === PENDING);
}

/** Steps over the rest of a group one by one so many times before it leaps. */
const PATIENCE = 4;
const GROUP_END = '\xff'.repeat(STAMP_BYTES);

export function currentRows(rows: RowCursor, reverse: boolean, view: View): RowCursor {
  return reverse ? backward(rows, view) : forward(rows, view);
}

function forward(rows: RowCursor, view: View): RowCursor {
  let done: Key | null = null;
  let skipped = 0;
  let removedTime: Ts | null = null;
  let removedGroup: Key | null = null;
  const take = (row: Row | null): Row | null | undefined => {
    if (row === null) return null;
    if (done !== null && row.key.startsWith(done)) {
      if (++skipped >= PATIENCE) rows.seek(done + GROUP_END);
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
    seek: (key) => rows.seek(key),
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

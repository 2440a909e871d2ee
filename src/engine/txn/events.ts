// Rows of E, D and the history of a document end in ↓commit: of the rows about one moment
// the newest commit that the snapshot sees counts, and may say that it was taken out.
import type { Key } from '../base/bytes.ts';
import { andThen, loop, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { downTs, readTs, TS_BYTES } from '../kv/keyspace.ts';
import type { Row, RowCursor } from '../kv/rows.ts';
import { ACTIONS, type ActionName } from '../value/value.ts';
import { commitOf, seesCommit } from './current.ts';
import { ACTION_ORDER, INSTANT_BYTES } from './moment.ts';
import type { Txn } from './txn.ts';
import { readVersion, REMOVED, type Version } from './version.ts';

/** Bytes of `commit`, at the end of a key. */
export const COMMIT_BYTES = TS_BYTES;

/** What the key of an event begins with, once what it is an event of is cut off. */
export const readTime = (key: Key): Ts => readTs(key, 0);
export const readAction = (key: Key): ActionName => ACTION_ORDER[key.charCodeAt(INSTANT_BYTES) - 1] ?? ACTIONS[0];

/** The version of a document that follows a time. @param prefix of its versions */
export function versionAfter(prefix: Key, time: Ts, txn: Txn): MaybePromise<Version | null> {
  // Newest first is how versions are kept.
  const later = latestRows(txn.rows({ from: prefix, to: prefix + downTs(time) }, true), true, txn.snapshot);
  return andThen(later.next(), (row) => row && readVersion(row));
}

/** Of the rows about each moment the one that counts, unless that one says that it was taken out. */
export function latestRows(rows: RowCursor, reverse: boolean, snapshot: Ts): RowCursor {
  let held: Row | null = null;
  let group: string | null = null;
  let ended = false;

  const counts = (row: Row): boolean => seesCommit(snapshot, commitOf(row));

  /** Takes a row in; answers the row of the moment that ended with it. */
  function take(row: Row | null): Row | null {
    const finished = held;
    const moment = row === null ? null : row.key.slice(0, -COMMIT_BYTES);
    if (row === null || moment !== group) {
      group = moment;
      held = row !== null && counts(row) ? row : null;
      return finished;
    }
    // Forward, newer commits come first; backward, last.
    if (counts(row) && (reverse || held === null)) held = row;
    return null;
  }

  return {
    next: () =>
      loop<Row | null>(() => {
        if (ended) return null;
        return andThen(rows.next(), (row) => {
          const finished = take(row);
          if (row === null) ended = true;
          if (finished !== null && finished.text !== REMOVED) return finished;
          return row === null ? null : undefined;
        });
      }),
    seek: (key) => {
      if (held !== null && (reverse ? held.key >= key : held.key < key)) {
        held = null;
        group = null;
      }
      rows.seek(key);
    },
  };
}

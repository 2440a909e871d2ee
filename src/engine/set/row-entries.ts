// Entries straight from rows: their keys are what follows a prefix.
import { afterPrefix, type Key, type Span } from '../base/bytes.ts';
import { drawing, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { Row, RowCursor } from '../kv/rows.ts';
import { momentKey } from '../txn/moment.ts';
import type { Scope } from '../value/ref.ts';
import { type Entry, type EntryCursor, KEY_END, type Window } from './set-op.ts';
import { clamp } from './window.ts';

/** The rows whose keys are `prefix` followed by a key of the window. */
export function spanOf(prefix: Key, window: Window): Span {
  return { from: prefix + window.from, to: window.to === KEY_END ? afterPrefix(prefix) : prefix + window.to };
}

/** @param make the entry of a row, `undefined` for none, or `null` at the end, where there is no row */
export function rowEntries(rows: RowCursor, prefix: Key, make: (row: Row | null) => MaybePromise<Entry | null | undefined>): EntryCursor {
  return {
    next: drawing(rows.next, make),
    seek: (key) => rows.seek(prefix + key),
  };
}

/** The rows that note the events of a collection or an index. */
export interface NotedEvents {
  /** Of the keys of their rows; behind it come moment, ref and commit. */
  readonly prefix: Key;
  /** Of the documents. */
  readonly scope: Scope;
  readonly earliest: Ts;
  /** Whether later writes there are a conflict. */
  readonly isChecked: boolean;
  /** Whether the set covers values, which its events show. */
  readonly hasValues: boolean;
}

/** The part of a window whose history is kept: from the adds of the earliest time on. */
export function kept(window: Window, earliest: Ts): Window {
  if (earliest === -Infinity) return window;
  const edge = momentKey(earliest, 'add');
  return clamp(window, { low: edge, high: edge }, null);
}

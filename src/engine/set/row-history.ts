// The events of a collection or an index, straight from the rows that note them.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import type { EvalContext } from '../form/context.ts';
import { readEntry } from '../txn/entry-row.ts';
import { COMMIT_BYTES, latestRows, readAction, readTime } from '../txn/events.ts';
import { MOMENT_BYTES, readRef } from '../txn/moment.ts';
import { shownTs } from '../txn/version.ts';
import type { Scope } from '../value/ref.ts';
import { DocEvent } from '../value/value.ts';
import { kept, rowEntries, spanOf } from './row-entries.ts';
import type { EntryCursor, Window } from './set-op.ts';

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

export function rowHistory(ctx: EvalContext, { prefix, scope, earliest, isChecked, hasValues }: NotedEvents, window: Window): EntryCursor {
  const rows = latestRows(ctx.txn.rows(spanOf(prefix, kept(window, earliest)), window.descending, isChecked), window.descending, ctx.txn.snapshot);
  return rowEntries(rows, prefix, (row) => {
    if (row === null) return null;
    const key = row.key.slice(prefix.length, -COMMIT_BYTES);
    const { values } = readEntry(row);
    const ref = readRef(key, MOMENT_BYTES, scope);
    const event = new DocEvent('set', shownTs(readTime(key)), readAction(key), ref, hasValues ? values : undefined);
    return { key, split: 0, values, ref, event };
  });
}

// The events of a collection or an index, straight from the rows that note them.
import type { EvalContext } from '../form/context.ts';
import { readEntry } from '../txn/entry-row.ts';
import { COMMIT_BYTES, latestRows, readAction, readTime } from '../txn/events.ts';
import { MOMENT_BYTES, readRef } from '../txn/moment.ts';
import { shownTs } from '../txn/version.ts';
import { DocEvent } from '../value/value.ts';
import { kept, type NotedEvents, rowEntries, spanOf } from './row-entries.ts';
import type { EntryCursor, Window } from './set-op.ts';

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

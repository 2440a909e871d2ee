import { andThen } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { deferredCursor } from './cursors.ts';
import { histories } from './lazy.ts';
import type { NotedEvents } from './row-entries.ts';
import type { EntryCursor, Window } from './set-op.ts';

/** The events of a collection or an index. @param partitions of the index */
export function notedEvents(ctx: EvalContext, noted: NotedEvents, window: Window, partitions?: number): EntryCursor {
  ctx.txn.cost.index(noted.prefix, partitions);
  return deferredCursor(ctx, () => andThen(histories(), ({ rowHistory }) => rowHistory(ctx, noted, window)));
}

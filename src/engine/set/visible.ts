// Which entries a reader gets to see: those of collections that still exist, and those the
// caller may read.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { isAdministration } from '../auth/rules.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { filterCursor } from './cursors.ts';
import type { EntryCursor } from './set-op.ts';

/** @param unrestricted the caller may read the set without looking at its documents, other than those of administrators */
export function visible(cursor: EntryCursor, ctx: EvalContext, unrestricted: MaybePromise<boolean> = false): EntryCursor {
  return filterCursor(cursor, ({ ref }) => {
    if (!ctx.catalogOf(ref.scope).hasCollection(ref.collection)) return false;
    return andThen(unrestricted, (free) => (free && !isAdministration(ref.collection)) || allows(ctx, 'read', ref, [ref]));
  });
}

// Which entries a reader gets to see: those of collections that still exist, and those the
// caller may read.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { isBuiltInRole } from '../auth/caller.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import type { Ref } from '../value/ref.ts';
import { filterCursor } from './cursors.ts';
import type { EntryCursor } from './set-op.ts';

/** @param unrestricted the caller may read the set without looking at its documents */
export function visible(cursor: EntryCursor, ctx: EvalContext, unrestricted: MaybePromise<boolean> = false): EntryCursor {
  return filterCursor(cursor, ({ ref }) => {
    if (!ctx.catalogOf(ref.scope).hasCollection(ref.collection)) return false;
    return andThen(unrestricted, (free) => free || maySee(ctx, ref));
  });
}

function maySee(ctx: EvalContext, ref: Ref): MaybePromise<boolean> {
  const { rights } = ctx.caller;
  return isBuiltInRole(rights) && rights === 'admin' ? true : allows(ctx, 'read', ref, [ref]);
}

// Which entries a reader gets to see: those of collections that still exist, and those the
// caller may read.
import { andThen, drawing, type MaybePromise } from '../base/maybe.ts';
import { isAdministration } from '../auth/rules.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { FIRST_COLLECTION } from '../value/ref.ts';
import type { Entry, EntryCursor } from './set-op.ts';

/** @param unrestricted the caller may read the set without looking at its documents, other than those of administrators */
export function visible(cursor: EntryCursor, ctx: EvalContext, unrestricted: MaybePromise<boolean>): EntryCursor {
  const { catalog } = ctx;
  /** The caller sees all documents of this collection, as long as the catalog stays at this number of changes. */
  let open = -1;
  let changes = -1;
  const take = (entry: Entry | null): MaybePromise<Entry | null | undefined> => {
    if (entry === null) return null;
    const { ref } = entry;
    const isOwn = ref.scope === catalog.scope;
    if (isOwn && ref.collection === open && catalog.changes === changes) return entry;
    if (!ctx.catalogOf(ref.scope).hasCollection(ref.collection)) return undefined;
    if (ctx.unveiled) return entry;
    const seen = andThen(unrestricted, (free) => (free && !isAdministration(ref.collection)) || allows(ctx, 'read', ref));
    // It holds for a whole collection of users' documents: a built-in role does not tell them apart either.
    if (seen === true && isOwn && ref.collection >= FIRST_COLLECTION && (unrestricted === true || typeof ctx.caller.rights === 'string')) {
      open = ref.collection;
      changes = catalog.changes;
    }
    return andThen(seen, (yes) => (yes ? entry : undefined));
  };
  return { next: drawing(cursor.next, take), seek: cursor.seek };
}

// What the rights of whoever has a stream stand on: a key or token, and the roles that it gives or that its
// document had joined when the stream began. A stream ends when one of these becomes another, or has been left: what
// its rights are then is for a new stream to find out (the original's auth/Auth, which tells on who has left a role).
import { presentFields } from '../auth/home.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { rolesOf } from '../form/roles.ts';
import { same } from '../value/equal.ts';
import type { Value } from '../value/value.ts';

/** Tells of a later moment whether all of it is still as it was. */
export type Standing = (ctx: EvalContext) => MaybePromise<boolean>;

/** @param ctx a session at the start */
export function standingOf(ctx: EvalContext): MaybePromise<Standing> {
  const { rights, credential } = ctx.caller;
  const rolesIn = (there: EvalContext) => (typeof rights === 'string' ? [] : rolesOf(there, rights));
  return andThen(rolesIn(ctx), (roles) => {
    const refs = [roles.map(({ ref }) => ref), credential ?? []].flat();
    // What is kept in their `data` is for nobody but their readers.
    const contentIn = ({ txn }: EvalContext): MaybePromise<Value[]> =>
      mapEach(refs, (ref) => andThen(presentFields(ref, txn), (fields) => fields?.without('data') ?? null));
    const hasThemIn = (there: EvalContext): MaybePromise<boolean> =>
      andThen(rolesIn(there), (now) => roles.every(({ ref }) => now.some((role) => role.ref.equals(ref))));
    return andThen(contentIn(ctx), (start): Standing => (later) => andThen(contentIn(later), (content) => same(content, start) && hasThemIn(later)));
  });
}

// What the caller may do here. Built-in roles are a table; user roles are asked one privilege
// after the other (reference: data/auth.md §5–7).
import type { MaybePromise } from '../base/maybe.ts';
import { isBuiltInRole } from '../auth/caller.ts';
import { builtInAllows, type Act } from '../auth/rules.ts';
import { NATIVE, type Ref } from '../value/ref.ts';
import type { Value } from '../value/value.ts';
import type { EvalContext } from './context.ts';
import { rolesAllow } from './roles.ts';

/**
 * Whether the caller may do this to a document (or, with an index's or function's ref, use it).
 * @param args what the predicate of a user role is given, in its order
 */
export function allows(ctx: EvalContext, act: Act, target: Ref, args: readonly Value[] = []): MaybePromise<boolean> {
  const { rights, scope } = ctx.caller;
  if (isBuiltInRole(rights)) return builtInAllows(rights, act, target.collection, target.scope === scope) || isOwn(ctx, act, target);
  return isOwn(ctx, act, target) || rolesAllow(ctx, rights, act, target, args);
}

/** An identity always reads its own credentials, and reads and deletes its own token. */
function isOwn(ctx: EvalContext, act: Act, target: Ref): boolean {
  const { credential } = ctx.caller;
  if (target.collection !== NATIVE.tokens || credential === null) return false;
  return credential.equals(target) && (act === 'read' || act === 'delete');
}

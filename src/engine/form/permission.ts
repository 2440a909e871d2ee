// What the caller may do here. Built-in roles are a table; user roles are asked one privilege
// after the other (reference: data/auth.md §5–7).
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { isWithin, subjectOf } from '../auth/caller.ts';
import { presentFields } from '../auth/home.ts';
import { builtInAllows, type Act, type Reach } from '../auth/rules.ts';
import { part } from '../errors/part.ts';
import { NATIVE, Ref, type Scope } from '../value/ref.ts';
import type { Value } from '../value/value.ts';
import type { EvalContext } from './context.ts';

/** Few come with roles of their own. */
const userRoles = part(() => import('./roles.ts'));

/**
 * Whether the caller may do this to a document (or, with an index's or function's ref, use it).
 * @param args what the predicate of a user role is given, in its order: most are given the ref
 */
export function allows(ctx: EvalContext, act: Act, target: Ref, args: readonly Value[] = [target]): MaybePromise<boolean> {
  const { rights, scope } = ctx.caller;
  const reach = target.scope === scope ? 'own' : reachOf(target.scope, ctx);
  if (reach === 'elsewhere') return false;
  if (typeof rights === 'string') return builtInAllows(rights, act, target.collection, reach);
  return andThen(isOwn(ctx, act, target), (own) => own || andThen(userRoles(), ({ rolesAllow }) => rolesAllow(ctx, rights, { act, target, args })));
}

function reachOf(scope: Scope, ctx: EvalContext): Reach {
  const { caller } = ctx;
  const { path } = ctx.catalogOf(scope);
  return path.length > caller.path.length && isWithin(path, caller.path) ? 'below' : 'elsewhere';
}

/** An identity always reads its own credentials, and reads and deletes its own tokens. */
function isOwn(ctx: EvalContext, act: Act, target: Ref): MaybePromise<boolean> {
  const identity = subjectOf(ctx.caller);
  if (identity === null || !OWN[act]?.includes(target.collection)) return false;
  return andThen(presentFields(target, ctx.txn), (fields) => {
    const instance = fields?.get('instance');
    return instance instanceof Ref && instance.equals(identity);
  });
}

const OWN: Readonly<Partial<Record<Act, readonly number[]>>> = { read: [NATIVE.credentials, NATIVE.tokens], delete: [NATIVE.tokens] };

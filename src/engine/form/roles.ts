// User roles: a role grants an action on a resource, perhaps under a predicate. Any error or
// any answer but `true` denies and never surfaces (reference: data/auth.md §7).
import { Path } from '../base/path.ts';
import { fold, type MaybePromise, rescue } from '../base/maybe.ts';
import type { Act } from '../auth/rules.ts';
import { FqlError } from '../errors/fql-error.ts';
import { listOf } from '../schema/definitions.ts';
import { NATIVE, Ref } from '../value/ref.ts';
import { isArray, Lambda, Obj, type Value } from '../value/value.ts';
import type { EvalContext } from './context.ts';

/** Whether one of the roles allows it: those given, and those the identity is a member of. */
export function rolesAllow(ctx: EvalContext, rights: readonly Ref[], act: Act, target: Ref, args: readonly Value[]): MaybePromise<boolean> {
  const asked = ctx.catalog.all('role').filter((role) => role.fields.has('privileges'));
  return anyOf(asked, (role) =>
    andAlso(holds(ctx, rights, role.ref, role.fields), () => grants(ctx, role.fields, act, target, args)),
  );
}

/** Whether the caller has the role: by its key, or as a member. */
function holds(ctx: EvalContext, rights: readonly Ref[], role: Ref, fields: Obj): MaybePromise<boolean> {
  if (rights.some((ref) => ref.equals(role))) return true;
  const { identity } = ctx.caller;
  if (identity === null) return false;
  const memberships = listOf(fields.get('membership')).filter((item): item is Obj => item instanceof Obj);
  return anyOf(memberships, (membership) => {
    const resource = membership.get('resource');
    if (!(resource instanceof Ref) || Number(resource.id) !== identity.collection) return false;
    const predicate = membership.get('predicate');
    return predicate === undefined || decide(ctx, predicate, [identity]);
  });
}

function grants(ctx: EvalContext, fields: Obj, act: Act, target: Ref, args: readonly Value[]): MaybePromise<boolean> {
  const privileges = listOf(fields.get('privileges')).filter((item): item is Obj => item instanceof Obj);
  return anyOf(privileges, (privilege) => {
    const resource = privilege.get('resource');
    const actions = privilege.get('actions');
    if (!(resource instanceof Ref) || !(actions instanceof Obj) || !covers(resource, target)) return false;
    return decide(ctx, actions.get(act) ?? false, args);
  });
}

/** Whether a privilege on `resource` is about `target`: the index or function itself, or a document's collection. */
function covers(resource: Ref, target: Ref): boolean {
  if (resource.scope !== target.scope) return false;
  if (resource.collection === NATIVE.collections) return Number(resource.id) === target.collection;
  return resource.equals(target);
}

/** `true`, `false` or a predicate that must give exactly `true`. */
export function decide(ctx: EvalContext, rule: Value, args: readonly Value[]): MaybePromise<boolean> {
  if (!(rule instanceof Lambda)) return rule === true;
  // A predicate gets only as many arguments as it has parameters.
  const argument = isArray(rule.params) ? args.slice(0, rule.params.length) : (args[0] ?? null);
  // A predicate reads everything of the database but its history and what only administrators see, and calls functions that only read.
  const judge = ctx.with({
    caller: { ...ctx.caller, rights: 'judge' },
    limit: { effect: 'read', reason: 'auth predicates' },
  });
  return rescue<boolean>(
    () => whether(judge.apply(rule, argument, Path.root)),
    (error) => {
      if (error instanceof FqlError) return false;
      throw error;
    },
  );
}

const whether = (result: MaybePromise<Value>): MaybePromise<boolean> =>
  result instanceof Promise ? result.then((value) => value === true) : result === true;

const andAlso = (first: MaybePromise<boolean>, second: () => MaybePromise<boolean>): MaybePromise<boolean> =>
  first instanceof Promise ? first.then((yes) => yes && second()) : first && second();

const anyOf = <T>(items: readonly T[], test: (item: T) => MaybePromise<boolean>): MaybePromise<boolean> =>
  fold(items, false, (found, item) => found || test(item));


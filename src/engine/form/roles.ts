// User roles: a role grants an action on a resource, perhaps under a predicate. Any error or
// any answer but `true` denies and never surfaces (reference: data/auth.md §7).
import { Path } from '../base/path.ts';
import { andThen, fold, type MaybePromise, rescue } from '../base/maybe.ts';
import { subjectOf } from '../auth/caller.ts';
import type { Act } from '../auth/rules.ts';
import { isOfQuery } from '../errors/fql-error.ts';
import { type Definition, listOf } from '../schema/definitions.ts';
import type { Txn } from '../txn/txn.ts';
import { NATIVE, Ref } from '../value/ref.ts';
import { isArray, Lambda, Obj, type Value } from '../value/value.ts';
import { wireOf } from '../wire/version.ts';
import type { EvalContext } from './context.ts';

/** What roles are asked to allow. */
export interface Deed {
  readonly act: Act;
  readonly target: Ref;
  /** What a predicate is told of it. */
  readonly args: readonly Value[];
}

/** Whether one of the caller's roles allows it. */
export function rolesAllow(ctx: EvalContext, rights: readonly Ref[], deed: Deed): MaybePromise<boolean> {
  return andThen(rolesOf(ctx, rights), (roles) => anyOf(roles, ({ fields }) => grants(ctx, fields, deed)));
}

type Roles = readonly Definition[];

/** Those of whoever asks in a transaction: looked up once, before it has written anything but its own tokens. */
const ownRoles = new WeakMap<Txn, Roles>();

/** The roles whose privileges count. */
export function rolesOf(ctx: EvalContext, rights: readonly Ref[]): MaybePromise<Roles> {
  const { txn, caller: { borrows, identity } } = ctx;
  if (borrows === true) return given(ctx, rights);
  return ownRoles.get(txn) ?? andThen(identity === null ? given(ctx, rights) : joined(ctx, identity), (roles) => {
    ownRoles.set(txn, roles);
    return roles;
  });
}

const given = ({ catalog }: EvalContext, rights: readonly Ref[]): Roles => rights.flatMap((ref) => catalog.before.definition(ref) ?? []);

/** Those that the identity is a member of. */
const joined = (ctx: EvalContext, identity: Ref): MaybePromise<Roles> =>
  fold<Definition, Roles>(ctx.catalog.all('role'), [], (roles, role) => andThen(isMember(ctx, identity, role.fields), (yes) => (yes ? [...roles, role] : roles)));

function isMember(ctx: EvalContext, identity: Ref, fields: Obj): MaybePromise<boolean> {
  return anyOf(partsOf(fields, 'membership'), (membership) => {
    const resource = membership.get('resource');
    if (!(resource instanceof Ref) || Number(resource.id) !== identity.collection) return false;
    return decide(ctx, membership.get('predicate') ?? true, identity);
  });
}

const partsOf = (fields: Obj, name: string): readonly Obj[] => listOf(fields.get(name)).filter((item) => item instanceof Obj);

function grants(ctx: EvalContext, fields: Obj, deed: Deed): MaybePromise<boolean> {
  return anyOf(partsOf(fields, 'privileges'), (privilege) => {
    const resource = privilege.get('resource');
    const actions = privilege.get('actions');
    if (!(resource instanceof Ref) || !(actions instanceof Obj) || !covers(resource, deed)) return false;
    const rule = actions.get(deed.act) ?? false;
    return decide(ctx, rule, argumentFor(rule, deed));
  });
}

/** Whether a privilege on `resource` is about `target`: to use the index or function itself, or about the collection of a document, which may be that of all indexes. */
function covers(resource: Ref, { act, target, args: [first = null] }: Deed): boolean {
  // An index is used with an array of terms.
  if (act === 'call' || isArray(first)) return resource.equals(target);
  return resource.scope === target.scope && resource.collection === NATIVE.collections && Number(resource.id) === target.collection;
}

/** What a predicate is applied to: several things are an array, and the last may be left out where it does not take so many. */
function argumentFor(rule: Value, { act, args }: Deed): Value {
  const taken = rule instanceof Lambda && isArray(rule.params) ? rule.params.length : 1;
  if (act === 'write' && taken !== 3) return args.slice(0, 2);
  return args.length === 1 || (act === 'create_with_id' && taken === 1) ? (args[0] as Value) : args;
}

/** `true`, `false` or a predicate that must give exactly `true`. */
export function decide(ctx: EvalContext, rule: Value, argument: Value): MaybePromise<boolean> {
  if (!(rule instanceof Lambda)) return rule === true;
  // A predicate reads everything of the present database but its history and what only administrators see, and calls functions that only read.
  const judge = ctx.with({
    caller: { ...ctx.caller, rights: 'judge', identity: subjectOf(ctx.caller) },
    validTime: null,
    now: ctx.txn.now,
    limit: { effect: 'read', reason: 'auth predicates' },
    wire: wireOf(rule.version) ?? ctx.wire,
  });
  return rescue<boolean>(
    () => andThen(judge.apply(rule, argument, Path.root), (result) => result === true),
    (error) => {
      if (isOfQuery(error)) return false;
      throw error;
    },
  );
}

const anyOf = <T>(items: readonly T[], test: (item: T) => MaybePromise<boolean>): MaybePromise<boolean> =>
  fold(items, false, (found, item) => found || test(item));

// What a role's document may hold (reference: data/documents.md §5).
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { schemaFailures } from '../errors/schema-failures.ts';
import { isRefOf } from '../errors/type-name.ts';
import type { EvalContext } from '../form/context.ts';
import { listOf } from '../schema/definitions.ts';
import { Ref } from '../value/ref.ts';
import { isArray, Lambda, Obj, type Value } from '../value/value.ts';
import type { Preparation, Prepared } from './preparation.ts';
import { wrongPart } from './role-failures.ts';
import { sameField } from './same-field.ts';

/** Arguments of the predicates of a privilege. */
const ARITY: Readonly<Record<string, number>> = {
  read: 1, write: 2, create: 1, create_with_id: 2, delete: 1, history_write: 4, history_read: 1, unrestricted_read: 1, call: 1,
};
const PARTS: Readonly<Record<string, readonly string[]>> = { privileges: ['resource', 'actions'], membership: ['resource', 'predicate'] };
/** Roles that may name one collection in their membership. */
const MAX_ROLES = 64;

export function prepareRole({ ref, fields: sent, before }: Preparation, ctx: EvalContext): Prepared {
  const fields = known(sent);
  // An earlier build may have taken what is refused now, so what an update leaves alone is not judged.
  const judged = (key: string): Value | undefined => (before !== null && sameField(sent.get(key), before.get(key)) ? undefined : fields.get(key));
  const privileges = judged('privileges');
  const membership = judged('membership');
  const failures = [
    ...partsFailures(membership, 'membership', 'Membership', ctx),
    ...partsFailures(privileges, 'privileges', 'Privilege', ctx),
    // Of several privileges none is looked at: that is how a `write` may take three arguments.
    ...Object.entries(ARITY).flatMap(([action, arity]) => arityFailures(privileges, ['privileges', 'actions', action], arity)),
    ...arityFailures(membership, ['membership', 'predicate'], 1),
    ...tooManyRoles(ref, membership, ctx),
  ];
  return { fields, failures };
}

/** Unknown fields and actions are dropped silently. */
function known(fields: Obj): Obj {
  const parts = (value: Value, names: readonly string[]): Value => {
    if (isArray(value)) return value.map((item) => parts(item, names));
    if (!(value instanceof Obj)) return value;
    const kept = value.filter((key) => names.includes(key));
    const actions = kept.get('actions');
    return actions instanceof Obj ? kept.with('actions', actions.filter((action) => Object.hasOwn(ARITY, action))) : kept;
  };
  return Object.entries(PARTS).reduce((all, [key, names]) => {
    const value = all.get(key);
    return value === undefined ? all : all.with(key, parts(value, names));
  }, fields);
}

/** Only the first fault is told. */
function partsFailures(value: Value | undefined, key: string, type: string, ctx: EvalContext): FieldFailure[] {
  return listOf(value)
    .flatMap((item) => (item instanceof Obj ? partFailures(item, key, ctx) : [fieldFailures.type([key], item, type)]))
    .slice(0, 1);
}

function partFailures(item: Obj, key: string, ctx: EvalContext): FieldFailure[] {
  const resource = item.get('resource');
  if (resource === undefined) return [fieldFailures.required(['resource'])];
  const isMembership = key === 'membership';
  if (!(resource instanceof Ref) || (isMembership && !isRefOf(resource, 'collections'))) {
    return [wrongPart(key, ['resource'], resource, isMembership ? 'Class Ref' : 'Ref', 'Ref')];
  }
  const predicate = item.get('predicate');
  if (predicate !== undefined && !(predicate instanceof Lambda)) return [wrongPart(key, ['predicate'], predicate, 'Query')];
  const actions = item.get('actions') ?? Obj.empty;
  if (!(actions instanceof Obj)) return [fieldFailures.type(['actions'], actions, 'RoleAction Map')];
  const wrong = actions.entries().find(([, rule]) => typeof rule !== 'boolean' && !(rule instanceof Lambda));
  if (wrong !== undefined) return [wrongPart(key, ['actions', wrong[0]], wrong[1], 'RoleAction', 'Query')];
  return resource.isNativeCollection || ctx.catalog.definition(resource) !== null ? [] : [schemaFailures.missingRef([key, 'resource'])];
}

/** @param field the predicate's, from the role's own fields on */
function arityFailures(value: Value | undefined, field: readonly string[], expected: number): FieldFailure[] {
  const rule = field.slice(1).reduce<Value | undefined>((found, step) => (found instanceof Obj ? found.get(step) : undefined), value);
  if (!(rule instanceof Lambda) || rule.params === '_') return [];
  const actual = listOf(rule.params).length;
  return actual === expected ? [] : [schemaFailures.arity(field, actual, expected)];
}

function tooManyRoles(ref: Ref, membership: Value | undefined, ctx: EvalContext): FieldFailure[] {
  const named = (value: Value | undefined): readonly Ref[] =>
    listOf(value).flatMap((item) => {
      const resource = item instanceof Obj ? item.get('resource') : undefined;
      return resource instanceof Ref ? [resource] : [];
    });
  const others = ctx.catalog.all('role').filter((role) => !role.ref.equals(ref)).map(({ fields }) => named(fields.get('membership')));
  const isFull = (collection: Ref): boolean => others.filter((resources) => resources.some((resource) => resource.equals(collection))).length >= MAX_ROLES;
  return named(membership).some(isFull) ? [schemaFailures.tooManyRoles(['membership'], MAX_ROLES)] : [];
}

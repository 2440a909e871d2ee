// The rights a `role` field gives, on a key or a function: a built-in role by its name, user
// roles by name or ref, one or several (reference: data/documents.md §5).
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { isRefOf } from '../errors/type-name.ts';
import type { Catalog } from '../schema/catalog.ts';
import { listOf } from '../schema/definitions.ts';
import { Ref } from '../value/ref.ts';
import type { Value } from '../value/value.ts';
import { type Caller, isBuiltInRole } from './caller.ts';

type Rights = Caller['rights'];

/** @param catalog of the database that user roles are in; those that are not there give nothing */
export function rightsOf(role: Value, catalog: Catalog): Rights {
  if (isBuiltInRole(role)) return role;
  return listOf(role).flatMap((item) => {
    const ref = typeof item === 'string' ? catalog.resolve('role', item) : item;
    return ref instanceof Ref ? [ref] : [];
  });
}

/**
 * Whether somebody with the rights `held` may have a function run with those in `asked`. Keys of
 * the built-in roles that write functions are trusted with all; a user role gives on only itself.
 */
export const mayGive = (held: Rights, asked: Rights): boolean =>
  typeof held === 'string' || (typeof asked !== 'string' && asked.every((role) => held.some((own) => own.equals(role))));

/** Whether it may mean a role. */
export const isRole = (item: Value): boolean => typeof item === 'string' || isRefOf(item, 'roles');

/** What is wrong with a role, or several: built-in ones stand alone, user roles must exist. */
export function roleFailures(role: Value, at: readonly string[], catalog: Catalog): FieldFailure[] {
  if (isBuiltInRole(role)) return [];
  const items = listOf(role);
  if (!items.every((item) => isRole(item) && !isBuiltInRole(item))) return [fieldFailures.type(at, role, 'Role')];
  return items.flatMap((item) => {
    if (item instanceof Ref) return catalog.definition(item) === null ? [fieldFailures.missingRef(at)] : [];
    return catalog.isTaken('role', String(item)) === null ? [fieldFailures.free(at, `Role \`${String(item)}\` does not exist.`)] : [];
  });
}

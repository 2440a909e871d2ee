// What may be wrong with a `role` field, or with roles that are named elsewhere (reference: data/documents.md §5).
import { isBuiltInRole } from '../auth/caller.ts';
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { schemaFailures } from '../errors/schema-failures.ts';
import { isRefOf } from '../errors/type-name.ts';
import type { Catalog } from '../schema/catalog.ts';
import { listOf } from '../schema/definitions.ts';
import { Ref } from '../value/ref.ts';
import type { Value } from '../value/value.ts';

/** Whether it may mean a role. */
export const isRole = (item: Value): boolean => typeof item === 'string' || isRefOf(item, 'roles');

/** A part of the wrong type. As in the original it is named without the way to it, unless it is a string, which is taken for a ref or lambda. */
export const wrongPart = (within: string, at: readonly string[], value: Value, type: string, ofString = type): FieldFailure =>
  typeof value === 'string' ? fieldFailures.type([within, ...at], value, ofString) : fieldFailures.type(at, value, type);

/** What is wrong with a role, or several: built-in ones stand alone, user roles must exist. */
export function roleFailures(role: Value, at: readonly string[], catalog: Catalog): FieldFailure[] {
  if (isBuiltInRole(role)) return [];
  const items = listOf(role);
  if (!items.every((item) => isRole(item) && !isBuiltInRole(item))) return [fieldFailures.type(at, role, 'Role')];
  return items.flatMap((item) => {
    if (item instanceof Ref) return catalog.definition(item) === null ? [schemaFailures.missingRef(at)] : [];
    return catalog.holder('role', String(item)) === null ? [schemaFailures.free(at, `Role \`${String(item)}\` does not exist.`)] : [];
  });
}

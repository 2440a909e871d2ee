// The rights a `role` field gives, on a key or a function: a built-in role by its name, user
// roles by name or ref, one or several (reference: data/documents.md §5).
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

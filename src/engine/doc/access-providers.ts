// What an access provider's document may hold (reference: data/documents.md §5; data/auth.md §9).
import { isBuiltInRole } from '../auth/caller.ts';
import { roleFailures } from '../auth/rights-of.ts';
import { audienceOf } from '../auth/web-token.ts';
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { storedTypeName } from '../errors/type-name.ts';
import type { EvalContext } from '../form/context.ts';
import type { Catalog } from '../schema/catalog.ts';
import { listOf } from '../schema/definitions.ts';
import { isArray, Lambda, Obj, type Value } from '../value/value.ts';
import type { Preparation, Prepared } from './preparation.ts';

export function prepareAccessProvider({ ref, fields }: Preparation, { catalog }: EvalContext): Prepared {
  const issuer = fields.get('issuer');
  const uri = fields.get('jwks_uri');
  const isDuplicate = catalog.all('access_provider').some((other) => !other.ref.equals(ref) && other.fields.get('issuer') === issuer);
  const failures = [
    ...(typeof uri === 'string' && !/^https:\/\/[^\s]+$/i.test(uri) ? [fieldFailures.uri(['jwks_uri'], uri)] : []),
    ...(issuer !== undefined && isDuplicate ? [fieldFailures.duplicate(['issuer'])] : []),
    ...rolesFailures(fields.get('roles'), catalog),
  ];
  return { fields: fields.with('audience', audienceOf(catalog.scope)), failures };
}

/** A role by name or ref, or one that a predicate decides about; or several of these. */
function rolesFailures(roles: Value | undefined, catalog: Catalog): FieldFailure[] {
  return listOf(roles).flatMap((item, index) => {
    const at = isArray(roles ?? null) ? ['roles', index] : ['roles'];
    if (!(item instanceof Obj)) return roleNameFailures(item, at, catalog);
    const role = item.get('role');
    const predicate = item.get('predicate');
    return [
      ...(role === undefined ? [fieldFailures.required([...at, 'role'])] : roleNameFailures(role, [...at, 'role'], catalog)),
      ...(predicate === undefined ? [fieldFailures.required([...at, 'predicate'])] : []),
      ...(predicate === undefined || predicate instanceof Lambda ? [] : [fieldFailures.type([...at, 'predicate'], storedTypeName(predicate), 'Query')]),
    ];
  });
}

/** Names that mean no role of the database are told of at `roles` itself, wherever they stand. */
function roleNameFailures(role: Value, at: readonly (string | number)[], catalog: Catalog): FieldFailure[] {
  if (isBuiltInRole(role)) return [fieldFailures.free(['roles'], `Builtin role \`${role}\` not allowed.`)];
  return roleFailures(role, typeof role === 'string' ? ['roles'] : at, catalog);
}

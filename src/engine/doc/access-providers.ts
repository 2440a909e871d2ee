// What an access provider's document may hold (reference: data/documents.md §5; data/auth.md §9).
import { isBuiltInRole } from '../auth/caller.ts';
import { audienceOf, isKeySetAddress } from '../auth/web-token.ts';
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { schemaFailures } from '../errors/schema-failures.ts';
import type { EvalContext } from '../form/context.ts';
import type { Catalog } from '../schema/catalog.ts';
import { listOf } from '../schema/definitions.ts';
import { Lambda, Obj, type Value } from '../value/value.ts';
import type { Preparation, Prepared } from './preparation.ts';
import { isRole, roleFailures, wrongPart } from './role-failures.ts';

export function prepareAccessProvider({ ref, fields }: Preparation, { catalog }: EvalContext): Prepared {
  const issuer = fields.get('issuer');
  const uri = fields.get('jwks_uri');
  const isDuplicate = catalog.all('access_provider').some((other) => !other.ref.equals(ref) && other.fields.get('issuer') === issuer);
  const failures = [
    ...(typeof uri === 'string' && !isKeySetAddress(uri) ? [schemaFailures.uri(['jwks_uri'], uri)] : []),
    ...(issuer !== undefined && isDuplicate ? [schemaFailures.duplicate(['issuer'])] : []),
    ...rolesFailures(fields.get('roles'), catalog),
  ];
  return { fields: fields.with('audience', audienceOf(catalog.scope)), failures };
}

/** Roles by names or refs, and such that a predicate decides about. */
function rolesFailures(roles: Value | undefined, catalog: Catalog): FieldFailure[] {
  const items = listOf(roles);
  const [wrong] = items.flatMap(shapeFailures);
  if (wrong !== undefined) return [wrong];
  const named = items.map((item) => (item instanceof Obj ? (item.get('role') ?? null) : item));
  return [
    ...roleFailures(named.filter((role) => !isBuiltInRole(role)), ['roles'], catalog),
    ...named.filter(isBuiltInRole).map((role) => schemaFailures.free(['roles'], `Builtin role \`${role}\` not allowed.`)),
  ];
}

function shapeFailures(item: Value): FieldFailure[] {
  if (!(item instanceof Obj)) return isRole(item) ? [] : [fieldFailures.type(['roles'], item, 'Role')];
  return PARTS.flatMap(([name, type, accepts]) => {
    const value = item.get(name);
    if (value === undefined) return [fieldFailures.required([name])];
    return accepts(value) ? [] : [wrongPart('roles', [name], value, type)];
  });
}

const PARTS: readonly (readonly [name: string, type: string, accepts: (value: Value) => boolean])[] = [
  ['role', 'Role Ref', isRole],
  ['predicate', 'Query', (value) => value instanceof Lambda],
];

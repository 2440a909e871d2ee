import type { Path } from '../base/path.ts';
import { badRequest, fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import type { EvalContext } from '../form/context.ts';
import { MAX_DEPTH } from '../value/json.ts';
import { isArray, Obj, Ref, UnresolvedRef, type Value } from '../value/value.ts';

/** Refs in params that mean nothing or lead to another database; fields are named from the query's root. */
export function badRefs(params: Value, at: Path, ctx: EvalContext): FieldFailure[] {
  const base = at.toArray();
  const found: FieldFailure[] = [];
  const visit = (value: Value, field: readonly (string | number)[]): void => {
    // What is deeper cannot be read again, and is not stored.
    if (field.length > MAX_DEPTH) throw badRequest(`Version nesting exceeds threshold (${MAX_DEPTH})`);
    if (value instanceof UnresolvedRef) found.push(fieldFailures.unreadableRef([...base.slice(0, -1), ...field]));
    else if (value instanceof Ref && value.scope !== ctx.catalog.scope) found.push(fieldFailures.scopedRef([...base.slice(0, -1), ...field]));
    else if (isArray(value)) value.forEach((item, index) => visit(item, [...field, index]));
    else if (value instanceof Obj) for (const [key, item] of value.entries()) visit(item, [...field, key]);
  };
  visit(params, []);
  return found;
}

import type { Path } from '../base/path.ts';
import { badRequest, fieldFailures, validationFailed } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import type { EvalContext } from '../form/context.ts';
import { asData } from '../value/as-data.ts';
import { MAX_DEPTH } from '../value/json.ts';
import { beginParts, countPart, countParts } from '../value/parts.ts';
import { isArray, Obj, Ref, UnresolvedRef, type Value } from '../value/value.ts';

/**
 * Refuses params with refs that mean nothing or lead to another database.
 * @throws FqlError `validation failed` at the form; RangeError for params of too many parts;
 *   HttpError `bad request` for those nested too deeply to be read again
 */
export function requireRefs(params: Value, places: { readonly form: Path; readonly params: Path }, ctx: EvalContext): void {
  const failures = badRefs(params, places.params, ctx);
  if (failures.length > 0) throw validationFailed(places.form, failures);
}

/** Such refs, each with its field, which is named from the query's root. */
function badRefs(params: Value, at: Path, ctx: EvalContext): FieldFailure[] {
  const found: FieldFailure[] = [];
  const field: (string | number)[] = [];
  const place = (): (string | number)[] => [...at.toArray().slice(0, -1), ...field];
  const visitAll = (items: readonly Value[], steps?: readonly string[]): void => {
    countPart(items.length);
    // What is deeper cannot be read again, and is not stored.
    if (items.length > 0 && field.length === MAX_DEPTH) throw badRequest(`Version nesting exceeds threshold (${MAX_DEPTH})`);
    for (let at = 0; at < items.length; at++) {
      const item = items[at] as Value;
      if (typeof item !== 'object' || item === null) continue;
      field.push(steps?.[at] ?? at);
      visit(item);
      field.pop();
    }
  };
  const visit = (value: Value): void => {
    const data = value instanceof Obj ? value : asData(value);
    if (data instanceof Obj) visitAll(data.values, data.keys);
    else if (isArray(value)) visitAll(value);
    else if (value instanceof UnresolvedRef) found.push(fieldFailures.unreadableRef(place()));
    else if (value instanceof Ref && value.scope !== ctx.catalog.scope) found.push(fieldFailures.scopedRef(place()));
    else countParts(value);
  };
  beginParts();
  visit(params);
  return found;
}

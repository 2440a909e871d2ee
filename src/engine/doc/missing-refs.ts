// Refs in the `data` of a schema document must lead somewhere: that of a user's document may
// hold any (reference: fql/functions.md §8; the original's util/SharedValidators).
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { schemaFailures } from '../errors/schema-failures.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { NATIVE } from '../value/ref.ts';
import { isArray, Obj, Ref, type Value } from '../value/value.ts';
import { findDocument } from './read.ts';

const UNCHECKED: ReadonlySet<number> = new Set([NATIVE.tokens, NATIVE.credentials, NATIVE.tasks]);

/** What is wrong with the refs in a schema document's own data: gone, or not to be read by who writes it. */
export function missingRefs(ref: Ref, fields: Obj, ctx: EvalContext): MaybePromise<readonly FieldFailure[]> {
  const data = fields.get('data');
  if (data === undefined || UNCHECKED.has(ref.collection)) return [];
  const found = mapEach(refsIn(data, ['data']), ({ field, value }) => failuresOf(field, value, ctx));
  return andThen(found, (failures) => failures.flat());
}

function failuresOf(field: readonly string[], ref: Ref, ctx: EvalContext): MaybePromise<readonly FieldFailure[]> {
  if (ref.isNativeCollection) return [];
  return andThen(allows(ctx, 'read', ref), (allowed) => {
    if (!allowed) return [fieldFailures.unreadableRef(field)];
    return andThen(findDocument(ref, ctx), (doc) => (doc === null ? [schemaFailures.missingRef(field)] : []));
  });
}

/** All refs in a value by their fields; those in an array have the array's. */
function refsIn(value: Value, field: readonly string[]): { readonly field: readonly string[]; readonly value: Ref }[] {
  if (value instanceof Ref) return [{ field, value }];
  if (isArray(value)) return value.flatMap((item) => refsIn(item, field));
  return value instanceof Obj ? value.entries().flatMap(([key, item]) => refsIn(item, [...field, key])) : [];
}

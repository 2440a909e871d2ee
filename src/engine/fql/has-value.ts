// Whether a value is one of those a container is made of (reference: fql/functions.md §3,
// `contains_value`). Only one level deep, and by structural equality.
import type { MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { refDatabase, refId } from '../doc/ref-field.ts';
import { wrongType } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { setContains } from '../set/read.ts';
import { same } from '../value/equal.ts';
import { collectionRefOf } from '../value/ref.ts';
import { Action, Doc, DocEvent, isArray, Lambda, Obj, Page, Ref, SetValue, Sourced, tsValue, type Value } from '../value/value.ts';

/** @throws FqlError `invalid argument` at `in` for a scalar that is no ref, `permission denied` at `at` */
export function hasValue(container: Value, value: Value, ctx: EvalContext, at: Path): MaybePromise<boolean> {
  if (container instanceof SetValue) return setContains(container, value, ctx, at);
  const parts = partsOf(container, ctx);
  if (parts === undefined) throw wrongType(at.at('in'), ['Object', 'Array', 'Page', 'Set', 'Ref'], 'Scalar');
  return parts.some((part) => part !== undefined && same(part, value));
}

/** The values a container is made of; `undefined` for a scalar. */
function partsOf(container: Value, ctx: EvalContext): readonly (Value | undefined)[] | undefined {
  if (isArray(container)) return container;
  if (container instanceof Obj) return container.values;
  if (container instanceof Ref) return [refId(container, ctx), collectionRefOf(container), refDatabase(container, ctx)];
  if (container instanceof Doc) {
    return [container.ref, collectionRefOf(container.ref), tsValue(container.ts), ...container.fields.values];
  }
  if (container instanceof DocEvent) return [tsValue(container.ts), new Action(container.action), container.ref ?? undefined, ...coveredBy(container)];
  // A page is its data as a whole and its cursors, not the elements.
  if (container instanceof Page) return [container.data, container.before, container.after].filter(isArrayOrMissing);
  return container instanceof Lambda || container instanceof Sourced ? [] : undefined;
}

/** A set's event covers values; a document's has changed fields. */
const coveredBy = ({ data = null, changes }: DocEvent): readonly Value[] => changes?.values ?? (isArray(data) ? data : []);

const isArrayOrMissing = (value: Value | undefined): boolean => value !== undefined && isArray(value);

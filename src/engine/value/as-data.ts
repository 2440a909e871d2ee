// What composite values are as data: the objects they are stored as (the original's
// ast/Expression: `irValue`).
import { collectionRefOf } from './ref.ts';
import { Action, Doc, DocEvent, Obj, Page, Sourced, tsValue, type Value } from './value.ts';

/** A document, page, event, sourced element or action as data; any other value as it is. What stands inside is left alone. */
export function asData(value: Value): Value {
  if (value instanceof Doc) {
    // Under both words, for readers of all versions.
    const collection = collectionRefOf(value.ref);
    return Obj.of(['ref', value.ref], ['class', collection], ['collection', collection], ['ts', tsValue(value.ts)], ...value.fields.entries());
  }
  if (value instanceof Page || value instanceof Sourced) return value.asObject();
  if (value instanceof DocEvent) {
    const values = value.kind === 'set' ? value.data : undefined;
    return Obj.from({ ts: tsValue(value.ts), action: value.action, resource: value.ref ?? undefined, values });
  }
  return value instanceof Action ? value.name : value;
}

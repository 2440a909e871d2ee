import type { Wire } from '../wire/version.ts';
import { collectionRefOf } from '../value/ref.ts';
import { Doc, Obj, tsValue, type Value } from '../value/value.ts';

/** A document as the plain object it is shown as; an object as it is; nothing for anything else. */
export function asObject(value: Value, wire: Wire): Obj | undefined {
  if (value instanceof Obj) return value;
  if (!(value instanceof Doc)) return undefined;
  const head: [string, Value][] = [['ref', value.ref]];
  if (wire.documentClassField) head.push(['class', collectionRefOf(value.ref)]);
  head.push(['ts', tsValue(value.ts)]);
  return new Obj([...head.map(([key]) => key), ...value.fields.keys], [...head.map(([, field]) => field), ...value.fields.values]);
}

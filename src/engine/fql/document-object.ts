import type { Wire } from '../wire/version.ts';
import { Doc, Obj, type Value } from '../value/value.ts';

/** A document as the plain object it is shown as; an object as it is; nothing for anything else. */
export const asObject = (value: Value, wire: Wire): Obj | undefined =>
  value instanceof Obj ? value : value instanceof Doc ? value.asObject(wire.documentClassField) : undefined;

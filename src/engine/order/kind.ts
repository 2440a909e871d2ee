// What a value counts as when it is ordered.
//
// One table gives the order between types; the same numbers are the first byte of an order
// key. Documents, events and pages count as the objects they are stored as, sets as they are shown
// (reference: fql/order.md §1).
import { asData } from '../value/as-data.ts';
import { perKeys } from '../value/known-keys.ts';
import {
  Action,
  Bytes,
  DateValue,
  Doc,
  DocEvent,
  isArray,
  Lambda,
  Obj,
  Page,
  PendingTs,
  Ref,
  SetValue,
  Sourced,
  Time,
  UnresolvedRef,
  Uuid,
  type Value,
} from '../value/value.ts';

/**
 * How numbers are ordered among the rest. `natural`: 1 < 1.5 < 2. `legacy`, which indexes
 * made under version 2.0 keep: Longs first, Doubles after Booleans. It holds at every depth.
 */
export type Collation = 'natural' | 'legacy';

/**
 * Kinds in order. No tag is below 0x10 and none above 0xEF, so that neither a tag nor its
 * complement can be taken for a terminator.
 */
export const KIND = {
  /** Longs, and in the natural collation Doubles. */
  number: 0x10,
  bytes: 0x20,
  string: 0x30,
  array: 0x40,
  object: 0x50,
  ref: 0x60,
  /** Cannot be stored; it has a place only so that no comparison is left without an answer. */
  unresolvedRef: 0x68,
  time: 0x70,
  date: 0x80,
  lambda: 0x90,
  pendingTs: 0xa0,
  uuid: 0xb0,
  false: 0xc0,
  true: 0xc1,
  /** Doubles in the legacy collation. */
  double: 0xd0,
  null: 0xe0,
} as const;

/** A value of a kind of its own. */
export type Plain = Exclude<Value, SetValue | Doc | DocEvent | Page | Sourced | Action>;

export function kindOf(value: Plain, collation: Collation): number {
  switch (typeof value) {
    case 'string':
      return KIND.string;
    case 'bigint':
      return KIND.number;
    case 'number':
      return collation === 'natural' ? KIND.number : KIND.double;
    case 'boolean':
      return value ? KIND.true : KIND.false;
    default:
  }
  if (value === null) return KIND.null;
  if (isArray(value)) return KIND.array;
  if (value instanceof Ref) return KIND.ref;
  if (value instanceof Obj) return KIND.object;
  if (value instanceof Time) return KIND.time;
  if (value instanceof DateValue) return KIND.date;
  if (value instanceof Bytes) return KIND.bytes;
  if (value instanceof Uuid) return KIND.uuid;
  if (value instanceof Lambda) return KIND.lambda;
  if (value instanceof PendingTs) return KIND.pendingTs;
  return KIND.unresolvedRef;
}

/** The value as it is ordered: composite values as objects, an action as its name. */
export function plain(value: Value): Plain {
  if (typeof value !== 'object' || value === null || isArray(value) || value instanceof Obj) return value;
  if (!(value instanceof SetValue)) return asData(value) as Plain;
  const inside = value.describe();
  return inside instanceof Ref ? inside : Obj.of(['@set', inside]);
}

/** The places of the keys of an object in their order. */
const places = perKeys((keys) => [...keys.keys()].sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1)));

/** Keys, each before its value, sorted by key, as objects are compared. */
export function sortedFields({ keys, values }: Obj): Value[] {
  const parts: Value[] = [];
  // A loop: what joins arrays takes ten times as long, which counts where a value has millions of parts.
  for (const at of places(keys)) parts.push(keys[at] as string, values[at] as Value);
  return parts;
}

/** What lambdas are ordered by; those of version 3 and later come before the older ones. */
export function lambdaParts(lambda: Lambda): Value[] {
  const parts: Value[] = [lambda.version.startsWith('2') ? 1n : 0n, lambda.params, lambda.source, lambda.version];
  for (let env = lambda.env; env !== null; env = env.outer) parts.push(env.name, env.value);
  return parts;
}

export function unresolvedParts(ref: UnresolvedRef): Value[] {
  return [ref.kind, ref.name, ref.id, ref.database];
}

// The two equalities of the language (reference: fql/order.md §4, fql/functions.md §4).
//
// `equals` is the function of that name: at its top level numbers are numbers, so 1 = 1.0.
// Inside arrays and objects, and for everything that compares elements, `same` holds:
// types count, so [1] ≠ [1.0].
import { sameBytes } from '../base/bytes.ts';
import { beginParts, countPart } from './parts.ts';
import {
  type ActionName,
  Action,
  Bytes,
  DateValue,
  Doc,
  DocEvent,
  type Env,
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
} from './value.ts';

/** What a string may stand for beside its own action. */
const ALSO: Readonly<Record<string, readonly ActionName[]>> = { create: ['add', 'update'], delete: ['remove'] };

/**
 * Equality as `equals` sees it. Long and Double are equal when they are the same number,
 * exactly, also beyond 2^53 (as in `compare`); NaN equals NaN; 0.0 and -0.0 differ.
 */
export function equals(a: Value, b: Value): boolean {
  return isNumber(a) && isNumber(b) ? sameNumber(a, b) : same(a, b);
}

function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

function sameNumber(a: bigint | number, b: bigint | number): boolean {
  if (typeof a === typeof b) return Object.is(a, b);
  return a <= b && a >= b && !Object.is(a, -0) && !Object.is(b, -0);
}

/** Whether the one is a string that the other, an action, goes by. */
function means(text: Value, action: Value): boolean {
  if (typeof text !== 'string' || !(action instanceof Action)) return false;
  return text === action.name || (Object.hasOwn(ALSO, text) && ALSO[text]?.includes(action.name) === true);
}

/** Structural equality: same type and same content, but for actions. NaN is not itself here, and 0.0 is -0.0. */
export function same(a: Value, b: Value): boolean {
  beginParts();
  return alike(a, b);
}

function alike(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b || means(a, b) || means(b, a);
  }
  if (isArray(a)) return isArray(b) && sameItems(a, b);
  if (a instanceof Obj) return b instanceof Obj && sameFields(a, b);
  if (a instanceof Ref) return b instanceof Ref && a.equals(b);
  if (a instanceof Time) return b instanceof Time && a.nanos === b.nanos;
  if (a instanceof DateValue) return b instanceof DateValue && a.days === b.days;
  if (a instanceof Bytes) return b instanceof Bytes && sameBytes(a.data, b.data);
  if (a instanceof Uuid) return b instanceof Uuid && a.text === b.text;
  if (a instanceof Action) return b instanceof Action && a.name === b.name;
  if (a instanceof UnresolvedRef) return b instanceof UnresolvedRef && sameUnresolved(a, b);
  if (a instanceof SetValue) return b instanceof SetValue && alike(a.describe(), b.describe());
  if (a instanceof Doc) {
    return b instanceof Doc && a.ref.equals(b.ref) && alike(a.ts, b.ts) && alike(a.fields, b.fields);
  }
  if (a instanceof DocEvent) return b instanceof DocEvent && sameEvent(a, b);
  if (a instanceof Page) {
    return b instanceof Page && sameItems(a.data, b.data) && alikeOptional(a.before, b.before) && alikeOptional(a.after, b.after);
  }
  if (a instanceof Sourced) return b instanceof Sourced && alike(a.value, b.value) && sameItems(a.sources, b.sources);
  if (a instanceof Lambda) return b instanceof Lambda && sameLambda(a, b);
  return a instanceof PendingTs && b instanceof PendingTs;
}

/** Whether both are alike, or both are absent. */
function alikeOptional(a: Value | undefined, b: Value | undefined): boolean {
  return a === undefined || b === undefined ? a === b : alike(a, b);
}

function sameItems(a: readonly Value[], b: readonly Value[]): boolean {
  countPart(a.length);
  return a.length === b.length && a.every((item, at) => alike(item, b[at] as Value));
}

function sameFields(a: Obj, b: Obj): boolean {
  countPart(a.size);
  return a.size === b.size && a.keys.every((key, at) => alikeOptional(a.values[at], b.get(key)));
}

function sameUnresolved(a: UnresolvedRef, b: UnresolvedRef): boolean {
  return a.kind === b.kind && a.name === b.name && a.id === b.id && sameItems(a.database, b.database);
}

function sameEvent(a: DocEvent, b: DocEvent): boolean {
  return a.kind === b.kind && alike(a.ts, b.ts) && a.action === b.action && alike(a.ref, b.ref) && alikeOptional(a.data, b.data);
}

function sameLambda(a: Lambda, b: Lambda): boolean {
  return alike(a.params, b.params) && a.version === b.version && alike(a.source, b.source) && sameEnv(a.env, b.env);
}

function sameEnv(a: Env | null, b: Env | null): boolean {
  let [left, right] = [a, b];
  while (left !== null && right !== null && left !== right) {
    if (left.name !== right.name || !alike(left.value, right.value)) return false;
    [left, right] = [left.outer, right.outer];
  }
  return left === right;
}

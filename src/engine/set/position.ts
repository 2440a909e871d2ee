// Cursors as clients send and see them, and the keys they stand for (reference:
// data/sets.md §5–7). A cursor with fewer parts than an entry is a prefix.
import { afterPrefix, type Key } from '../base/bytes.ts';
import type { Path } from '../base/path.ts';
import { invalidArgument, wrongType } from '../errors/codes.ts';
import { typeName } from '../errors/type-name.ts';
import { undefinedRef } from '../form/casts.ts';
import { tsKey } from '../kv/keyspace.ts';
import { compare } from '../order/compare.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { Action, ACTIONS, type ActionName, DateValue, DocEvent, isArray, Obj, Ref, Time, UnresolvedRef, type Value } from '../value/value.ts';
import { actionKey } from '../txn/moment.ts';
import { type Entry, KEY_END, type Shape, type Window } from './set-op.ts';

/** A place between entries: all keys that begin with it lie from `low` up to `high`. */
export interface Position {
  readonly low: Key;
  readonly high: Key;
}

const around = (prefix: Key): Position => ({ low: prefix, high: prefix === '' ? KEY_END : afterPrefix(prefix) });

/** Where a tuple of values, perhaps followed by a ref, stands in a set of this shape. */
export function boundOf(parts: readonly Value[], shape: Shape): Position {
  const count = shape.descending.length;
  const prefix = tupleKey(parts.slice(0, count), shape.descending, shape.collation);
  const ref = parts[count];
  if (ref === undefined) return around(prefix);
  if (ref instanceof Ref) return around(prefix + refKey(ref));
  // Anything but a ref in the ref's place lies before or after all refs, by the order of types.
  const { low, high } = around(prefix);
  return compare(ref, ANY_REF) < 0 ? { low, high: low } : { low: high, high };
}

const ANY_REF = new Ref(0, 0n, 0n);

export function clamp(window: Window, low: Key, high: Key): Window {
  const from = low > window.from ? low : window.from;
  const to = high < window.to ? high : window.to;
  return { ...window, from, to: to < from ? from : to };
}

/** The parts of a plain cursor: an array, or one value. @throws FqlError `invalid ref` at `at` */
export function cursorParts(cursor: Value, at: Path): readonly Value[] {
  const parts = isArray(cursor) ? cursor : [cursor];
  for (const part of parts) if (part instanceof UnresolvedRef) throw undefinedRef(part, at);
  return parts;
}

/** The cursor that stands for an entry: its values and its ref, or its event without data. */
export function cursorOf(entry: Entry): Value {
  const { event } = entry;
  if (event === undefined) return [...entry.values, entry.ref];
  return new DocEvent('cursor', event.ts, event.action, event.ref, event.kind === 'set' ? event.data : undefined);
}

// --- events ----------------------------------------------------------------------------

const EVENT_KEYS = ['ts', 'action', 'resource', 'instance', 'document', 'data', 'values'];
const KEY_SETS: readonly string[] = [
  'ts', 'action,ts', 'action,resource,ts', 'action,resource,ts,values', 'action,instance,ts', 'action,data,instance,ts',
  'action,document,ts', 'action,data,document,ts',
];

/** An event cursor as it was sent: an instant, or part of an event. */
export interface EventCursor {
  readonly position: Position;
  /** How the page shows it again. */
  readonly shown: Value;
}

/**
 * @param inclusive whether `{ts}` alone lies before everything of its instant (a document's
 *   history, and API 2.0) or behind the adds of a set
 */
export function eventCursor(cursor: Value, inclusive: boolean, at: Path): EventCursor {
  const instant = instantOf(cursor);
  if (instant !== null) return { position: { low: tsKey(instant), high: tsKey(instant) }, shown: new DocEvent('cursor', instant, 'create', null, undefined) };
  if (cursor === null) return { position: { low: KEY_END, high: KEY_END }, shown: null };
  if (cursor instanceof DocEvent) return partial(cursor.ts as number, cursor.action, cursor.ref, cursor.data, inclusive);
  if (!(cursor instanceof Obj)) throw wrongType(at, ['Object', 'Integer', 'Time', 'Date'], typeName(cursor));
  const keys = cursor.keys.filter((key) => EVENT_KEYS.includes(key));
  if (keys.length !== cursor.size || !KEY_SETS.includes(keys.toSorted().join(','))) {
    throw invalidArgument(at, `Cannot create event cursor with keys ${cursor.keys.join(', ')}`);
  }
  const ts = instantOf(cursor.get('ts') ?? null);
  if (ts === null) throw wrongType(at.at('ts'), ['Integer', 'Time', 'Date'], typeName(cursor.get('ts') ?? null));
  const ref = cursor.get('resource') ?? cursor.get('instance') ?? cursor.get('document') ?? null;
  if (ref instanceof UnresolvedRef) throw undefinedRef(ref, at);
  const action = actionOf(cursor.get('action'), at.at('action'));
  return partial(ts, action, ref instanceof Ref ? ref : null, cursor.get('data') ?? cursor.get('values'), inclusive);
}

function partial(ts: number, action: ActionName | null, ref: Ref | null, data: Value | undefined, inclusive: boolean): EventCursor {
  const shown = new DocEvent('cursor', ts, action ?? 'create', ref, data);
  const name = action ?? 'add';
  const moment = tsKey(ts) + actionKey(name);
  if (ref !== null) return { position: around(moment + refKey(ref) + (isArray(data ?? null) ? tupleKey(data as Value[]) : '')), shown };
  if (inclusive) return { position: around(action === null ? tsKey(ts) : moment), shown };
  const behind = afterPrefix(moment);
  return { position: { low: behind, high: behind }, shown };
}

function actionOf(action: Value | undefined, at: Path): ActionName | null {
  if (action === undefined) return null;
  const name = action instanceof Action ? action.name : action;
  const known = ACTIONS.find((candidate) => candidate === name);
  if (known === undefined) throw invalidArgument(at, `String 'create', 'update', or 'delete' expected, ${typeName(action)} provided.`);
  return known;
}

/** Microseconds of a Long, a time, or the midnight of a date; `null` for anything else. */
export function instantOf(value: Value): number | null {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Time) return Number(value.micros);
  if (value instanceof DateValue) return value.days * 86_400_000_000;
  return null;
}

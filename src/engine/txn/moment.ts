// Keys of entries and events; what is read back from those of events: events.ts.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { ID_BYTES, readId, readShort, TS_BYTES, tsKey } from '../kv/keyspace.ts';
import { type ActionName, Ref } from '../value/value.ts';
import type { Scope } from '../value/ref.ts';

/**
 * Actions in their order at one instant (reference: data/history.md §4). An index's removes come
 * before its adds; where the histories of several sets are merged, they come after everything.
 */
export const ACTION_ORDER: readonly ActionName[] = ['remove', 'add', 'create', 'update', 'delete', 'remove'];

/**
 * How events of one instant are ordered: `index`, those of one index; `merged`, those of a set made of
 * other sets; `mixed`, the same where documents' own events may be among them; `document`, those of one.
 */
export type EventOrder = 'index' | 'merged' | 'mixed' | 'document';

export function actionKey(action: ActionName, order: EventOrder = 'index'): Key {
  const at = order === 'index' ? ACTION_ORDER.indexOf(action) : ACTION_ORDER.lastIndexOf(action);
  return String.fromCharCode(at + 1);
}

/** Bytes of `time` in an event's key. */
export const INSTANT_BYTES = TS_BYTES;
/** Bytes of `time action`. */
export const MOMENT_BYTES = INSTANT_BYTES + 1;
export const momentKey = (time: Ts, action: ActionName, order: EventOrder = 'index'): Key => tsKey(time) + actionKey(action, order);

/** The ref in the ten bytes at a place of a key. */
export function readRef(key: Key, at: number, scope: Scope): Ref {
  return new Ref(readShort(key, at + ID_BYTES), readId(key, at), scope);
}

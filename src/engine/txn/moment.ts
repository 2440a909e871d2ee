// Keys of entries and events, and what is read back from them.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { ID_BYTES, readId, readTs, TS_BYTES, tsKey } from '../kv/keyspace.ts';
import { ACTIONS, type ActionName, Ref } from '../value/value.ts';
import type { Scope } from '../value/ref.ts';

/**
 * Actions in their order at one instant (reference: data/history.md §4). An index's removes come
 * before its adds; where the histories of several sets are merged, they come after everything.
 */
const ACTION_ORDER: readonly ActionName[] = ['remove', 'add', 'create', 'update', 'delete', 'remove'];

/**
 * How events of one instant are ordered: `index`, those of one index; `merged`, those of a set made of
 * other sets; `mixed`, the same where documents' own events may be among them; `document`, those of one.
 */
export type EventOrder = 'index' | 'merged' | 'mixed' | 'document';

export function actionKey(action: ActionName, order: EventOrder = 'index'): Key {
  const at = order === 'index' ? ACTION_ORDER.indexOf(action) : ACTION_ORDER.lastIndexOf(action);
  return String.fromCharCode(at + 1);
}

/**
 * Which action a cursor means by a name that its set has no events of: sets only know `add` and `remove`,
 * as did version 2.0 for everything.
 */
const IN_SETS: Meanings = { create: 'add', update: 'add', delete: 'remove' };
const MEANINGS: Readonly<Record<EventOrder, Meanings>> = {
  index: IN_SETS,
  merged: IN_SETS,
  mixed: {},
  document: { add: 'create', remove: 'delete' },
};
type Meanings = Readonly<Partial<Record<ActionName, ActionName>>>;

/** Where the action of a cursor stands. */
export const meantKey = (action: ActionName, order: EventOrder): Key => actionKey(MEANINGS[order][action] ?? action, order);

export const readAction = (key: Key, at: number): ActionName => ACTION_ORDER[key.charCodeAt(at) - 1] ?? ACTIONS[0];

/** Bytes of `time` in an event's key. */
export const INSTANT_BYTES = TS_BYTES;
/** Bytes of `time action`. */
export const MOMENT_BYTES = INSTANT_BYTES + 1;
export const momentKey = (time: Ts, action: ActionName, order: EventOrder = 'index'): Key => tsKey(time) + actionKey(action, order);

export const readTime = (key: Key): Ts => readTs(key, 0);

/** The ref in the ten bytes at a place of a key. */
export function readRef(key: Key, at: number, scope: Scope): Ref {
  const collection = (key.charCodeAt(at + ID_BYTES) << 8) | key.charCodeAt(at + ID_BYTES + 1);
  return new Ref(collection, readId(key, at), scope);
}

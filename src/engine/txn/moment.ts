// Keys of entries and events, and what is read back from them.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { ID_BYTES, readId, readTs, tsKey } from '../kv/keyspace.ts';
import { ACTIONS, type ActionName, Ref } from '../value/value.ts';
import type { Scope } from '../value/ref.ts';

/**
 * Actions in their order at one instant (reference: data/history.md §4). An index's removes come
 * before its adds; where the histories of several sets are merged, they come after everything.
 */
const ACTION_ORDER: readonly ActionName[] = ['remove', 'add', 'create', 'update', 'delete', 'remove'];

/** How events of one instant are ordered: those of one index, of a set made of others, of a document. */
export type EventOrder = 'index' | 'merged' | 'document';

export function actionKey(action: ActionName, order: EventOrder = 'index'): Key {
  const at = order === 'merged' ? ACTION_ORDER.lastIndexOf(action) : ACTION_ORDER.indexOf(action);
  return String.fromCharCode(at + 1);
}

export const readAction = (key: Key, at: number): ActionName => ACTION_ORDER[key.charCodeAt(at) - 1] ?? ACTIONS[0];

/** Bytes of `time` in an event's key. */
export const INSTANT_BYTES = 7;
/** Bytes of `time action`. */
export const MOMENT_BYTES = INSTANT_BYTES + 1;
export const momentKey = (time: Ts, action: ActionName, order: EventOrder = 'index'): Key => tsKey(time) + actionKey(action, order);

export const readTime = (key: Key): Ts => readTs(key, 0);

/** The ref in the ten bytes at a place of a key. */
export function readRef(key: Key, at: number, scope: Scope): Ref {
  const collection = (key.charCodeAt(at + ID_BYTES) << 8) | key.charCodeAt(at + ID_BYTES + 1);
  return new Ref(collection, readId(key, at), scope);
}

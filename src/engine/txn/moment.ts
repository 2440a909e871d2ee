// Keys of entries and events, and what is read back from them.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { ID_BYTES, readId, readTs, tsKey } from '../kv/keyspace.ts';
import { ACTIONS, type ActionName, Ref } from '../value/value.ts';
import type { Scope } from '../value/ref.ts';

/** Order at one instant (reference: data/history.md §4): a set's removes, then its adds; a document's create, update, delete. */
const ACTION_ORDER: readonly ActionName[] = ['remove', 'add', 'create', 'update', 'delete'];

export const actionKey = (action: ActionName): Key => String.fromCharCode(ACTION_ORDER.indexOf(action) + 1);
export const readAction = (key: Key, at: number): ActionName => ACTION_ORDER[key.charCodeAt(at) - 1] ?? ACTIONS[0];

/** Bytes of `time action` in an event's key. */
export const MOMENT_BYTES = 8;
export const momentKey = (time: Ts, action: ActionName): Key => tsKey(time) + actionKey(action);

export const readTime = (key: Key): Ts => readTs(key, 0);

/** The ref in the ten bytes at a place of a key. */
export function readRef(key: Key, at: number, scope: Scope): Ref {
  const collection = (key.charCodeAt(at + ID_BYTES) << 8) | key.charCodeAt(at + ID_BYTES + 1);
  return new Ref(collection, readId(key, at), scope);
}

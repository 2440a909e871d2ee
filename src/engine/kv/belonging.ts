// What a row belongs to, by its key. Only upkeep and the like ask for it, so it is loaded with them.
import type { Key } from '../base/bytes.ts';
import { ID_BYTES, readCollectionPrefix, scopeEnd, STAMP_BYTES } from './keyspace.ts';

/** The prefix of the collection or index that a row of V, D, I or E belongs to; `null` for other keys. */
export function ownerOf(key: Key): Key | null {
  const number = NUMBER_BYTES[key.charAt(0)];
  return number === undefined ? null : key.slice(0, scopeEnd(key) + number);
}

const NUMBER_BYTES: Readonly<Record<string, number>> = { V: 2, D: 2, I: ID_BYTES, E: ID_BYTES };

/** The prefix of the document whose version a key of V names; `null` for other keys. */
export const documentOf = (key: Key): Key | null => (key.startsWith('V') ? key.slice(0, -STAMP_BYTES) : null);

/** The collection of a document whose version a key of V names; `null` for other keys. */
export const collectionOf = (key: Key): number | null => (key.startsWith('V') ? readCollectionPrefix(key).collection : null);

/** What the rows about one thing have in common, which end in ↓time ↓commit; `null` for events. */
export const groupOfKey = (key: Key): Key | null => (/^[VIH]/.test(key) ? key.slice(0, -STAMP_BYTES) : null);

// Lists of keys of objects: the same few return in every object of every document, and one of
// each is enough. What is kept is bounded, and a newcomer takes the place it falls on.

const LISTS: (readonly string[])[] = new Array<readonly string[]>(256).fill([]);
/** Characters; longer keys and longer lists are not worth keeping. */
const KEY_LENGTH = 64;
const LIST_LENGTH = 32;

/** The list, or one that is the same. */
export function knownKeys(keys: readonly string[]): readonly string[] {
  const { length } = keys;
  if (length > LIST_LENGTH) return keys;
  let hash = length;
  for (let at = 0; at < length; at++) {
    const key = keys[at] as string;
    if (key.length > KEY_LENGTH) return keys;
    hash = (hash * 31 + key.length * 7 + key.charCodeAt(0)) | 0;
  }
  const slot = hash & (LISTS.length - 1);
  const known = LISTS[slot] as readonly string[];
  let same = known.length === length ? 0 : -1;
  while (same >= 0 && same < length) same = keys[same] === known[same] ? same + 1 : -1;
  return same === length ? known : (LISTS[slot] = keys.map(interned));
}

/** As a string that keeps no larger text in memory, and is compared at a glance. */
const interned = (key: string): string => Object.keys({ [key]: 0 })[0] ?? key;

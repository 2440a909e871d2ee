// Keys of objects, and lists of them: the same few return in every object of every document, and
// one of each is enough. What is kept is bounded, and a newcomer takes the place it falls on.

const KEYS: string[] = new Array<string>(512).fill('');
const LISTS: (readonly string[])[] = new Array<readonly string[]>(256).fill([]);
/** Characters; longer keys and longer lists are not worth keeping. */
const KEY_LENGTH = 64;
const LIST_LENGTH = 16;

/** The part of a text from `start` to `end`. @param hash of its characters */
export function knownKey(text: string, start: number, end: number, hash: number): string {
  const length = end - start;
  if (length > KEY_LENGTH) return text.slice(start, end);
  const slot = hash & (KEYS.length - 1);
  const known = KEYS[slot];
  if (known !== undefined && known.length === length && text.startsWith(known, start)) return known;
  return (KEYS[slot] = interned(text.slice(start, end)));
}

/** As a string that keeps no larger text in memory, and is compared at a glance. */
const interned = (key: string): string => Object.keys({ [key]: 0 })[0] ?? key;

/** The list, or one that is the same. */
export function knownKeys(keys: readonly string[]): readonly string[] {
  if (keys.length > LIST_LENGTH) return keys;
  let hash = keys.length;
  for (const key of keys) {
    if (key.length > KEY_LENGTH) return keys;
    hash = (hash * 31 + key.length * 7 + key.charCodeAt(0)) | 0;
  }
  const slot = hash & (LISTS.length - 1);
  const known = LISTS[slot];
  if (known !== undefined && known.length === keys.length && keys.every((key, at) => key === known[at])) return known;
  return (LISTS[slot] = keys);
}

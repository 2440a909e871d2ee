// Lists of keys of objects: the same few return in every object of every document, and one of
// each is enough. What is kept is bounded, and a newcomer takes the place it falls on.

const LISTS: (readonly string[])[] = new Array<readonly string[]>(256).fill([]);
/** Characters; longer keys and longer lists are not worth keeping. */
const KEY_LENGTH = 64;
const LIST_LENGTH = 32;

/** The list, or one that is the same. */
export function knownKeys(keys: readonly string[]): readonly string[] {
  const { length } = keys;
  if (length === 0 || length > LIST_LENGTH) return keys;
  const first = keys[0] as string;
  const middle = keys[length >> 1] as string;
  const last = keys[length - 1] as string;
  const hash = length + first.length * 7 + first.charCodeAt(0) * 11 + middle.length * 31 + last.length * 53 + last.charCodeAt(0) * 71;
  const slot = hash & (LISTS.length - 1);
  const known = LISTS[slot] as readonly string[];
  let same = known.length === length ? 0 : -1;
  while (same >= 0 && same < length) same = keys[same] === known[same] ? same + 1 : -1;
  if (same === length) return known;
  return keys.some((key) => key.length > KEY_LENGTH) ? keys : (LISTS[slot] = keys.map(interned));
}

/** As a string that keeps no larger text in memory, and is compared at a glance. */
const interned = (key: string): string => Object.keys({ [key]: 0 })[0] ?? key;

/** What depends on a list of keys alone, made once for each list. */
export function perKeys<T>(make: (keys: readonly string[]) => T): (keys: readonly string[]) => T {
  const made = new WeakMap<readonly string[], T>();
  return (keys) => {
    const known = made.get(keys);
    if (known !== undefined) return known;
    const shared = knownKeys(keys);
    const result = made.get(shared) ?? make(shared);
    made.set(shared, result);
    return result;
  };
}

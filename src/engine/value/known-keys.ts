// Lists of the keys of objects. The same few lists come up in every object of every document, so one copy
// of each is kept and shared. How much is kept is bounded.

const LISTS = new Map<string, readonly string[]>();
const MOST_LISTS = 1024;
/** Characters of all keys together; longer lists are not worth keeping. */
const LONGEST = 512;
/** Joins the keys of a list into the name it is kept under: half a surrogate pair, which hardly any key contains. */
const BETWEEN = '\ud800';

/** The list, or one that is the same. */
export function knownKeys(keys: readonly string[]): readonly string[] {
  const name = keys.join(BETWEEN);
  const known = LISTS.get(name);
  // Another number of keys under the same name: one of these contains BETWEEN.
  if (known?.length === keys.length) return known;
  if (name.length > LONGEST || name.split(BETWEEN).length !== keys.length) return keys;
  if (LISTS.size >= MOST_LISTS) LISTS.clear();
  const list = keys.map(interned);
  LISTS.set(name, list);
  return list;
}

/** The text as a string of its own, which keeps no larger one in memory and is quick to compare. */
export const interned = (text: string): string => Object.keys({ [text]: 0 })[0] ?? text;

/** To compare a few with each other is quicker than to make a set of them. */
export const areDistinct = (keys: readonly string[]): boolean =>
  keys.length > 8 ? new Set(keys).size === keys.length : keys.every((key, at) => keys.indexOf(key) === at);

/** Whether the keys of an object are these, in whatever order. */
export const areKeys = (keys: readonly string[], names: readonly string[]): boolean =>
  keys.length === names.length && names.every((name) => keys.includes(name));

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

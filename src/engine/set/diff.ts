import { same } from '../value/equal.ts';
import { Obj, type Value } from '../value/value.ts';

/**
 * What changed between two states of a document's data: changed fields with their new values,
 * removed ones null, then new ones; nested objects compared field by field, arrays whole; `null` when nothing
 * changed (reference: data/history.md §2).
 */
export function diffData(was: Value, is: Value): Value {
  if (!(was instanceof Obj) || !(is instanceof Obj)) return same(was, is) ? null : is;
  const added = is.entries().filter(([key]) => !was.has(key));
  const changed = is.entries().flatMap(([key, value]): [string, Value][] => {
    const before = was.get(key);
    if (before === undefined || same(before, value)) return [];
    return [[key, before instanceof Obj && value instanceof Obj ? diffData(before, value) : value]];
  });
  const removed = was.keys.filter((key) => !is.has(key)).map((key): [string, Value] => [key, null]);
  const all = [...changed, ...removed, ...added];
  return all.length === 0 ? null : Obj.of(...all);
}

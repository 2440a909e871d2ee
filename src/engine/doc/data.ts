// How params become stored data (reference: data/documents.md §2, the merge rule).
import { asData } from '../value/as-data.ts';
import { Obj, isArray, type Value } from '../value/value.ts';

/** Without nulls at any depth: null is never stored. Documents, pages and the like are stored as data. */
export function stripNulls(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return value.filter(isThere).map(stripNulls);
  const data = value instanceof Obj ? value : asData(value);
  return data instanceof Obj ? strippedFields(data) : data;
}

const isThere = (value: Value): boolean => value !== null;

function strippedFields(object: Obj): Obj {
  const { keys: names } = object;
  let keys: string[] | null = null;
  let values: Value[] | null = null;
  for (let at = 0; at < names.length; at++) {
    const before = object.values[at] as Value;
    const after = typeof before === 'object' ? stripNulls(before) : before;
    // Most objects stay as they are.
    if (after !== before || after === null) values ??= object.values.slice(0, at);
    if (after === null) keys ??= names.slice(0, at);
    else {
      keys?.push(names[at] as string);
      values?.push(after);
    }
  }
  return values === null ? object : new Obj(keys ?? names, values);
}

/** Objects merge field by field, null removes, everything else replaces; known keys keep their place. */
export function merge(old: Obj, patch: Obj): Obj {
  const keys: string[] = [];
  const values: Value[] = [];
  for (let at = 0; at < old.keys.length; at++) {
    const key = old.keys[at] as string;
    const value = old.values[at] as Value;
    const change = patch.get(key);
    if (change === null) continue;
    keys.push(key);
    values.push(change === undefined ? value : value instanceof Obj && change instanceof Obj ? merge(value, change) : stripNulls(change));
  }
  for (let at = 0; at < patch.keys.length; at++) {
    const key = patch.keys[at] as string;
    const value = patch.values[at] as Value;
    if (value === null || old.has(key)) continue;
    keys.push(key);
    values.push(stripNulls(value));
  }
  return new Obj(keys, values);
}

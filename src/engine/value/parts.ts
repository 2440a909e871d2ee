// Values share their parts: `[x, x]`, where `x` is `[y, y]`, and so on, takes little memory and has more
// parts than anybody can go through. So whoever goes through a value counts its arrays and objects here.
import { Doc, DocEvent, isArray, Lambda, Obj, Page, SetValue, type Value } from './value.ts';

/** Most parts of one value. An array or object counts as one, and as one more for every four elements or fields: some forty for each element of the largest page. */
const MOST = 1 << 22;
let left = MOST;

/** Begins with another value. */
export function beginParts(): void {
  left = MOST;
}

/** Counts an array or object: four of its elements or fields as an array more. @throws RangeError where there are too many */
export function countPart(size: number): void {
  if ((left -= 1 + (size >> 2)) < 0) throw new RangeError();
}

/** The value, unless it has too many parts. What was read from storage shares nothing. @throws RangeError */
export function bounded<V extends Value>(value: V): V {
  beginParts();
  countParts(value);
  return value;
}

/** Counts all that a value has, however deep. @throws RangeError where there are too many */
export function countParts(value: Value): void {
  const rest: Value[] = [];
  const add = (item: Value): unknown => typeof item === 'object' && rest.push(item);
  add(value);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const parts = isArray(next) ? next : next instanceof Obj ? next.values : null;
    if (parts !== null) {
      countPart(parts.length);
      parts.forEach(add);
    } else if (next instanceof DocEvent) add(next.data ?? null);
    // A document without refs and times is written as it lies in storage.
    else if (next instanceof Doc && next.plain === null) add(next.fields);
    else if (next instanceof Page) [next.data, next.before ?? null, next.after ?? null].forEach(add);
    else if (next instanceof SetValue) add(next.describe());
    else if (next instanceof Lambda) for (let frame = next.env; frame !== null; frame = frame.outer) add(frame.value);
  }
}

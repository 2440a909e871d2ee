// Values made of others, with each of those changed: the same object where none was.
import { Obj } from './obj.ts';
import type { Value } from './value.ts';

/** Makes one value of another, by what is known besides. */
type Change<Known> = (value: Value, known: Known) => Value;

/** The values with each one changed; the same array if none was. Texts, Longs and Booleans, which most values are, never change. */
export function each<Known>(values: readonly Value[], change: Change<Known>, known: Known): readonly Value[] {
  let changed: Value[] | null = null;
  for (let at = 0; at < values.length; at++) {
    const before = values[at] as Value;
    const after = typeof before === 'object' || typeof before === 'number' ? change(before, known) : before;
    if (after !== before) changed ??= values.slice(0, at);
    changed?.push(after);
  }
  return changed ?? values;
}

export function eachField<Known>(object: Obj, change: Change<Known>, known: Known): Obj {
  const values = each(object.values, change, known);
  return values === object.values ? object : new Obj(object.keys, values);
}

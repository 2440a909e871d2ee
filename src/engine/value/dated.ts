// What values are once the time of their transaction is known.
import type { Ts } from '../base/platform.ts';
import { each, eachField } from './each.ts';
import { Obj } from './obj.ts';
import { isArray, PendingTs, type Value } from './value.ts';

/** The values with a time in place of all that stands for it; the same array where nothing does. */
export const dated = (values: readonly Value[], ts: Ts): readonly Value[] => each(values, dateOf, ts);

function dateOf(value: Value, ts: Ts): Value {
  if (value instanceof PendingTs) return BigInt(ts);
  if (isArray(value)) return dated(value, ts);
  return value instanceof Obj ? eachField(value, dateOf, ts) : value;
}

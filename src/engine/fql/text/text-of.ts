import { doubleText } from '../../value/double.ts';
import { Action, DateValue, Time, Uuid, type Value } from '../../value/value.ts';

/** What `to_string` gives; `undefined` for a value that has no text. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return doubleText(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Time || value instanceof DateValue) return value.toString();
  if (value instanceof Uuid) return value.text;
  return value instanceof Action ? value.name : undefined;
}

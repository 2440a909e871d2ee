// JSON text to values and back.
//
// The platform's own JSON makes 1 and 1.0 the same number, rounds integers beyond 2^53 and moves
// integer-like keys to the front. The language tells all of these apart. A JSON value is the part of
// `Value` that JSON can write: null, booleans, strings, Longs, Doubles, arrays and objects.
import { doubleText } from './double.ts';
import { JsonReader, MAX_DEPTH, SPECIAL, wellFormed } from './json-reader.ts';
import { perKeys } from './known-keys.ts';
import { Obj } from './obj.ts';
import { isArray, type Value } from './value.ts';

export { JsonError, MAX_DEPTH } from './json-reader.ts';

/**
 * Reads the first complete JSON value of a text; what follows it is ignored. Integers become
 * Longs, numbers with a point or an exponent Doubles; of a key given twice the first counts;
 * a lone surrogate becomes `?`.
 * @throws JsonError
 */
export function readJson(text: string): Value {
  return new JsonReader(text).document();
}

/** Whether `readJson` would refuse a written text for its nesting. */
export function isTooDeep(text: string): boolean {
  // So many levels take at least two characters each, and one of them opens.
  if (text.length <= 2 * MAX_DEPTH || text.split('[').length + text.split('{').length <= MAX_DEPTH) return false;
  try {
    readJson(text);
    return false;
  } catch {
    return true;
  }
}

/** A text as a JSON string, quotes included; only quotes, backslashes and control characters are escaped. */
export function writeString(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(wellFormed(text)) : `"${text}"`;
}

/** A Double as JSON: Java's digits, and strings for what JSON has no number for. */
function writeDouble(value: number): string {
  return Number.isFinite(value) ? doubleText(value) : `"${value}"`;
}

/** Compact JSON text of a JSON value. */
export function writeJson(value: Value): string {
  return append('', value);
}

/**
 * Passing one growing text along is twice as fast as joining the texts of the parts; what most parts are, strings
 * and Longs, is written without a call for each.
 */
function append(text: string, value: Value): string {
  if (value === null || typeof value !== 'object') return text + writeScalar(value);
  let all: string;
  if (isArray(value)) {
    all = `${text}[`;
    for (let at = 0; at < value.length; at++) {
      const item = value[at] as Value;
      if (at > 0) all += ',';
      all = typeof item === 'string' ? all + writeString(item) : typeof item === 'bigint' ? `${all}${item}` : append(all, item);
    }
    return `${all}]`;
  }
  if (!(value instanceof Obj)) throw new Error('not a JSON value');
  const { keys, values } = value;
  const { heads } = writtenKeys(keys);
  all = `${text}{`;
  for (let at = 0; at < keys.length; at++) {
    const field = values[at] as Value;
    all += at > 0 ? `,${heads[at]}` : heads[at];
    all = typeof field === 'string' ? all + writeString(field) : typeof field === 'bigint' ? `${all}${field}` : append(all, field);
  }
  return `${all}}`;
}

/** A value without parts. */
export function writeScalar(value: null | boolean | string | bigint | number): string {
  if (typeof value === 'string') return writeString(value);
  return typeof value === 'number' ? writeDouble(value) : String(value);
}

/** A list of keys as writers need it. */
export interface WrittenKeys {
  /** `"key":` */
  readonly heads: readonly string[];
  /** Whether a key could be taken for a type: it begins with `@`. */
  readonly isTagged: boolean;
}

/** The same few lists of keys return in every object. */
export const writtenKeys = perKeys((keys): WrittenKeys => ({ heads: keys.map(writeKey), isTagged: keys.some((key) => key.startsWith('@')) }));

/** `"key":` */
export const writeKey = (key: string): string => `${writeString(key)}:`;

// Order keys: `compare` as bytes. They are one-way; the value is not read back from them.
import type { Key } from '../base/bytes.ts';
import { beginParts } from '../value/parts.ts';
import type { Value } from '../value/value.ts';
import type { Collation } from './kind.ts';
import { doubleKey, longKey, numberKey } from './scalar-key.ts';
import { type KeyStyle, refKey, valueKey } from './value-key.ts';

export { refKey };

const STYLES: Readonly<Record<Collation, KeyStyle>> = {
  natural: { collation: 'natural', long: numberKey, double: numberKey, ref: refKey },
  legacy: { collation: 'legacy', long: longKey, double: doubleKey, ref: refKey },
};

/**
 * Byte form of the order: `orderKey(a) < orderKey(b)` exactly when `compare(a, b) < 0`, with
 * equal keys for what compares equal (1 and 1.0 in the natural collation). But half a character has the key
 * of a question mark, as which it is stored. No key begins another one, so keys put one after the other are
 * ordered as tuples.
 * @param descending flips the position: a smaller value gets a larger key
 */
export function orderKey(value: Value, { descending = false, collation = 'natural' }: { descending?: boolean; collation?: Collation } = {}): Key {
  beginParts();
  const key = valueKey(value, STYLES[collation]);
  return descending ? complement(key) : key;
}

/** Keys of several values, one after the other: a tuple with fewer values is a prefix of those it begins. */
export function tupleKey(values: readonly Value[], descending: readonly boolean[] = [], collation: Collation = 'natural'): Key {
  beginParts();
  const style = STYLES[collation];
  let key = '';
  for (let at = 0; at < values.length; at++) {
    const part = valueKey(values[at] as Value, style);
    key += descending[at] === true ? complement(part) : part;
  }
  return key;
}

function complement(key: Key): Key {
  let flipped = '';
  for (let at = 0; at < key.length; at++) flipped += String.fromCharCode(0xff - key.charCodeAt(at));
  return flipped;
}

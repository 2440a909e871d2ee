// JSON text to values by way of the platform's own JSON, which is many times as fast as reading
// character by character. It makes 1 and 1.0 the same number, rounds integers beyond 2^53, moves
// integer-like keys to the front and keeps the last of repeated keys. The language tells all of
// these apart: a text in which one of them may be is not plain, nor is one that is no JSON.
import { MAX_DEPTH } from './json-reader.ts';
import { knownKeys } from './known-keys.ts';
import { longOf, wrap } from './long.ts';
import { Obj } from './obj.ts';
import type { Value } from './value.ts';

/** The value of a plain text; `undefined` for any other. */
export function readPlain(text: string): Value | undefined {
  if (CARE.test(text)) return undefined;
  const marked = text.replace(LARGE, `$1"${MARK}$2"`);
  let json: unknown;
  try {
    json = JSON.parse(marked);
  } catch {
    return undefined;
  }
  const taking = new Taking(marked.length > text.length);
  const value = taking.take(json, 0);
  // A key given twice is one key fewer. Within a string this can stand, too, but only makes more.
  return taking.isPlain && taking.keys === text.split('":').length - 1 ? value : undefined;
}

/**
 * What may stand in a text that is not plain: a Double but for a few digits whose last one is no zero
 * (it might be taken for a Long), space between a key and its colon (where keys are not counted), a
 * lone surrogate. Each is sought as it would stand outside of strings, and may well stand in one.
 */
const CARE = /(?:^|[:,[])\s*-?(?!\d{1,7}\.\d{0,6}[1-9](?![\deE]))\d+[.eE]|"\s+:|\\u[dD][89a-fA-F]|[\ud800-\udfff]/u;

/**
 * An integer that may be beyond 2^53: it goes through the platform's hands as a string that begins with
 * the second half of a character, as no other does. Were one found within a string, there would be
 * digits after the end of that.
 */
const LARGE = /([:,[]\s*)(-?[1-9]\d{15,18})(?=\s*[,\]}])/g;
const MARK = '\udc00';

/** What the platform has read as values, in the same arrays. */
class Taking {
  isPlain = true;
  keys = 0;

  constructor(private readonly isMarked: boolean) {}

  take(json: unknown, depth: number): Value {
    if (typeof json === 'number') {
      if (Number.isSafeInteger(json)) return longOf(json);
      // Beyond them there are no fractions.
      if (Math.abs(json) > Number.MAX_SAFE_INTEGER) this.isPlain = false;
      return json;
    }
    if (typeof json !== 'object' || json === null) return json as string | boolean | null;
    if (depth >= MAX_DEPTH) this.isPlain = false;
    if (!this.isPlain) return null;
    if (Array.isArray(json)) return this.all(json, depth + 1);
    const keys = Object.keys(json);
    if (keys.length === 0) return Obj.empty;
    this.keys += keys.length;
    // Those that were moved to the front are integers.
    if (keys.length > 1 && /^\d/.test(keys[0] as string)) this.isPlain = false;
    return new Obj(knownKeys(keys), this.all(Object.values(json), depth + 1));
  }

  private all(values: unknown[], depth: number): readonly Value[] {
    for (let at = 0; at < values.length; at++) {
      const value = values[at];
      if (typeof value !== 'string') values[at] = this.take(value, depth);
      else if (this.isMarked && value.startsWith(MARK)) values[at] = this.large(BigInt(value.slice(MARK.length)));
    }
    return values as Value[];
  }

  private large(long: bigint): bigint {
    if (wrap(long) !== long) this.isPlain = false;
    return long;
  }
}

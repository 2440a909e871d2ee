// A field by the names that lead to it, read from an object or out of its JSON text. A scan over more documents
// than memory has room for asks each for a field or two: to make all the others would be most of its work.
import { CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT } from './json-reader.ts';
import { readJson, writeKey } from './json.ts';
import { longOf } from './long.ts';
import { Obj } from './obj.ts';
import type { Value } from './value.ts';

/** It cannot be told in this way. */
export const UNTOLD = Symbol('untold');

/** `undefined`: there is none. */
export type Told = Value | undefined | typeof UNTOLD;

export class FieldPath {
  /** Equal for equal paths. */
  readonly id: string;
  /** How each field is written, up to its value. */
  private readonly marks: readonly string[];
  /** Whether no name begins with what may stand behind a closing quote. */
  private readonly isDistinct: boolean;

  /** @param names at least one */
  constructor(private readonly names: readonly string[]) {
    this.marks = names.map(writeKey);
    this.isDistinct = !names.some((name) => /^[,:\]}]/.test(name));
    this.id = this.marks.join('');
  }

  /** The field of an object. `UNTOLD` where the path leads into anything that has parts and is no object. */
  of(object: Obj): Told {
    let found: Value | undefined = object;
    for (const name of this.names) {
      // Nothing leads into what has no parts.
      if (found === undefined || found === null || typeof found !== 'object') return undefined;
      if (!(found instanceof Obj)) return UNTOLD;
      found = found.get(name);
    }
    return found;
  }

  /**
   * The field of the object that a text is. `UNTOLD` where it is no scalar, or lies behind other objects.
   * @param text as `writeJson` writes it, without a space more; nothing in it stands for another value
   */
  in(text: string): Told {
    if (!this.isDistinct) return UNTOLD;
    let at = 0;
    for (const mark of this.marks) {
      const first = text.charCodeAt(at);
      if (first !== OPEN_OBJECT) return first === OPEN_ARRAY ? UNTOLD : undefined;
      const key = text.indexOf(mark, ++at);
      // A key may be written in several ways where there are escapes.
      if (key < 0) return text.includes('\\') ? UNTOLD : undefined;
      // The mark's first quote opens a string: one within a string has a backslash before it, and behind a closing one
      // the name could not begin. The string ends with its second quote, and only behind keys stands a colon. So this
      // is a key, and one of this object if before it neither another one begins nor this one ends.
      if (text[key - 1] === '\\' || isBetween(text, '{', at, key) || isBetween(text, '}', at, key)) return UNTOLD;
      at = key + mark.length;
    }
    return scalarAt(text, at);
  }
}

const ZERO = 0x30;
const NINE = 0x39;
/** What a safe integer may have and still take another digit. */
const ROOM_FOR_DIGIT = (Number.MAX_SAFE_INTEGER - 9) / 10;

/** To look backwards, up to the object's own brace, would take longer: that is not done many characters at once. */
function isBetween(text: string, character: string, from: number, to: number): boolean {
  const at = text.indexOf(character, from);
  return at >= 0 && at < to;
}

/** The value that begins at a place in a text, unless it has parts. */
function scalarAt(text: string, start: number): Told {
  let code = text.charCodeAt(start);
  if (code === OPEN_OBJECT || code === OPEN_ARRAY) return UNTOLD;
  let at = start;
  let number = 0;
  for (; code >= ZERO && code <= NINE && number <= ROOM_FOR_DIGIT; code = text.charCodeAt(++at)) number = number * 10 + code - ZERO;
  return at > start && (code === COMMA || code === CLOSE_OBJECT) ? longOf(number) : readJson(text.slice(start));
}

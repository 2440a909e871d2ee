// A field by the names that lead to it, read from an object or out of its JSON text. A scan over more documents
// than memory has room for asks each for a field or two: to make all the others would be most of its work.
import { SPECIAL } from './json-reader.ts';
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
  private readonly steps: readonly Step[];

  /** @param names at least one */
  constructor(names: readonly string[]) {
    this.steps = names.map((name) => ({ mark: writeKey(name), read: fieldOf(name) }));
    this.id = this.steps.map(({ mark }) => mark).join('');
  }

  /** The field of an object. `UNTOLD` where the path leads into anything that has parts and is no object. */
  of(object: Obj): Told {
    let found: Value | undefined = object;
    for (const { read } of this.steps) {
      // Nothing leads into what has no parts.
      if (found === undefined || found === null || typeof found !== 'object') return undefined;
      if (!(found instanceof Obj)) return UNTOLD;
      found = read(found);
    }
    return found;
  }

  /**
   * The field of the object that a text is. `UNTOLD` where it is no scalar, or lies behind other objects.
   * @param text as `writeJson` writes it; nothing in it stands for another value
   */
  in(text: string): Told {
    let at = 0;
    for (const { mark } of this.steps) {
      const first = text.charCodeAt(at);
      if (first !== OPEN_OBJECT) return first === OPEN_ARRAY ? UNTOLD : undefined;
      const key = text.indexOf(mark, ++at);
      // A key may be written in several ways where there are escapes.
      if (key < 0) return text.includes('\\') ? UNTOLD : undefined;
      // Quotes within strings have a backslash before them, and only behind keys stands a colon: this is a key,
      // and one of this object, which neither ends before it nor has another one begin.
      if (text[key - 1] === '\\' || isBetween(text, '{', at, key) || isBetween(text, '}', at, key)) return UNTOLD;
      at = key + mark.length;
    }
    return scalarAt(text, at);
  }
}

interface Step {
  /** How the field is written, up to its value. */
  readonly mark: string;
  readonly read: (object: Obj) => Value | undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** What a safe integer may have and still take another digit. */
const ROOM_FOR_DIGIT = (Number.MAX_SAFE_INTEGER - 9) / 10;

/** Reads a field. Most objects share their list of keys with the one before, and have it in the same place. */
function fieldOf(name: string): Step['read'] {
  let known: readonly string[] | null = null;
  let at = -1;
  return ({ keys, values }) => {
    if (keys !== known) {
      known = keys;
      at = keys.indexOf(name);
    }
    return at < 0 ? undefined : values[at];
  };
}

function isBetween(text: string, character: string, from: number, to: number): boolean {
  const at = text.indexOf(character, from);
  return at >= 0 && at < to;
}

/** The value that begins at a place in a text, unless it has parts. */
function scalarAt(text: string, start: number): Told {
  let code = text.charCodeAt(start);
  if (code === OPEN_OBJECT || code === OPEN_ARRAY) return UNTOLD;
  if (code === QUOTE) {
    const inside = text.slice(start + 1, text.indexOf('"', start + 1));
    return SPECIAL.test(inside) ? UNTOLD : inside;
  }
  let at = start;
  let number = 0;
  for (; code >= ZERO && code <= NINE && number <= ROOM_FOR_DIGIT; code = text.charCodeAt(++at)) number = number * 10 + code - ZERO;
  return at > start && (code === COMMA || code === CLOSE_OBJECT) ? longOf(number) : readJson(text.slice(start));
}

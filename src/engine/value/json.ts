// JSON text to values and back.
//
// The platform's own JSON cannot be used: it makes 1 and 1.0 the same number, rounds
// integers beyond 2^53 and moves integer-like keys to the front. The language tells all
// of these apart. A JSON value is the part of `Value` that JSON can write: null, booleans,
// strings, Longs, Doubles, arrays and objects.
import { doubleText } from './double.ts';
import { knownKey, knownKeys } from './known-keys.ts';
import { Obj } from './obj.ts';
import { isArray, type Value } from './value.ts';

/** Arrays and objects may nest this deep (reference: fql/wire.md §5.6). */
export const MAX_DEPTH = 1000;

/** `empty`: no value at all. `nesting`: deeper than `MAX_DEPTH`. `syntax`: anything else, a Long beyond 64 bits too. */
export class JsonError extends Error {
  override readonly name = 'JsonError';

  constructor(
    readonly kind: 'syntax' | 'nesting' | 'empty',
    /** UTF-16 offset into the text. */
    readonly at: number,
  ) {
    super(`JSON ${kind} error at ${at}`);
  }
}

/**
 * Reads the first complete JSON value of a text; what follows it is ignored. Integers become
 * Longs, numbers with a point or an exponent Doubles; of a key given twice the first counts;
 * a lone surrogate becomes `?`.
 * @throws JsonError
 */
export function readJson(text: string): Value {
  return new Reader(text).document();
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const FIRST_SURROGATE = 0xd800;

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);

/** Making a bigint costs more than reading its digits, and most integers are small. */
const SMALL: readonly bigint[] = Array.from({ length: 1024 }, (_, number) => BigInt(number));

/** Objects with more keys look for repeated ones in a set. */
const SEARCHED_KEYS = 16;

class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): Value {
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1;
    this.skipSpace();
    if (this.at >= this.text.length) throw new JsonError('empty', this.at);
    const first = this.text.charCodeAt(this.at);
    const value = this.value();
    // Without this, `12x` and `trueish` would pass as 12 and true.
    const closed = first === QUOTE || first === OPEN_ARRAY || first === OPEN_OBJECT;
    if (!closed && /[^\s,[\]{}":]/.test(this.text.charAt(this.at))) this.fail();
    return value;
  }

  private fail(): never {
    throw new JsonError('syntax', this.at);
  }

  private value(): Value {
    const code = this.text.charCodeAt(this.at);
    switch (code) {
      case QUOTE:
        this.at++;
        return this.string();
      case OPEN_OBJECT:
        return this.object();
      case OPEN_ARRAY:
        return this.array();
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        return this.number(code);
    }
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail();
    this.at += word.length;
    return value;
  }

  private enter(): void {
    if (++this.depth > MAX_DEPTH) throw new JsonError('nesting', this.at);
    this.at++;
  }

  private array(): readonly Value[] {
    this.enter();
    const items: Value[] = [];
    let next = this.skipSpace();
    if (next !== CLOSE_ARRAY) {
      for (;;) {
        items.push(this.value());
        next = this.skipSpace();
        if (next === CLOSE_ARRAY) break;
        if (next !== COMMA) this.fail();
        this.at++;
        this.skipSpace();
      }
    }
    this.at++;
    this.depth--;
    return items;
  }

  private object(): Obj {
    this.enter();
    let next = this.skipSpace();
    if (next === CLOSE_OBJECT) {
      this.at++;
      this.depth--;
      return Obj.empty;
    }
    const keys: string[] = [];
    const values: Value[] = [];
    let seen: Set<string> | undefined;
    for (;;) {
      if (next !== QUOTE) this.fail();
      this.at++;
      const key = this.key();
      if (this.skipSpace() !== COLON) this.fail();
      this.at++;
      this.skipSpace();
      const value = this.value();
      if (keys.length === SEARCHED_KEYS) seen = new Set(keys);
      if (!(seen === undefined ? keys.includes(key) : seen.has(key))) {
        seen?.add(key);
        keys.push(key);
        values.push(value);
      }
      next = this.skipSpace();
      if (next === CLOSE_OBJECT) break;
      if (next !== COMMA) this.fail();
      this.at++;
      next = this.skipSpace();
    }
    this.at++;
    this.depth--;
    return new Obj(knownKeys(keys), values);
  }

  /** Moves to the next character that is not space and answers its code (NaN at the end). */
  private skipSpace(): number {
    const text = this.text;
    let code = text.charCodeAt(this.at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++this.at);
    return code;
  }

  /** A string whose opening quote is behind us. */
  private string(): string {
    const text = this.text;
    const start = this.at;
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (!(code >= 0x20) || code === BACKSLASH || code >= FIRST_SURROGATE) return this.escapedString(start, at);
      at++;
    }
  }

  private key(): string {
    const text = this.text;
    const start = this.at;
    let at = start;
    let hash = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (!(code >= 0x20) || code === BACKSLASH || code >= FIRST_SURROGATE) return this.escapedString(start, at);
      hash = (hash * 31 + code) | 0;
      at++;
    }
    this.at = at + 1;
    return knownKey(text, start, at, hash);
  }

  /** The careful way, from the first character at `from` that is not plain. */
  private escapedString(start: number, from: number): string {
    const text = this.text;
    let result = '';
    let copied = start;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (!(code >= 0x20)) {
        this.at = at;
        this.fail();
      }
      if (code === BACKSLASH) {
        result += text.slice(copied, at);
        this.at = at + 1;
        result += this.escape();
        at = copied = this.at;
      } else {
        at++;
      }
    }
    this.at = at + 1;
    return wellFormed(result + text.slice(copied, at));
  }

  /** One escape whose backslash is behind us. */
  private escape(): string {
    const letter = this.text.charAt(this.at++);
    if (letter === 'u') {
      const digits = this.text.slice(this.at, this.at + 4);
      if (!/^[0-9a-f]{4}$/i.test(digits)) this.fail();
      this.at += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    return ESCAPES.get(letter) ?? this.fail();
  }

  private number(first: number): bigint | number {
    const text = this.text;
    const start = this.at;
    const negative = first === MINUS;
    let at = negative ? start + 1 : start;
    const digits = at;
    let code = text.charCodeAt(at);
    let value = 0;
    while (code >= ZERO && code <= NINE) {
      value = value * 10 + (code - ZERO);
      code = text.charCodeAt(++at);
    }
    this.at = at;
    const length = at - digits;
    if (length === 0 || (length > 1 && text.charCodeAt(digits) === ZERO)) this.fail();
    if (code === POINT || code === 0x65 || code === 0x45) return this.double(start);
    // Up to here the sum is exact, so a result in this range has lost nothing.
    if (value <= Number.MAX_SAFE_INTEGER) return (negative ? undefined : SMALL[value]) ?? BigInt(negative ? -value : value);
    const long = length > 20 ? null : BigInt(text.slice(start, at));
    return long !== null && BigInt.asIntN(64, long) === long ? long : this.fail();
  }

  private double(start: number): number {
    if (this.text.charCodeAt(this.at) === POINT) {
      this.at++;
      this.digits();
    }
    const code = this.text.charCodeAt(this.at);
    if (code === 0x65 || code === 0x45) {
      const sign = this.text.charCodeAt(++this.at);
      if (sign === PLUS || sign === MINUS) this.at++;
      this.digits();
    }
    const value = Number(this.text.slice(start, this.at));
    // A number beyond the doubles would become an infinity, which no value may be (brief §2.2).
    return Number.isFinite(value) ? value : this.fail();
  }

  private digits(): void {
    const start = this.at;
    let code = this.text.charCodeAt(start);
    while (code >= ZERO && code <= NINE) code = this.text.charCodeAt(++this.at);
    if (this.at === start) this.fail();
  }
}

const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** The text with each lone surrogate, which UTF-8 cannot carry, as `?`. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '?');
}

/** Any character that cannot stand between quotes as it is, or may be a lone surrogate. */
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text as a JSON string, quotes included; only quotes, backslashes and control characters are escaped. */
export function writeString(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(wellFormed(text)) : `"${text}"`;
}

/** A Double as JSON: Java's digits, and strings for what JSON has no number for. */
export function writeDouble(value: number): string {
  return Number.isFinite(value) ? doubleText(value) : `"${value}"`;
}

/** Whether `readJson` would refuse a written text for its nesting. */
export function isTooDeep(text: string): boolean {
  // So many levels take at least two characters each.
  if (text.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth--;
    }
  }
  return false;
}

/** Compact JSON text of a JSON value. */
export function writeJson(value: Value): string {
  return append('', value);
}

/** Passing one growing text along is twice as fast as joining the texts of the parts. */
function append(text: string, value: Value): string {
  switch (typeof value) {
    case 'string':
      return text + writeString(value);
    case 'bigint':
      return text + value.toString();
    case 'boolean':
      return text + (value ? 'true' : 'false');
    case 'number':
      return text + writeDouble(value);
    default:
  }
  if (value === null) return `${text}null`;
  if (isArray(value)) {
    let all = `${text}[`;
    for (let at = 0; at < value.length; at++) all = append(at === 0 ? all : `${all},`, value[at] as Value);
    return `${all}]`;
  }
  if (value instanceof Obj) {
    const { keys, values } = value;
    let all = `${text}{`;
    for (let at = 0; at < keys.length; at++) {
      if (at > 0) all += ',';
      all = append(all + writeKey(keys[at] as string), values[at] as Value);
    }
    return `${all}}`;
  }
  throw new Error('not a JSON value');
}

const KEPT_KEYS = 1024;
const writtenKeys = new Map<string, string>();

/** `"key":`. Kept for the next object, since the same few names return in every one. */
export function writeKey(key: string): string {
  const known = writtenKeys.get(key);
  if (known !== undefined) return known;
  const written = `${writeString(key)}:`;
  if (writtenKeys.size >= KEPT_KEYS) writtenKeys.clear();
  writtenKeys.set(key, written);
  return written;
}

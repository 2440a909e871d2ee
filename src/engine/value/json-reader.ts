// JSON text to values. To have the platform's `JSON.parse` read it and make values of its result takes
// longer for objects as applications send and store them, though less for numbers and long lists.
import { areDistinct, knownKeys } from './known-keys.ts';
import { longOf, wrap } from './long.ts';
import { Obj, ObjBuilder } from './obj.ts';
import type { Value } from './value.ts';

/** Arrays and objects may nest this deep (reference: fql/wire.md §5.6). */
export const MAX_DEPTH = 1000;

/** `empty`: no value at all. `nesting`: deeper than `MAX_DEPTH`. `syntax`: anything else, a Long beyond 64 bits too. */
export class JsonError extends Error {
  override readonly name = 'JsonError';

  constructor(readonly kind: 'syntax' | 'nesting' | 'empty') {
    super(`JSON ${kind} error`);
  }
}

const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** Reads a text character by character. */
export class JsonReader {
  private at = 0;
  private depth = 0;
  /** What has been read of all lists that are still open. */
  private readonly keys: string[] = [];
  private readonly values: Value[] = [];

  constructor(private readonly text: string) {}

  /** The first complete value. @throws JsonError */
  document(): Value {
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1;
    this.skipSpace();
    if (this.at >= this.text.length) throw new JsonError('empty');
    return this.value();
  }

  private fail(): never {
    throw new JsonError('syntax');
  }

  private value(): Value {
    const code = this.text.charCodeAt(this.at);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) return this.list(code);
    if (code !== QUOTE) return this.scalar();
    this.at++;
    return this.string();
  }

  private scalar(): Value {
    SCALAR.lastIndex = this.at;
    const [text = this.fail(), fraction] = SCALAR.exec(this.text) ?? [];
    this.at += text.length;
    if (fraction === undefined) return WORDS[text] ?? null;
    const value = Number(text);
    // A number beyond the doubles would become an infinity, which no value may be (brief §2.2).
    if (fraction !== '') return Number.isFinite(value) ? value : this.beyond(text);
    if (Number.isSafeInteger(value)) return longOf(value);
    const long = text.length > 20 ? null : BigInt(text);
    return long !== null && wrap(long) === long ? long : this.beyond(text);
  }

  /** A number that no value can be. */
  protected beyond(_text: string): Value {
    return this.fail();
  }

  /** An array or an object: one function, as it stands on the stack at every level. */
  private list(open: number): Value {
    if (++this.depth > MAX_DEPTH) throw new JsonError('nesting');
    this.at++;
    const { keys, values } = this;
    const [firstKey, firstValue] = [keys.length, values.length];
    const close = open === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT;
    let next = this.skipSpace();
    while (next !== close) {
      if (open === OPEN_OBJECT) keys.push(this.key(next));
      values.push(this.value());
      next = this.skipSpace();
      if (next === close) break;
      if (next !== COMMA) this.fail();
      this.at++;
      next = this.skipSpace();
      if (next === close) this.fail();
    }
    this.at++;
    this.depth--;
    const read = values.splice(firstValue);
    return open === OPEN_ARRAY ? read : objectOf(keys.splice(firstKey), read);
  }

  /** A key, up to the value behind its colon. */
  private key(first: number): string {
    if (first !== QUOTE) this.fail();
    this.at++;
    const key = this.string();
    if (this.skipSpace() !== COLON) this.fail();
    this.at++;
    this.skipSpace();
    return key;
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
    const start = this.at;
    let end = this.text.indexOf('"', start);
    while (end > start && this.isEscaped(end)) end = this.text.indexOf('"', end + 1);
    if (end < 0) this.fail();
    const plain = this.text.slice(start, end);
    const string = SPECIAL.test(plain) ? this.unescaped(plain) : plain;
    this.at = end + 1;
    return string;
  }

  /** Whether an odd number of backslashes stands before this. */
  private isEscaped(at: number): boolean {
    let first = at;
    while (this.text.charCodeAt(first - 1) === BACKSLASH) first--;
    return (at - first) % 2 === 1;
  }

  /** The platform makes of a string what we do, but for lone surrogates. */
  private unescaped(inside: string): string {
    try {
      return wellFormed(JSON.parse(`"${inside}"`) as string);
    } catch {
      return this.fail();
    }
  }
}

/** Of a key given twice the first counts. */
function objectOf(keys: readonly string[], values: readonly Value[]): Obj {
  if (keys.length === 0) return Obj.empty;
  if (areDistinct(keys)) return new Obj(knownKeys(keys), values);
  const fields = new ObjBuilder();
  keys.forEach((key, at) => fields.add(key, values[at] ?? null));
  return fields.done();
}

/** With what may stand behind it, else `12x` and `trueish` would pass as 12 and true. */
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)((?:\.\d+)?(?:[eE][+-]?\d+)?))(?![^\s,[\]{}":])/y;
const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };

const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** The text with each lone surrogate, which UTF-8 cannot carry, as `?`. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '?');
}

/** Any character that cannot stand between quotes as it is, or may be a lone surrogate. */
export const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

import { isHigh, isLow } from '../code-points.ts';
import { unquote } from './quoting.ts';

/** A pattern that java.util.regex refuses. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const BACKSLASH = '\\';

/** Goes through a pattern one code point at a time. The end reads as `''`. */
export class Reader {
  at = 0;
  private readonly points: readonly string[];
  /** `(?x)`: white space and comments between the parts of a pattern do not count. */
  comments = false;
  /** `(?d)`: only a line feed ends a line. */
  unixLines = false;

  constructor(pattern: string) {
    this.points = unquote(pattern).map((point) => String.fromCodePoint(point));
  }

  get ended(): boolean {
    return this.at >= this.points.length;
  }

  /** The character here, past what comments mode leaves out. */
  peek(): string {
    if (this.comments) this.skipComments();
    return this.raw();
  }

  /** The character that many places on, as it stands. */
  raw(ahead = 0): string {
    return this.points[this.at + ahead] ?? '';
  }

  next(): string {
    const c = this.peek();
    this.at++;
    return c;
  }

  /** Reads as it stands, white space too. */
  nextRaw(): string {
    return this.points[this.at++] ?? '';
  }

  /** Reads the character if it is the one asked for. */
  take(wanted: string): boolean {
    if (this.peek() !== wanted) return false;
    this.at++;
    return true;
  }

  /** Whether the characters from here on are these; if so they are read. */
  takeRaw(wanted: string): boolean {
    const found = [...wanted].every((c, index) => this.raw(index) === c);
    if (found) this.at += wanted.length;
    return found;
  }

  expect(wanted: string): void {
    if (!this.take(wanted)) throw new PatternError(`${wanted} expected`);
  }

  /** Reads characters while they pass. */
  while(passes: RegExp): string {
    let text = '';
    while (passes.test(this.raw())) text += this.nextRaw();
    return text;
  }

  /** Whether a character beyond the basic plane, or half of one, stands between a place and here. */
  hasWide(from: number): boolean {
    return this.points.slice(from, this.at).some((c) => c.length > 1 || /[\ud800-\udfff]/.test(c));
  }

  private skipComments(): void {
    for (;;) {
      this.while(/^[ \t\n\v\f\r]$/);
      if (this.raw() !== '#') return;
      this.while(this.unixLines ? /^[^\n]$/u : /^[^\n\r\u0085\u2028\u2029]$/u);
    }
  }
}

/** The character an escape stands for, or `null` if it is no plain character. `\` is behind the reader. */
export function escapedCharacter(reader: Reader): number | null {
  const letter = reader.raw();
  const simple = SIMPLE[letter];
  if (simple !== undefined) {
    reader.at++;
    return simple;
  }
  const long = LONG[letter];
  if (long !== undefined) {
    reader.at++;
    return long(reader);
  }
  if (letter === '' || /^[a-zA-Z1-9]$/.test(letter)) return null;
  reader.at++;
  return letter.codePointAt(0) as number;
}

const SIMPLE: Readonly<Record<string, number>> = { a: 7, e: 0x1b, f: 0xc, n: 0xa, r: 0xd, t: 9 };

const LONG: Readonly<Record<string, (reader: Reader) => number>> = {
  0: octal,
  c: (reader) => {
    if (reader.ended) throw new PatternError('control escape');
    return (reader.nextRaw().codePointAt(0) as number) ^ 64;
  },
  u: utf16,
  x: hexadecimal,
};

function octal(reader: Reader): number {
  const digits = [0, 1, 2].map((ahead) => reader.raw(ahead));
  const count = digits.findIndex((digit) => !/^[0-7]$/.test(digit));
  const length = count === -1 ? 3 : count;
  if (length === 0) throw new PatternError('octal escape');
  const used = length === 3 && Number(digits[0]) > 3 ? 2 : length;
  reader.at += used;
  return Number.parseInt(digits.slice(0, used).join(''), 8);
}

function hexadecimal(reader: Reader): number {
  if (reader.raw() !== '{') return hexDigits(reader, 2);
  reader.at++;
  const digits = reader.while(/^[0-9a-fA-F]$/);
  const point = Number.parseInt(digits, 16);
  if (!(point <= 0x10ffff) || reader.nextRaw() !== '}') throw new PatternError('hexadecimal escape');
  return point;
}

function utf16(reader: Reader): number {
  const high = hexDigits(reader, 4);
  const start = reader.at;
  if (isHigh(high) && reader.takeRaw(`${BACKSLASH}u`)) {
    const low = hexDigits(reader, 4);
    if (isLow(low)) return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    reader.at = start;
  }
  return high;
}

function hexDigits(reader: Reader, count: number): number {
  let digits = '';
  while (digits.length < count && /^[0-9a-fA-F]$/.test(reader.raw())) digits += reader.nextRaw();
  if (digits.length < count) throw new PatternError('hexadecimal escape');
  return Number.parseInt(digits, 16);
}

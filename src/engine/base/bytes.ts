// Byte strings: keys are strings whose char codes are all ≤ 0xFF, so `<` is byte order,
// they can live in a Map, and IndexedDB takes them as they are.

/** A byte string: every char code is ≤ 0xFF. */
export type Key = string;

/** All keys with `from ≤ key < to`. */
export interface Span {
  readonly from: Key;
  readonly to: Key;
}

/** The span of all keys: none begins with 0xFF. */
export const ALL_KEYS: Span = { from: '', to: '\xff' };

/** The span of all keys that begin with `prefix`. A prefix of only 0xFF bytes has no end and is refused. */
export function prefixSpan(prefix: Key): Span {
  return { from: prefix, to: afterPrefix(prefix) };
}

/** The smallest key that is greater than every key beginning with `prefix`. */
export function afterPrefix(prefix: Key): Key {
  let end = prefix.length;
  while (end > 0 && prefix.charCodeAt(end - 1) === 0xff) end--;
  if (end === 0) throw new Error('a prefix of 0xFF bytes has no end');
  return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1);
}

/** Sorts what has keys, each its own. */
export const byKey = (a: { readonly key: Key }, b: { readonly key: Key }): number => (a.key < b.key ? -1 : 1);

const CHUNK = 8192;

export function keyFromBytes(bytes: Uint8Array): Key {
  let key = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    // An array of bytes will do; spread out, it takes five times as long.
    key += String.fromCharCode.apply(null, bytes.subarray(at, at + CHUNK) as unknown as number[]);
  }
  return key;
}

/** All bytes of the pieces, one after the other; the piece itself where there is only one. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

export const sameBytes = (a: Uint8Array, b: Uint8Array | undefined): boolean => a.length === b?.length && a.every((byte, at) => byte === b[at]);

/** Two lower-case hexadecimal digits a byte. */
export function hexFromBytes(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The letters of url-safe base64, by what they stand for. */
export const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Base64 text; standard alphabet with padding, or url-safe without. */
export function toBase64(bytes: Uint8Array, alphabet: 'standard' | 'url' = 'standard'): string {
  const letters = alphabet === 'url' ? URL_SAFE : STANDARD;
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const a = bytes[at] ?? 0;
    const b = bytes[at + 1] ?? 0;
    const c = bytes[at + 2] ?? 0;
    text += letters.charAt(a >> 2) + letters.charAt(((a & 3) << 4) | (b >> 4));
    text += at + 1 < bytes.length ? letters.charAt(((b & 15) << 2) | (c >> 6)) : '=';
    text += at + 2 < bytes.length ? letters.charAt(c & 63) : '=';
  }
  return alphabet === 'url' ? text.replace(/=+$/, '') : text;
}

const SEXTETS: ReadonlyMap<string, number> = new Map([
  ...[...STANDARD].map((letter, value) => [letter, value] as const),
  ['-', 62] as const,
  ['_', 63] as const,
]);

/** Bytes of base64 text in either alphabet, padded or not; `null` when it is not base64. */
export function fromBase64(text: string): Uint8Array | null {
  const letters = text.replace(/={1,2}$/, '');
  if (letters.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((letters.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let out = 0;
  for (const letter of letters) {
    const value = SEXTETS.get(letter);
    if (value === undefined) return null;
    bits = (bits << 6) | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[out++] = (bits >> held) & 0xff;
      bits &= (1 << held) - 1;
    }
  }
  return bytes;
}

/** How many bytes a text is in UTF-8. */
export function utf8Length(text: string): number {
  if (ASCII.test(text)) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Two surrogates are four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  return bytes;
}

const ASCII = /^[\0-\x7f]*$/;

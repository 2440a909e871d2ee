// Hashes that data from the original bring along: it kept secrets and passwords by bcrypt (its util/BCrypt.scala); those
// made here are others (reference: data/auth.md §1, §6). A part of its own, loaded when one is met. Not from a library, as
// those bring the tables of Blowfish, 4 KB however they are packed: digits of pi, which are worked out here.
import { fromBase64, toBase64, URL_SAFE } from '../base/bytes.ts';

/** Version, cost, salt and hash. The original's cost is 5; one of 12 takes some tenths of a second, and one of 31 would take days. */
const SHAPE = /^\$2[aby]\$(0[4-9]|1[0-2])\$(.{22})(.{31})$/;

/** Whether a hash was made of these bytes; of more than 72 the first count. */
export function isBcryptOf(bytes: Uint8Array, hash: string): boolean {
  const match = SHAPE.exec(hash);
  if (match === null) return false;
  const [, cost, salt = '', expected = ''] = match;
  const saltBytes = fromBase64(inBase64(salt));
  return saltBytes !== null && toBase64(bcrypt(withZero(bytes), saltBytes, Number(cost)), 'url') === inBase64(expected);
}

/** Of the bytes of a key's secret, and of a token's, by the mark of their kind (reference: data/auth.md §1). */
const LENGTHS: ReadonlyMap<unknown, number> = new Map([[0x70, 30], [0x71, 38]]);

/** What became of secrets that were tried, by their digests and the hashes: every run of every request tries its own. */
const tried = new Map<string, boolean>();

/** With more than this, all are tried again. */
const MOST_TRIED = 1000;

/**
 * Whether a hash is that of the secret of a key or token: of its random part, or, as in the beginning, of the whole.
 * @param digest stands for the secret, which is not kept in memory
 */
export function isOfSecret(secret: string, digest: string, hash: string): boolean {
  const key = `${hash}/${digest}`;
  const known = tried.get(key);
  if (known !== undefined) return known;
  const bytes = fromBase64(secret);
  const isRight = bytes !== null && bytes.length === LENGTHS.get(bytes[1]) && [toBase64(bytes.slice(-20), 'url'), secret].some((text) => isBcryptOf(lettersOf(text), hash));
  if (tried.size >= MOST_TRIED) tried.clear();
  tried.set(key, isRight);
  return isRight;
}

/** As texts end in C. */
function withZero(bytes: Uint8Array): Uint8Array {
  const ended = new Uint8Array(bytes.length + 1);
  ended.set(bytes);
  return ended;
}

/** Of a text in Base64. */
const lettersOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const OWN_ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What bcrypt writes in an alphabet of its own; what is not of that is in none. */
const inBase64 = (text: string): string => text.replace(/./g, (letter) => URL_SAFE[OWN_ALPHABET.indexOf(letter)] ?? '!');

/** 18 keys of the rounds, and 4 boxes of 256, in one. */
const KEYS = 18;
const WORDS = KEYS + 4 * 256;

/** What is enciphered in the end. */
const ORPHEAN = 'OrpheanBeholderScryDoubt';

/** @param key with a zero at its end @returns 23 bytes */
function bcrypt(key: Uint8Array, salt: Uint8Array, cost: number): Uint8Array {
  const state = (initial ??= digitsOfPi()).slice();
  expand(state, key, salt);
  for (let round = 0; round < 2 ** cost; round++) {
    expand(state, key, NOTHING);
    expand(state, salt, NOTHING);
  }
  const bytes = new Uint8Array(ORPHEAN.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at++) bytes[at] = ORPHEAN.charCodeAt(at);
  for (let at = 0; at < bytes.length; at += 8) {
    const pair: Pair = [view.getInt32(at), view.getInt32(at + 4)];
    for (let time = 0; time < 64; time++) encipher(state, pair);
    view.setInt32(at, pair[0]);
    view.setInt32(at + 4, pair[1]);
  }
  return bytes.subarray(0, 23);
}

type Pair = [left: number, right: number];

const NOTHING = new Uint8Array(1);

/** Blowfish's key schedule, with a salt. */
function expand(state: Int32Array, key: Uint8Array, salt: Uint8Array): void {
  const keyed = words(key);
  for (let at = 0; at < KEYS; at++) state[at] = at32(state, at) ^ keyed();
  const salted = words(salt);
  const pair: Pair = [0, 0];
  for (let at = 0; at < WORDS; at += 2) {
    pair[0] ^= salted();
    pair[1] ^= salted();
    encipher(state, pair);
    [state[at], state[at + 1]] = pair;
  }
}

/** Words of four bytes, over and over. */
function words(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let word = 0;
    for (let count = 0; count < 4; count++) word = (word << 8) | (bytes[at++ % bytes.length] as number);
    return word;
  };
}

/** Every index is one of the state's. */
const at32 = (state: Int32Array, at: number): number => state[at] as number;

function encipher(state: Int32Array, pair: Pair): void {
  let [left, right] = pair;
  for (let round = 0; round < 16; round++) {
    const mask = left ^ at32(state, round);
    const sum = at32(state, KEYS + (mask >>> 24)) + at32(state, KEYS + 256 + ((mask >>> 16) & 255));
    left = right ^ ((sum ^ at32(state, KEYS + 512 + ((mask >>> 8) & 255))) + at32(state, KEYS + 768 + (mask & 255)));
    right = mask;
  }
  pair[0] = right ^ at32(state, 17);
  pair[1] = left ^ at32(state, 16);
}

/** With what Blowfish begins; made when it is first asked for. */
let initial: Int32Array | null = null;

/** The digits of pi after its point, 32 bits in each word: by Machin's formula, 16 arctan 1/5 - 4 arctan 1/239. */
function digitsOfPi(): Int32Array {
  // 64 more: rounding reaches into these alone.
  const one = 1n << BigInt(32 * WORDS + 64);
  const arctanOfOneTo = (x: bigint): bigint => {
    let sum = 0n;
    let sign = 1n;
    for (let power = one / x, n = 1n; power > 0n; power /= x * x, n += 2n, sign = -sign) sum += (sign * power) / n;
    return sum;
  };
  const digits = (((16n * arctanOfOneTo(5n) - 4n * arctanOfOneTo(239n)) % one) >> 64n).toString(16);
  return Int32Array.from({ length: WORDS }, (_, at) => parseInt(digits.slice(8 * at, 8 * at + 8), 16));
}

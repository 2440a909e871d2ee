// Where everything lives. Every key begins with a table letter and the database's scope.
//
//   V scope collection id ↓time ↓commit            a version of a document
//   I scope index terms values ref ↓time ↓commit   an entry of an index
//   E scope index terms time action ref values ↓commit   the same change, in order of time
//   D scope collection time action ref ↓commit     a document coming or going
//   H id scope ↓time ↓commit                       a key, token or database lives in this database
//   B scope index                                  a note in the log: an index is to be built, or is
//
// `time` is valid time, `commit` the time of the commit that wrote the row: they differ
// where history was rewritten, and a snapshot does not see rewrites that came later.
// ↓ is descending, so that the newest version at a time is the first key after a seek.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { longKey } from '../order/scalar-key.ts';
import type { Scope } from '../value/ref.ts';

/** Greater than any time that can be written: the time of writes not yet committed. */
export const PENDING: Ts = 2 ** 53 - 1;
export const MIN_TS: Ts = -(2 ** 53 - 1);

export const TS_BYTES = 7;
export const STAMP_BYTES = 2 * TS_BYTES;
export const ID_BYTES = 8;
export const REF_BYTES = ID_BYTES + 2;

// A time is split before it is shifted to be positive: the sum would lose its last bit.
const HIGH = 2 ** 28;
const SHIFT = 2 ** 53 / HIGH;

/** Seven bytes in ascending order of time. */
export function tsKey(ts: Ts): Key {
  const time = Math.min(Math.max(ts, MIN_TS), PENDING);
  const high = Math.floor(time / HIGH) + SHIFT;
  const low = time - (high - SHIFT) * HIGH;
  return (
    String.fromCharCode((high >>> 20) & 0xff, (high >>> 12) & 0xff, (high >>> 4) & 0xff) +
    String.fromCharCode(((high & 15) << 4) | (low >>> 24), (low >>> 16) & 0xff, (low >>> 8) & 0xff, low & 0xff)
  );
}

export function readTs(key: Key, at: number): Ts {
  const low = readWord(key, at + 3);
  const high = (((key.charCodeAt(at) << 16) | (key.charCodeAt(at + 1) << 8) | key.charCodeAt(at + 2)) << 4) + (low >>> 28);
  return (high - SHIFT) * HIGH + (low & (HIGH - 1));
}

/** Four bytes, as a signed number. */
const readWord = (key: Key, at: number): number =>
  (key.charCodeAt(at) << 24) | (key.charCodeAt(at + 1) << 16) | (key.charCodeAt(at + 2) << 8) | key.charCodeAt(at + 3);

/** Seven bytes in descending order of time. */
export const downTs = (ts: Ts): Key => tsKey(-ts);
export const readDownTs = (key: Key, at: number): Ts => -readTs(key, at);

/** ↓time ↓commit: how a row of V or I ends. */
export const stamp = (time: Ts, commit: Ts): Key => downTs(time) + downTs(commit);

/** A time as keys hold it; the rows of a commit share one. */
export interface Instant {
  readonly ts: Ts;
  readonly up: Key;
  readonly down: Key;
}
export function instantOf(ts: Ts): Instant {
  return { ts, up: tsKey(ts), down: downTs(ts) };
}

/** Where two numbers of 32 bits become one of 64. */
const WORDS = new DataView(new ArrayBuffer(8));
const SIGN = 0x80000000;

export function readId(key: Key, at: number): bigint {
  WORDS.setInt32(0, readWord(key, at) ^ SIGN);
  WORDS.setInt32(4, readWord(key, at + 4));
  return WORDS.getBigInt64(0);
}

/** Two bytes of the number of a collection, as they stand behind the id in a ref's key, too. */
export const shortKey = (number: number): Key => String.fromCharCode((number >>> 8) & 0xff, number & 0xff);
export const readShort = (key: Key, at: number): number => (key.charCodeAt(at) << 8) | key.charCodeAt(at + 1);

/** The root takes one byte, any other database nine. */
export const scopeKey = (scope: Scope): Key => (scope === 0n ? '\0' : `\x01${longKey(scope)}`);
const readScope = (key: Key, at: number): Scope => (key.charCodeAt(at) === 0 ? 0n : readId(key, at + 1));
/** Where the scope ends that follows a table letter. */
export const scopeEnd = (key: Key): number => (key.charCodeAt(1) === 0 ? 2 : 2 + ID_BYTES);

export const collectionPrefix = (scope: Scope, collection: number): Key => `V${scopeKey(scope)}${shortKey(collection)}`;
/** What the beginning of a row of V says. */
export function readCollectionPrefix(key: Key): { readonly scope: Scope; readonly collection: number } {
  const at = scopeEnd(key);
  return { scope: readScope(key, 1), collection: readShort(key, at) };
}
export const documentPrefix = (scope: Scope, collection: number, id: bigint): Key =>
  collectionPrefix(scope, collection) + longKey(id);

export const indexPrefix = (scope: Scope, index: bigint): Key => `I${scopeKey(scope)}${longKey(index)}`;
export const indexEventPrefix = (scope: Scope, index: bigint): Key => `E${scopeKey(scope)}${longKey(index)}`;
export const collectionEventPrefix = (scope: Scope, collection: number): Key => `D${scopeKey(scope)}${shortKey(collection)}`;
/** All rows of V lie between them. */
export const VERSIONS_BEGIN: Key = 'V';
export const VERSIONS_END: Key = 'W';
/** Notes of the log about builds: they are read as they pass and never become rows. */
export const BUILD = 'B';
export function readBuildKey(key: Key): { readonly scope: Scope; readonly index: bigint } {
  return { scope: readScope(key, 1), index: readId(key, scopeEnd(key)) };
}
/** Rows that say where the documents with an id live; what follows is a scope and a stamp. */
export const homePrefix = (id: bigint): Key => `H${longKey(id)}`;
export const homeKey = (id: bigint, scope: Scope): Key => homePrefix(id) + scopeKey(scope);
export const readHome = (key: Key): Scope => readScope(key, 1 + ID_BYTES);

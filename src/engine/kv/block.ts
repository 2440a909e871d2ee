// Blocks: sorted rows as bytes, about 32 KB each, written once and never changed.
//
//   0 · settled (0 or 1) · rows · for each: shared prefix · rest of key · text length in
//   characters, then all texts as one piece of UTF-8
//
// Those of format 1 begin with the number of their rows, which is not 0, and repeat all of a key.
// Numbers are varints, keys go as their bytes without what they share with the key before.
// Where a key ends in the same seven bytes twice, as one does whose time is its commit's,
// the second seven are left out. The texts stand together so that one call decodes them all.
import type { Key } from '../base/bytes.ts';
import { ByteReader } from '../base/byte-buffer.ts';
import type { Platform } from '../base/platform.ts';
import { TS_BYTES } from './keyspace.ts';
import { type Row, rowOf } from './rows.ts';

/** @param weight counts what readers make of the rows */
export function decodeBlock(bytes: Uint8Array, utf8: Platform['utf8'], weight?: Row['weight']): Row[] {
  const from = new ByteReader(bytes);
  const { isOld, settled, count } = headOf(from);
  const keys: Key[] = [];
  const lengths: number[] = [];
  for (let last = ''; keys.length < count; keys.push(last)) {
    last = keyAfter(last, from.varint(), from.varint(), from, isOld);
    lengths.push(from.varint());
  }
  const rest = from.rest();
  const texts = utf8.decode(rest);
  const isPlain = rest.length === texts.length;
  let at = 0;
  return keys.map((key, nth) => {
    const length = lengths[nth] as number;
    return rowOf(key, texts.slice(at, (at += length)), isPlain ? length : undefined, undefined, settled, weight);
  });
}

/**
 * The first row whose key is not less than `wanted`, or `null`. The other rows are not decoded: most can
 * be stepped over by how much their keys share with the key before.
 */
export function findRow(bytes: Uint8Array, wanted: Key, utf8: Platform['utf8']): Row | null {
  const from = new ByteReader(bytes);
  const { isOld, settled, count } = headOf(from);
  const own = (size: number): number => (isOld ? size : size >>> 1);
  let key: Key | null = null;
  /** Characters of its text, and of those before it. */
  let length = 0;
  let start = 0;
  /** Characters that the last key shares with `wanted`. */
  let common = 0;
  let left = count;
  for (; key === null && left > 0; left--) {
    const shared = from.varint();
    const size = from.varint();
    // The key before is less, and this one shares the very character that makes it so.
    if (shared > common) from.skip(own(size));
    else {
      const same = from.same(wanted, shared, own(size));
      common = shared + same;
      if (same < own(size) && common < wanted.length && from.peek(same) < wanted.charCodeAt(common)) from.skip(own(size));
      else {
        const here = keyAfter(wanted, shared, size, from, isOld);
        if (here >= wanted) key = here;
        else common = sharedLength(here, wanted);
      }
    }
    start += length;
    length = from.varint();
  }
  if (key === null) return null;
  let total = start + length;
  for (; left > 0; left--) {
    from.varint();
    from.skip(own(from.varint()));
    total += from.varint();
  }
  const texts = from.rest();
  const isPlain = texts.length === total;
  const begin = isPlain ? start : placeOf(texts, 0, start);
  const end = isPlain ? start + length : begin < 0 ? -1 : placeOf(texts, begin, length);
  const text = end < 0 ? utf8.decode(texts).slice(start, start + length) : utf8.decode(texts.subarray(begin, end));
  return rowOf(key, text, end < 0 ? undefined : end - begin, undefined, settled);
}

/** The place in UTF-8 that is so many UTF-16 units further on; -1 if it is in the middle of a surrogate pair, which two texts may share. */
function placeOf(texts: Uint8Array, from: number, characters: number): number {
  let at = from;
  let left = characters;
  while (left > 0) {
    const lead = texts[at] as number;
    at += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    left -= lead < 0xf0 ? 1 : 2;
  }
  return left < 0 ? -1 : at;
}

function headOf(from: ByteReader): { readonly isOld: boolean; readonly settled: boolean; readonly count: number } {
  const rowsOfFormat1 = from.varint();
  const isOld = rowsOfFormat1 > 0;
  const settled = !isOld && from.varint() === 1;
  return { isOld, settled, count: isOld ? rowsOfFormat1 : from.varint() };
}

/** The next key, which shares its first characters with `last`. */
function keyAfter(last: Key, shared: number, size: number, from: ByteReader, isOld: boolean): Key {
  const key = last.slice(0, shared) + from.key(isOld ? size : size >>> 1);
  return !isOld && size & 1 ? key + key.slice(-TS_BYTES) : key;
}

export function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}

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

/** Bytes a block is filled to; one larger row has a block of its own. */
export const BLOCK_BYTES = 32 * 1024;

/** @param weight told of what is made of the rows */
export function decodeBlock(bytes: Uint8Array, utf8: Platform['utf8'], weight?: Row['weight']): Row[] {
  const from = new ByteReader(bytes);
  const rowsOfFormat1 = from.varint();
  const isOld = rowsOfFormat1 > 0;
  const settled = !isOld && from.varint() === 1;
  const count = isOld ? rowsOfFormat1 : from.varint();
  const keys: Key[] = [];
  const lengths: number[] = [];
  for (let last = ''; keys.length < count; keys.push(last)) {
    const shared = from.varint();
    const size = from.varint();
    last = last.slice(0, shared) + from.key(isOld ? size : size >>> 1);
    if (!isOld && size & 1) last += last.slice(-TS_BYTES);
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

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
import { ByteReader, ByteWriter } from '../base/byte-buffer.ts';
import type { Platform } from '../base/platform.ts';
import { TS_BYTES } from './keyspace.ts';
import type { Row } from './rows.ts';

/** Bytes a block is filled to; one larger row has a block of its own. */
export const BLOCK_BYTES = 32 * 1024;

/** @param settled says of all rows that nothing in older segments counts before them */
export function encodeBlock(rows: readonly Row[], utf8: Platform['utf8'], settled = false): Uint8Array {
  const out = new ByteWriter();
  out.varint(0);
  out.varint(settled ? 1 : 0);
  out.varint(rows.length);
  let last = '';
  for (const { key, text } of rows) {
    const shared = sharedLength(last, key);
    const isTwice = endsTwice(key, shared);
    const rest = key.slice(shared, isTwice ? -TS_BYTES : key.length);
    out.varint(shared);
    out.varint(rest.length * 2 + (isTwice ? 1 : 0));
    out.key(rest);
    out.varint(text.length);
    last = key;
  }
  out.bytes(utf8.encode(rows.map(({ text }) => text).join('')));
  return out.done();
}

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
    return { key, text: texts.slice(at, (at += length)), settled, memo: undefined, textBytes: isPlain ? length : undefined, weight };
  });
}

/** Whether the last seven bytes repeat those before them, and do not belong to the shared part. */
function endsTwice(key: Key, shared: number): boolean {
  const second = key.length - TS_BYTES;
  const first = second - TS_BYTES;
  return first >= 0 && shared <= second && key.startsWith(key.slice(second), first);
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}

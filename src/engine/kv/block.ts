// Blocks: sorted rows as bytes, about 32 KB each, written once and never changed.
//
//   rows · for each: shared prefix · rest of key · text length in characters, then all texts
//   as one piece of UTF-8
//
// Numbers are varints, keys go as their bytes without what they share with the key before.
// The texts stand together so that one call decodes them all.
import { keyFromBytes } from '../base/bytes.ts';
import { ByteReader, ByteWriter } from '../base/byte-buffer.ts';
import type { Platform } from '../base/platform.ts';
import type { Row } from './rows.ts';

/** Bytes a block is filled to; one larger row has a block of its own. */
export const BLOCK_BYTES = 32 * 1024;

export function encodeBlock(rows: readonly Row[], utf8: Platform['utf8']): Uint8Array {
  const out = new ByteWriter();
  out.varint(rows.length);
  let last = '';
  for (const { key, text } of rows) {
    const shared = sharedLength(last, key);
    out.varint(shared);
    const rest = key.slice(shared);
    out.varint(rest.length);
    out.key(rest);
    out.varint(text.length);
    last = key;
  }
  out.bytes(utf8.encode(rows.map(({ text }) => text).join('')));
  return out.done();
}

export function decodeBlock(bytes: Uint8Array, utf8: Platform['utf8']): Row[] {
  const from = new ByteReader(bytes);
  let last = '';
  const heads = Array.from({ length: from.varint() }, () => {
    last = last.slice(0, from.varint()) + keyFromBytes(from.sized());
    return { key: last, length: from.varint() };
  });
  const texts = utf8.decode(from.rest());
  let at = 0;
  return heads.map(({ key, length }) => ({ key, text: texts.slice(at, (at += length)) }));
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}

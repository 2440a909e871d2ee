// Encodes rows as blocks (block.ts). Apart from reading, as only what writes segments needs it.
import { ByteWriter } from '../base/byte-buffer.ts';
import type { Key } from '../base/bytes.ts';
import type { Platform } from '../base/platform.ts';
import { sharedLength } from './block.ts';
import { TS_BYTES } from './keyspace.ts';
import type { Row } from './rows.ts';

/** Bytes a block is filled to; one larger row has a block of its own. */
export const BLOCK_BYTES = 32 * 1024;

/** @param settled whether no row of an older segment counts in place of one of these */
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

/** Whether the last seven bytes repeat those before them, and do not belong to the shared part. */
function endsTwice(key: Key, shared: number): boolean {
  const second = key.length - TS_BYTES;
  const first = second - TS_BYTES;
  return first >= 0 && shared <= second && key.startsWith(key.slice(second), first);
}

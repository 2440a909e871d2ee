import type { Key } from './bytes.ts';

/** The bytes that a key stands for. */
export function bytesFromKey(key: Key): Uint8Array {
  const bytes = new Uint8Array(key.length);
  for (let at = 0; at < key.length; at++) bytes[at] = key.charCodeAt(at);
  return bytes;
}

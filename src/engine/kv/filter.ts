// Bloom filters: which documents a segment has versions of. Ten bits a document let less than
// one in a hundred through that is not there. A large filter lies in several blocks, each
// with its share of the documents, so that a look takes one block.
import type { Key } from '../base/bytes.ts';

/** The best number of bits to look at, where each document has ten: 10 · ln 2. */
export const LOOKS = 7;

/** 32 bits of a key (FNV-1a, then mixed so that keys with a long common prefix spread). */
export function hashOf(key: Key): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return mix(hash);
}

function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Which of the blocks knows about a hash. */
export const filterBlockOf = (hash: number, blocks: number): number => Math.floor((hash / 2 ** 32) * blocks);

/** Whether a block of a filter lets a hash through. */
export function mayHold(block: Uint8Array, hash: number): boolean {
  const size = block.length * 8;
  const step = stepOf(hash, size);
  let bit = firstOf(hash, size);
  for (let looks = 0; looks < LOOKS; looks++) {
    if (((block[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    bit = (bit + step) % size;
  }
  return true;
}

/** The bits of a hash: the first, and how far it is from each to the next. */
export const firstOf = (hash: number, size: number): number => mix(hash ^ 0x9e3779b9) % size;
export const stepOf = (hash: number, size: number): number => (mix(hash + 0x7f4a7c15) % size) | 1;

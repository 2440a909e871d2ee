// Makes the filter of a segment (filter.ts) when all its documents are known.
import { BLOCK_BYTES } from './block-writer.ts';
import { filterBlockOf, firstOf, LOOKS, stepOf } from './filter.ts';

/** Of each document. */
const FILTER_BITS = 10;
const SHELVES = 256;

/** Sets the bits of a hash in a block. */
function enter(block: Uint8Array, hash: number): void {
  const size = block.length * 8;
  const step = stepOf(hash, size);
  let bit = firstOf(hash, size);
  for (let looks = 0; looks < LOOKS; looks++) {
    block[bit >> 3] = (block[bit >> 3] ?? 0) | (1 << (bit & 7));
    bit = (bit + step) % size;
  }
}

/** How many blocks the filter of so many documents takes. */
export const filterBlocks = (documents: number): number => Math.ceil((documents * FILTER_BITS) / 8 / BLOCK_BYTES);

/** Hashes of documents, sorted by their first byte, so that each block of a large filter is made from few of them. */
export class Hashes {
  private readonly shelves: readonly number[][] = Array.from({ length: SHELVES }, () => []);
  size = 0;

  add(hash: number): void {
    this.shelves[hash >>> 24]?.push(hash);
    this.size++;
  }

  /** One of the blocks of their filter. */
  filterBlock(at: number, blocks: number): Uint8Array {
    const bits = new Uint8Array(Math.ceil((this.size * FILTER_BITS) / 8 / blocks));
    for (const shelf of this.shelves.slice(Math.floor((at * SHELVES) / blocks), Math.ceil(((at + 1) * SHELVES) / blocks))) {
      for (const hash of shelf) if (filterBlockOf(hash, blocks) === at) enter(bits, hash);
    }
    return bits;
  }
}

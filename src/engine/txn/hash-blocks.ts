// The hashes of the requests that were applied, as blocks: what was asked for once is known when it comes again. Loaded
// with those who write blocks.
import { byKey } from '../base/bytes.ts';
import type { Platform } from '../base/platform.ts';
import { portions } from '../base/portions.ts';
import { blockId } from '../kv/block-ids.ts';
import { encodeBlock } from '../kv/block-writer.ts';
import type { Block } from '../kv/log-store.ts';
import type { Row } from '../kv/rows.ts';
import type { Applied } from './applied.ts';

/** Requests whose hashes go into one block, of 50 KB: a log of small writes has ten thousand in a megabyte. Nobody gets a turn while a block is made, and Chromium keeps what is larger than 64 KB in a file of its own. */
const HASHES = 1024;

/** Those since the floor, each block made when it is asked for. */
export function* hashBlocks(applied: Applied, newBase: () => number, { utf8 }: Platform): Generator<Block> {
  for (const requests of portions(applied.requestsInMemory(), HASHES)) {
    const rows = requests.map(([key, { ts, now }]): Row => ({ key, text: `${ts} ${now}` })).sort(byKey);
    yield { id: blockId(newBase(), 'tops', 0), bytes: encodeBlock(rows, utf8) };
  }
}

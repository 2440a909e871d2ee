// Writes sorted rows as a segment, a slice of two blocks at a time, with a turn for others
// between slices: a long native transaction would hold up every commit.
import { andThen, loop } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import { BLOCK_BYTES, encodeBlock } from './block.ts';
import type { Block, LogStore } from './log-store.ts';
import type { Row, RowCursor } from './rows.ts';
import type { BlockRef, SegmentInfo } from './segment.ts';

const SLICE = 2;

/**
 * @param cursor rows in order; a key that comes twice counts once
 * @param firstId id of its first block; the others follow
 * @returns `null` when there are no rows
 */
export async function writeSegment(cursor: RowCursor, firstId: number, store: LogStore, platform: Platform): Promise<SegmentInfo | null> {
  let lastId = firstId - 1;
  const nextId = (): number => ++lastId;
  const data = new BlockFiller(platform);
  const entries = new BlockFiller(platform);
  const index: BlockRef[] = [];
  let bytes = 0;
  let slice: Block[] = [];

  const write = async (block: Block): Promise<void> => {
    slice.push(block);
    if (slice.length < SLICE) return;
    await store.writeBlocks(slice);
    slice = [];
    await platform.later(0);
  };
  const closeEntries = async (): Promise<void> => {
    const closed = entries.close();
    if (closed === null) return;
    const id = nextId();
    index.push({ first: closed.first, id });
    await write({ id, bytes: closed.bytes });
  };
  const closeData = async (): Promise<void> => {
    const closed = data.close();
    if (closed === null) return;
    const id = nextId();
    bytes += closed.bytes.length;
    if (entries.add({ key: closed.first, text: String(id) })) await closeEntries();
    await write({ id, bytes: closed.bytes });
  };

  let last = '';
  for (;;) {
    // As many rows as come without waiting, up to a full block.
    const ended = await loop<'full' | 'end'>(() =>
      andThen(cursor.next(), (row) => {
        if (row === null) return 'end';
        if (row.key === last) return undefined;
        last = row.key;
        return data.add(row) ? 'full' : undefined;
      }),
    );
    await closeData();
    if (ended === 'end') break;
  }
  await closeEntries();
  if (slice.length > 0) await store.writeBlocks(slice);
  return index.length === 0 ? null : { bytes, last, index };
}

/** Gathers rows until they fill a block. */
class BlockFiller {
  private rows: Row[] = [];
  private size = 0;

  constructor(private readonly platform: Platform) {}

  /** Whether the block is full with this row. */
  add(row: Row): boolean {
    this.rows.push(row);
    this.size += row.key.length + row.text.length;
    return this.size >= BLOCK_BYTES;
  }

  close(): { readonly first: string; readonly bytes: Uint8Array } | null {
    const [first] = this.rows;
    if (first === undefined) return null;
    const bytes = encodeBlock(this.rows, this.platform.utf8);
    this.rows = [];
    this.size = 0;
    return { first: first.key, bytes };
  }
}

/** Blocks of one segment, at most. */
export const ROOM = 2 ** 20;

/**
 * An id with room to count on from it, that no block has and no other engine takes: those
 * who work on the same manifest differ by chance, and what is there already is looked for.
 */
export async function newBlockId(store: LogStore, platform: Platform, manifestNumber: number): Promise<number> {
  for (;;) {
    const [a = 0, b = 0, c = 0] = platform.random(3);
    const id = ((manifestNumber % 2 ** 16) * 2 ** 17 + ((a << 16) | (b << 8) | c) % 2 ** 17) * ROOM;
    const [taken] = await store.readBlocks([id]);
    if (taken === undefined) return id;
  }
}

// Rows at hand as what the engine reads: in memory, or written into a segment.
import { ALL_KEYS } from '../engine/base/bytes.ts';
import type { BlockCache } from '../engine/kv/block-cache.ts';
import { newBase } from '../engine/kv/epochs.ts';
import type { LogStore } from '../engine/kv/log-store.ts';
import { Memtable } from '../engine/kv/memtable.ts';
import type { Row } from '../engine/kv/rows.ts';
import { Segment, type SegmentInfo } from '../engine/kv/segment.ts';
import { writeSegment, type Writing } from '../engine/kv/segment-writer.ts';
import { KEEP_ALL, Sorting } from '../engine/txn/sorting.ts';
import { testPlatform } from './platform.ts';

const { utf8 } = testPlatform();

export function tableOf(rows: Iterable<Row>): Memtable {
  const table = new Memtable();
  for (const row of rows) table.put(row);
  return table;
}

/** As upkeep writes one that has others beneath it, unless it is said otherwise. */
type Manner = Partial<Pick<Writing, 'base' | 'settled' | 'sorter'>>;

/** Writes rows to a store that is open. @returns `null` when the sorter leaves none */
export async function writeRows(rows: Iterable<Row>, store: LogStore, { base = newBase(7, 3), settled = false, sorter = new Sorting(KEEP_ALL, settled, Infinity) }: Manner = {}): Promise<SegmentInfo | null> {
  const write: Writing['write'] = async (slice) => void (await store.writeBlocks(slice));
  const [segment = null] = await writeSegment(tableOf(rows).scan(ALL_KEYS), { base, settled, sorter, inHaste: () => false, write }, utf8);
  return segment;
}

/** Writes rows to a store, and reads them through a cache on it. */
export async function segmentOf(rows: Iterable<Row>, store: LogStore, cache: BlockCache, manner?: Manner): Promise<Segment> {
  const info = await writeRows(rows, store, manner);
  if (info === null) throw new Error('no rows');
  return new Segment(info, cache);
}

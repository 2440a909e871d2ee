import { describe, expect, it } from 'vitest';
import type { Platform } from '../base/platform.ts';
import { memoryLogStore } from './memory.ts';
import { Memtable } from './memtable.ts';
import { decodeBlock, encodeBlock } from './block.ts';
import { BlockCache, BlockGone } from './block-cache.ts';
import type { Row, RowCursor, RowSource } from './rows.ts';
import { Segment } from './segment.ts';
import { writeSegment } from './segment-writer.ts';
import { testPlatform } from '../../testing/platform.ts';
import { Gen } from '../../testing/gen.ts';

const platform: Platform = { ...testPlatform(), later: () => Promise.resolve() };

const rowsOf = (gen: Gen, count: number): Row[] => {
  const keys = new Set<string>();
  while (keys.size < count) keys.add(`k${String(gen.below(count * 20)).padStart(7, '0')}${'é\xff\0'.slice(0, gen.below(4))}`);
  return [...keys].sort().map((key) => ({ key, text: `${gen.string()}${'x'.repeat(gen.below(300))}` }));
};

const tableOf = (rows: readonly Row[]): Memtable => {
  const table = new Memtable();
  for (const row of rows) table.put(row);
  return table;
};

async function segmentOf(rows: readonly Row[], budget = 0): Promise<Segment> {
  const store = memoryLogStore();
  await store.open();
  const info = await writeSegment(tableOf(rows).scan({ from: '', to: '\xff' }, false), 0, store, platform);
  if (info === null) throw new Error('no rows');
  return new Segment(info, new BlockCache(store, platform.utf8, budget));
}

/** Steps and leaps, the same on both, as a seed has it. */
async function walk(source: RowSource, from: string, to: string, reverse: boolean, seed: number): Promise<string[]> {
  const gen = new Gen(seed);
  const cursor: RowCursor = source.scan({ from, to }, reverse);
  const seen: string[] = [];
  for (;;) {
    const row = await cursor.next();
    if (row === null) return seen;
    seen.push(row.key + row.text.length);
    if (gen.below(10) === 0) {
      const number = Number(row.key.slice(1, 8)) + (reverse ? -1 : 1) * gen.below(2000);
      cursor.seek(`k${String(Math.max(0, number)).padStart(7, '0')}`);
    }
  }
}

describe('a block', () => {
  it('gives back its rows: shared prefixes, empty texts and every character', () => {
    const rows: Row[] = [
      { key: '', text: '' },
      { key: 'a', text: 'é\u{1f600}"\\' },
      { key: 'ab\0\xff', text: '' },
      { key: 'ab\xff', text: 'x'.repeat(70_000) },
    ];
    expect(decodeBlock(encodeBlock(rows, platform.utf8), platform.utf8)).toEqual(rows);
  });
});

describe('a segment', () => {
  it.each([1, 2, 3])('reads like a table of the same rows, both ways, with leaps (seed %i)', async (seed) => {
    const gen = new Gen(seed);
    const rows = rowsOf(gen, 3000);
    const [table, cold, warm] = [tableOf(rows), await segmentOf(rows), await segmentOf(rows, 1e9)];
    for (let round = 0; round < 40; round++) {
      const [a, b] = [gen.below(60_000), gen.below(60_000)].sort((x, y) => x - y) as [number, number];
      const span = [`k${String(a).padStart(7, '0')}`, `k${String(b).padStart(7, '0')}`] as const;
      for (const reverse of [false, true]) {
        const expected = await walk(table, ...span, reverse, round);
        expect(await walk(cold, ...span, reverse, round)).toEqual(expected);
        expect(await walk(warm, ...span, reverse, round)).toEqual(expected);
      }
    }
  });

  it('answers without a promise once its blocks are kept', async () => {
    const segment = await segmentOf(rowsOf(new Gen(5), 500), 1e9);
    await segment.scan({ from: '', to: '\xff' }, false).next();
    expect(segment.scan({ from: '', to: '\xff' }, false).next()).not.toBeInstanceOf(Promise);
  });

  it('says so when a block is gone', async () => {
    const store = memoryLogStore();
    await store.open();
    const info = await writeSegment(tableOf(rowsOf(new Gen(6), 10)).scan({ from: '', to: '\xff' }, false), 0, store, platform);
    await store.install({ expected: 0, manifest: new Uint8Array(), dropBlocks: info?.index.map(({ id }) => id) ?? [], floor: 0 });
    const segment = new Segment(info ?? { bytes: 0, last: '', index: [] }, new BlockCache(store, platform.utf8, 0));
    await expect(segment.scan({ from: '', to: '\xff' }, false).next()).rejects.toThrow(BlockGone);
  });
});

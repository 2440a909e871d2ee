import { describe, expect, it, vi } from 'vitest';
import { ALL_KEYS } from '../base/bytes.ts';
import { blockId } from './block-ids.ts';
import { newBase, rangeOf } from './epochs.ts';
import type { LogStore } from './log-store.ts';
import { memoryLogStore } from './memory.ts';
import { filterBlockOf, hashOf, mayHold } from './filter.ts';
import { filterBlocks, Hashes } from './filter-writer.ts';
import { decodeBlock, findRow } from './block.ts';
import { BLOCK_BYTES, encodeBlock } from './block-writer.ts';
import { BlockCache, BlockGone } from './block-cache.ts';
import type { Row, RowCursor, RowSource } from './rows.ts';
import { Segment, type SegmentInfo } from './segment.ts';
import type { Sorter } from './segment-writer.ts';
import { testPlatform } from '../../testing/platform.ts';
import { tableOf, writeRows } from '../../testing/segments.ts';
import { Gen } from '../../testing/gen.ts';

const platform = testPlatform();

const rowsOf = (gen: Gen, count: number, tail = ''): Row[] => {
  const keys = new Set<string>();
  while (keys.size < count) keys.add(`k${String(gen.below(count * 20)).padStart(7, '0')}${'é\xff\0'.slice(0, gen.below(4))}${tail}`);
  return [...keys].sort().map((key) => ({ key, text: `${gen.string()}${'x'.repeat(gen.below(300))}` }));
};

const BASE = newBase(7, 3);

/** Writes rows, every third among the tops. */
async function written(rows: readonly Row[], store: LogStore): Promise<SegmentInfo> {
  await store.open();
  let at = 0;
  const sorter: Sorter = { fate: () => (at++ % 3 === 0 ? 'top' : 'old'), past: Infinity, hides: false, holes: { count: 0, among: 0, last: 0 } };
  const info = await writeRows(rows, store, { base: BASE, sorter });
  if (info === null) throw new Error('no rows');
  return info;
}

async function segmentOf(rows: readonly Row[], budget = 0): Promise<Segment> {
  const store = memoryLogStore();
  return new Segment(await written(rows, store), new BlockCache(store, platform.utf8, budget));
}

async function all(cursor: RowCursor): Promise<Row[]> {
  const found: Row[] = [];
  for (let row = await cursor.next(); row !== null; row = await cursor.next()) found.push(row);
  return found;
}

/** Steps and leaps, the same on both, as a seed has it. */
async function walk(source: RowSource, from: string, to: string, reverse: boolean, seed: number): Promise<string[]> {
  const gen = new Gen(seed);
  const cursor = source.scan({ from, to }, reverse);
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
  const rows: Row[] = [
    { key: '', text: '' },
    { key: 'a', text: 'é\u{1f600}"\\' },
    { key: 'ab\0\xff', text: '' },
    { key: 'ab\xff', text: 'x'.repeat(70_000) },
    { key: 'b12345671234567', text: 'twice' },
    { key: 'b12345678234567', text: 'nearly' },
    { key: 'c1234567', text: 'once' },
    { key: 'c12345671234567', text: 'shared' },
  ];

  it('gives back its rows: shared prefixes, empty texts and every character', () => {
    expect(decodeBlock(encodeBlock(rows, platform.utf8), platform.utf8)).toEqual(rows.map((row) => ({ ...row, settled: false })));
    expect(decodeBlock(encodeBlock(rows, platform.utf8, true), platform.utf8)).toEqual(rows.map((row) => ({ ...row, settled: true })));
  });

  it.each([false, true])('finds the first row that is not less than a key, as all its rows do (settled: %s)', (settled) => {
    const gen = new Gen(5);
    const ascii = rowsOf(gen, 200).map((row) => ({ ...row, text: row.text.replace(/[^\x20-\x7e]/gu, '') }));
    // Most keys share much: the commit time they end in, and what they begin with.
    const versions = Array.from({ length: 150 }, (_, at) => `V\0\x01${String.fromCharCode(at >> 3, at & 7)}0123456`).map((key) => ({ key: key + (gen.below(2) ? key.slice(-7) : '7654321'), text: `${key.length}` }));
    const halved = ['\ud83d', '\ude00é', 'x'].map((text, at) => ({ key: `h${at}`, text }));
    for (const some of [rows, halved, rowsOf(gen, 200), ascii, versions.sort((a, b) => (a.key < b.key ? -1 : 1)), rows.slice(3, 4), []]) {
      const bytes = encodeBlock(some, platform.utf8, settled);
      const all = decodeBlock(bytes, platform.utf8);
      const wanted = some.flatMap(({ key }) => [key, `${key}\0`, `${key.slice(0, -1)}`, key.slice(0, gen.below(key.length)), key.slice(0, -1) + String.fromCharCode(gen.below(256))]);
      for (const key of ['', '\xff\xff', ...wanted]) {
        const found = all.find((row) => row.key >= key) ?? null;
        const { textBytes, ...row } = findRow(bytes, key, platform.utf8) ?? { textBytes: undefined };
        expect(row).toEqual(found === null ? {} : { ...found, textBytes: undefined });
        if (textBytes !== undefined) expect(textBytes).toBe(platform.utf8.encode(found?.text ?? '').length);
      }
    }
  });
});

describe('a segment', () => {
  it('looks into its index once for lookups that lead to the same block', async () => {
    const rows = rowsOf(new Gen(4), 3000);
    const store = memoryLogStore();
    const info = await written(rows, store);
    const cache = new BlockCache(store, platform.utf8, 1e9);
    const segment = new Segment(info, cache);
    const looks = vi.spyOn(cache, 'rows');
    const tops = rows.filter((_, at) => at % 3 === 0);
    for (const { key } of tops) expect((await segment.first({ from: key, to: `${key}\0` }))?.key).toBe(key);
    const blocks = looks.mock.calls.length;
    expect(blocks).toBeGreaterThan(3);
    expect(blocks).toBeLessThan(tops.length / 10);
    looks.mockRestore();

    const gen = new Gen(4);
    const span = (from: string) => ({ from, to: 'l' });
    for (let time = 0; time < 2000; time++) {
      const at = gen.below(tops.length - 1);
      const [here, next] = [tops[at] as Row, tops[at + 1] as Row];
      expect((await segment.first(span(here.key)))?.key).toBe(here.key);
      expect((await segment.first(span(`${here.key}\0`)))?.key).toBe(next.key);
    }
  });

  // Keys of 2 KB fill an index block with sixteen of them.
  it.each([[1, 3000, ''], [2, 3000, ''], [3, 3000, ''], [4, 1200, 'x'.repeat(2000)]])('reads like a table of the same rows, both ways, with leaps (seed %i, %i rows)', async (seed, count, tail) => {
    const gen = new Gen(seed);
    const rows = rowsOf(gen, count, tail);
    const [table, cold, warm] = [tableOf(rows), await segmentOf(rows), await segmentOf(rows, 1e9)];
    if (tail !== '') expect(warm.info.tops?.index.length).toBeGreaterThan(1);
    for (let round = 0; round < 40; round++) {
      const [a, b] = [gen.below(20 * count), gen.below(20 * count)].sort((x, y) => x - y) as [number, number];
      const span = [`k${String(a).padStart(7, '0')}`, `k${String(b).padStart(7, '0')}`] as const;
      for (const reverse of [false, true]) {
        const expected = await walk(table, ...span, reverse, round);
        expect(await walk(cold, ...span, reverse, round)).toEqual(expected);
        expect(await walk(warm, ...span, reverse, round)).toEqual(expected);
      }
    }
  });

  it('gives the rows of a span in pieces, also where one index block is not enough', async () => {
    const gen = new Gen(9);
    const rows = rowsOf(gen, 1200, 'x'.repeat(2000));
    const segment = await segmentOf(rows, 1e9);
    expect(segment.info.tops?.index.length).toBeGreaterThan(1);
    for (let round = 0; round < 60; round++) {
      const [from, to] = [gen.below(24_000), gen.below(24_000)].sort((x, y) => x - y).map((at) => `k${String(at).padStart(7, '0')}`) as [string, string];
      const expected = await all(segment.tops({ from, to }, false));
      const [pieces = []] = await segment.pieces({ from, to });
      const found: Row[] = [];
      for (const piece of pieces) found.push(...(await piece.rows()));
      expect(found).toEqual(expected);
      expect(pieces.every(({ from: begin, to: end }, at) => begin >= from && end <= to && end === (pieces[at + 1]?.from ?? end))).toBe(true);
      expect(await segment.first({ from, to })).toEqual(expected[0] ?? null);
    }
  });

  it('finds the first row of a span as its cursor does, also where it is the first of its block, or there is none', async () => {
    const rows = rowsOf(new Gen(4), 3000);
    const [segment, table] = [await segmentOf(rows, 1e9), tableOf(rows)];
    let absent = 0;
    for (const { key } of rows) {
      const span = { from: key.slice(0, -1), to: `${key}\0` };
      const expected = await segment.tops(span).next();
      if (expected === null) absent++;
      expect(await segment.first(span)).toEqual(expected);
      expect(table.first(span)).toEqual(table.scan(span).next());
    }
    expect(absent).toBeGreaterThan(100);
  });

  it('answers without a promise once its blocks are kept', async () => {
    const segment = await segmentOf(rowsOf(new Gen(5), 500), 1e9);
    await segment.scan(ALL_KEYS).next();
    expect(segment.scan(ALL_KEYS).next()).not.toBeInstanceOf(Promise);
  });

  it('says so when a block is gone', async () => {
    const store = memoryLogStore();
    const info = await written(rowsOf(new Gen(6), 10), store);
    await store.deleteBlocks(rangeOf(info.base), 100);
    const segment = new Segment(info, new BlockCache(store, platform.utf8, 0));
    await expect(segment.scan(ALL_KEYS).next()).rejects.toThrow(BlockGone);
  });

  it('keeps what may count now apart from the rest', async () => {
    const rows = rowsOf(new Gen(7), 1000);
    const segment = await segmentOf(rows);
    const keys = async (cursor: RowCursor): Promise<string[]> => (await all(cursor)).map(({ key }) => key);
    const tops = rows.filter((_, at) => at % 3 === 0).map(({ key }) => key);
    expect(await keys(segment.tops(ALL_KEYS))).toEqual(tops);
    expect(await keys(segment.tops(ALL_KEYS, true))).toEqual(tops.toReversed());
  });

  it('fetches more and more blocks at once the longer a scan goes on, and none that it will not reach', async () => {
    const rows = rowsOf(new Gen(8), 20_000);
    const store = memoryLogStore();
    const info = await written(rows, store);
    const reads = vi.spyOn(store, 'readBlocks');
    const fetched = (): number[] => reads.mock.calls.flatMap(([ids]) => ids);
    const scan = async (reverse: boolean, to: number): Promise<number> => {
      reads.mockClear();
      const segment = new Segment(info, new BlockCache(store, platform.utf8, 1e9));
      const cursor = segment.tops({ from: rows[0]?.key ?? '', to: rows[to]?.key ?? '\xff' }, reverse);
      while ((await cursor.next()) !== null);
      return reads.mock.calls.length;
    };
    const blocks = (await store.readBlocks(Array.from({ length: 1000 }, (_, place) => blockId(BASE, 'tops', place)))).filter((block) => block !== undefined).length;
    expect(blocks).toBeGreaterThan(25);
    for (const reverse of [false, true]) {
      expect(await scan(reverse, Infinity)).toBeLessThan(blocks / 3);
      expect(new Set(fetched()).size).toBe(fetched().length);
    }
    await scan(false, 300);
    expect(fetched().length).toBeLessThanOrEqual(3);
  });
});

describe('a filter', () => {
  it('lets through all that is there, and less than two in a hundred of what is not', () => {
    const hashes = (letter: string, count: number): number[] => Array.from({ length: count }, (_, at) => hashOf(`V${letter}${String(at)}`));
    for (const count of [1, 10, 5000, 60_000]) {
      const there = hashes('a', count);
      const shelved = new Hashes();
      for (const hash of there) shelved.add(hash);
      const blocks = filterBlocks(count);
      const filter = Array.from({ length: blocks }, (_, at) => shelved.filterBlock(at, blocks));
      const passes = (hash: number): boolean => mayHold(filter[filterBlockOf(hash, blocks)] ?? new Uint8Array(), hash);
      expect(there.every(passes)).toBe(true);
      expect(hashes('b', 10_000).filter(passes).length).toBeLessThan(200);
      expect(filter.every((block) => block.length <= BLOCK_BYTES * 1.1)).toBe(true);
    }
  });
});

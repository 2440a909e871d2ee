import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { testPlatform } from '../../testing/platform.ts';
import { segmentOf as written, tableOf } from '../../testing/segments.ts';
import { BlockCache } from './block-cache.ts';
import type { Key } from '../base/bytes.ts';
import { readAll } from '../base/maybe.ts';
import { collectionPrefix, documentPrefix, stamp, STAMP_BYTES } from './keyspace.ts';
import { memoryLogStore } from './memory.ts';
import { Memtable } from './memtable.ts';
import { mergeSources } from './merge.ts';
import type { Piece, Row, RowSource } from './rows.ts';
import type { Segment } from './segment.ts';
import { inOrder, placesOf, type Stretch, stretches } from './stretches.ts';

const platform = testPlatform();
const COLLECTION = collectionPrefix(0n, 1024);
const SPAN = { from: COLLECTION, to: collectionPrefix(0n, 1025) };
const groupOf = ({ key }: Row): Key => key.slice(0, -STAMP_BYTES);

/** Versions of documents of three collections, some of several times. */
function versions(gen: Gen, count: number): Row[] {
  const rows = new Map<Key, Row>();
  for (let at = 0; at < count; at++) {
    const time = 1 + gen.below(30);
    const key = documentPrefix(0n, 1023 + gen.below(3), BigInt(gen.below(count))) + stamp(time, time);
    rows.set(key, { key, text: `c{"data":{"pad":"${'x'.repeat(gen.below(2000))}"}}` });
  }
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function segmentOf(rows: readonly Row[], cacheBytes: number): Promise<Segment> {
  const store = memoryLogStore();
  await store.open();
  return written(rows, store, new BlockCache(store, platform.utf8, cacheBytes));
}

async function allStretches(source: RowSource, span = SPAN): Promise<Stretch[]> {
  return [...(await readAll(stretches(await source.pieces(span)), (stretch) => stretch))];
}

describe('stretches', () => {
  it.each(Array.from({ length: 40 }, (_, at) => at + 1))('hold each row once, in order, and whole groups: seed %i', async (seed) => {
    const gen = new Gen(seed);
    const rows = versions(gen, 600);
    // Some lie in several sources, as rows do that are moved from one to another.
    const part = (share: number): Row[] => rows.filter(() => gen.below(share) === 0);
    const tails = rows.slice(gen.below(rows.length));
    const sources: RowSource[] = [tableOf(part(gen.pick([3, 60]))), await segmentOf(tails, 0), await segmentOf(part(gen.pick([2, 40])), 10 ** 7), await segmentOf(part(4), gen.pick([0, 10 ** 7]))];
    const source = mergeSources(sources.slice(gen.below(4)));
    const [from = '', to = ''] = [groupOf(gen.pick(rows)), groupOf(gen.pick(rows))].sort();
    for (const span of [SPAN, { from, to }]) {
      const expected = (await readAll(source.tops(span).next, (row) => row)).map(({ key }) => key);
      const found: Key[] = [];
      let last: Key = '';
      for (const { leaf, loose } of await allStretches(source, span)) {
        const own = leaf === null ? [] : await leaf.rows();
        const all = inOrder([...loose, ...own]);
        for (const row of all) expect(groupOf(row) > last, 'a group that the stretch before had rows of').toBe(true);
        if (leaf !== null) for (const { key } of loose) expect(key > leaf.from && key < leaf.to).toBe(true);
        // Each row of a block is about another thing.
        expect(new Set(own.map(groupOf)).size).toBe(own.length);
        last = all.map(groupOf).at(-1) ?? last;
        found.push(...all.map(({ key }) => key));
      }
      expect(found).toEqual(expected);
    }
  });

  it('leave blocks whole beside scattered rows of other sources', async () => {
    const rows = versions(new Gen(1), 2000);
    const segment = await segmentOf(rows, 10 ** 7);
    const blocks = (await allStretches(segment)).filter(({ leaf }) => leaf !== null).length;
    expect(blocks).toBeGreaterThan(10);
    const some = tableOf(rows.filter((_, at) => at % 40 === 0));
    const few = await segmentOf(rows.filter((_, at) => at % 50 === 0), 10 ** 7);
    const mixed = await allStretches(mergeSources([some, few, segment]));
    expect(mixed.filter(({ leaf }) => leaf !== null).length).toBeGreaterThanOrEqual(blocks - 2);
  });

  it('leave blocks whole beneath a block of few rows that lie far apart', async () => {
    const version = (collection: number, id: number, time: number): Row => ({ key: documentPrefix(0n, collection, BigInt(id)) + stamp(time, time), text: `c${'x'.repeat(500)}` });
    const dense = await segmentOf([version(1023, 1, 1), ...Array.from({ length: 4000 }, (_, id) => version(1024, id, 1))], 10 ** 7);
    const blocks = (await allStretches(dense)).filter(({ leaf }) => leaf !== null).length;
    for (const ids of [[0, 3999], [5, 3990], [0, 1, 2000, 3999]]) {
      const sparse = await segmentOf([version(1023, 1, 2), ...ids.map((id) => version(1024, id, 2))], 10 ** 7);
      const whole = await segmentOf(ids.map((id) => version(1024, id, 2)), 10 ** 7);
      for (const few of [sparse, whole]) {
        const found = await allStretches(mergeSources([new Memtable(), few, dense]));
        expect(found.filter(({ leaf }) => leaf !== null).length).toBeGreaterThanOrEqual(blocks - 2);
        expect(Math.max(...found.map(({ loose }) => loose.length))).toBeLessThan(150);
      }
    }
  });

  it('go on where a span begins with a block', async () => {
    const dense = await segmentOf(Array.from({ length: 400 }, (_, id): Row => ({ key: documentPrefix(0n, 1024, BigInt(id)) + stamp(1, 1), text: `c${'x'.repeat(500)}` })), 10 ** 7);
    const from = (await allStretches(dense)).flatMap(({ leaf }) => leaf?.from ?? [])[1] ?? '';
    const found = await allStretches(mergeSources([new Memtable(), dense]), { from, to: SPAN.to });
    expect(found[0]?.leaf?.from).toBe(from);
  });

  it('of blocks that overlap hold a few rows at a time', async () => {
    const rows = (odd: number): Row[] => Array.from({ length: 3000 }, (_, at) => ({ key: documentPrefix(0n, 1024, BigInt(2 * at + odd)) + stamp(1, 1), text: `c${'x'.repeat(500)}` }));
    const found = await allStretches(mergeSources([await segmentOf(rows(0), 0), await segmentOf(rows(1), 0)]));
    expect(found.filter(({ leaf }) => leaf !== null).length).toBeGreaterThan(20);
    expect(Math.max(...found.map(({ loose }) => loose.length))).toBeLessThan(300);
  });

  it('hold nothing where there is nothing', async () => {
    const elsewhere = await segmentOf([{ key: `A${stamp(1, 1)}`, text: 'c' }], 0);
    for (const source of [new Memtable(), mergeSources([new Memtable(), elsewhere])]) {
      for (const { leaf, loose } of await allStretches(source)) expect([leaf, loose]).toEqual([null, []]);
    }
  });

  it('read a block only when its rows are asked for', async () => {
    const read: Piece[] = [];
    const pieces = (await (await segmentOf(versions(new Gen(2), 1000), 0)).pieces(SPAN)).map((all) => all.map((piece) => ({ ...piece, rows: () => (read.push(piece), piece.rows()) })));
    const taken = await readAll(stretches(pieces), (stretch) => stretch);
    const leaves = taken.filter(({ leaf }) => leaf !== null);
    expect(leaves.length).toBeGreaterThan(5);
    expect(read.every(({ block }) => block === null)).toBe(true);
  });
});

describe('places of rows about the same things', () => {
  it('are told once each', () => {
    const row = (id: number, time: number): Row => ({ key: `V${String.fromCharCode(id)}${stamp(time, time)}`, text: 'c' });
    const rows = [row(1, 5), row(3, 5), row(7, 5)];
    expect(placesOf(rows, [row(1, 9), row(1, 2), row(2, 3), row(7, 6)], groupOf)).toEqual([0, 2]);
    expect(placesOf(rows, [row(9, 1)], groupOf)).toEqual([]);
  });
});

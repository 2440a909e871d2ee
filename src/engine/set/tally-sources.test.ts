// Counted block by block from sources made by hand: what rows say that are seldom met, and readers that see less
// than there is.
import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { testPlatform } from '../../testing/platform.ts';
import { segmentOf, tableOf, writeRows } from '../../testing/segments.ts';
import { readAll } from '../base/maybe.ts';
import { ALL_KEYS, prefixSpan } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import type { EvalContext } from '../form/context.ts';
import { Budget } from '../form/budget.ts';
import { encodeBlock } from '../kv/block-writer.ts';
import { BlockCache } from '../kv/block-cache.ts';
import { newBase } from '../kv/epochs.ts';
import { collectionPrefix, documentPrefix, stamp } from '../kv/keyspace.ts';
import { memoryLogStore } from '../kv/memory.ts';
import { Memtable } from '../kv/memtable.ts';
import { mergeSources } from '../kv/merge.ts';
import type { Row, RowSource } from '../kv/rows.ts';
import { Segment } from '../kv/segment.ts';
import { Sheets } from '../kv/sheets.ts';
import { type Keeping, KEEP_ALL, Sorting } from '../txn/sorting.ts';
import { memoryOfColumn, memoryOfSheet, type Sheet } from '../txn/sheet.ts';
import { Txn } from '../txn/txn.ts';
import { DELETED, fieldAt, isLive, LIVE, readVersion, REMOVED } from '../txn/version.ts';
import { FieldPath, UNTOLD } from '../value/field-path.ts';
import { type Question, tally } from './tally.ts';

const platform = testPlatform();
const PREFIX = collectionPrefix(0n, 1024);
const NOW = 1000;
const N = new FieldPath(['data', 'n']);

/** Commits of versions, one after the other: now and then written into the past, taken out of history, deleted or to expire. */
function commits(gen: Gen, documents: number, count: number): Row[][] {
  // Of so many one; such a block has no sheet.
  const [past, brief] = [gen.pick([Infinity, Infinity, 12, 200]), gen.pick([Infinity, Infinity, 25, 200])];
  const oneIn = (share: number): boolean => gen.next() < 1 / share;
  return Array.from({ length: count }, (_, at) => {
    const commit = 10 + at;
    const rows = new Map<string, Row>();
    const some = at === 0 ? documents : gen.pick([1, 3, 40]);
    for (let nth = 0; nth < some; nth++) {
      const id = at === 0 ? nth : gen.below(documents);
      const time: Ts = oneIn(past) ? 5 + gen.below(commit) : commit;
      const ttl = oneIn(brief) ? `,"ttl":{"@t":"${gen.pick([500, 5000])}000"}` : '';
      const live = `${LIVE}{"data":{"n":${gen.pick(['1', '2', '"a"'])},"pad":"${gen.pick(['x', 'é']).repeat(gen.below(600))}"}${ttl}}`;
      const text = gen.pick([live, live, live, live, live, DELETED, time < commit ? REMOVED : live]);
      const key = documentPrefix(0n, 1024, BigInt(id)) + stamp(Math.min(time, commit), commit);
      rows.set(key, { key, text });
    }
    return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  });
}

const ELSEWHERE: Row = { key: documentPrefix(0n, 1025, 1n) + stamp(1, 1), text: LIVE };

/** The newest commits in memory, those before in segments. */
async function sourceOf(gen: Gen, all: readonly Row[][], cacheBytes: number, keeping: Keeping): Promise<RowSource> {
  const parts: RowSource[] = [];
  const store = memoryLogStore();
  await store.open();
  const cache = new BlockCache(store, platform.utf8, cacheBytes);
  let past: Ts = Infinity;
  let end = all.length;
  for (let nth = 0; end > 0; nth++) {
    const begin = nth > 4 ? 0 : Math.min(end, gen.below(end + 1));
    const rows = all.slice(begin, end).flat();
    end = begin;
    if (nth === 0) {
      const table = tableOf(rows);
      parts.push(table);
      for (const row of await readAll(table.scan(ALL_KEYS).next, (one) => one)) past = Math.min(past, timeOf(row));
      continue;
    }
    // Nothing older lies beneath the last.
    const settled = begin === 0 && gen.bool();
    const info = await writeRows(rows, store, { base: newBase(7, nth), settled, sorter: new Sorting(keeping, settled, past) });
    if (info === null) continue;
    past = Math.min(past, info.past);
    parts.push(new Segment(info, cache));
  }
  return mergeSources(parts);
}

/** The time of one that was written into the past, else never. */
const timeOf = ({ key }: Row): Ts => (key.slice(-14, -7) === key.slice(-7) ? Infinity : -Infinity);

/** What is asked, billed as the evaluator does it. */
const QUESTIONS: Readonly<Record<string, (txn: Txn) => Question>> = {
  all: () => ({ direct: null, verdict: () => true, holds: () => false }),
  'those of one': ({ cost }) => ({
    direct(subject) {
      subject.isRead = true;
      const found = subject.at(N);
      return found === UNTOLD ? undefined : found === 1n;
    },
    verdict(row, version) {
      cost.document(row);
      return fieldAt(version, N) === 1n;
    },
    holds: () => false,
  }),
  'those that cannot be told at once': ({ cost }) => ({
    direct(subject) {
      subject.isRead = true;
      const found = subject.at(N);
      return typeof found === 'bigint' ? found === 1n : undefined;
    },
    verdict(row, version) {
      const found = fieldAt(version, N);
      if (typeof found !== 'bigint') return 'perhaps';
      cost.document(row);
      return found === 1n;
    },
    holds(row) {
      cost.document(row);
      return Promise.resolve(true);
    },
  }),
  'those of which not all are read': ({ cost }) => ({
    direct(subject) {
      const found = subject.at(N);
      if (found === 1n) subject.isRead = true;
      return found === UNTOLD ? undefined : found === 1n;
    },
    verdict(row, version) {
      const isOne = fieldAt(version, N) === 1n;
      if (isOne) cost.document(row);
      return isOne;
    },
    holds: () => false,
  }),
};

describe('a tally of sources', () => {
  it.each(Array.from({ length: 60 }, (_, at) => at + 1))('is what is found row by row, for whoever sees how much of it: seed %i', async (seed) => {
    const gen = new Gen(seed);
    const all = commits(gen, gen.pick([30, 400, 1500]), 12);
    // Where nobody sees less, deletions go to history.
    const isAlone = gen.bool();
    const source = await sourceOf(gen, all, gen.pick([0, 10 ** 7]), isAlone ? { spared: NOW, earliest: () => -Infinity } : KEEP_ALL);
    for (const snapshot of isAlone ? [NOW] : [NOW, 10 + gen.below(12)]) {
      for (const [name, question] of Object.entries(QUESTIONS)) {
        // Reading again what was read last is free.
        const there = await readAll(new Txn(source, snapshot, NOW, null, 'request').current(prefixSpan(PREFIX)).next, (one) => one);
        const latest = gen.pick([null, there[0], there.at(-1), gen.pick(gen.pick(all)), ELSEWHERE]) ?? null;
        const begin = (): { txn: Txn; budget: Budget } => {
          const txn = new Txn(source, snapshot, NOW, null, 'request');
          if (latest !== null) txn.cost.document(latest);
          return { txn, budget: new Budget(platform, Infinity) };
        };
        const { txn } = begin();
        const { verdict, holds } = question(txn);
        let count = 0;
        txn.cost.index(PREFIX);
        for (const row of await readAll(txn.current(prefixSpan(PREFIX)).next, (one) => one)) {
          const version = readVersion(row);
          const told = isLive(version, NOW) && verdict(row, version);
          if (told === 'perhaps' ? await holds(row, version) : told) count++;
        }
        for (const again of [false, true]) {
          const found = begin();
          const counted = await tally(found as unknown as EvalContext, PREFIX, question(found.txn));
          expect(counted, `${name}, ${snapshot}, ${again ? 'again' : 'first'}`).toBe(count);
          const bill = ({ cost: { bytesRead, readOps, latest: last } }: Txn): unknown => ({ bytesRead, readOps, last });
          expect(bill(found.txn), `${name}, ${snapshot}, ${again ? 'again' : 'first'}`).toEqual(bill(txn));
          expect(found.txn.reads.merged()).toEqual([prefixSpan(PREFIX)]);
        }
      }
    }
  });

  it('finds no document before a deletion that lies with the past', async () => {
    const store = memoryLogStore();
    await store.open();
    const cache = new BlockCache(store, platform.utf8, 10 ** 7);
    const row = (id: number, time: Ts, commit: Ts, text = `${LIVE}{"data":{"n":1}}`): Row => ({ key: documentPrefix(0n, 1024, BigInt(id)) + stamp(time, commit), text });
    const sorting = (settled: boolean, past: Ts) => ({ settled, sorter: new Sorting({ spared: NOW, earliest: () => -Infinity }, settled, past) });
    const newer = await segmentOf([row(1, 15, 30), row(2, 30, 30)], store, cache, { base: newBase(7, 1), ...sorting(false, Infinity) });
    const older = await segmentOf([row(1, 10, 10), row(1, 20, 20, DELETED), row(3, 10, 10)], store, cache, { base: newBase(7, 2), ...sorting(true, 15) });
    expect(older.hides).toBe(true);
    for (const source of [mergeSources([newer, older]), mergeSources([new Memtable(), newer, older])]) {
      for (let again = 0; again < 2; again++) {
        const ctx = { txn: new Txn(source, NOW, NOW, null, 'request'), budget: new Budget(platform, Infinity) };
        expect(await tally(ctx as unknown as EvalContext, PREFIX, (QUESTIONS['all'] as (txn: Txn) => Question)(ctx.txn))).toBe(2);
      }
    }
  });

  it('looks at all rows of a segment as earlier builds have written them', async () => {
    const store = memoryLogStore();
    await store.open();
    const rows = Array.from({ length: 300 }, (_, at): Row => ({ key: documentPrefix(0n, 1024, BigInt(at >> 1)) + stamp(10 - (at & 1), 10 - (at & 1)), text: `${LIVE}{"data":{"n":${at & 1}}}` }));
    const blocks = Array.from({ length: 7 }, (_, at) => ({ id: at + 1, rows: rows.slice(at * 43, (at + 1) * 43) }));
    await store.writeBlocks([
      ...blocks.map(({ id, rows: some }) => ({ id, bytes: encodeBlock(some, platform.utf8) })),
      { id: 100, bytes: encodeBlock(blocks.map(({ id, rows: [first] }) => ({ key: first?.key ?? '', text: String(id) })), platform.utf8) },
    ]);
    const run = { last: rows.at(-1)?.key ?? '', index: [{ first: rows[0]?.key ?? '', place: 100 }] };
    const segment = new Segment({ format: 1, base: 0, bytes: 0, tops: null, olds: run, schema: null, filter: 0, past: Infinity, hides: false }, new BlockCache(store, platform.utf8, 10 ** 6));
    for (const name of ['all', 'those of one', 'all', 'those of one']) {
      const ctx = { txn: new Txn(segment, NOW, NOW, null, 'request'), budget: new Budget(platform, Infinity) };
      expect(await tally(ctx as unknown as EvalContext, PREFIX, (QUESTIONS[name] as (txn: Txn) => Question)(ctx.txn))).toBe(name === 'all' ? 150 : 0);
    }
  });

  it('goes by what is known of blocks, which is counted as the memory that it takes', async () => {
    const store = memoryLogStore();
    await store.open();
    const cache = new BlockCache(store, platform.utf8, 2 ** 20);
    const rows = Array.from({ length: 2000 }, (_, id): Row => ({ key: documentPrefix(0n, 1024, BigInt(id)) + stamp(1, 1), text: `${LIVE}{"data":{"n":${id},"name":"the name of ${id}","pad":"${'x'.repeat(300)}"}}` }));
    const segment = await segmentOf(rows, store, cache);
    let reads = 0;
    const readBlocks = store.readBlocks.bind(store);
    store.readBlocks = (ids) => ((reads += ids.length), readBlocks(ids));
    const ask = async (field: FieldPath): Promise<number> => {
      const txn = new Txn(segment, NOW, NOW, null, 'request');
      txn.cost.document(ELSEWHERE);
      const ctx = { txn, budget: new Budget(platform, Infinity) };
      const direct: Question['direct'] = (subject) => {
        subject.isRead = true;
        return subject.at(field) === UNTOLD ? undefined : true;
      };
      const verdict = (row: Row): boolean => (txn.cost.document(row), true);
      const count = await tally(ctx as unknown as EvalContext, PREFIX, { direct, verdict, holds: () => false });
      expect(txn.cost.latest).toBe(rows.at(-1)?.key);
      return count;
    };
    const kept = (): number => {
      const sheets = cache.sheets as unknown as { kept: Map<number, { content: Sheet | null; bytes: number }>; bytes: number };
      expect(sheets).toBeInstanceOf(Sheets);
      for (const { content, bytes } of sheets.kept.values()) {
        expect(bytes).toBe([...(content?.columns.values() ?? [])].reduce((sum, column) => sum + memoryOfColumn(column), memoryOfSheet(content)));
      }
      expect([...sheets.kept.values()].reduce((sum, { bytes }) => sum + bytes, 0)).toBe(sheets.bytes);
      return sheets.bytes;
    };
    // Several at once make each column once.
    expect(await Promise.all([ask(N), ask(N), ask(N)])).toEqual([2000, 2000, 2000]);
    const once = kept();
    expect(await ask(N)).toBe(2000);
    expect(kept()).toBe(once);
    cache.clear();
    expect(await ask(N)).toBe(2000);
    expect(kept()).toBe(once);
    // As columns: eight bytes for each place and sixteen for each number that is not small.
    expect(once).toBeGreaterThan(2000 * 8 + 976 * 16);
    expect(once).toBeLessThan(2000 * 24 + 40 * 600);
    await ask(new FieldPath(['data', 'name']));
    expect(kept()).toBeGreaterThan(once + 2000 * 30);
    expect(cache.room.used).toBeGreaterThan(kept());
    // Nothing is read for what is known.
    reads = 0;
    expect(await ask(N)).toBe(2000);
    expect(reads).toBeLessThan(3);
    // Who waits for the same rows makes the same of them, which counts once.
    cache.limit(2 ** 18);
    cache.sheets?.drop(() => true);
    const one = new FieldPath(['data', 'pad']);
    expect(await Promise.all([ask(one), ask(one), ask(N)])).toEqual([2000, 2000, 2000]);
    const other = new FieldPath(['data', 'other']);
    expect(await Promise.all([ask(other), ask(other), ask(N)])).toEqual([2000, 2000, 2000]);
    expect(kept()).toBeGreaterThan(0);
    cache.limit(2 ** 15);
    expect(kept()).toBe(0);
    // There is room for what is known of some blocks, and for few columns.
    for (const field of [N, N, new FieldPath(['data', 'name'])]) expect(await ask(field)).toBe(2000);
    expect(kept()).toBeLessThanOrEqual(2 ** 13);
    cache.limit(2 ** 20);
    await ask(N);
    expect(kept()).toBeGreaterThan(0);
    cache.retain([]);
    expect(kept()).toBe(0);
    await ask(N).catch(() => undefined);
    cache.clear();
    expect([cache.sheets, cache.room.used]).toEqual([null, 0]);
  });
});

// What becomes of rows in segments: whatever is merged and trimmed, a reader who may still ask gets the
// answer that all rows together give.
import { describe, expect, it } from 'vitest';
import { type Key, prefixSpan } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { collectionEventPrefix, documentPrefix, stamp } from '../kv/keyspace.ts';
import { Memtable } from '../kv/memtable.ts';
import { mergeSources } from '../kv/merge.ts';
import type { Holder, Row, RowSource } from '../kv/rows.ts';
import { Gen } from '../../testing/gen.ts';
import { COMMITTED, currentRow, currentRows, groupOf, View } from './current.ts';
import { type Keeping, Sorting } from './sorting.ts';
import { DELETED, LIVE, REMOVED } from './version.ts';

const COLLECTION = 1024;
const IDS = 4;
/** How far back history is rewritten: not beyond what is kept. */
const REACH = 6;
const DOCUMENTS = prefixSpan(documentPrefix(0n, COLLECTION, 0n).slice(0, -8));

/** A segment as readers see it, in memory. */
class Layer implements Holder {
  private readonly topRows = new Memtable();
  private readonly allRows = new Memtable();
  readonly rows: Row[] = [];

  readonly past: Ts;
  readonly hides: boolean;

  constructor(rows: Iterable<Row>, keeping: Keeping, settled: boolean, above: Ts = -Infinity) {
    const sorter = new Sorting(keeping, settled, above);
    for (const { key, text } of rows) {
      const where = sorter.fate({ key, text });
      if (where === 'gone') continue;
      const row = { key, text, settled: settled && where === 'top' };
      this.rows.push(row);
      this.allRows.put(row);
      if (where === 'top') this.topRows.put(row);
    }
    this.past = sorter.past;
    this.hides = sorter.hides;
  }

  scan: RowSource['scan'] = (span, reverse) => this.allRows.scan(span, reverse);
  tops: RowSource['tops'] = (span, reverse) => this.topRows.scan(span, reverse);
  pieces: RowSource['pieces'] = (span) => this.topRows.pieces(span);
  holders: RowSource['holders'] = () => [this];
  first: Holder['first'] = (span) => this.topRows.first(span);
}

function read(source: RowSource, reverse: boolean, view: View): string[] {
  const cursor = currentRows(source, DOCUMENTS, view, reverse);
  const seen: string[] = [];
  // Memtables never make a reader wait. A tombstone may be there or not.
  for (let row = cursor.next() as Row | null; row !== null; row = cursor.next() as Row | null) if (row.text !== DELETED) seen.push(row.key + row.text);
  return seen;
}

/** What counts of one document. */
function readOne(holders: readonly Holder[], group: Key, view: View): string[] {
  const row = currentRow(holders, prefixSpan(group), view) as Row | null;
  return row === null || row.text === DELETED ? [] : [row.key + row.text];
}

/** The rows of random writes, one commit each: versions, deletions, and rewritten history. */
function history(gen: Gen, commits: number): Row[] {
  const rows: Row[] = [];
  for (let commit = 1; commit <= commits; commit++) {
    const prefix = documentPrefix(0n, COLLECTION, BigInt(gen.below(IDS)));
    const time: Ts = gen.below(3) === 0 ? Math.max(1, commit - gen.below(REACH)) : commit;
    const text = gen.pick([`${LIVE}{"n":${commit}}`, `${LIVE}{"n":${commit}}`, DELETED, ...(time < commit ? [REMOVED] : [])]);
    rows.push({ key: prefix + stamp(time, commit), text });
  }
  return rows;
}

const sorted = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));

describe('rows sorted into segments', () => {
  it('answer every reader who may still ask as all rows do (1,000 histories)', () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const gen = new Gen(seed);
      const commits = 4 + gen.below(24);
      const rows = history(gen, commits);
      const all = new Memtable();
      for (const row of rows) all.put(row);
      // Flushed in pieces, oldest first, merged now and then; the last rows stay in memory.
      let layers: Layer[] = [];
      let at = 0;
      let edge = -1;
      let spared = -1;
      while (at < commits - 2) {
        const next = Math.min(commits - 2, at + 1 + gen.below(6));
        spared = Math.max(spared, next - gen.below(8));
        edge = Math.max(edge, spared - REACH - gen.below(6));
        const keeping = { spared, earliest: () => edge };
        layers = [new Layer(sorted(rows.slice(at, next)), keeping, layers.length === 0), ...layers];
        at = next;
        if (layers.length > 1 && gen.bool()) {
          const start = gen.below(layers.length - 1);
          const end = start + 2 + gen.below(layers.length - start - 1);
          const settled = end === layers.length;
          const above = Math.min(Infinity, ...layers.slice(0, start).map(({ past }) => past));
          const merged = sorted(layers.slice(start, end).flatMap((layer) => layer.rows));
          layers = layers.toSpliced(start, end - start, new Layer(merged, keeping, settled, above));
        }
      }
      const memory = new Memtable();
      for (const row of rows.slice(at)) memory.put(row);
      const layered = mergeSources([memory, ...layers]);
      const groups = [...new Set(sorted(rows).map(groupOf))];
      for (let snapshot = Math.max(0, spared); snapshot <= commits; snapshot++) {
        for (const reverse of [false, true]) {
          // The present, and every time that may be asked for.
          for (const time of [COMMITTED, ...Array.from({ length: commits }, (_, t) => t + 1).filter((t) => t >= edge)]) {
            const view = new View(time, snapshot);
            const [found, expected] = [read(layered, reverse, view), read(all, reverse, view)];
            // Asked only where it fails: asking is what takes time.
            if (found.join() !== expected.join()) expect(found, `seed ${seed}, time ${time}, snapshot ${snapshot}, reverse ${reverse}`).toEqual(expected);
            if (reverse || time < COMMITTED) continue;
            const single = groups.flatMap((group) => readOne([memory, ...layers], group, view));
            if (single.join() !== expected.join()) expect(single, `one by one, seed ${seed}, time ${time}, snapshot ${snapshot}`).toEqual(expected);
          }
        }
      }
    }
  });

  it('leave of what is past only what counts at its edge, and nothing of what is over', () => {
    const key = (id: bigint, time: Ts): string => documentPrefix(0n, COLLECTION, id) + stamp(time, time);
    const live = (id: bigint, time: Ts): Row => ({ key: key(id, time), text: `${LIVE}{}` });
    const rows = sorted([live(1n, 10), live(1n, 20), live(1n, 30), live(2n, 10), { key: key(2n, 20), text: DELETED }, live(3n, 50)]);
    const left = (settled: boolean): Row[] => new Layer(rows, { spared: 100, earliest: () => 25 }, settled, Infinity).rows;
    expect(left(true).map((row) => row.key)).toEqual([key(1n, 30), key(1n, 20), key(3n, 50)]);
    // Older segments may hold what a deletion hides.
    expect(left(false).map((row) => row.key)).toEqual([key(1n, 30), key(1n, 20), key(2n, 20), key(3n, 50)]);
    expect(new Layer(rows, { spared: 100, earliest: () => Infinity }, false).rows).toEqual([]);
  });

  it('leave of what belongs to nothing any more what was written since everybody sees that', () => {
    const key = (id: bigint, commit: Ts): string => documentPrefix(0n, COLLECTION, id) + stamp(commit, commit);
    const event = (commit: Ts): string => collectionEventPrefix(0n, COLLECTION) + stamp(commit, commit);
    const rows = sorted([...[10, 30].map((commit) => ({ key: event(commit), text: '' })), ...[10, 20, 30].map((commit) => ({ key: key(1n, commit), text: LIVE })), { key: key(2n, 50), text: DELETED }]);
    const gone = { spared: 25, earliest: () => Infinity };
    for (const settled of [false, true]) expect(new Layer(rows, gone, settled, Infinity).rows.map((row) => row.key)).toEqual([event(30), key(1n, 30), key(2n, 50)]);
  });

  it('are counted, and with them those that say that there is nothing', () => {
    const key = (id: bigint, time: Ts, commit = time): string => documentPrefix(0n, COLLECTION, id) + stamp(time, commit);
    const rows = sorted([
      { key: key(1n, 10), text: `${LIVE}{}` },
      { key: key(1n, 20), text: DELETED },
      { key: key(2n, 15, 40), text: DELETED },
      { key: key(3n, 30), text: DELETED },
      { key: key(3n, 20), text: DELETED },
      { key: key(4n, 30), text: `${LIVE}{}` },
    ]);
    const holesOf = (settled: boolean, spared: Ts): Sorting['holes'] => {
      const sorter = new Sorting({ spared, earliest: () => -Infinity }, settled, -Infinity);
      for (const row of rows) sorter.fate(row);
      return sorter.holes;
    };
    expect(holesOf(false, 100)).toEqual({ count: 3, among: 6, last: 40 });
    // Where nothing lies beneath, those that everybody sees are no longer in anybody's way.
    expect(holesOf(true, 35)).toEqual({ count: 1, among: 6, last: 40 });
    expect(holesOf(true, 100)).toEqual({ count: 0, among: 6, last: 0 });
  });

  it('leave what counts once a row was taken out by a commit that not everybody sees', () => {
    const group = documentPrefix(0n, COLLECTION, 1n);
    const rows: Row[] = [
      { key: group + stamp(10, 90), text: REMOVED },
      { key: group + stamp(10, 10), text: `${LIVE}{"n":1}` },
      { key: group + stamp(5, 90), text: `${LIVE}{"n":2}` },
      { key: group + stamp(4, 4), text: `${LIVE}{"n":3}` },
      { key: group + stamp(3, 3), text: `${LIVE}{"n":4}` },
    ];
    for (const settled of [false, true]) {
      const layer = new Layer(rows, { spared: 80, earliest: () => 25 }, settled, Infinity);
      const seen = (snapshot: Ts): string[] => readOne([layer], group, new View(COMMITTED, snapshot)).map((row) => row.slice(-7));
      expect([seen(89), seen(90)]).toEqual([['{"n":1}'], ['{"n":2}']]);
      expect(layer.rows).toHaveLength(4);
    }
  });
});

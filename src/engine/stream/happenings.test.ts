import { expect, it } from 'vitest';
import { ALL_KEYS } from '../base/bytes.ts';
import { downTs } from '../kv/keyspace.ts';
import { Memtable } from '../kv/memtable.ts';
import { type Row, rowOf, type RowSource } from '../kv/rows.ts';
import { happeningsBetween } from './happenings.ts';

const rowAt = (id: number, commit: number): Row => rowOf(`V${String(id).padStart(6, '0')}${downTs(commit)}${downTs(commit)}`, '');

function sourceOf(rows: readonly Row[]): RowSource {
  const table = new Memtable();
  for (const row of rows) table.put(row);
  return table;
}

it('gives the rows of each commit in its turn, none of those known before and none to come', async () => {
  const rows = [rowAt(1, 30), rowAt(1, 20), rowAt(2, 10), rowAt(2, 40), rowAt(3, 20)];
  const found = await happeningsBetween(10, 30, ALL_KEYS, sourceOf(rows));
  expect(found).toEqual([{ ts: 20, rows: [rows[1], rows[4]] }, { ts: 30, rows: [rows[0]] }]);
});

it('gathers the rows of a large commit once: to copy them for each took longer than anybody waits', async () => {
  const source = sourceOf(Array.from({ length: 40_000 }, (_, id) => rowAt(id, 20)));
  const began = performance.now();
  const [happening] = await happeningsBetween(10, 30, ALL_KEYS, source);
  expect(happening?.rows.length).toBe(40_000);
  expect(performance.now() - began).toBeLessThan(3000);
});

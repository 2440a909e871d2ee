import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { downTs, PENDING, stamp } from '../kv/keyspace.ts';
import { Memtable } from '../kv/memtable.ts';
import type { Holder, Row } from '../kv/rows.ts';
import { currentRow, currentRows, View } from './current.ts';
import { LIVE, REMOVED } from './version.ts';

const version = (ts: number, text = `${ts}`): Row => ({ key: `V doc ${downTs(ts)}${downTs(ts)}`, text });

/** One whose first row is known, at once or later; to look through its rows fails. */
const holding = (row: Row | null, isLate: boolean): Holder => ({
  hides: false,
  first: () => (isLate ? Promise.resolve(row) : row),
  scan: () => { throw new Error('all rows were read'); },
  tops: () => { throw new Error('the rows were read again'); },
  pieces: () => [],
  holders: () => [],
});

describe('the row of one thing that counts', () => {
  const view = new View(PENDING, 100);
  const span = { from: 'V doc ', to: 'V doc!' };

  it.each([
    ['at once', false, false],
    ['from a block that has to be fetched', true, false],
    ['from two that have to be fetched', true, true],
  ])('is the newest first row of all, %s, and no others are read', async (_when, isFirstLate, isSecondLate) => {
    const [older, newer] = [version(10), version(20)];
    for (const rows of [[older, newer, null], [newer, null, older], [null, older, newer]]) {
      const holders = rows.map((row, at) => holding(row, [isFirstLate, isSecondLate, false][at] === true));
      expect(await currentRow(holders, span, view)).toBe(newer);
    }
    expect(await currentRow([holding(null, isFirstLate), holding(null, isSecondLate)], span, view)).toBeNull();
  });

  it('is looked for among all where the first one is too new', async () => {
    for (const isLate of [false, true]) {
      await expect((async () => currentRow([holding(version(200), isLate)], span, view))()).rejects.toThrow('read again');
    }
  });
});

it('the rows that count at a time in the past are the same from both ends: of each thing the latest time that was not taken out', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const gen = new Gen(seed);
    const table = new Memtable();
    const written = new Map<string, { thing: string; time: number; commit: number; row: Row }>();
    for (let n = gen.below(25); n >= 0; n--) {
      const [thing, time, commit] = [gen.pick(['a', 'b', 'c']), 1 + gen.below(4), 1 + gen.below(8)];
      const row = { key: `V${thing}${stamp(time, commit)}`, text: gen.below(3) === 0 ? REMOVED : LIVE };
      table.put(row);
      written.set(row.key, { thing, time, commit, row });
    }
    const counting = (thing: string, upTo: number, snapshot: number): Row[] => {
      const seen = [...written.values()].filter((one) => one.thing === thing && one.time <= upTo && one.commit <= snapshot).sort((a, b) => b.time - a.time || b.commit - a.commit);
      const latest = seen.filter(({ time }, at) => time !== seen[at - 1]?.time);
      return latest.filter(({ row }) => row.text !== REMOVED).slice(0, 1).map(({ row }) => row);
    };
    const read = (reverse: boolean, view: View): string[] => {
      const cursor = currentRows(table, { from: 'V', to: 'W' }, view, reverse);
      const keys: string[] = [];
      // A memtable never makes a reader wait.
      for (let row = cursor.next() as Row | null; row !== null; row = cursor.next() as Row | null) keys.push(row.key);
      return keys;
    };
    for (let view = 0; view < 6; view++) {
      const [upTo, snapshot] = [1 + gen.below(4), 1 + gen.below(8)];
      const expected = ['a', 'b', 'c'].flatMap((thing) => counting(thing, upTo, snapshot)).map(({ key }) => key);
      expect(read(false, new View(upTo, snapshot)), `seed ${seed}`).toEqual(expected);
      expect(read(true, new View(upTo, snapshot)), `seed ${seed}`).toEqual(expected.toReversed());
    }
  }
});

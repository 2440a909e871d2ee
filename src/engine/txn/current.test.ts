import { describe, expect, it } from 'vitest';
import { downTs, PENDING } from '../kv/keyspace.ts';
import type { Holder, Row } from '../kv/rows.ts';
import { currentRow, View } from './current.ts';

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

import { describe, expect, it } from 'vitest';
import { downTs, MIN_TS, PENDING, readDownTs, readTs, tsKey } from './keyspace.ts';

const TIMES = [
  MIN_TS, MIN_TS + 1, -1_795_230_829_045_001, -(2 ** 28), -2, -1, 0, 1, 2, 2 ** 28 - 1, 2 ** 28,
  1_795_230_829_045_000, 1_795_230_829_045_001, 1_795_230_829_045_002, PENDING - 1, PENDING,
];

describe('times in keys', () => {
  it.each(TIMES)('%d is read as it was written, to the microsecond', (time) => {
    expect(readTs(tsKey(time), 0)).toBe(time);
    expect(readDownTs(downTs(time), 0) + 0).toBe(time);
  });

  it('are in order, and in reverse order where that is asked for', () => {
    const sorted = TIMES.toSorted((a, b) => a - b);
    expect(TIMES.map(tsKey).toSorted()).toEqual(sorted.map(tsKey));
    expect(TIMES.map(downTs).toSorted().toReversed()).toEqual(sorted.map(downTs));
  });
});

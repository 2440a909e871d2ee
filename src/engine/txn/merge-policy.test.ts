import { describe, expect, it } from 'vitest';
import type { SegmentInfo } from '../kv/segment.ts';
import { hollowMerge, lags, nextMerge } from './merge-policy.ts';

const FLUSH_AT = 100;

const segment = (about: Partial<SegmentInfo>): SegmentInfo => ({
  format: 2, base: 0, bytes: FLUSH_AT, tops: null, olds: null, schema: null, filter: 0, past: Infinity, hides: false, ...about,
});
/** Segments of so many times what a flush writes, the newest first. */
const sized = (...times: readonly number[]): SegmentInfo[] => times.map((by) => segment({ bytes: by * FLUSH_AT }));
const holed = (count: number, among: number, last = 0): SegmentInfo => segment({ holes: { count, among, last } });
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe('what is merged next', () => {
  it.each<[what: string, times: readonly number[], merged: readonly [start: number, end: number] | null]>([
    ['nothing of few', [1, 1, 1], null],
    ['as many of one size as make one of the next', [1, 1, 1, 1], [0, 4]],
    ['all of a size that are there', [1, 1, 1, 1, 1, 4], [0, 5]],
    ['the first size of which there are enough', [1, 4, 4, 4, 4], [1, 5]],
    ['smaller ones between larger ones, with those', [4, 1, 4, 4], [0, 4]],
    ['nothing where each is larger than the one before', [1, 4, 16, 64], null],
    ['what is smaller than a flush as if it were one', [0.1, 1, 0.5, 3.9], [0, 4]],
    ['the oldest of very many', many(20, 1), [4, 20]],
  ])('%s', (_, times, merged) => {
    expect(nextMerge(sized(...times), FLUSH_AT)).toEqual(merged && { start: merged[0], end: merged[1] });
  });

  it('one of the first format, alone and before all others', () => {
    expect(nextMerge([...sized(1, 1, 1, 1), segment({ format: 1 }), ...sized(4)], FLUSH_AT)).toEqual({ start: 4, end: 5 });
  });
});

describe('rows that say that there is nothing are merged away', () => {
  it.each<[what: string, segments: readonly SegmentInfo[], start: number | null]>([
    ['where they are many, down to the oldest', [segment({}), holed(600, 1000), holed(400, 1000)], 1],
    ['not where they are few', [holed(999, 999)], null],
    ['not where they are few among others', [holed(1000, 8001)], null],
    ['not where nobody knows among how many', [holed(1000, 1000), segment({})], null],
    ['not where some have to stay that make them many', [holed(600, 600), holed(400, 400, 51)], null],
    ['not out of more segments than are merged at once', [...many(17, holed(1000, 1000))], null],
    ['out of as many as are merged at once', [...many(16, holed(1000, 1000))], 0],
  ])('%s', (_, segments, start) => {
    expect(hollowMerge(segments, 50)).toEqual(start === null ? null : { start, end: segments.length });
  });
});

it.each<[count: number, larger: readonly number[], behind: boolean]>([
  [15, [], false],
  [16, [], true],
  [18, [4], false],
  [19, [4], true],
])('merging has fallen behind with %i segments beside larger ones: %j', (count, larger, behind) => {
  expect(lags(sized(...many(count, 1), ...larger), FLUSH_AT)).toBe(behind);
});

import { expect, it } from 'vitest';
import { type Operation, unexplained, UNKNOWN } from './check.ts';

type Register = Operation<number>;

const write = (value: number, ts: number, [invoked, responded]: readonly [number, number], answer: unknown = value): Register => ({
  name: `write ${value}`,
  invoked,
  responded,
  ts,
  wrote: true,
  answer,
  run: () => [value, value],
});
const read = (answer: number, ts: number | null, [invoked, responded]: readonly [number, number]): Register => ({
  name: `read ${answer}`,
  invoked,
  responded,
  ts,
  wrote: false,
  answer,
  run: (state) => [state, state],
});
const complaints = (...operations: readonly Register[]): string => unexplained(0, operations).join('\n');

it('a serial history is explained, in whatever order it is given', () => {
  expect(complaints(read(2, 20, [5, 6]), write(1, 10, [1, 2]), read(1, 10, [3, 4]), write(2, 20, [3, 5]))).toBe('');
});

it('overlapping operations may stand either way', () => {
  expect(complaints(write(1, 10, [1, 9]), read(0, 5, [2, 8]), read(1, 10, [2, 8]))).toBe('');
});

it.each<readonly [string, readonly Register[], string]>([
  ['a stale read', [write(1, 10, [1, 2]), read(0, 5, [3, 4])], 'stands before it'],
  ['an answer that its place does not give', [write(1, 10, [1, 2]), read(0, 10, [3, 4])], 'in its place that is 1'],
  ['a lost update', [write(1, 10, [1, 4], 1), write(2, 20, [2, 5], 3)], 'was answered 3'],
  ['a commit before one that was told already', [write(1, 20, [1, 2]), write(2, 10, [3, 4])], 'stands before it'],
  ['two commits of one time', [write(1, 10, [1, 4]), write(2, 10, [1, 4])], 'share a time'],
  ['an error that was never true', [write(1, 10, [1, 2]), read(0, null, [3, 4])], 'at no time in between'],
  ['an error from the future', [read(1, null, [1, 2]), write(1, 10, [3, 4])], 'at no time in between'],
])('%s is not explained', (_, operations, complaint) => {
  expect(complaints(...operations)).toContain(complaint);
});

it('a write that says it was none is not explained', () => {
  expect(complaints({ ...write(1, 10, [1, 2]), wrote: false })).toContain('says it wrote nothing');
});

it('an error may be true anywhere between question and answer', () => {
  expect(complaints(write(1, 10, [1, 9]), write(2, 20, [1, 9]), read(1, null, [2, 8]), read(2, null, [2, 8]), read(0, null, [2, 8]))).toBe('');
});

it('a write without an answer counts where it is found, and not where it is not', () => {
  const lost = { responded: Number.POSITIVE_INFINITY, answer: UNKNOWN };
  expect(complaints({ ...write(1, 10, [1, 2]), ...lost }, read(1, 10, [3, 4]))).toBe('');
  expect(complaints({ ...write(1, 10, [1, 2]), ...lost, ts: null }, read(0, 5, [3, 4]))).toBe('');
  expect(complaints({ ...write(1, 10, [1, 2]), ...lost, ts: null }, read(1, 5, [3, 4]))).toContain('in its place that is 0');
});

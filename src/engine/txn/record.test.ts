import { expect, it } from 'vitest';
import { testPlatform } from '../../testing/platform.ts';
import { type Commit, decodeCommits, encodeCommits } from './record.ts';

const { utf8 } = testPlatform();
const requestHash = '\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\xff';

it('a record is the bytes that every build must go on reading', () => {
  const commit: Commit = { ts: 3, requestHash, now: 2, rows: [{ key: 'V\0\xff', text: 'c{}' }, { key: 'H', text: 'é' }] };
  expect(Buffer.from(encodeCommits([commit], utf8)).toString('hex')).toBe(
    [
      '01', // commits
      '20', // length of the header
      '4008000000000000', // ts
      '000102030405060708090a0b0c0d0eff',
      '4000000000000000', // now
      '02', // rows
      '03', '5600ff', '03', '637b7d',
      '01', '48', '02', 'c3a9',
    ].join(''),
  );
});

it.each([
  ['nothing', ''],
  ['ASCII as long as one byte of length can say', 'x'.repeat(127)],
  ['ASCII longer than that', 'x'.repeat(128)],
  ['ASCII longer than the buffer at first', 'x'.repeat(5000)],
  ['a letter that is not ASCII after many that are', `${'x'.repeat(3000)}ü`],
  ['many of them', 'ü€😀'.repeat(2000)],
])('a text of %s comes back as it was', (_, text) => {
  const commits: Commit[] = [
    { ts: 1_577_836_800_000_000, requestHash, now: 1_577_836_800_000_000, rows: [{ key: 'Va', text }, { key: 'Vb', text: 'after' }] },
    { ts: 1_577_836_800_000_001, requestHash, now: 1_577_836_800_000_000, rows: [] },
  ];
  expect(decodeCommits(encodeCommits(commits, utf8), utf8)).toEqual(commits);
});

it('a void record has no commits', () => {
  expect(decodeCommits(new Uint8Array(), utf8)).toEqual([]);
});

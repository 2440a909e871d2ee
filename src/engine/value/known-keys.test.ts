import { expect, it } from 'vitest';
import { knownKeys, perKeys } from './known-keys.ts';

it('gives one list for all that are the same', () => {
  const list = knownKeys(['author', 'title']);
  expect(knownKeys(['author', 'title'])).toBe(list);
  expect(list).toEqual(['author', 'title']);
});

it.each([[[]], [['']], [['', '']], [['a\ud800b']], [['a', 'b']], [['a\ud800b', 'c']], [['a', 'b\ud800c']], [['a', 'b', 'c']], [['x'.repeat(2000)]]])(
  'never gives another list (%#)',
  (keys) => {
    for (let round = 0; round < 2; round++) expect(knownKeys([...keys])).toEqual(keys);
  },
);

it('keeps no more than some lists, and goes on', () => {
  for (let number = 0; number < 5000; number++) expect(knownKeys([`k${number}`, 'v'])).toEqual([`k${number}`, 'v']);
});

it('makes what depends on keys once for each list', () => {
  let made = 0;
  const count = perKeys((keys) => [++made, keys.length]);
  expect([count(['one', 'two']), count(['one', 'two']), count(['one'])]).toEqual([[1, 2], [1, 2], [2, 1]]);
});

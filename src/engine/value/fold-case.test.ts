import { describe, expect, it } from 'vitest';
import { foldCase } from './fold-case.ts';

describe('folded text', () => {
  it.each([
    ['John Doe', 'john doe'],
    ['Weißkopfseeadler', 'weisskopfseeadler'],
    ['GROẞ', 'gross'],
    ['φιλόσοφος', 'φιλόσοφοσ'],
    ['İstanbul', 'i̇stanbul'],
    ['Diyarbakır', 'diyarbakır'],
    ['ﬁne ①', 'fine 1'],
    ['E\u0301', 'é'],
    ['so\u00adft\u200d', 'soft'],
    ['ꭰꭱ', 'ᎠᎡ'],
    ['ᾳ', 'αι'],
  ])('of %s is %s', (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });

  it('stays as it is when folded again', () => {
    for (const text of ['ᾳ', 'ŉ', 'ΐ', 'Ǆ', 'ϴ', '\u1e9b\u0323']) expect(foldCase(foldCase(text))).toBe(foldCase(text));
  });
});

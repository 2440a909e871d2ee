import { describe, expect, it } from 'vitest';
import { foldCase, normalize } from './fold-case.ts';

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

describe('normal forms', () => {
  it('are those of the platform, also of long texts with marks', () => {
    const text = `${'e\u0323\u0301 \u1100\u1161'.repeat(1000)}${'\u0301\u0323'.repeat(499)}`;
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(normalize(text, form)).toBe(text.normalize(form));
  });

  it('of more than a thousand marks in a row are made a thousand at a time', () => {
    const marks = '\u0301\u0323'.repeat(500);
    const ordered = `${'\u0323'.repeat(500)}${'\u0301'.repeat(500)}`;
    expect(normalize(`${marks}${marks}b`, 'NFD')).toBe(`${ordered}${ordered}b`);
    expect(foldCase(`${marks}${marks}B`)).toBe(`${ordered}${ordered}b`);
  });
});

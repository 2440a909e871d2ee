// What holds at a place between two characters.
import { isHigh, isLow } from '../code-points.ts';
import type { CharClass } from './char-class.ts';
import { LETTER_OR_DIGIT, named } from './properties.ts';
import type { Assertion } from './syntax.ts';

const LINE_ENDS = '\n\r\u0085\u2028\u2029';
const isLineEnd = (text: string, at: number, unixLines: boolean): boolean =>
  at >= 0 && at < text.length && (unixLines ? text.charAt(at) === '\n' : LINE_ENDS.includes(text.charAt(at)));
const insideCrLf = (text: string, at: number): boolean => text.charAt(at - 1) === '\r' && text.charAt(at) === '\n';

export const atStart: Assertion = (_, at) => at === 0;
export const atEnd: Assertion = (text, at) => at === text.length;
export const afterPrevious: Assertion = (_, at, previous) => at === previous;

/** `$` and `\Z`: at the end, or before a line end that is the last. */
export const atLastLine = (unixLines: boolean): Assertion => (text, at) => {
  if (at === text.length) return true;
  if (!isLineEnd(text, at, unixLines) || (!unixLines && insideCrLf(text, at))) return false;
  return at === text.length - 1 || (!unixLines && at === text.length - 2 && text.endsWith('\r\n'));
};

/** `^` of multiline mode: not at the very end, even after a line end or of an empty text. */
export const atLineStart = (unixLines: boolean): Assertion => (text, at) =>
  at < text.length && (at === 0 || (isLineEnd(text, at - 1, unixLines) && (unixLines || !insideCrLf(text, at))));

/** `$` of multiline mode. */
export const atLineEnd = (unixLines: boolean): Assertion => (text, at) =>
  at === text.length || (isLineEnd(text, at, unixLines) && (unixLines || !insideCrLf(text, at)));

const MARK = named('Mn', { ignoreCase: false, wide: false }) as CharClass;
const WIDE_WORD = named('IsWord', { ignoreCase: false, wide: true }) as CharClass;

/** `\b` and, negated, `\B`. Words are of letters and digits of any script, unlike `\w`; marks belong to their letter. */
export const wordBoundary = (negated: boolean, wide: boolean): Assertion => {
  const isWord = wide ? WIDE_WORD.has : (c: number): boolean => c === 0x5f || LETTER_OR_DIGIT.has(c);
  return (text, at, _, effort) => {
    const inWord = (c: number, at: number): boolean => isWord(c) || (MARK.has(c) && hasBase(text, at, effort));
    const left = at > 0 && inWord(pointBefore(text, at), at - 1);
    const right = at < text.length && inWord(text.codePointAt(at) as number, at);
    return (left !== right) !== negated;
  };
};

function hasBase(text: string, from: number, effort: { spent: number }): boolean {
  for (let at = from; at >= 0; at--) {
    effort.spent++;
    const c = text.codePointAt(at) as number;
    if (LETTER_OR_DIGIT.has(c)) return true;
    if (!MARK.has(c)) return false;
  }
  return false;
}

/** The code point that ends at a place. */
function pointBefore(text: string, at: number): number {
  return text.codePointAt(stepBack(text, at)) as number;
}

/** The place one code point back. */
export function stepBack(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  const paired = at > 1 && isLow(low) && isHigh(text.charCodeAt(at - 2));
  return at - (paired ? 2 : 1);
}

/** Control characters, flags, pictures joined to one, Hangul syllables, anything; with the marks that follow. */
const CLUSTER = new RegExp(
  [
    '\\r\\n|\\p{Cc}|(?:\\p{RI}{2}',
    '\\p{Extended_Pictographic}(?:[\\p{M}\\p{Emoji_Modifier}]*\\u200d\\p{Extended_Pictographic})*',
    '[\\u1100-\\u115f\\ua960-\\ua97c]*[\\u1160-\\u11a7\\uac00-\\ud7a3][\\u1160-\\u11a7]*[\\u11a8-\\u11ff]*',
    '[\\u1100-\\u115f\\ua960-\\ua97c]+',
    '[^])[\\p{M}\\u200c\\u200d\\p{Emoji_Modifier}]*',
  ].join('|'),
  'uy',
);

/** The place after the grapheme cluster that begins here; the same place at the end. */
export function clusterEnd(text: string, at: number): number {
  CLUSTER.lastIndex = at;
  return at + (CLUSTER.exec(text)?.[0].length ?? 0);
}

/** `\b{g}`: between grapheme clusters. */
export const clusterBoundary: Assertion = (text, at, _, effort) => {
  effort.spent += at;
  let end = 0;
  while (end < at) end = clusterEnd(text, end);
  return end === at;
};

// Text without regard to case and compatibility forms: NFKC_Casefold of Unicode. `casefold`
// and the index transform of that name share it, and indexes store what it gives.

/**
 * Folded text: NFKC, full case folding, invisible characters left out, NFKC again.
 * `Weißkopf` is `weisskopf`, `ﬁ` is `fi`, every sigma is `σ`.
 */
export function foldCase(text: string): string {
  return isPlain(text) ? text.toLowerCase() : foldOnce(foldOnce(text));
}

const isPlain = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

/** Marks in a row that are brought into order. The platform's way to do it takes their number squared, and no language has so many. */
const MARKS = 1000;
const RUN = new RegExp(`\\p{M}{1,${MARKS}}`, 'gu');

/** A normal form of a text, in which longer runs of marks fall into several. */
export function normalize(text: string, form: string): string {
  let normal = '';
  let from = 0;
  for (const { 0: marks, index } of text.length < MARKS ? [] : text.matchAll(RUN)) {
    if (marks.length < MARKS) continue;
    const end = index + marks.length;
    normal += text.slice(from, end).normalize(form);
    from = end;
  }
  return normal + text.slice(from).normalize(form);
}

function foldOnce(text: string): string {
  let folded = '';
  for (const character of normalize(text, 'NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')) folded += foldCharacter(character);
  return normalize(folded, 'NFKC');
}

/** Folding is lower case of upper case, one character at a time, with these exceptions. */
function foldCharacter(character: string): string {
  if (character === 'ı' || CHEROKEE.test(character)) return character;
  if (character === 'ẞ') return 'ss';
  if (SMALL_CHEROKEE.test(character)) return character.toUpperCase();
  let folded = '';
  for (const upper of character.toUpperCase()) folded += upper.toLowerCase();
  return folded;
}

/** Cherokee folds to its capitals, which were there first. */
const CHEROKEE = /^[\u13a0-\u13f5]$/;
const SMALL_CHEROKEE = /^[\u13f8-\u13fd\uab70-\uabbf]$/;

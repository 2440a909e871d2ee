// Sets of characters as predicates over code points, and the case rules of java.util.regex.

export interface CharClass {
  readonly has: (codePoint: number) => boolean;
  /**
   * Whether only characters of the basic plane can be in it. If all classes of a pattern are
   * so, a search also tries to begin inside a surrogate pair.
   */
  readonly basic: boolean;
}

export const charClass = (has: (codePoint: number) => boolean, basic = false): CharClass => ({ has, basic });

export const not = ({ has }: CharClass): CharClass => charClass((c) => !has(c));
export const either = (a: CharClass, b: CharClass): CharClass => charClass((c) => a.has(c) || b.has(c), a.basic && b.basic);
export const both = (a: CharClass, b: CharClass): CharClass => charClass((c) => a.has(c) && b.has(c), a.basic && b.basic);

/** Characters of a list of ranges, as `09azAZ`: each pair of characters is one range. */
export function ranges(pairs: string): CharClass {
  const points = [...pairs].map((character) => character.codePointAt(0) as number);
  const bounds = points.flatMap((low, at) => (at % 2 === 0 ? [[low, points[at + 1] as number] as const] : []));
  return charClass((c) => bounds.some(([low, high]) => c >= low && c <= high), points.every((c) => c < 0x10000));
}

export interface CaseRules {
  readonly ignoreCase: boolean;
  /** Case by Unicode rather than by ASCII. */
  readonly unicodeCase: boolean;
}

export function single(c: number, { ignoreCase, unicodeCase }: CaseRules): CharClass {
  const basic = c < 0xd800 || (c > 0xdfff && c < 0x10000);
  if (ignoreCase && unicodeCase) {
    const folded = foldCase(c);
    if (toUpper(c) !== folded) return charClass((other) => other === folded || foldCase(other) === folded);
  } else if (ignoreCase && isAsciiLetter(c)) {
    return charClass((other) => (other | 0x20) === (c | 0x20), true);
  }
  return charClass((other) => other === c, basic);
}

export function range(low: number, high: number, { ignoreCase, unicodeCase }: CaseRules): CharClass {
  const inside = (c: number): boolean => c >= low && c <= high;
  if (!ignoreCase) return charClass(inside, high < 0x10000);
  if (unicodeCase) return charClass((c) => inside(c) || inside(toUpper(c)) || inside(toLower(toUpper(c))));
  return charClass((c) => inside(c) || (isAsciiLetter(c) && (inside(c | 0x20) || inside(c & ~0x20))));
}

const isAsciiLetter = (c: number): boolean => (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;

/** Equality of two characters read from text, under the rules of a back reference. */
export function sameCharacter(a: number, b: number, rules: CaseRules): boolean {
  if (a === b) return true;
  if (!rules.ignoreCase) return false;
  return rules.unicodeCase ? foldCase(a) === foldCase(b) : isAsciiLetter(a) && (a | 0x20) === (b | 0x20);
}

const foldCase = (c: number): number => toLower(toUpper(c));

/** The one character an upper-case mapping gives, by the simple rules; itself when there are several. */
function toUpper(c: number): number {
  // Their full mapping has two letters, so the platform's answer cannot be used.
  if (c >= 0x1f80 && c <= 0x1faf) return c | 8;
  if (c === 0x1fb3 || c === 0x1fc3 || c === 0x1ff3) return c + 9;
  return onlyPoint(String.fromCodePoint(c).toUpperCase(), c);
}

function toLower(c: number): number {
  return c === 0x130 ? 0x69 : onlyPoint(String.fromCodePoint(c).toLowerCase(), c);
}

function onlyPoint(text: string, otherwise: number): number {
  const point = text.codePointAt(0) as number;
  return text.length === (point > 0xffff ? 2 : 1) ? point : otherwise;
}

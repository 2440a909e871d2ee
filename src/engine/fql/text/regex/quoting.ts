// `\Q…\E`: quoted text is written out with backslashes before a pattern is read.

const BACKSLASH = 0x5c;
const UPPER_E = 0x45;
const UPPER_Q = 0x51;

const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isLetter = (c: number): boolean => (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;

/** The code points of a pattern, free of `\Q` and `\E`. */
export function unquote(pattern: string): readonly number[] {
  const points = [...pattern].map((character) => character.codePointAt(0) as number);
  const result: number[] = [];
  let quoted = false;
  let first = false;
  for (let at = 0; at < points.length; at++) {
    const c = points[at] as number;
    const next = points[at + 1];
    if (!quoted && c === BACKSLASH) {
      at++;
      if (next === UPPER_Q) quoted = first = true;
      else result.push(c, ...(next === undefined ? [] : [next]));
    } else if (quoted && c === BACKSLASH && next === UPPER_E) {
      at++;
      quoted = false;
    } else {
      result.push(...(quoted ? literal(c, first) : [c]));
      first = false;
    }
  }
  return result;
}

function literal(c: number, first: boolean): readonly number[] {
  // As \x3N: a digit right after `\Q` must not become part of an escape before it.
  if (isDigit(c) && first) return [BACKSLASH, 0x78, 0x33, c];
  return isDigit(c) || isLetter(c) ? [c] : [BACKSLASH, c];
}

// Lengths and offsets of strings count code points; half of a surrogate pair alone is one.

export const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
export const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** How many code points begin in a range of UTF-16 offsets. */
export function countPoints(text: string, from = 0, to = text.length): number {
  let count = to - from;
  for (let at = Math.max(from, 1); at < to; at++) {
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) count--;
  }
  return count;
}

/** The UTF-16 offset after so many code points, at most the end. */
export function offsetOfPoint(text: string, points: number): number {
  let at = 0;
  for (let left = points; left > 0 && at < text.length; left--) {
    at += isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
  }
  return at;
}

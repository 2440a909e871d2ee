/** Whether `Character.isWhitespace` holds: spaces that may break, separators, and U+0009–D, U+001C–F. */
export function isJavaWhitespace(c: number): boolean {
  if (c <= 0x20) return (c >= 0x9 && c <= 0xd) || c >= 0x1c;
  return c > 0x7f && c !== 0xa0 && c !== 0x2007 && c !== 0x202f && /^\p{Z}$/u.test(String.fromCodePoint(c));
}

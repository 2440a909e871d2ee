/** Whether `Character.isWhitespace` holds: spaces that may break, separators, and U+0009–D, U+001C–F. */
export function isJavaWhitespace(c: number): boolean {
  if (c <= 0x20) return (c >= 0x9 && c <= 0xd) || c >= 0x1c;
  return c > 0x7f && c !== 0xa0 && c !== 0x2007 && c !== 0x202f && /^\p{Z}$/u.test(String.fromCodePoint(c));
}

export function trimStart(text: string): string {
  let at = 0;
  while (at < text.length && isJavaWhitespace(text.charCodeAt(at))) at++;
  return text.slice(at);
}

export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isJavaWhitespace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

export const trimSpace = (text: string): string => trimStart(trimEnd(text));

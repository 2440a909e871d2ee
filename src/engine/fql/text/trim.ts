/** Without the characters up to U+0020 at both ends: what Java's `trim` does, no more and no less. */
export function trimControls(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= 0x20) from++;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--;
  return text.slice(from, to);
}

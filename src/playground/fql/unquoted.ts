const ESCAPE = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[^]))/g;
const CONTROL: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '', '\r\n': '' };

/**
 * The text that a string of JavaScript stands for, given with its quotes.
 * @throws RangeError where an escape is beyond the last character
 */
export function unquoted(literal: string): string {
  return literal.slice(1, -1).replace(ESCAPE, (_, point?: string, unit?: string, byte?: string, plain = '') => {
    const code = point ?? unit ?? byte;
    return code === undefined ? (CONTROL[plain] ?? plain) : String.fromCodePoint(parseInt(code, 16));
  });
}

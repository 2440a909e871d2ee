const ESCAPE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[^]))/gi;
const CONTROL: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '', '\r\n': '' };

/** The text that a string of JavaScript stands for, given with its quotes. */
export function unquoted(literal: string): string {
  return literal.slice(1, -1).replace(ESCAPE, (_, point?: string, unit?: string, byte?: string, plain = '') => {
    const code = point ?? unit ?? byte;
    return code === undefined ? (CONTROL[plain] ?? plain) : String.fromCodePoint(parseInt(code, 16));
  });
}

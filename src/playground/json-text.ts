// JSON laid out for reading. Works on the text, not on parsed values: `1.0`, large integers and
// the order of keys stay as the database wrote them. What fits on a line stays on it, and a tagged
// value (`@ref`, `@ts`, …) also when it is longer: it is one thing to a reader.

export type TokenKind = 'key' | 'tag' | 'string' | 'number' | 'atom' | 'mark' | 'space';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

type Node = Leaf | Branch;

interface Leaf {
  readonly token: Token;
  readonly width: number;
}

interface Branch {
  readonly open: '{' | '[';
  readonly items: readonly { readonly key: Token | null; readonly value: Node }[];
  /** Characters when written on one line. */
  readonly width: number;
}

/** Columns of a line that nobody has measured. */
export const LINE = 80;

/** A tagged value up to this width is not broken. */
const TAGGED_LINE = 180;

/** The tokens of the laid out text, or `null` when it is not JSON. */
export function layOut(json: string, columns = LINE): readonly Token[] | null {
  const root = read(json);
  if (root === null) return null;
  const out: Token[] = [];
  write(root, columns, 0, 0, false, out);
  return out;
}

export const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join('');

/** The text laid out; as it is when it is not JSON. */
export function laidOut(json: string): string {
  const tokens = layOut(json);
  return tokens === null ? json : textOf(tokens);
}

/** A value as laid out JSON text. */
export const prettyJson = (value: unknown): string => laidOut(JSON.stringify(value));

const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;

function read(json: string): Node | null {
  const scan = new RegExp(TOKEN);
  const next = (): Token | null => {
    const found = scan.exec(json);
    if (found === null) return null;
    const [, mark, string, number, atom] = found;
    if (mark !== undefined) return { kind: 'mark', text: mark };
    if (string !== undefined) return { kind: 'string', text: string };
    if (number !== undefined) return { kind: 'number', text: number };
    return { kind: 'atom', text: atom ?? '' };
  };

  const value = (first: Token | null): Node | null => {
    if (first === null) return null;
    if (first.kind !== 'mark') return { token: first, width: first.text.length };
    if (first.text === '[') return list('[', ']', () => ({ key: null }));
    if (first.text === '{') return list('{', '}', readKey);
    return null;
  };

  const readKey = (first: Token | null): { key: Token } | null => {
    if (first?.kind !== 'string' || next()?.text !== ':') return null;
    return { key: { kind: first.text.startsWith('"@') ? 'tag' : 'key', text: first.text } };
  };

  const list = (open: '{' | '[', close: string, readKeyOf: (first: Token | null) => { key: Token | null } | null): Node | null => {
    const items: { key: Token | null; value: Node }[] = [];
    let width = open === '{' ? 4 : 2;
    let token = next();
    if (token?.kind === 'mark' && token.text === close) return { open, items, width: 2 };
    for (;;) {
      const named = readKeyOf(token);
      if (named === null) return null;
      const node = value(named.key === null ? token : next());
      if (node === null) return null;
      items.push({ key: named.key, value: node });
      width += node.width + 2 + (named.key === null ? 0 : named.key.text.length + 2);
      token = next();
      if (token?.text === close) return { open, items, width: width - 2 };
      if (token?.text !== ',') return null;
      token = next();
    }
  };

  try {
    const root = value(next());
    return json.slice(scan.lastIndex).trim() === '' ? root : null;
  } catch {
    // Nested deeper than the stack: shown as it came.
    return null;
  }
}

/**
 * @param used characters already on the line, beside the indentation
 * @param inLine whether what it stands in is on one line
 */
function write(node: Node, columns: number, depth: number, used: number, inLine: boolean, out: Token[]): void {
  if ('token' in node) return void out.push(node.token);
  const isTagged = node.items.length === 1 && node.items[0]?.key?.kind === 'tag';
  const flat = inLine || depth * 2 + used + node.width <= (isTagged ? Math.max(columns, TAGGED_LINE) : columns) || node.items.length === 0;
  const close = node.open === '{' ? '}' : ']';
  const pad = flat ? (node.open === '{' && node.items.length > 0 ? ' ' : '') : `\n${'  '.repeat(depth + 1)}`;
  out.push({ kind: 'mark', text: node.open });
  node.items.forEach(({ key, value }, position) => {
    if (position > 0) out.push({ kind: 'mark', text: ',' });
    out.push({ kind: 'space', text: position > 0 && flat ? ' ' : pad });
    if (key !== null) out.push(key, { kind: 'mark', text: ': ' });
    write(value, columns, depth + 1, key === null ? 1 : key.text.length + 3, flat, out);
  });
  if (node.items.length > 0) out.push({ kind: 'space', text: flat ? pad : `\n${'  '.repeat(depth)}` });
  out.push({ kind: 'mark', text: close });
}

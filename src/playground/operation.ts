// Which operation of a GraphQL text is meant, where it holds several. Found by words and brackets
// alone: a text that is being written seldom parses as a whole.

interface Operation {
  /** Position of its first character. */
  readonly from: number;
  readonly name: string | undefined;
}

const TOKEN = /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#.*|[$@]\w+|\w+|[{}()[\]]/g;

/** The name of the operation at the cursor, or before it; `undefined` where that has none, or is the only one. */
export function operationAt(text: string, cursor: number): string | undefined {
  const all = operations(text);
  return all.length < 2 ? undefined : (all.findLast(({ from }) => from <= cursor) ?? all[0])?.name;
}

function operations(text: string): readonly Operation[] {
  const found: Operation[] = [];
  let depth = 0;
  /** What stands before the braces of a definition: its kind, its name, `on` and a type. */
  let head: string[] = [];
  let from = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (depth === 0 && head.length === 0) from = index;
    if (/^[{([]/.test(token)) depth++;
    else if (/^[})\]]/.test(token)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && /^[\w@]/.test(token)) head.push(token);
    if (token === '}' && depth === 0) {
      const [kind = 'query', name] = head;
      if (kind !== 'fragment') found.push({ from, name: name?.startsWith('@') ? undefined : name });
      head = [];
    }
  }
  return found;
}

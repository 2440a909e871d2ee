// What the function reference is made of: the registry's entries as plain data.

export interface Parameter {
  readonly key: string;
  /** Types as messages name them, or what else may stand there. */
  readonly takes: string;
  readonly optional: boolean;
  /** Whether an array of them is taken, too. */
  readonly many: boolean;
}

/** One set of keys under a name. */
export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly effect: string;
  /** First and last version that knows it. */
  readonly since?: string;
  readonly until?: string;
  readonly summary: string;
  readonly examples: readonly { readonly query: string; readonly answer: string }[];
}

export interface FunctionEntry {
  readonly name: string;
  readonly signatures: readonly Signature[];
}

export interface Family {
  readonly title: string;
  readonly functions: readonly FunctionEntry[];
}

/** The entries that have every word: in their family's title, their name, their keys or what is said of them. */
export function found(families: readonly Family[], words: string): ReadonlySet<FunctionEntry> {
  const wanted = words.split(/[\s,]+/).map(plain).filter((word) => word !== '');
  const all = families.flatMap(({ title, functions }) => functions.map((entry) => ({ entry, text: textOf(title, entry) })));
  return new Set(all.filter(({ text }) => wanted.every((word) => text.includes(word))).map(({ entry }) => entry));
}

function textOf(title: string, { name, signatures }: FunctionEntry): string {
  const said = signatures.flatMap(({ parameters, summary }) => [summary, ...parameters.map(({ key }) => key)]);
  return plain([title, name, ...said].join(' '));
}

/** What drivers call `CreateIndex` is `create_index` here, and `İndex` or `ｉｎｄｅｘ` where keyboards make other letters. */
export const plain = (text: string): string => text.normalize('NFKD').toLowerCase().replaceAll('ı', 'i').replace(/[_\p{M}]/gu, '');

export const versionsOf = ({ since, until }: Signature): string =>
  since !== undefined ? `from version ${since}` : until !== undefined ? `up to version ${until}` : 'all versions';

/** Where the playground opens with a query in its editor. */
export const tryAddress = (base: string, query: string): string => `${base}#try=${encodeURIComponent(query)}`;

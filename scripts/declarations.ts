// The types of a module in one file, for projects that know nothing of this one's folders: the
// compiler writes a file of declarations for each file of the source, and of those an export
// needs few.
import { join } from 'node:path/posix';
import { parseSync, Visitor } from 'vite';
import type { ESTree } from 'vite';

/** What a file of declarations calls by a name. */
interface Place {
  readonly file: string;
  readonly name: string;
}

interface Declarations {
  /** Each with the comment before it; a function may have several. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** All names that stand in a declaration. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  readonly imports: ReadonlyMap<string, Place>;
  readonly exports: ReadonlyMap<string, Place>;
  /** Files whose exports are this one's, too. */
  readonly stars: readonly string[];
}

/**
 * @param entry path of the module's source
 * @param read gives the declarations of a source by its path
 * @throws Error where two declarations would need the same name
 */
export function rollUp(entry: string, read: (path: string) => string): string {
  const files = new Map<string, Declarations>();
  const fileAt = (path: string): Declarations => {
    const known = files.get(path) ?? parse(path, read(path));
    files.set(path, known);
    return known;
  };

  /** Where an export is declared, by way of all files that only pass it on. */
  const find = ({ file, name }: Place): Place | null => {
    const { texts, imports, exports, stars } = fileAt(file);
    const passed = exports.get(name);
    if (passed === undefined) return stars.map((star) => find({ file: star, name })).find((found) => found !== null) ?? null;
    if (passed.file !== file) return find(passed);
    const imported = imports.get(passed.name);
    return imported === undefined ? (texts.has(passed.name) ? passed : null) : find(imported);
  };

  const exportsOf = (file: string): readonly string[] => {
    const { exports, stars } = fileAt(file);
    return [...new Set([...exports.keys(), ...stars.flatMap(exportsOf)])];
  };

  const found = new Map<string, string>();
  const pieces: string[] = [];
  const isExported = new Set(exportsOf(entry));
  const take = ({ file, name }: Place): void => {
    if (found.get(name) === file) return;
    if (found.has(name)) throw new Error(`${name} is declared by ${found.get(name)} and by ${file}`);
    found.set(name, file);
    const { texts, names, imports } = fileAt(file);
    for (const text of texts.get(name) ?? []) pieces.push(isExported.has(name) ? text.replace(DECLARATION, 'export $&') : text);
    for (const used of names.get(name) ?? []) {
      const place = imports.has(used) ? find(imports.get(used) as Place) : texts.has(used) ? { file, name: used } : null;
      if (place !== null) take(place);
    }
  };
  for (const name of isExported) {
    const place = find({ file: entry, name });
    if (place === null) throw new Error(`${entry} exports ${name}, which is declared nowhere`);
    if (place.name !== name) throw new Error(`${entry} exports ${place.name} under another name`);
    take(place);
  }
  // Without it all that is declared would be exported.
  return `${[...pieces, 'export {};'].join('\n')}\n`;
}

const DECLARATION = /^(?:declare|interface|type)\b/m;

function parse(file: string, code: string): Declarations {
  const { program, module } = parseSync('file.d.ts', code);
  const at = (source: string): string => join(file, '..', source);
  const texts = new Map<string, string[]>();
  const names = new Map<string, Set<string>>();
  let end = 0;
  for (const statement of program.body) {
    const before = code.slice(end, statement.start);
    ({ end } = statement);
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    for (const name of declaration === null ? [] : namesDeclared(declaration)) {
      const comment = before.slice(Math.max(0, before.indexOf('/**'))).trim();
      texts.set(name, [...(texts.get(name) ?? []), `${comment}${comment && '\n'}${code.slice(declaration?.start, end)}`]);
      names.set(name, new Set([...(names.get(name) ?? []), ...namesIn({ ...program, body: [statement] })]));
    }
  }
  const entries = module.staticExports.flatMap((one) => one.entries);
  return {
    texts,
    names,
    imports: new Map(module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map(({ localName, importName }) => [localName.value, { file: at(moduleRequest.value), name: importName.name ?? '' }]))),
    exports: new Map(entries.flatMap(({ exportName, localName, importName, moduleRequest }): [string, Place][] =>
      exportName.name === null ? [] : [[exportName.name, moduleRequest === null ? { file, name: localName.name ?? '' } : { file: at(moduleRequest.value), name: importName.name ?? '' }]])),
    stars: entries.flatMap(({ exportName, moduleRequest }) => (exportName.name === null && moduleRequest !== null ? [at(moduleRequest.value)] : [])),
  };
}

function namesDeclared(statement: ESTree.Node): readonly string[] {
  if (statement.type === 'VariableDeclaration') return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return 'id' in statement && statement.id !== null && 'name' in statement.id ? [String(statement.id.name)] : [];
}

/** Those of members, too, which does no harm: only what the file declares or imports is looked up. */
function namesIn(program: ESTree.Program): ReadonlySet<string> {
  const names = new Set<string>();
  new Visitor({ Identifier: ({ name }) => void names.add(name) }).visit(program);
  return names;
}

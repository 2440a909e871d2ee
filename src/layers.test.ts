// The map of the house, and the test that it is true.
//
// The tables say who may know whom. Type-only imports count: a layer that needs another's types depends on it.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname, join, normalize } from 'node:path/posix';
import { parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';

/** The layers of the engine, lowest first. Each may import itself and those before it; those in one row not each other. */
const LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['value'],
  ['errors'],
  ['order'],
  ['wire'],
  ['kv'],
  ['txn'],
  ['transfer'],
  ['schema'],
  ['auth'],
  ['form'],
  ['set', 'doc'],
  ['stream'],
  ['fql'],
  ['graphql'],
  ['http'],
];

/** The engine's own files on top: they put the layers together, and no layer knows them. */
const ENGINE_TOP = 'engine/*.ts';

/** The engine as seen from outside. */
const ENGINE = ['engine/index.ts', 'engine/http/message.ts'];

interface Door {
  /** Files this holds for. */
  readonly files: string;
  /** What they may import besides their own folder. */
  readonly may: readonly string[];
  /** Of these only types. */
  readonly typesOf?: readonly string[];
}

/** What is outside the engine; the first row that fits a file holds. */
const HOSTS: readonly Door[] = [
  { files: 'storage/**', may: ['engine/kv/**', 'engine/base/**'] },
  { files: 'protocol/**', may: [], typesOf: ENGINE },
  { files: 'host/**', may: [...ENGINE, 'engine/base/**', 'protocol/**', 'storage/**'] }, // what worker and sw share
  { files: 'worker/**', may: [...ENGINE, 'protocol/**', 'storage/**', 'host/**'] },
  { files: 'sw/sw-engine.ts', may: [...ENGINE, 'protocol/**', 'storage/**', 'host/**'] }, // run when no tab answers
  { files: 'sw/**', may: ['protocol/**'], typesOf: ['engine/http/message.ts', 'host/engine-host.ts'] },
  { files: 'page/**', may: ['protocol/**'], typesOf: ['engine/http/message.ts'] },
  { files: 'playground/rescue.ts', may: ['storage/raw-copy.ts', 'playground/**'] }, // of what no page API opens
  { files: 'playground/**', may: ['page/**'] },
  { files: 'testing/**', may: ['**'] },
];

/** Where a package may be imported. One that is not named here is for the playground and the tests alone. */
const PACKAGES: readonly { readonly name: string; readonly in: readonly string[] }[] = [
  { name: 'graphql', in: ['engine/graphql/**'] },
  { name: 'idb', in: ['storage/idb*.ts', 'storage/database.ts', 'storage/emptying.ts', 'storage/fresh-log.ts', 'storage/upgrade.ts', 'testing/native-database.ts'] },
  { name: 'comlink', in: ['worker/**', 'sw/**', 'page/**', 'protocol/**'] },
];
const OTHER_PACKAGES = { in: ['playground/**', 'testing/**'] };
const NODE_MODULES_OF_NODE = { in: ['testing/**'] };

/** A value holds objects and an object holds values: one recursive type, for its length in two files. */
const ONE_TYPE_IN_TWO_FILES = ['engine/value/obj.ts', 'engine/value/value.ts'];

/** The engine has no clock, no chance and no way out of the types: these come through `Platform`, or not at all. */
const FORBIDDEN_IN_ENGINE: readonly { readonly word: string; readonly says: (source: Source) => boolean }[] = [
  { word: 'Date.now', says: ({ code }) => /\bDate\.now\b/.test(code) },
  { word: 'new Date(', says: ({ code }) => /\bnew Date\(/.test(code) },
  { word: 'Math.random', says: ({ code }) => /\bMath\.random\b/.test(code) },
  { word: 'performance.', says: ({ code }) => /\bperformance\./.test(code) },
  { word: 'any (the type)', says: ({ saysAny }) => saysAny },
  { word: '@ts-ignore', says: ({ text }) => /@ts-ignore\b/.test(text) },
];

const LONGEST_FILE = 400;

// --- Reading the source ---

interface Import {
  /** As written. */
  readonly name: string;
  /** The file under `src`, or null for a package. */
  readonly file: string | null;
  readonly typeOnly: boolean;
}

interface Source {
  /** Relative to `src`. */
  readonly path: string;
  readonly text: string;
  /** The text, its comments blanked. */
  readonly code: string;
  /** The type `any` stands in it. */
  readonly saysAny: boolean;
  readonly imports: readonly Import[];
}

const src = dirname(fileURLToPath(import.meta.url));
const isTest = (path: string): boolean => path.endsWith('.test.ts');

function readSource(path: string): Source {
  const text = readFileSync(join(src, path), 'utf8');
  const { module, comments, program } = parseSync(path, text);
  let code = text;
  for (const { start, end } of comments) code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end);
  let saysAny = false;
  new Visitor({ TSAnyKeyword: () => { saysAny = true; } }).visit(program);
  const entries = (all: readonly { readonly isType: boolean }[]): boolean =>
    all.length > 0 && all.every((entry) => entry.isType);
  const found = [
    ...module.staticImports.map((one) => ({ name: one.moduleRequest.value, typeOnly: entries(one.entries) })),
    ...module.staticExports.flatMap(({ entries: [first, ...rest] }) =>
      first?.moduleRequest ? [{ name: first.moduleRequest.value, typeOnly: entries([first, ...rest]) }] : []),
    // Both `await import('…')` and the type `import('…').Name`.
    ...[...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)].map((match) =>
      ({ name: match[1] ?? '', typeOnly: false })),
  ];
  const imports = found.map(({ name, typeOnly }) =>
    ({ name, typeOnly, file: name.startsWith('.') ? normalize(join(dirname(path), name)) : null }));
  return { path, text, code, saysAny, imports };
}

const sources: readonly Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .sort()
  .map(readSource);
const shipped = sources.filter(({ path }) => !isTest(path));

/** `*` stays within a folder, `**` does not. */
function fits(path: string, pattern: string): boolean {
  const parts = pattern.split(/(\*\*|\*)/).map((part) =>
    part === '**' ? '.*' : part === '*' ? '[^/]*' : part.replaceAll('.', '\\.'));
  return new RegExp(`^${parts.join('')}$`).test(path);
}
const fitsOne = (path: string, patterns: readonly string[]): boolean => patterns.some((pattern) => fits(path, pattern));

// --- The rules ---

const rank = (layer: string): number => LAYERS.findIndex((row) => row.includes(layer));

/** Why a file of the engine may not import another, or null. */
function wrongInEngine(from: string, to: string): string | null {
  const [, own = ''] = from.split('/');
  const [area, layer = ''] = to.split('/');
  if (area !== 'engine') return 'the engine imports only itself';
  if (fits(from, ENGINE_TOP)) return null;
  if (fits(to, ENGINE_TOP)) return 'no layer imports what is on top';
  if (rank(own) === -1) return `engine/${own} is not a layer`;
  if (layer === own || rank(layer) < rank(own)) return null;
  return `${layer} is not below ${own}`;
}

/** Why a file outside the engine may not import another, or null. */
function wrongInHost(from: string, to: string, typeOnly: boolean): string | null {
  const folder = from.split('/')[0] ?? '';
  const door = HOSTS.find(({ files }) => fits(from, files));
  if (door === undefined) return `${folder} is not in the table`;
  if (fits(to, `${folder}/**`) || fitsOne(to, door.may)) return null;
  if (!fitsOne(to, door.typesOf ?? [])) return `${folder} may not know it`;
  return typeOnly ? null : `${folder} may take only types from it`;
}

function wrongDirection({ path }: Source, { file, typeOnly }: Import): string | null {
  // `worker.ts?worker` and the like import an address, not code; styles and samples have no layer.
  if (file === null || !file.endsWith('.ts')) return null;
  return path.startsWith('engine/') ? wrongInEngine(path, file) : wrongInHost(path, file, typeOnly);
}

function wrongPackage({ path }: Source, { file, name }: Import): string | null {
  if (file !== null) return null;
  const own = PACKAGES.find((one) => name === one.name || name.startsWith(`${one.name}/`));
  const rule = own ?? (name.startsWith('node:') ? NODE_MODULES_OF_NODE : OTHER_PACKAGES);
  return fitsOne(path, rule.in) ? null : `it belongs to ${rule.in.join(', ')}`;
}

const complaints = (rule: (source: Source, one: Import) => string | null): string[] =>
  shipped.flatMap((source) => source.imports.flatMap((one) => {
    const wrong = rule(source, one);
    return wrong === null ? [] : [`${source.path} imports ${one.name}: ${wrong}`];
  }));

/** Each circle of imports once, as the files in it. */
function circles(): string[] {
  const edges = new Map(shipped.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) found.push([...trail.slice(start), path].join(' → '));
    if (start !== -1 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}

it('reads the source it judges', () => {
  const index = sources.find(({ path }) => path === 'engine/index.ts');
  expect(index?.imports).toContainEqual({ name: './engine.ts', file: 'engine/engine.ts', typeOnly: true });
  expect(index?.imports).toContainEqual({ name: './engine.ts', file: 'engine/engine.ts', typeOnly: false });
});

it('every import goes down, through a door that is in the table', () => {
  expect(complaints(wrongDirection)).toEqual([]);
});

it('a package is imported only where it belongs', () => {
  expect(complaints(wrongPackage)).toEqual([]);
});

it('nothing imports itself in a circle', () => {
  const isOneType = (circle: string): boolean => circle.split(' → ').every((file) => ONE_TYPE_IN_TWO_FILES.includes(file));
  expect(circles().filter((circle) => !isOneType(circle))).toEqual([]);
});

it('nothing shipped imports a test', () => {
  expect(complaints((_, { file }) => (file !== null && isTest(file) ? 'a test' : null))).toEqual([]);
});

it.each(FORBIDDEN_IN_ENGINE)('the engine does not say `$word`', ({ says }) => {
  const guilty = shipped.filter((source) => source.path.startsWith('engine/') && says(source));
  expect(guilty.map(({ path }) => path)).toEqual([]);
});

it(`no file is longer than ${LONGEST_FILE} lines`, () => {
  const lines = ({ text }: Source): number => text.trimEnd().split('\n').length;
  expect(sources.filter((source) => lines(source) > LONGEST_FILE).map((source) => `${source.path}: ${lines(source)}`))
    .toEqual([]);
});

// What the database holds, asked as any client would: the lists of collections, indexes and
// functions, and the numbers of documents, which may take longer.
import type { Api } from './api.ts';
import { resource } from './api.ts';
import { isolated } from './isolated.ts';

export interface IndexEntry {
  readonly name: string;
  /** As `City by name`. */
  readonly about: string;
  readonly hasTerms: boolean;
}

export interface FunctionEntry {
  readonly name: string;
  /** As `(name, amount) · as server`. */
  readonly about: string;
}

/** Numbers above this are not counted to the end. */
export const COUNTED = 10_000;

/** A database with more of them than this has its own tools. */
const LISTED = 1000;

const page = (set: unknown): unknown => ({ select: ['data'], from: { paginate: set, size: LISTED } });

/** The documents that the refs on a page lead to. */
export const documentsOn = (refs: unknown): unknown => ({ map: { lambda: 'ref', expr: { get: { var: 'ref' } } }, collection: refs });

/** Each list by a request of its own: a secret may be allowed to read one of them and not another. */
export async function readCollections(api: Api): Promise<readonly string[]> {
  const collections = (await resource(api, page({ collections: null }))) as readonly Ref[];
  return collections.map(nameOf).sort(byName);
}

export const readIndexes = (api: Api): Promise<readonly IndexEntry[]> => readDefinitions(api, { indexes: null }, indexEntry);

export const readFunctions = (api: Api): Promise<readonly FunctionEntry[]> => readDefinitions(api, { functions: null }, functionEntry);

async function readDefinitions<D, E extends { readonly name: string }>(api: Api, set: unknown, entryOf: (definition: D) => E): Promise<readonly E[]> {
  const found = (await resource(api, documentsOn(page(set)))) as readonly D[];
  return found.map(entryOf).sort((a, b) => byName(a.name, b.name));
}

/** What imports of GraphQL schemas have made: collections by name, numbers of the others. */
export interface Imported {
  readonly collections: readonly string[];
  readonly indexes: number;
  readonly functions: number;
}

export async function readImported(api: Api): Promise<Imported> {
  // The gateway marks what it makes.
  const imported = (set: unknown): unknown => ({
    filter: { lambda: 'made', expr: { contains_path: ['data', 'gql'], in: { get: { var: 'made' } } } },
    collection: page(set),
  });
  const [collections, indexes, functions] = (await resource(api, [{ collections: null }, { indexes: null }, { functions: null }].map(imported))) as Ref[][];
  return { collections: (collections ?? []).map(nameOf).sort(byName), indexes: indexes?.length ?? 0, functions: functions?.length ?? 0 };
}

/** Documents of each collection, `COUNTED + 1` standing for more. */
export async function countDocuments(api: Api, collections: readonly string[]): Promise<readonly number[]> {
  const count = (name: string): unknown => ({
    count: { select: ['data'], from: { paginate: { documents: { collection: name } }, size: COUNTED + 1 } },
  });
  return (await resource(api, collections.map(count))) as number[];
}

interface Ref {
  readonly '@ref': { readonly id: string };
}

interface IndexDocument {
  readonly name: string;
  readonly unique?: boolean;
  readonly source?: unknown;
  readonly terms?: Field | readonly Field[];
  readonly values?: Field | readonly Field[];
}

interface FunctionDocument {
  readonly name: string;
  readonly role?: string | Ref;
  readonly body?: { readonly '@query'?: { readonly lambda?: string | readonly string[] } };
}

interface Field {
  readonly field?: readonly (string | number)[] | string;
  readonly binding?: string;
  readonly reverse?: boolean;
}

function indexEntry({ name, unique, source, ...written }: IndexDocument): IndexEntry {
  // One may stand without an array.
  const [terms, values] = [[written.terms ?? []].flat(), [written.values ?? []].flat()];
  const about = [
    `${sourceText(source)}${terms.length === 0 ? '' : ` by ${terms.map(fieldText).join(', ')}`}`,
    ...(values.length === 0 ? [] : [`gives ${values.map(fieldText).join(', ')}`]),
    ...(unique === true ? ['unique'] : []),
  ].join(' · ');
  return { name, about, hasTerms: terms.length > 0 };
}

function functionEntry({ name, role, body }: FunctionDocument): FunctionEntry {
  const parameters = [body?.['@query']?.lambda ?? []].flat().map(isolated).join(', ');
  return { name, about: `(${parameters})${role === undefined ? '' : ` · as ${typeof role === 'string' ? role : isolated(nameOf(role))}`}` };
}

function sourceText(source: unknown): string {
  if (Array.isArray(source)) return source.map(sourceText).join(', ');
  if (typeof source !== 'object' || source === null) return 'all';
  if ('@ref' in source) return isolated(nameOf(source as Ref));
  const { collection, class: legacy } = source as { collection?: unknown; class?: unknown };
  return sourceText(collection ?? legacy);
}

function fieldText({ field, binding, reverse }: Field): string {
  const path = Array.isArray(field) ? field.filter((step, at) => at > 0 || step !== 'data').map(String).map(isolated).join('.') : isolated(String(field ?? binding));
  return reverse === true ? `${path} ↓` : path;
}

function nameOf(ref: Ref): string {
  return ref['@ref'].id;
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en');
}

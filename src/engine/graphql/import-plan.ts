// What an import has to make: pure, from the text and from what the database already says.
import { isExhaustion } from '../base/exhaustion.ts';
import { DIRECTIVES } from './directives/index.ts';
import { expand, SchemaError } from './expand.ts';
import { databaseMeta, type Metadata } from './metadata.ts';
import { byName, collectionName, directive, documentName, EMPTY_MODEL, type Field, type Model } from './model.ts';
import type { PlannedDocument, PlannedIndex } from './planned.ts';
import { recordModel, sitesOf } from './record.ts';
import { findRelations, type Relations } from './relations.ts';
import { ImportError, readSdl } from './sdl.ts';

export const IMPORT_MODES = ['merge', 'override', 'replace'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** A document of the plan. */
type Wanted = PlannedDocument & {
  /** The text itself defines it; false: it follows from what was there, and is made only if missing. */
  readonly written: boolean;
};

export interface ImportPlan {
  /** The whole schema after the import, as recorded. */
  readonly model: Model;
  /** Collections, then functions, then indexes. */
  readonly documents: readonly Wanted[];
  /** The documents with which elements of the text were recorded before this import. */
  readonly left: readonly PlannedDocument[];
  /** `data.gql.meta` of the database; `null` when there is nothing to record. */
  readonly database: Metadata | null;
}

/**
 * @param existing the recorded model of the database; it takes part in `merge` only.
 * @throws ImportError
 */
export function planImport(text: string, mode: ImportMode, existing: Model): ImportPlan {
  const before = mode === 'merge' ? existing : EMPTY_MODEL;
  const written = readSdl(text, before);
  const merged = overlay(before, written);
  const relations = findRelations(merged.collections);
  const model = recordModel(merged, relations);
  const origins = new Set([
    ...typesOf(written).map((type) => type.name),
    ...written.query.map((field) => `Query.${field.name}`),
    ...written.mutation.map((field) => `Mutation.${field.name}`),
  ]);
  const uses = usesOf(model, relations, origins);
  const refusals = uses.flatMap(({ use, site, written, entry }) => (written && entry?.refuse?.(use, site)) || []);
  const problems = [...relations.problems, ...refusals];
  if (problems.length > 0) throw new ImportError(problems.join('\n'));
  requireSchema(model, written);
  const stages = ['collection', 'function', 'index'] as const;
  const documents = documentsOf(uses);
  return {
    model,
    documents: stages.flatMap((kind) => distinct(documents.filter((document) => document.kind === kind))),
    left: documentsOf(usesOf(before, findRelations(before.collections), origins)).filter((document) => document.written && document.meta !== null),
    database: databaseMeta(model),
  };
}

/** Every directive of a recorded model, in its place. */
const usesOf = (model: Model, relations: Relations, origins: ReadonlySet<string>) =>
  sitesOf(model, relations).flatMap(({ origin, site }) =>
    (site.at === 'type' ? site.type : site.field).directives.map((use) => ({
      use, site, written: origins.has(origin), entry: DIRECTIVES.find((candidate) => candidate.name === use.name),
    })),
  );

const documentsOf = (uses: ReturnType<typeof usesOf>): Wanted[] =>
  uses.flatMap(({ use, site, written, entry }) => (entry?.documents?.(use, site) ?? []).map((document) => ({ ...document, written })));

const ANYTHING: Field = { name: 'anything', directives: [{ name: 'resolver', args: {} }], type: { Named: 'Boolean' }, arguments: [] };

/** What cannot be shown to clients must not be recorded. */
function requireSchema(model: Model, written: Model): void {
  const fields = [...written.query, ...written.mutation, ...[...written.collections, ...written.embedded].flatMap((type) => type.fields)];
  const ours = new Set([...written.inputs.flatMap((type) => type.fields), ...fields.flatMap((field) => field.arguments)]);
  try {
    // Also what nothing leads to yet: a later import may make it seen, and is not to blame for it.
    expand(model.collections.length + model.query.length === 0 ? { ...model, query: [ANYTHING] } : model, () => () => null, (argument, type) => {
      if (ours.has(argument)) throw new SchemaError(`Expected type '${String(type)}', found '${argument.default}' as the default of '${argument.name}'.`);
    });
  } catch (error) {
    if (isExhaustion(error)) throw new ImportError('The default of an input leads back to itself.');
    throw error instanceof SchemaError ? new ImportError(error.message) : error;
  }
}

const typesOf = (model: Model) => [...model.collections, ...model.embedded, ...model.enums, ...model.inputs];

/**
 * `merge`: what is written takes the place of its namesake, and of what was recorded with the
 * same document under another name; everything else stays.
 */
function overlay(old: Model, next: Model): Model {
  const names = new Set(typesOf(next).map((type) => type.name));
  const claims = new Map<string, string>([
    ...next.collections.map((type) => [collectionName(type), type.name] as const),
    ...ROOTS.flatMap((root) => next[root].map((field) => [homeOf(field), `${root} ${field.name}`] as const)),
  ]);
  const stays = (home: string, owner: string): boolean => (claims.get(home) ?? owner) === owner;
  const types = <T extends { readonly name: string }>(before: readonly T[], after: readonly T[]): T[] => {
    const now = new Set(after);
    // A name that has become a type of another kind leaves this kind.
    return byName(before, after).filter((type) => now.has(type) || !names.has(type.name));
  };
  const fields = (root: (typeof ROOTS)[number]): Field[] => byName(old[root].filter((field) => stays(homeOf(field), `${root} ${field.name}`)), next[root]);
  return {
    collections: types(old.collections.filter((type) => stays(collectionName(type), type.name)), next.collections),
    embedded: types(old.embedded, next.embedded),
    enums: types(old.enums, next.enums),
    inputs: types(old.inputs, next.inputs),
    query: fields('query'),
    mutation: fields('mutation'),
  };
}

const ROOTS = ['query', 'mutation'] as const;

/** The document a field of Query or Mutation is recorded with. No collection has a space in its name. */
function homeOf(field: Field): string {
  const use = directive(field, 'resolver') ? 'resolver' : 'index';
  return `${use} ${documentName(field, use)}`;
}

/**
 * Each document once, however often it is asked for.
 * @throws ImportError when the text asks for one in two ways
 */
function distinct(documents: readonly Wanted[]): Wanted[] {
  const known = new Map<string, Wanted>();
  for (const document of documents) {
    const other = known.get(document.name) ?? document;
    const written = other.written || document.written;
    const both = together(other, document) ?? (written ? null : other);
    if (both === null) throw new ImportError(`The ${document.kind} '${document.name}' is asked for with two definitions.`);
    known.set(document.name, { ...both, written });
  }
  return [...known.values()];
}

/** One document for two requests, if one can serve both: a field of Query may read the index that keeps a field unique. */
function together(one: PlannedDocument, other: PlannedDocument): PlannedDocument | null {
  const isSame = JSON.stringify(one.meta) === JSON.stringify(other.meta);
  if (one.kind !== 'index' || other.kind !== 'index') return isSame ? one : null;
  const fits = (isSame || one.meta === null || other.meta === null) && entriesOf(one) === entriesOf(other);
  return fits ? { ...one, unique: one.unique || other.unique, meta: one.meta ?? other.meta } : null;
}

const entriesOf = ({ source, terms, values }: PlannedIndex): string => JSON.stringify([source, terms, values]);

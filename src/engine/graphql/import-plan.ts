// What an import has to make: pure, from the text and from what the database already says.
import { DIRECTIVES } from './directives/index.ts';
import { expand, SchemaError } from './expand.ts';
import { databaseMeta, type Metadata } from './metadata.ts';
import { EMPTY_MODEL, type Model } from './model.ts';
import type { PlannedDocument } from './planned.ts';
import { recordModel, sitesOf } from './record.ts';
import { findRelations } from './relations.ts';
import { ImportError, readSdl } from './sdl.ts';

export const IMPORT_MODES = ['merge', 'override', 'replace'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

export interface ImportPlan {
  /** The whole schema after the import, as recorded. */
  readonly model: Model;
  /** Collections, then functions, then indexes. */
  readonly documents: readonly (PlannedDocument & {
    /** The text itself defines it; false: it follows from what was there, and is made only if missing. */
    readonly written: boolean;
  })[];
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
  const problems = [...relations.problems.map((problem) => problem.message), ...refusals(merged)];
  if (problems.length > 0) throw new ImportError(problems.join('\n'));
  const model = recordModel(merged, relations);
  requireSchema(model);
  const origins = new Set([
    ...written.collections.map((type) => type.name),
    ...written.query.map((field) => `Query.${field.name}`),
    ...written.mutation.map((field) => `Mutation.${field.name}`),
  ]);
  const documents = sitesOf(model, relations).flatMap(({ origin, site }) => {
    const { directives } = site.at === 'type' ? site.type : site.field;
    return directives
      .flatMap((use) => DIRECTIVES.find((entry) => entry.name === use.name)?.documents?.(use, site) ?? [])
      .map((document) => ({ ...document, written: origins.has(origin) }));
  });
  const stages = ['collection', 'function', 'index'] as const;
  return {
    model,
    documents: stages.flatMap((kind) => distinct(documents.filter((document) => document.kind === kind))),
    database: databaseMeta(model),
  };
}

/** What cannot be shown to clients must not be recorded. */
function requireSchema(model: Model): void {
  try {
    expand(model, () => () => null);
  } catch (error) {
    throw error instanceof SchemaError ? new ImportError(error.message) : error;
  }
}

/** `merge`: what is written takes the place of its namesake; everything else stays. */
function overlay(old: Model, next: Model): Model {
  const types = [...next.collections, ...next.embedded].map((type) => type.name);
  const kept = <T extends { readonly name: string }>(items: readonly T[]): T[] => items.filter((item) => !types.includes(item.name));
  return {
    collections: byName(kept(old.collections), next.collections, old.collections),
    embedded: byName(kept(old.embedded), next.embedded, old.embedded),
    enums: byName(old.enums, next.enums),
    inputs: byName(old.inputs, next.inputs),
    query: byName(old.query, next.query),
    mutation: byName(old.mutation, next.mutation),
  };
}

/** Old and new items, each name once, in the place where it first stood. */
function byName<T extends { readonly name: string }>(old: readonly T[], next: readonly T[], order: readonly T[] = old): T[] {
  const items = new Map([...old, ...next].map((item) => [item.name, item]));
  const names = new Set([...order, ...next].map((item) => item.name));
  return [...names].flatMap((name) => items.get(name) ?? []);
}

function refusals(model: Model): string[] {
  return sitesOf(model, findRelations(model.collections)).flatMap(({ site }) => {
    const { directives } = site.at === 'type' ? site.type : site.field;
    return directives.flatMap((use) => DIRECTIVES.find((entry) => entry.name === use.name)?.refuse?.(use, site) ?? []);
  });
}

/** Two directives may ask for the same document; the first one makes it. */
const distinct = <T extends PlannedDocument>(documents: readonly T[]): T[] =>
  documents.filter((document, at) => documents.findIndex((other) => other.name === document.name) === at);

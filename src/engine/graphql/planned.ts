// Schema documents an import wants to exist. Plain data, so that a plan can be read and
// tested without a database.
import type { Metadata } from './metadata.ts';

/** An expression in the form it has on the wire. */
export type Source = null | boolean | string | readonly Source[] | { readonly [key: string]: Source };

export interface PlannedCollection {
  readonly kind: 'collection';
  readonly name: string;
  /** `null`: only the time of the import is recorded. */
  readonly meta: Metadata | null;
}

export interface PlannedIndex {
  readonly kind: 'index';
  readonly name: string;
  /** Name of the collection. */
  readonly source: string;
  /** Fields under `data`. */
  readonly terms: readonly string[];
  readonly values: readonly string[];
  readonly unique: boolean;
  /** Whether its directive calls it by a name of its own: one of that name is taken as it is. */
  readonly chosen: boolean;
  readonly meta: Metadata | null;
}

export interface PlannedFunction {
  readonly kind: 'function';
  readonly name: string;
  /** Used only when there is no function of that name yet. */
  readonly body: { readonly lambda: string | readonly string[]; readonly expr: Source };
  readonly meta: Metadata;
}

export type PlannedDocument = PlannedCollection | PlannedIndex | PlannedFunction;

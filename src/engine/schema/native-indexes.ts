// Indexes that every database has for itself. Nobody sees them: they have no name and no
// document, and their numbers are below those of users' indexes (reference: data/documents.md §1).
import { NATIVE, Ref, type Scope } from '../value/ref.ts';
import { Obj } from '../value/obj.ts';
import { type IndexDefinition, prefixesOf } from './definitions.ts';

/** What belongs to a document: its credentials, and its tokens. */
export type Belonging = 'credentials' | 'tokens';

/** Numbers of the indexes that find them by their `instance`. */
export const BY_INSTANCE: Readonly<Record<Belonging, bigint>> = { credentials: 1n, tokens: 2n };

const byInstance = (ref: Ref, collection: Belonging, unique: boolean): IndexDefinition => ({
  kind: 'index',
  ref,
  name: '',
  fields: Obj.empty,
  sources: [{ collections: [NATIVE[collection]], bindings: new Map() }],
  terms: [{ field: ['instance'], binding: null, reverse: false, casefold: false, expand: true }],
  values: [],
  unique,
  serialized: true,
  partitions: 1,
  active: true,
  collation: 'natural',
  descending: [],
  ...prefixesOf(ref),
});

const refOf = (collection: Belonging, scope: Scope): Ref => new Ref(NATIVE.indexes, BY_INSTANCE[collection], scope);

/** A document has one credentials document, and any number of tokens. */
export const nativeIndexes = (scope: Scope): readonly IndexDefinition[] => [
  byInstance(refOf('credentials', scope), 'credentials', true),
  byInstance(refOf('tokens', scope), 'tokens', false),
];

// Indexes that every database has for itself. Nobody sees them: they have no name and no
// document, and their numbers are below those of users' indexes (reference: data/documents.md §1).
import { NATIVE, nativeRef, Ref, type Scope } from '../value/ref.ts';
import { Obj } from '../value/obj.ts';
import { type IndexDefinition, readIndex } from './definitions.ts';

/** What belongs to a document: its credentials, and its tokens. */
export type Belonging = 'credentials' | 'tokens';

/** Numbers of the indexes that find them by their `instance`. */
export const BY_INSTANCE: Readonly<Record<Belonging, bigint>> = { credentials: 1n, tokens: 2n };

const byInstance = (scope: Scope, collection: Belonging, unique: boolean): IndexDefinition =>
  readIndex(
    new Ref(NATIVE.indexes, BY_INSTANCE[collection], scope),
    Obj.from({
      source: nativeRef(collection, scope),
      terms: Obj.of(['field', 'instance']),
      unique,
      active: true,
    }),
  );

/** A document has one credentials document, and any number of tokens. */
export const nativeIndexes = (scope: Scope): readonly IndexDefinition[] => [
  byInstance(scope, 'credentials', true),
  byInstance(scope, 'tokens', false),
];

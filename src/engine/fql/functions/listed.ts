import type { IterableValue } from '../../form/casts.ts';
import { isArray, Page, type Value } from '../../value/value.ts';

/** What has its elements at hand; a set is read. */
export type Listed = readonly Value[] | Page;

export const isListed = (collection: IterableValue): collection is Listed => isArray(collection) || collection instanceof Page;
export const elementsOf = (collection: Listed): readonly Value[] => (isArray(collection) ? collection : collection.data);

// All directives of schema definitions, in the order introspection shows them.
import { collection } from './collection.ts';
import { deprecated } from './deprecated.ts';
import { embedded } from './embedded.ts';
import type { DirectiveEntry } from './entry.ts';
import { generateUdfResolvers } from './generate-udf-resolvers.ts';
import { index } from './index-directive.ts';
import { relation } from './relation.ts';
import { resolver } from './resolver.ts';
import { unique } from './unique.ts';

export const DIRECTIVES: readonly DirectiveEntry[] = [
  embedded, collection, index, resolver, relation, unique, generateUdfResolvers, deprecated,
];

export type { DirectiveEntry, Place, Site } from './entry.ts';

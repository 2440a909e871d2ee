import { collectionName, textArg } from '../model.ts';
import { typeMeta } from '../metadata.ts';
import { type DirectiveEntry, REQUIRED_TEXT } from './entry.ts';

/** Names of collections the query language keeps for itself. */
export const isReserved = (name: string): boolean => ['events', 'set', 'self', 'documents', '_'].includes(name);
export const reserved = (name: string): string => `The name '${name}' is reserved.`;

/** `@collection(name)`: the collection of a type, when it is not named like it. Recorded even when not written. */
export const collection: DirectiveEntry = {
  name: 'collection',
  on: 'OBJECT',
  args: [{ name: 'name', type: REQUIRED_TEXT }],
  record: (_use, site) =>
    site.at === 'type' ? { name: 'collection', args: { name: collectionName(site.type) } } : undefined,
  documents: (_use, site) =>
    site.at === 'type' ? [{ kind: 'collection', name: collectionName(site.type), meta: typeMeta(site.type) }] : [],
  refuse(use) {
    const name = textArg(use, 'name') ?? '';
    return isReserved(name) ? reserved(name) : undefined;
  },
};

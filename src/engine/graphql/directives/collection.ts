import { collectionName } from '../model.ts';
import { typeMeta } from '../metadata.ts';
import { type DirectiveEntry, REQUIRED_TEXT } from './entry.ts';

/** Names of collections the query language keeps for itself. */
const RESERVED = ['events', 'set', 'self', 'documents', '_'];

/** `@collection(name)`: the collection of a type, when it is not named like it. Recorded even when not written. */
export const collection: DirectiveEntry = {
  name: 'collection',
  on: 'OBJECT',
  args: [{ name: 'name', type: REQUIRED_TEXT }],
  record: (_use, site) =>
    site.at === 'type' ? { name: 'collection', args: { name: collectionName(site.type) } } : undefined,
  documents: (_use, site) =>
    site.at === 'type' ? [{ kind: 'collection', name: collectionName(site.type), meta: typeMeta(site.type) }] : [],
  refuse: (use) =>
    RESERVED.includes(String(use.args['name'])) ? `The name '${String(use.args['name'])}' is reserved.` : undefined,
};

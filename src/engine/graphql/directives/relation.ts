import { collectionName, type Model, textArg } from '../model.ts';
import { isReserved, reserved } from './collection.ts';
import type { PlannedDocument } from '../planned.ts';
import type { Link } from '../relations.ts';
import { type DirectiveEntry, TEXT } from './entry.ts';

const NAME = /^[a-zA-Z0-9_]+$/;

/**
 * `@relation(name)`: the field and one of the target type are two ends of one relation.
 * Fields to one document record it even when it was not written.
 */
export const relation: DirectiveEntry = {
  name: 'relation',
  on: 'FIELD_DEFINITION',
  args: [{ name: 'name', type: TEXT }],
  record: (use, site) =>
    site.at === 'field' && site.link !== undefined ? { name: 'relation', args: { name: site.link.name } } : use,
  documents: (_use, site) => (site.at === 'field' && site.link !== undefined ? relationDocuments(site.link, site.model) : []),
  refuse(use, site) {
    const name = textArg(use, 'name') ?? '_';
    if (site.at === 'field' && site.link?.kind === 'links' && isReserved(name)) return reserved(name);
    return NAME.test(name) ? undefined : `The relation name '${name}' may only have letters, digits and '_'.`;
  },
};

/** Each relation is written once: by the end that keeps no ref, or by the first of two equal ones. */
function relationDocuments(link: Link, model: Model): readonly PlannedDocument[] {
  const target = model.collections.find((type) => type.name === link.target);
  if (target === undefined) return [];
  const index = { kind: 'index', values: [], unique: false, chosen: false, meta: null } as const;
  switch (link.kind) {
    case 'ref':
      return [];
    case 'inverse':
    case 'many':
      return [{ ...index, name: link.index, source: collectionName(target), terms: [link.back.field], unique: link.kind === 'inverse' }];
    case 'links': {
      const own = { ...index, name: link.index, source: link.collection, terms: [link.ownKey], values: [link.otherKey] };
      if (link.back !== null && link.type > link.target) return [own];
      return [
        { kind: 'collection', name: link.collection, meta: null },
        own,
        { ...index, name: link.pairIndex, source: link.collection, terms: link.pairKeys, unique: true },
      ];
    }
  }
}

import { baseName, collectionName, directive, textArg } from '../model.ts';
import { fieldMeta } from '../metadata.ts';
import { type DirectiveEntry, REQUIRED_TEXT } from './entry.ts';

/**
 * `@index(name)` on a Query field: the index it reads, when it is not named like it. Every
 * Query field without a resolver records one. On fields of types it does nothing.
 */
export const index: DirectiveEntry = {
  name: 'index',
  on: 'FIELD_DEFINITION',
  args: [{ name: 'name', type: REQUIRED_TEXT }],
  record: (use, site) =>
    site.at === 'root' && site.root === 'Query' && directive(site.field, 'resolver') === undefined
      ? { name: 'index', args: { name: textArg(use, 'name') ?? site.field.name } }
      : use,
  documents(use, site) {
    const name = textArg(use, 'name');
    if (site.at !== 'root' || name === undefined || directive(site.field, 'resolver') !== undefined) return [];
    const type = site.model.collections.find((candidate) => candidate.name === baseName(site.field.type));
    if (type === undefined) return [];
    const terms = site.field.arguments.map((argument) => argument.name);
    const chosen = name !== site.field.name;
    return [{ kind: 'index', name, source: collectionName(type), terms, values: [], unique: false, chosen, meta: fieldMeta(site.field) }];
  },
};

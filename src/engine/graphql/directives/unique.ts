import { collectionName, textArg } from '../model.ts';
import { uniqueIndex } from '../names.ts';
import { type DirectiveEntry, TEXT } from './entry.ts';

/** `@unique(index)` on a field of a type: no two documents with the same value. */
export const unique: DirectiveEntry = {
  name: 'unique',
  on: 'FIELD_DEFINITION',
  args: [{ name: 'index', type: TEXT }],
  record: (use, site) =>
    use && site.at === 'field'
      ? { name: 'unique', args: { index: textArg(use, 'index') ?? uniqueIndex(site.type.name, site.field.name) } }
      : use,
  documents(use, site) {
    const name = textArg(use, 'index');
    if (site.at !== 'field' || name === undefined) return [];
    const chosen = name !== uniqueIndex(site.type.name, site.field.name);
    return [{ kind: 'index', name, source: collectionName(site.type), terms: [site.field.name], values: [], unique: true, chosen, meta: null }];
  },
};

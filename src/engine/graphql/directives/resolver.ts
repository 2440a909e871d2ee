import { textArg } from '../model.ts';
import { functionMeta } from '../metadata.ts';
import { type DirectiveEntry, TEXT } from './entry.ts';

/** `@resolver(name, paginated)` on a Query or Mutation field: a function answers it. */
export const resolver: DirectiveEntry = {
  name: 'resolver',
  on: 'FIELD_DEFINITION',
  args: [
    { name: 'name', type: TEXT },
    { name: 'paginated', type: { NotNull: { Named: 'Boolean' } }, default: false },
  ],
  record: (use, site) =>
    use && site.at === 'root'
      ? {
          name: 'resolver',
          args: { name: textArg(use, 'name') ?? site.field.name, paginated: use.args['paginated'] === true },
        }
      : use,
  documents(use, site) {
    const name = textArg(use, 'name');
    if (site.at !== 'root' || name === undefined) return [];
    const abort =
      `Function ${name} was not implemented yet. ` +
      `Please access your database and provide an implementation for the ${name} function.`;
    return [{ kind: 'function', name, body: { lambda: '_', expr: { abort } }, meta: functionMeta(site.root, site.field) }];
  },
};

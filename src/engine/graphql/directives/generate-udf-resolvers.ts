import { collectionName, type Field, type ObjectType, type RootName } from '../model.ts';
import { functionMeta } from '../metadata.ts';
import { findName, inputName } from '../names.ts';
import type { PlannedFunction, Source } from '../planned.ts';
import type { DirectiveEntry } from './entry.ts';

/**
 * `@generateUDFResolvers` on a type: its five operations become functions that can be
 * edited. They are recorded like fields with a resolver, which replaces the generated ones
 * (reference: graphql/graphql.md §5.7).
 */
export const generateUdfResolvers: DirectiveEntry = {
  name: 'generateUDFResolvers',
  on: 'OBJECT',
  args: [],
  unlisted: true,
  documents: (_use, site) => (site.at === 'type' ? functions(site.type) : []),
};

const variable = (name: string): Source => ({ var: name });

function functions(type: ObjectType): readonly PlannedFunction[] {
  const X = type.name;
  const collection = { collection: collectionName(type) };
  const ref = { ref: collection, id: variable('id') };
  const ifExists = (action: Source): Source => ({ if: { exists: ref }, then: action, else: null });
  const object = { Named: X };
  const id = { name: 'id', type: { NotNull: { Named: 'ID' } } } as const;
  const data = { name: 'data', type: { NotNull: { Named: inputName(X) } } } as const;
  const cursor = {
    if: { equals: [variable('before'), null] },
    then: { if: { equals: [variable('after'), null] }, then: null, else: { object: { after: variable('after') } } },
    else: { object: { before: variable('before') } },
  };
  const page = { paginate: variable('setToPageOver'), cursor, size: variable('size') };
  const list = {
    let: [{ setToPageOver: { documents: collection } }, { page }],
    in: { map: { lambda: 'ref', expr: { get: variable('ref') } }, collection: variable('page') },
  };
  const withData = { object: { data: variable('data') } };
  return [
    entry('Mutation', `create${X}`, { NotNull: object }, [data], ['data'], { create: collection, params: withData }),
    entry('Mutation', `update${X}`, object, [id, data], ['id', 'data'], ifExists({ update: ref, params: withData })),
    entry('Mutation', `delete${X}`, object, [id], ['id'], ifExists({ delete: ref })),
    entry('Query', findName(X), object, [id], ['id'], ifExists({ get: ref })),
    entry('Query', `list${X}`, { List: object }, [], ['size', 'after', 'before'], list),
  ];
}

function entry(
  root: RootName, name: string, type: Field['type'], args: Field['arguments'], lambda: readonly string[], expr: Source,
): PlannedFunction {
  const directives = [{ name: 'resolver', args: { name, paginated: lambda.includes('size') } }];
  return { kind: 'function', name, body: { lambda, expr }, meta: functionMeta(root, { name, directives, type, arguments: args }) };
}

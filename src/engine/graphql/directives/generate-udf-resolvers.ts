import { baseName, collectionName, type Field, type Model, type ObjectType, type RootName } from '../model.ts';
import { functionMeta } from '../metadata.ts';
import { findName, inputName } from '../names.ts';
import type { PlannedFunction, Source } from '../planned.ts';
import type { Relations } from '../relations.ts';
import type { DirectiveEntry } from './entry.ts';

/**
 * `@generateUDFResolvers` on a type: its five operations become functions that can be
 * edited. They are recorded like fields with a resolver, which replaces the generated ones;
 * one that is declared by hand replaces both (reference: graphql/graphql.md §5.7).
 */
export const generateUdfResolvers: DirectiveEntry = {
  name: 'generateUDFResolvers',
  on: 'OBJECT',
  args: [],
  unlisted: true,
  documents(_use, site) {
    if (site.at !== 'type' || hasRelation(site.type, site.relations) || holdsRefs(site.type, site.model)) return [];
    const declared = new Set([...site.model.query, ...site.model.mutation].map((field) => field.name));
    return functions(site.type).filter(({ name }) => !declared.has(name));
  },
};

/** Functions could not follow a relation: they would store what is asked of it as it is. */
const hasRelation = (type: ObjectType, { links }: Relations): boolean =>
  [...links.values()].some((link) => link.type === type.name || link.target === type.name);

/** Nor could they make refs of the ids that lists of other types are given as, here or in embedded types. */
function holdsRefs(type: ObjectType, model: Model, seen: readonly ObjectType[] = []): boolean {
  if (seen.includes(type)) return false;
  return type.fields.some((field) => {
    const name = baseName(field.type);
    const inside = model.embedded.find((other) => other.name === name);
    return model.collections.some((other) => other.name === name) || (inside !== undefined && holdsRefs(inside, model, [...seen, type]));
  });
}

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
    entry('Mutation', `create${X}`, { NotNull: object }, [data], { create: collection, params: withData }),
    entry('Mutation', `update${X}`, object, [id, data], ifExists({ update: ref, params: withData })),
    entry('Mutation', `delete${X}`, object, [id], ifExists({ delete: ref })),
    entry('Query', findName(X), object, [id], ifExists({ get: ref })),
    entry('Query', `list${X}`, { List: object }, [], list, ['size', 'after', 'before']),
  ];
}

function entry(
  root: RootName, name: string, type: Field['type'], args: Field['arguments'], expr: Source, lambda = args.map((argument) => argument.name),
): PlannedFunction {
  const directives = [{ name: 'resolver', args: { name, paginated: lambda.includes('size') } }];
  return { kind: 'function', name, body: { lambda, expr }, meta: functionMeta(root, { name, directives, type, arguments: args }) };
}

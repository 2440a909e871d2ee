// From what was written to what is recorded: directives get their resolved names, implicit
// ones are added. Planning and query time both work on this form.
import { DIRECTIVES, type Site } from './directives/index.ts';
import { type DirectiveUse, type Field, type Model, type ObjectType, rootFields, type RootName, withDirective } from './model.ts';
import { findRelations, linkOf, type Relations } from './relations.ts';

export function recordModel(model: Model, relations: Relations = findRelations(model.collections)): Model {
  const base = { model, relations };
  const root = (name: RootName, fields: readonly Field[]): Field[] =>
    fields.map((field) => recorded(field, { ...base, at: 'root', root: name, field }));
  return {
    ...model,
    collections: model.collections.map((type) => ({
      ...recorded(type, { ...base, at: 'type', type }),
      fields: type.fields.map((field) => recorded(field, fieldSite(base, type, field))),
    })),
    query: root('Query', model.query),
    mutation: root('Mutation', model.mutation),
  };
}

/** Every place a directive can stand in a recorded model, with the type or root field it belongs to. */
export function sitesOf(model: Model, relations: Relations): readonly { readonly origin: string; readonly site: Site }[] {
  const base = { model, relations };
  return [
    ...model.collections.map((type) => ({ origin: type.name, site: { ...base, at: 'type', type } as const })),
    ...model.collections.flatMap((type) =>
      type.fields.map((field) => ({ origin: type.name, site: fieldSite(base, type, field) })),
    ),
    ...(['Query', 'Mutation'] as const).flatMap((root) =>
      rootFields(model, root).map((field) => ({
        origin: `${root}.${field.name}`,
        site: { ...base, at: 'root', root, field } as const,
      })),
    ),
  ];
}

const fieldSite = (base: Pick<Site, 'model' | 'relations'>, type: ObjectType, field: Field): Site => ({
  ...base, at: 'field', type, field, link: linkOf(base.relations, type.name, field.name),
});

function recorded<T extends { readonly directives: readonly DirectiveUse[] }>(owner: T, site: Site): T {
  const directives = DIRECTIVES.reduce((uses, entry) => {
    if (entry.record === undefined) return uses;
    const use = entry.record(uses.find((candidate) => candidate.name === entry.name), site);
    return use === undefined ? uses : withDirective(uses, use);
  }, owner.directives);
  return { ...owner, directives };
}

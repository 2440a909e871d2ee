// The model: what a schema definition says, in the very shape in which it is recorded in
// the database. The gateway keeps no schema file; it finds the model again in `data.gql`
// of collections, indexes, functions and the database (reference: graphql/graphql.md §6).

/** A type, wrapped from the outside in: `[Todo!]!` is `{NotNull: {List: {NotNull: {Named: 'Todo'}}}}`. */
export type TypeRef = { readonly Named: string } | { readonly List: TypeRef } | { readonly NotNull: TypeRef };

export interface DirectiveUse {
  readonly name: string;
  readonly args: Readonly<Record<string, string | boolean>>;
}

/** An argument of a field, or a field of an input type. */
export interface Argument {
  readonly name: string;
  readonly description?: string;
  readonly type: TypeRef;
  /** Default value as a GraphQL literal. */
  readonly default?: string;
}

export interface Field {
  readonly name: string;
  readonly directives: readonly DirectiveUse[];
  readonly description?: string;
  readonly type: TypeRef;
  readonly arguments: readonly Argument[];
}

export interface ObjectType {
  readonly name: string;
  readonly description?: string;
  readonly fields: readonly Field[];
  readonly directives: readonly DirectiveUse[];
}

export interface InputType {
  readonly name: string;
  readonly description?: string;
  readonly fields: readonly Argument[];
}

export interface EnumType {
  readonly name: string;
  readonly description?: string;
  readonly values: readonly EnumValue[];
}

export interface EnumValue {
  readonly name: string;
  readonly description?: string;
  readonly directives: readonly DirectiveUse[];
}

export interface Model {
  /** Types whose objects are documents of a collection. */
  readonly collections: readonly ObjectType[];
  /** Types whose objects live inside documents. */
  readonly embedded: readonly ObjectType[];
  readonly enums: readonly EnumType[];
  readonly inputs: readonly InputType[];
  readonly query: readonly Field[];
  readonly mutation: readonly Field[];
}

export type RootName = 'Query' | 'Mutation';

export const rootFields = (model: Model, root: RootName): readonly Field[] => (root === 'Query' ? model.query : model.mutation);

export const EMPTY_MODEL: Model = { collections: [], embedded: [], enums: [], inputs: [], query: [], mutation: [] };

/** Scalars known without declaration. */
export const SCALARS = ['ID', 'String', 'Int', 'Long', 'Float', 'Boolean', 'Date', 'Time'] as const;

export const isNotNull = (type: TypeRef): type is { readonly NotNull: TypeRef } => 'NotNull' in type;

/** The type with an outer `!` taken off. */
export const nullable = (type: TypeRef): TypeRef => (isNotNull(type) ? type.NotNull : type);

export const isList = (type: TypeRef): boolean => 'List' in nullable(type);

/** The name inside all wrappers. */
export function baseName(type: TypeRef): string {
  if ('Named' in type) return type.Named;
  return baseName('List' in type ? type.List : type.NotNull);
}

/** The type with another name inside the same wrappers. */
export function withBase(type: TypeRef, name: string): TypeRef {
  if ('Named' in type) return { Named: name };
  return 'List' in type ? { List: withBase(type.List, name) } : { NotNull: withBase(type.NotNull, name) };
}

/** The description of an item, if it has one, for an object made of it. */
export const described = ({ description }: { readonly description?: string | undefined }): { description?: string } =>
  description === undefined ? {} : { description };

/** Items of several lists, each name once: in its first place, as the last list has it. */
export const byName = <T extends { readonly name: string }>(...lists: readonly (readonly T[])[]): T[] => [
  ...new Map(lists.flat().map((item) => [item.name, item])).values(),
];

export function directive(owner: { readonly directives: readonly DirectiveUse[] }, name: string): DirectiveUse | undefined {
  return owner.directives.find((use) => use.name === name);
}

/** A text argument of a directive, when it was given. */
export function textArg(use: DirectiveUse | undefined, name: string): string | undefined {
  const value = use?.args[name];
  return typeof value === 'string' ? value : undefined;
}

/** The uses with `use` in the place of its namesake, or at the end. */
export function withDirective(uses: readonly DirectiveUse[], use: DirectiveUse): readonly DirectiveUse[] {
  const at = uses.findIndex((other) => other.name === use.name);
  return at < 0 ? [...uses, use] : uses.with(at, use);
}

/** The name a directive gives an owner's document: that of the owner, where it gives none. */
export const documentName = (owner: Field | ObjectType, use: string): string => textArg(directive(owner, use), 'name') ?? owner.name;

/** Name of the collection that keeps the documents of a type. */
export const collectionName = (type: ObjectType): string => documentName(type, 'collection');

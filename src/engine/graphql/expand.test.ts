import { type ASTNode, type DefinitionNode, type DocumentNode, getIntrospectionQuery, graphqlSync, type GraphQLSchema, parse, print, printSchema, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import nftImport from './golden/import-nft-storage-2021-06.json';
import refList from './golden/sdl-list-of-refs-without-relation.json';
import listTodos from './golden/sdl-list-todos-relations-2019.json';
import messages from './golden/sdl-messages-2019.json';
import modularized from './golden/sdl-modularized-user-post.json';
import nft from './golden/sdl-nft-storage-2021-06.json';
import paginated from './golden/sdl-paginated-resolver-page-type.json';
import todo from './golden/sdl-todo-2019.json';
import userUnique from './golden/sdl-user-unique-2021.json';
import { expand } from './expand.ts';
import { planImport } from './import-plan.ts';
import { readModel } from './metadata.ts';
import { EMPTY_MODEL, type Model } from './model.ts';

function schemaOf(text: string, existing: Model = EMPTY_MODEL): GraphQLSchema {
  const schema = expand(planImport(text, 'merge', existing).model, () => () => null);
  if (schema === null) throw new Error('nothing to query');
  return schema;
}

const isPartial = (name: string) => /^partialUpdate/i.test(name);

/** Definitions and fields of object types by name (their order was a hash's); without partial updates, which came later. */
function normal(document: DocumentNode): string[] {
  const byName = (a: ASTNode, b: ASTNode) => (nameOf(a) < nameOf(b) ? -1 : 1);
  const sorted = visit(document, {
    ObjectTypeDefinition: (node) => ({
      ...node,
      fields: [...(node.fields ?? [])].filter((field) => !isPartial(field.name.value)).sort(byName),
    }),
  });
  return sorted.definitions
    .filter((node: DefinitionNode) => node.kind !== 'SchemaDefinition' && !isPartial(nameOf(node)))
    .sort(byName)
    .map((node) => print(node));
}

const nameOf = (node: ASTNode): string => (node as { name?: { value: string } }).name?.value ?? '';

/** Descriptions are wrapped by some printers. */
const loose = (text: string) => text.replace(/\s+/g, ' ');
const undescribed = (texts: readonly string[]) =>
  texts.map((text) => print(visit(parse(text), { StringValue: (_node, key) => (key === 'description' ? null : undefined) })));

/** Types that golden files name and our schema has not, or the other way round, compared one by one. */
const ours = (schema: GraphQLSchema) => normal(parse(printSchema(schema)));

describe('the generated schema', () => {
  it('is that of a large real database', () => {
    const task = nftImport.expected.collections.filter((collection) => collection.name === 'Task').map((one) => one.data.gql.meta);
    const existing = readModel({ collections: task as never, indexes: [], functions: [], database: null });
    const actual = ours(schemaOf(nft.input, existing)).map(loose);
    expect(actual).toEqual(normal(parse(nft.expected)).map(loose));
  });

  it('is that of a small one as introspected in 2021', () => {
    expect(ours(schemaOf(userUnique.input))).toEqual(normal(parse(userUnique.expected)));
  });

  it.each([
    [messages.input, messages.expected],
    [todo.input, todo.expected.sdl],
  ])('has the types and fields of 2019', (input, expected) => {
    const types = (texts: string[]) => undescribed(texts).filter((text) => !text.startsWith('directive'));
    expect(types(ours(schemaOf(input)))).toEqual(types(normal(parse(expected))));
  });

  it.each([
    [refList.input, refList.expected.sdl_fragments],
    [listTodos.input, [listTodos.expected]],
    [modularized.input, modularized.expected.sdl_fragments],
    [paginated.input, paginated.expected.sdl_fragments],
  ])('has these inputs', (input, fragments) => {
    const all = undescribed([printSchema(schemaOf(input))])[0] ?? '';
    for (const text of fragments) for (const node of parse(text).definitions) expect(all).toContain(print(node));
  });

  it('gives paginated resolvers pages of their own, and declared mutations the place of generated ones', () => {
    const schema = schemaOf(paginated.input);
    const query = schema.getQueryType()?.getFields();
    for (const [name, type] of Object.entries(paginated.expected.Query_return_types)) expect(String(query?.[name]?.type)).toBe(type);
    const remove = schema.getMutationType()?.getFields()['deleteTodo'];
    expect(remove?.args.map((argument) => `${argument.name}: ${argument.type}`)).toEqual(['id: String!', 'user_id: String!']);
    expect(schema.getType('QueryGetAllTodosSortedByCreatedAtPage')?.description).toBe(paginated.expected.page_description);
  });

  it('lists types in the order of the gateway, as one that does not sort them received them', () => {
    const wanted = parse(userUnique.expected).definitions.filter((node) => node.kind !== 'DirectiveDefinition').map(nameOf).filter(Boolean);
    const listed = Object.keys(schemaOf(userUnique.input).getTypeMap());
    expect(listed.filter((name) => wanted.includes(name))).toEqual(wanted);
  });

  it('lists types with small letters before those of introspection, too', () => {
    const listed = Object.keys(schemaOf('type user { name: String }').getTypeMap());
    expect(listed.indexOf('user')).toBeLessThan(listed.indexOf('__Directive'));
  });

  it('keeps fields in insertion order', () => {
    const schema = schemaOf(modularized.input);
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(['findUserByID', 'findPostByID', 'allPosts', 'sayHello']);
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toEqual([
      'createUser', 'updateUser', 'deleteUser', 'partialUpdateUser',
      'createPost', 'updatePost', 'deletePost', 'partialUpdatePost',
    ]);
  });

  it('makes every field optional in partial inputs, also inside embedded types, but not what lists have in them', () => {
    const text = printSchema(schemaOf('type A { tags: [String!]!, at: [Place!]!, by: [[Place!]]! } type Place @embedded { city: String! }'));
    expect(text).toContain('input PartialUpdateAInput {\n  tags: [String!]\n  at: [PartialUpdatePlaceInput!]\n  by: [[PartialUpdatePlaceInput!]]\n}');
    expect(text).toContain('input PartialUpdatePlaceInput {\n  city: String\n}');
    expect(text).toContain('input AInput {\n  tags: [String!]!\n  at: [PlaceInput!]!\n  by: [[PlaceInput!]]!\n}');
  });

  it('has the arguments of fields of types, after those of pages', () => {
    const text = printSchema(schemaOf('type A { by(id: ID! = 1): Boolean @resolver(name: "f"), bs(n: Int): [B] @relation, c: C } type B { a(m: Int): A } type C @embedded { d(s: String): Int }'));
    expect(undescribed([text])[0]).toContain('  by(id: ID! = 1): Boolean\n  bs(_size: Int, _cursor: String, n: Int): BPage!\n');
    expect(text).toContain('  a(m: Int): A\n');
    expect(text).toContain('  d(s: String): Int\n');
  });

  it('keeps default values of inputs and arguments', () => {
    const text = printSchema(schemaOf('enum E { X Y } input I { e: E = Y, n: [Int] = [1] } type A { a: Int } type Mutation { m(i: I = {n: 3}): Int @resolver }'));
    expect(text).toContain('e: E = Y');
    expect(text).toContain('m(i: I = {e: Y, n: [3]}): Int');
  });

  it('tells what is deprecated, also once it is recorded', () => {
    const { model } = planImport('type A { b: Int @deprecated, c: Int @deprecated(reason: "use d") } enum E { X Y @deprecated(reason: "old") } type Query { f: E @resolver @deprecated }', 'merge', EMPTY_MODEL);
    const schema = expand(planImport('type B { b: Int }', 'merge', model).model, () => () => null);
    const text = schema === null ? '' : printSchema(schema);
    for (const line of ['  b: Int @deprecated\n', '  c: Int @deprecated(reason: "use d")\n', '  Y @deprecated(reason: "old")\n', '  f: E @deprecated\n']) expect(text).toContain(line);
  });

  it('answers introspection', () => {
    const result = graphqlSync({ schema: schemaOf(modularized.input), source: getIntrospectionQuery() });
    expect(result.errors).toBeUndefined();
  });

  it('is nothing when there is nothing to query', () => {
    expect(expand(planImport('enum Brainyduck { RESETTING }', 'merge', EMPTY_MODEL).model, () => () => null)).toBeNull();
  });
});

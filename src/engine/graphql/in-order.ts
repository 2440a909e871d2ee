// The gateway made one query of a request: what a function behind a field of Query writes, the fields after it see. The
// library runs such fields side by side as soon as one has to wait, and only those of mutations one after the other.
import { type DefinitionNode, type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, OperationTypeNode, type SelectionSetNode } from 'graphql';
import { directive, type Model } from './model.ts';

interface Run {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

/** The same operation, told to the library as a mutation whose type is that of Query, where one of its fields may write. */
export function inOrder(run: Run, operation: OperationDefinitionNode, model: Model): Run {
  const { schema, document } = run;
  if (operation.operation !== OperationTypeNode.QUERY) return run;
  const calls = new Set(model.query.filter((field) => directive(field, 'resolver') !== undefined).map(({ name }) => name));
  if (!document.definitions.some((node) => 'selectionSet' in node && (node === operation || isOfQuery(node)) && selectsAny(node.selectionSet, calls))) return run;
  return {
    // All else is asked of the schema itself: introspection shows what is there.
    schema: Object.create(schema, { getRootType: { value: () => schema.getQueryType() } }) as GraphQLSchema,
    document: {
      ...document,
      definitions: document.definitions.map((node) => (node === operation ? { ...operation, operation: OperationTypeNode.MUTATION } : node)),
    },
  };
}

/** Fragments are looked at wherever they are spread: following each spread could take for ever. */
const isOfQuery = (node: DefinitionNode) => node.kind === Kind.FRAGMENT_DEFINITION && node.typeCondition.name.value === 'Query';

const selectsAny = ({ selections }: SelectionSetNode, names: ReadonlySet<string>): boolean =>
  selections.some((one) => (one.kind === Kind.FIELD ? names.has(one.name.value) : one.kind === Kind.INLINE_FRAGMENT && selectsAny(one.selectionSet, names)));

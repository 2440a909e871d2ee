// The gateway made one query of a request: what a function behind a field of Query writes, the fields after it see. The
// library runs such fields side by side as soon as one has to wait, and only those of mutations one after the other.
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { directive, type Model } from './model.ts';

interface Run {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

/** The same operation, told to the library as a mutation whose type is that of Query, where its fields may write. */
export function inOrder(run: Run, operation: OperationDefinitionNode, model: Model): Run {
  const { schema, document } = run;
  const mayWrite = operation.operation === OperationTypeNode.QUERY && model.query.some((field) => directive(field, 'resolver') !== undefined);
  if (!mayWrite) return run;
  return {
    // All else is asked of the schema itself: introspection shows what is there.
    schema: Object.create(schema, { getRootType: { value: () => schema.getQueryType() } }) as GraphQLSchema,
    document: {
      ...document,
      definitions: document.definitions.map((node) => (node === operation ? { ...operation, operation: OperationTypeNode.MUTATION } : node)),
    },
  };
}

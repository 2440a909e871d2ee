// A request before it runs: parsing, validation, choice of the operation, variables.
import { isExhaustion } from '../base/exhaustion.ts';
import { type DocumentNode, getOperationAST, GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql';
import { interned } from '../value/known-keys.ts';
import { validateQuery } from './validate.ts';
import { checkVariables, type Variables } from './variables.ts';

export interface GraphqlRequest {
  readonly query: string;
  /** Integers beyond the exact ones as bigints. */
  readonly variables?: Variables | null;
  readonly operationName?: string | null;
  /** Whether it came as one that changes nothing. */
  readonly readsOnly?: boolean;
}

/** Far above any real query; bounds the work for one that is made to hurt. */
const MAX_TOKENS = 200_000;

export type Checked =
  | { readonly ok: true; readonly document: DocumentNode; readonly operation: OperationDefinitionNode }
  | { readonly ok: false; readonly errors: readonly GraphQLError[] };

export function checkRequest(schema: GraphQLSchema, request: GraphqlRequest): Checked {
  try {
    const documents = validDocuments(schema);
    let document = documents.get(request.query);
    if (document === undefined) {
      const isKept = request.query.length <= KEPT_LENGTH;
      // What is kept holds parts of its text, and those hold all that came with it, unless the text is one of its own.
      const text = isKept ? interned(request.query) : request.query;
      document = parse(text, { maxTokens: MAX_TOKENS });
      const errors = validateQuery(schema, document);
      if (errors.length > 0) return { ok: false, errors };
      if (isKept) remember(documents, text, document);
    }
    const operation = getOperationAST(document, request.operationName);
    if (operation == null) return { ok: false, errors: [noOperation(document, request.operationName)] };
    if (request.readsOnly === true && operation.operation !== OperationTypeNode.QUERY) return { ok: false, errors: [new GraphQLError(`A ${operation.operation} is only taken from a POST request.`)] };
    const errors = checkVariables(schema, operation, request.variables ?? {});
    return errors.length > 0 ? { ok: false, errors } : { ok: true, document, operation };
  } catch (error) {
    if (error instanceof GraphQLError) return { ok: false, errors: [error] };
    // Parser and validator recurse: a query nested to exhaust the stack is a bad query.
    if (isExhaustion(error)) return { ok: false, errors: [new GraphQLError('Query is nested too deeply.')] };
    throw error;
  }
}

// Applications send the same few texts again and again, and validation costs more than all the
// rest of a small request: documents that were valid for a schema are kept with it.
const VALID = new WeakMap<GraphQLSchema, Map<string, DocumentNode>>();
const KEPT_DOCUMENTS = 100;
const KEPT_LENGTH = 10_000;
/** Characters of all of them together. */
const KEPT_TEXT = 250_000;

function validDocuments(schema: GraphQLSchema): Map<string, DocumentNode> {
  const known = VALID.get(schema) ?? new Map<string, DocumentNode>();
  VALID.set(schema, known);
  return known;
}

function remember(documents: Map<string, DocumentNode>, text: string, document: DocumentNode): void {
  documents.set(text, document);
  let length = 0;
  for (const [at, kept] of [...documents.keys()].reverse().entries()) {
    length += kept.length;
    if (at >= KEPT_DOCUMENTS || length > KEPT_TEXT) documents.delete(kept);
  }
}

function noOperation(document: DocumentNode, name: string | null | undefined): GraphQLError {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operations.length === 0) return new GraphQLError('Query document does not contain any operations.');
  return new GraphQLError(
    name == null ? 'Must provide operation name if query contains multiple operations' : `Unknown operation name '${name}'`,
  );
}

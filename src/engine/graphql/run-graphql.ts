// Runs one GraphQL request in one transaction (reference: graphql/graphql.md §1.2, §8, §9).
import { execute, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { andThen, type MaybePromise, rescue } from '../base/maybe.ts';
import { FqlError, type Failure, type Words } from '../errors/fql-error.ts';
import { same } from '../value/equal.ts';
import type { Obj } from '../value/obj.ts';
import { checkRequest, type GraphqlRequest } from './check-request.ts';
import { type Database, GatewayError } from './database.ts';
import { expand, SchemaError } from './expand.ts';
import { inOrder } from './in-order.ts';
import { toViolation } from './messages.ts';
import type { Model } from './model.ts';
import { findRelations, type Relations } from './relations.ts';
import { resolverOf } from './resolvers.ts';
import { metaOf, storedModel } from './stored-model.ts';
import type { Context } from './read.ts';
import { libraryVariables } from './variables.ts';
import type { Violation } from './violation.ts';

export interface GraphqlBody {
  readonly data?: unknown;
  readonly errors?: readonly (Violation | { readonly message: string; readonly extensions?: { readonly code: string } })[];
}

export interface GraphqlAnswer {
  /** Status 200, whatever it says. Write it with `jsonText`, after the commit. */
  readonly body: GraphqlBody;
  /** Whether the transaction counts; a database error, or an answer without data, undoes all of it. */
  readonly commit: boolean;
}

const NO_SCHEMA = 'Must provide schema definition with query type or a type named Query.';

/**
 * Runs the request. Database errors become part of the body; whatever else is thrown below
 * (a conflict, a time limit, lost storage) is thrown on.
 */
export function runGraphql(request: GraphqlRequest, db: Database): MaybePromise<GraphqlAnswer> {
  return rescue(
    () => andThen(prepare(db), (prepared) => (prepared === null ? refused([new GraphQLError(NO_SCHEMA)]) : run(request, prepared, db))),
    (error) => ({ body: databaseErrors(error), commit: false }),
  );
}

/**
 * Whether a request could write, without parsing it: a document without the word holds no
 * mutation, and only a function behind a Query field writes otherwise.
 */
export const mayWrite = ({ query }: GraphqlRequest, db: Pick<Database, 'schema'>): boolean =>
  query.includes('mutation') || db.schema('function').some((document) => metaOf(document)?.get('location') === 'Query');

interface Prepared {
  readonly schema: GraphQLSchema;
  readonly model: Model;
  readonly relations: Relations;
  /** The record of the database it was made from. */
  readonly imported: Obj | null;
}

const kept = new WeakMap<object, Prepared>();

/** The generated schema, kept as long as what is recorded stays the same. */
function prepare(db: Database): MaybePromise<Prepared | null> {
  return andThen(db.databaseMeta(), (gql) => {
    const known = kept.get(db.schemaIdentity);
    // Not by its time: of two imports that is the same where the clock was set back, or shows the same millisecond.
    if (known !== undefined && same(known.imported, gql)) return known;
    const model = storedModel(db, gql);
    const schema = expand(model, resolverOf);
    if (schema === null) return null;
    const fresh = { schema, model, relations: findRelations(model.collections), imported: gql };
    kept.set(db.schemaIdentity, fresh);
    return fresh;
  });
}

function run(request: GraphqlRequest, { schema, model, relations }: Prepared, db: Database): MaybePromise<GraphqlAnswer> {
  const checked = checkRequest(schema, request);
  if (!checked.ok) return refused(checked.errors);
  const contextValue: Context = { db, model, links: relations.links };
  const result = execute({
    ...inOrder({ schema, document: checked.document }, checked.operation, model),
    contextValue,
    variableValues: libraryVariables(schema, checked.operation, request.variables ?? {}),
    operationName: request.operationName ?? null,
  });
  return andThen(result, answer);
}

/**
 * The library goes on after an error; here the first error of the database ends everything. Where a null
 * makes the whole answer null, the fields after it have not run, so what those before it wrote is not kept.
 */
function answer({ data = null, errors = [] }: ExecutionResult): GraphqlAnswer {
  const thrown = errors.map((error) => error.originalError).find((error) => error != null && !isLibraryError(error));
  if (thrown !== undefined) return { body: databaseErrors(thrown), commit: false };
  return { body: errors.length === 0 ? { data } : { data, errors: errors.map(toViolation) }, commit: data !== null };
}

/** A null where none may be is the only failure that the library reports without an error of its own kind. */
const isLibraryError = (error: Error): boolean =>
  error instanceof GraphQLError || error.message.startsWith('Cannot return null for non-nullable field');

const refused = (errors: readonly GraphQLError[]): GraphqlAnswer => ({
  body: { data: null, errors: errors.map(toViolation) },
  commit: false,
});

// --- errors of the database ------------------------------------------------------------

const WORDS: Words = { collection: 'collection', Collection: 'Collection', document: 'document', Document: 'Document' };

/** The gateway kept one text of its own. */
const TEXTS: Readonly<Record<string, string>> = { 'instance not unique': 'Instance is not unique.' };

/** The body for an error of the database; other errors are thrown on. */
function databaseErrors(error: unknown): GraphqlBody {
  if (error instanceof GatewayError) return { errors: [{ message: error.message, extensions: { code: error.code } }] };
  if (error instanceof SchemaError) return { errors: [{ message: error.message }] };
  if (!(error instanceof FqlError)) throw error;
  return { errors: error.failures.map(innermost).map((failure) => ({ message: textOf(failure), extensions: { code: failure.code } })) };
}

/** An error inside a function counts as that error. */
function innermost(failure: Failure): Failure {
  const [cause] = failure.code === 'call error' ? (failure.cause ?? []) : [];
  return cause === undefined ? failure : innermost(cause);
}

export function textOf({ code, description }: Failure): string {
  return TEXTS[code] ?? (typeof description === 'string' ? description : description(WORDS));
}

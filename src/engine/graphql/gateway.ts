// The gateway as the HTTP layer sees it. Everything behind it, the GraphQL library included,
// is loaded when the first request for it comes.
export type { GraphqlRequest } from './check-request.ts';
export { engineDatabase } from './engine-database.ts';
export { jsonText } from './json-text.ts';
export { readGraphqlParameters, readGraphqlRequest, RequestBodyError } from './request-body.ts';
export { type GraphqlAnswer, type GraphqlBody, mayWrite, runGraphql } from './run-graphql.ts';
export { type ImportAnswer, runImport } from './run-import.ts';

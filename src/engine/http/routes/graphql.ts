// The GraphQL gateway: `/graphql` and `/import` (brief §4.1, §7). A module of its own, loaded
// when it is first asked for.
import { andThen } from '../../base/maybe.ts';
import { HttpError } from '../../errors/fql-error.ts';
import { engineDatabase } from '../../graphql/engine-database.ts';
import { jsonText } from '../../graphql/json-text.ts';
import type { GraphqlRequest } from '../../graphql/check-request.ts';
import { type GraphqlAnswer, runGraphql } from '../../graphql/run-graphql.ts';
import { runImport } from '../../graphql/run-import.ts';
import { type Answer, TEXT_TYPE } from '../answer.ts';
import { bodyOf, MAX_BODY } from '../body.ts';
import type { Core, Terms } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { metrics } from '../metrics.ts';
import { parameter } from '../parameter.ts';
import { NEWEST, requestedLimits, secretOf } from '../terms.ts';

/** What a bad Authorization header is told (brief §7; live answers end in a period). */
const MESSAGES = {
  missing: 'Missing authorization header.',
  malformed: 'Invalid authorization header.',
  unknown: 'Invalid database secret.',
} as const;

/** A request that may not in: both endpoints say so in a form of their own. */
class Refused extends Error {}

function requireSecret({ headers }: HttpRequest, core: Core): string {
  const { authorization } = headers;
  if (authorization === undefined || authorization === '') throw new Refused(MESSAGES.missing);
  const secret = secretOf(authorization, core.platform.utf8);
  if (secret === null) throw new Refused(MESSAGES.malformed);
  return secret;
}

function termsOf(core: Core, request: HttpRequest): Terms {
  return { id: request.id, secret: requireSecret(request, core), wire: NEWEST, limit: { effect: 'write', reason: '' }, ...requestedLimits(request) };
}

/** Turns the refusals of this layer and below into the endpoint's own form. */
async function refusing(act: () => Promise<Answer>, answer: (message: string) => Answer): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refused) return answer(error.message);
    if (error instanceof HttpError && error.status === 401) return answer(MESSAGES.unknown);
    throw error;
  }
}

const errorBody = (message: string): string => JSON.stringify({ errors: [{ message }] });

/** `POST /graphql`: one operation, one transaction. */
export function graphql(core: Core, request: HttpRequest): Promise<Answer> {
  const began = core.platform.now();
  return refusing(
    async () => {
      const terms = termsOf(core, request);
      const asked = readRequest(core.platform.utf8.decode(bodyOf(request)));
      const done = await core.transact<GraphqlAnswer>(terms, {
        prepare: () => ({
          writes: typeof asked === 'string' || mayWrite(asked),
          run: ({ ctx, catalog }) => {
            if (typeof asked === 'string') return { value: { body: { errors: [{ message: asked }] }, commit: false }, commit: false };
            return andThen(runGraphql(asked, engineDatabase(ctx, catalog)), (value) => ({ value, commit: value.commit }));
          },
        }),
      });
      const text = jsonText(done.value.body, done.ts);
      return { status: 200, text, headers: metrics(done, began, core.platform.now(), request.body?.length ?? 0, text.length) };
    },
    (message) => ({ status: 200, text: errorBody(message) }),
  );
}

/** Only a document with the word in it can hold a mutation; a query may call functions that write. */
const mayWrite = (_request: GraphqlRequest): boolean => true;

/** The request in a body, or what is wrong with it. */
function readRequest(text: string): GraphqlRequest | string {
  const expected = 'The request body must be a JSON object with a "query" string';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `${expected}; it is not valid JSON.`;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return `${expected}.`;
  const { query, variables, operationName } = json as Record<string, unknown>;
  if (typeof query !== 'string') return `${expected}.`;
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables))) return 'The "variables" of a request must be a JSON object.';
  if (operationName != null && typeof operationName !== 'string') return 'The "operationName" of a request must be a string.';
  return {
    query,
    variables: (variables ?? null) as NonNullable<GraphqlRequest['variables']> | null,
    operationName: operationName ?? null,
  };
}

/** `POST /import?mode=`: a schema definition becomes schema documents. */
export function importSchema(core: Core, request: HttpRequest): Promise<Answer> {
  return refusing(
    async () => {
      const terms = termsOf(core, request);
      if ((request.body?.length ?? 0) > MAX_BODY) return { status: 413, text: 'Request entity is too large.', type: TEXT_TYPE };
      const sdl = core.platform.utf8.decode(bodyOf(request));
      const mode = parameter(request, 'mode') ?? null;
      const done = await core.transact(terms, {
        prepare: () => ({
          writes: true,
          run: ({ ctx, catalog }) =>
            andThen(runImport(sdl, mode, request.headers.authorization ?? '', engineDatabase(ctx, catalog)), (value) => ({ value, commit: value.commit })),
        }),
      });
      return { status: done.value.status, text: done.value.text, type: TEXT_TYPE, headers: { 'x-txn-time': String(done.ts) } };
    },
    (message) => ({ status: 401, text: message, type: TEXT_TYPE }),
  );
}

// The GraphQL gateway: `/graphql` and `/import` (brief §4.1, §7). A module of its own, loaded
// when it is first asked for.
import type { Presented } from '../../auth/secret.ts';
import { andThen } from '../../base/maybe.ts';
import { methodNotAllowed, tooLarge } from '../../errors/codes.ts';
import { HttpError } from '../../errors/fql-error.ts';
import {
  engineDatabase, type GraphqlAnswer, type GraphqlRequest, jsonText, mayWrite, readGraphqlParameters, readGraphqlRequest, RequestBodyError, runGraphql, runImport,
} from '../../graphql/gateway.ts';
import { NEWEST } from '../../wire/version.ts';
import { type Answer, TEXT_TYPE } from '../answer.ts';
import { bytesOf, MAX_BODY, textOf } from '../body.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { metrics } from '../metrics.ts';
import { parameter } from '../parameter.ts';
import { invalid, MAY_READ, MAY_WRITE, requestedLimits, secretOf, type Terms, termsOf } from '../terms.ts';
import { transact } from '../transact.ts';

/** What a bad Authorization header is told (brief §7; live answers end in a period). */
const MESSAGES = {
  missing: 'Missing authorization header.',
  malformed: 'Invalid authorization header.',
  unknown: 'Invalid database secret.',
} as const;

/** A request that is not let in: each of the two endpoints says so in a form of its own. */
class Refused extends Error {}

function requireSecret({ headers }: HttpRequest, core: Core): Presented {
  const { authorization } = headers;
  if (authorization === undefined || authorization === '') throw new Refused(MESSAGES.missing);
  const secret = secretOf(authorization, core.platform);
  if (secret === null) throw new Refused(MESSAGES.malformed);
  return secret;
}

/** The code of the only preview there ever was. Here its feature is always on. */
const PREVIEW = 'partial-update-mutation';

/** @throws HttpError `bad request` */
function requirePreviews({ headers }: HttpRequest): void {
  const codes = headers['x-schema-preview']?.split(',').map((code) => code.trim());
  const unknown = codes?.find((code) => code !== '' && code !== PREVIEW);
  if (unknown !== undefined) throw invalid('x-schema-preview', `Invalid code '${unknown}'.`);
}

function gatewayTerms(core: Core, request: HttpRequest): Terms {
  const secret = requireSecret(request, core);
  requirePreviews(request);
  return termsOf(request, NEWEST, request.method === 'GET' ? MAY_READ : MAY_WRITE, requestedLimits(request), secret);
}

/** Turns the refusals of this layer and below into the endpoint's own form. */
async function refusing(act: () => Promise<Answer>, answer: (message: string) => Answer): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refused || error instanceof RequestBodyError) return answer(error.message);
    if (error instanceof HttpError && error.status === 401) return answer(MESSAGES.unknown);
    throw error;
  }
}

/** `POST /graphql`, or `GET` with a query that only reads: one operation, one transaction. */
export function graphql(core: Core, request: HttpRequest): Promise<Answer> {
  const began = core.platform.now();
  const query = request.method === 'GET' ? parameter(request, 'query') : undefined;
  if (request.method === 'GET' && query === undefined) throw methodNotAllowed(['POST']);
  return refusing(
    async () => {
      const terms = gatewayTerms(core, request);
      const text = textOf(request, core.platform.utf8);
      let read: GraphqlRequest | undefined;
      // Only when its sender is known: a bad secret is reported before a bad request.
      const asked = (): GraphqlRequest =>
        (read ??= query === undefined ? readGraphqlRequest(text) : readGraphqlParameters(query, parameter(request, 'variables'), parameter(request, 'operationName')));
      const done = await transact<GraphqlAnswer>(core, terms, {
        prepare: ({ ctx, catalog }) => ({
          writes: mayWrite(asked(), engineDatabase(ctx, catalog)),
          run: (session) =>
            andThen(runGraphql(asked(), engineDatabase(session.ctx, session.catalog)), (value) => ({ value, commit: value.commit })),
        }),
      });
      const body = jsonText(done.value.body, done.ts);
      return { status: 200, text: body, headers: metrics(done, began, core.platform, request) };
    },
    (message) => ({ status: 200, text: JSON.stringify({ errors: [{ message }] }) }),
  );
}

/** Errors of HTTP as text, the form of all answers of `/import`. */
function asText(error: unknown): Answer {
  if (!(error instanceof HttpError)) throw error;
  return { status: error.status, text: error.description, type: TEXT_TYPE, headers: error.headers };
}

/** `POST /import?mode=`: a schema definition becomes schema documents. */
export function importSchema(core: Core, request: HttpRequest): Promise<Answer> {
  return refusing(
    async () => {
      const terms = gatewayTerms(core, request);
      if (bytesOf(request) > MAX_BODY) return { status: 413, text: tooLarge().description, type: TEXT_TYPE };
      const sdl = textOf(request, core.platform.utf8);
      const mode = parameter(request, 'mode') ?? null;
      const done = await transact(core, terms, {
        prepare: () => ({
          writes: true,
          run: ({ ctx, catalog }) =>
            andThen(runImport(sdl, mode, request.headers.authorization ?? '', engineDatabase(ctx, catalog)), (value) => ({ value, commit: value.commit })),
        }),
      });
      return { status: done.value.status, text: done.value.text, type: TEXT_TYPE, headers: { 'x-txn-time': String(done.ts) } };
    },
    (message) => ({ status: 401, text: message, type: TEXT_TYPE }),
  ).catch(asText);
}

// Method and path to answer. What is thrown below becomes a response here and nowhere else.
import { andThen, type MaybePromise, rescue } from '../base/maybe.ts';
import { methodNotAllowed, notFound } from '../errors/codes.ts';
import { part } from '../errors/part.ts';
import { WIRE_VERSIONS, type Wire, wireOf } from '../wire/version.ts';
import { type Answer, errorAnswer, internalError, respond } from './answer.ts';
import type { Core } from './core.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { ping } from './routes/ping.ts';
import { query } from './routes/query.ts';
import { restMethods, restTarget } from './routes/rest.ts';
import { MAY_READ, requestedTerms } from './terms.ts';
import { transact } from './transact.ts';

interface Route {
  readonly methods: readonly string[];
  /** Whether a wrong method is told only to those with a valid secret. */
  readonly authenticated: boolean;
  /** Only for the page API: to others there is no such path. */
  readonly isOwn?: true;
  /** May throw, too. */
  answer(core: Core, request: HttpRequest): MaybePromise<Answer>;
}

const identities = part(() => import('./routes/authorized.ts'));
const gateway = part(() => import('./routes/graphql.ts'));
const streams = part(() => import('./routes/stream.ts'));
const liveQueries = part(() => import('./routes/live.ts'));
const restPaths = part(() => import('./routes/rest-query.ts'));
const preflights = part(() => import('./routes/preflight.ts'));
const refusals = part(() => import('./routes/fql-10.ts'));

/** The paths of FQL 10, which only its clients know. */
const FQL_10 = /^\/(?:query|stream|feed|schema|environment|export)\/1\b/;

const ROUTES: Readonly<Record<string, Route>> = {
  '/': { methods: ['GET', 'POST'], authenticated: true, answer: query },
  '/linearized': { methods: ['POST'], authenticated: true, answer: query },
  '/stream': { methods: ['POST'], authenticated: true, answer: async (core, request) => (await streams()).stream(core, request) },
  '/live': { methods: ['POST'], authenticated: true, isOwn: true, answer: async (core, request) => (await liveQueries()).live(core, request) },
  '/graphql': { methods: ['GET', 'POST'], authenticated: false, answer: async (core, request) => (await gateway()).graphql(core, request) },
  '/import': { methods: ['POST'], authenticated: false, answer: async (core, request) => (await gateway()).importSchema(core, request) },
  '/authorized': { methods: ['GET'], authenticated: false, answer: async (core, request) => (await identities()).authorized(core, request) },
  '/ping': { methods: ['GET', 'HEAD'], authenticated: false, answer: ping },
  // Always fails, for clients that want to test that.
  '/error': { methods: ['GET'], authenticated: false, answer: internalError },
};

function routeOf(path: string): Route | null {
  const known = path || '/';
  if (Object.hasOwn(ROUTES, known)) return ROUTES[known] as Route;
  const target = restTarget(path);
  if (target === null) return null;
  return {
    methods: restMethods(target),
    authenticated: true,
    answer: async (core, request) => (await restPaths()).rest(core, request, target),
  };
}

/** Answers any request; a bug of ours ends as a 500 that says nothing more. */
export function handle(core: Core, request: HttpRequest, report: (error: unknown) => void): MaybePromise<HttpResponse> {
  const { utf8 } = core.platform;
  const isPreflight = request.method === 'OPTIONS' && request.headers.origin !== undefined;
  /** Every answer but a preflight's tells its time. */
  const told = (answer: Answer): HttpResponse => respond(answer, request, utf8, { 'x-txn-time': String(core.txnTime) });
  return rescue(
    () => (isPreflight ? andThen(preflights(), ({ preflight }) => respond(preflight, request, utf8)) : andThen(answer(core, request), told)),
    (error) => told(failedAnswer(error, request, report)),
  );
}

/** The answer to a request that failed, also where there was no engine for it. @param report told of what is no client's fault, and no backend's */
export function failedAnswer(error: unknown, request: HttpRequest, report: (error: unknown) => void): Answer {
  const known = errorAnswer(error, wordsOf(request));
  if (known === null) report(error);
  return known ?? internalError();
}

function answer(core: Core, request: HttpRequest): MaybePromise<Answer> {
  const route = routeOf(request.path);
  if (route === null || (route.isOwn && request.bare !== true)) {
    if (FQL_10.test(request.path)) return andThen(refusals(), ({ fql10 }) => fql10);
    throw notFound();
  }
  return route.methods.includes(request.method) ? route.answer(core, request) : refuse(core, request, route);
}

async function refuse(core: Core, request: HttpRequest, { methods, authenticated }: Route): Promise<never> {
  if (authenticated) await transact(core, requestedTerms(request, core.platform, MAY_READ), NOTHING);
  throw methodNotAllowed(methods);
}

/** Work that only asks whether the secret is good. */
const NOTHING = { prepare: () => ({ writes: false, run: () => ({ value: null, commit: false }) }) };

/** Those of version 2.0 where another is asked for that there is not. */
const wordsOf = ({ headers }: HttpRequest): Wire['words'] => (wireOf(headers['x-faunadb-api-version']) ?? WIRE_VERSIONS['2.0']).words;

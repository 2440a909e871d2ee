// What the headers of a request say (reference: fql/wire.md §5.2).
import { fromBase64, type Key } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { type Presented, presented } from '../auth/secret.ts';
import { badRequest, unauthorized } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { type Wire, wireOf } from '../wire/version.ts';
import { marksOf } from './marks.ts';
import type { HttpRequest } from './message.ts';
import { readTags } from './tags.ts';

/** What a request says besides its work: who sends it, and under which conditions it runs. */
export interface Terms {
  readonly id: string;
  /** The public hash of the id; only those who may write need it. */
  hash(): Key;
  /** Sent before under the same id. */
  readonly resent: boolean;
  /** When it was sent first, by the sender's clock in microseconds. */
  readonly sentAt: Ts | undefined;
  readonly secret: Presented;
  readonly wire: Wire;
  readonly timeoutMs: number;
  /** Reruns allowed when other engines' commits get in the way. */
  readonly retries: number;
  readonly limit: EvalContext['limit'];
}

/** Written out: every request has them, and a literal with two spreads takes as long as all that a small query does. */
export const termsOf = (request: HttpRequest, wire: Wire, limit: Terms['limit'], { timeoutMs, retries }: Limits, secret: Presented): Terms => ({
  id: request.id,
  hash: () => marksOf(request).hash,
  resent: request.resent === true,
  sentAt: request.sentAt,
  secret,
  wire,
  timeoutMs,
  retries,
  limit,
});

export const invalid = (header: string, reason: string) => badRequest(`Invalid header '${header}': ${reason}`);

/** The secret of an `Authorization` header; `null` when its form is not one of the two. */
export function secretOf(header: string, platform: Platform): Presented | null {
  const [, scheme, credentials] = /^(\S*)\s+([^ ]+)$/.exec(header) ?? [];
  if (credentials === undefined) return null;
  if (scheme === 'Bearer') return presented(withoutColon(credentials), platform, true);
  if (scheme !== 'Basic') return null;
  // The Go driver puts the colon behind the encoded text, and there alone.
  const bytes = fromBase64(withoutColon(credentials));
  const pair = bytes === null ? '' : platform.utf8.decode(bytes);
  // The colon between name and password is required, though there is no password (brief §5).
  return pair !== '' && (pair + credentials).includes(':') ? presented(withoutColon(pair), platform) : null;
}

const withoutColon = (text: string): string => text.replace(/:$/, '');

/** @throws HttpError `unauthorized` */
export function requireSecret({ headers }: HttpRequest, platform: Platform): Presented {
  const secret = secretOf(headers.authorization ?? '', platform);
  if (secret === null || secret.plain + secret.scope === '') throw unauthorized();
  return secret;
}

/** @throws HttpError `bad request` */
export function requestedWire({ headers }: HttpRequest): Wire {
  const asked = headers['x-faunadb-api-version'];
  const wire = wireOf(asked);
  if (wire === null) throw invalid('x-faunadb-api-version', `Unsupported or invalid API version '${asked}'.`);
  return wire;
}

/** What a request may do, by its method. */
export const MAY_WRITE = { effect: 'write', reason: '' } as const;
export const MAY_READ = { effect: 'read', reason: 'get requests' } as const;

export interface Limits {
  readonly timeoutMs: number;
  readonly retries: number;
}

export const DEFAULTS: Limits = { timeoutMs: 120_000, retries: 7 };
const MAX_TIMEOUT = 600_000;
const MAX_RETRIES = 7;

/** @throws HttpError `bad request` */
export function requestedLimits({ headers }: HttpRequest): Limits {
  const seen = headers['x-last-seen-txn'];
  // The header only asks for fresh data, which every request gets anyway: no commit time is lifted to it.
  if (seen !== undefined && !/^\d+$/.test(seen)) throw invalid('x-last-seen-txn', `Invalid timestamp '${seen}'.`);
  const timeoutMs = numberOf(headers, 'x-query-timeout') ?? DEFAULTS.timeoutMs;
  if (timeoutMs <= 0) throw invalid('x-query-timeout', 'Must be greater than 0.');
  if (timeoutMs > MAX_TIMEOUT) throw invalid('x-query-timeout', `Must be less than or equal to ${MAX_TIMEOUT}.`);
  const retries = numberOf(headers, 'x-max-retries-on-contention') ?? DEFAULTS.retries;
  if (retries < 0 || retries > MAX_RETRIES) throw invalid('x-max-retries-on-contention', `Must be between 0 and ${MAX_RETRIES}.`);
  const tags = readTags(headers['x-fauna-tags']);
  if ('wrong' in tags) throw invalid('x-fauna-tags', tags.wrong);
  return { timeoutMs, retries };
}

function numberOf(headers: HttpRequest['headers'], name: string): number | undefined {
  const text = headers[name];
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text)) throw invalid(name, `Invalid number '${text}'.`);
  return Number(text);
}

/** @throws HttpError for a header that cannot be used, and then for a secret that cannot */
export const requestedTerms = (request: HttpRequest, platform: Platform, limit: Terms['limit']): Terms =>
  termsOf(request, requestedWire(request), limit, requestedLimits(request), requireSecret(request, platform));

import { utf8Length } from '../base/bytes.ts';
import { Path } from '../base/path.ts';
import type { Platform } from '../base/platform.ts';
import { invalidExpression, tooLarge } from '../errors/codes.ts';
import { JsonError, readJson } from '../value/json.ts';
import type { Value } from '../value/value.ts';
import type { HttpRequest } from './message.ts';

/** Bytes of a body (reference: fql/wire.md §5.6). */
export const MAX_BODY = 8_388_608;

/** Bytes of a request's body. */
export function bytesOf({ body }: HttpRequest): number {
  return typeof body === 'string' ? utf8Length(body) : (body?.length ?? 0);
}

/** @throws HttpError `request too large` */
export function textOf(request: HttpRequest, utf8: Platform['utf8']): string {
  if (bytesOf(request) > MAX_BODY) throw tooLarge();
  const { body } = request;
  return typeof body === 'string' ? body : body === null ? '' : utf8.decode(body);
}

const JSON_ERRORS = {
  empty: 'No query provided.',
  syntax: 'Request body is not valid JSON.',
  nesting: 'Request body JSON exceeds nesting limit.',
} as const;

/** @throws FqlError `invalid expression` */
export function readQuery(text: string): Value {
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw invalidExpression(Path.root, JSON_ERRORS[error.kind]);
  }
}

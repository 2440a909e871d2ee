import { Path } from '../base/path.ts';
import { invalidExpression, tooLarge } from '../errors/codes.ts';
import { JsonError, readJson } from '../value/json.ts';
import type { Value } from '../value/value.ts';
import type { HttpRequest } from './message.ts';

/** Bytes of a body (reference: fql/wire.md §5.6). */
export const MAX_BODY = 8_388_608;

/** @throws HttpError `request too large` */
export function bodyOf({ body }: HttpRequest): Uint8Array {
  if (body !== null && body.length > MAX_BODY) throw tooLarge();
  return body ?? new Uint8Array();
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

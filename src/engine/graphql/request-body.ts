// What a client sends to `/graphql`, read exactly: variables may hold 64-bit integers.
import { JsonError, JsonReader } from '../value/json-reader.ts';
import { isArray, Obj, type Value } from '../value/value.ts';
import type { GraphqlRequest } from './check-request.ts';
import type { Variables } from './variables.ts';

/** A body that is no request; the answer is status 200 with this message under `errors`. */
export class RequestBodyError extends Error {
  override readonly name = 'RequestBodyError';
}

const EXPECTED =
  "The request body must be a JSON object with the GraphQL document as text in 'query', and optionally 'variables' and 'operationName'.";

/** @throws RequestBodyError */
export function readGraphqlRequest(text: string): GraphqlRequest {
  const body = jsonOf(text);
  const query = body instanceof Obj ? body.get('query') : undefined;
  if (!(body instanceof Obj) || typeof query !== 'string') throw new RequestBodyError(EXPECTED);
  const operationName = body.get('operationName') ?? null;
  if (typeof operationName !== 'string' && operationName !== null) throw new RequestBodyError(EXPECTED);
  return requestOf(query, body.get('variables') ?? null, operationName);
}

/** The same as parameters of an address, as some clients send what only reads. @throws RequestBodyError */
export function readGraphqlParameters(query: string, variables = '', operationName: string | null = null): GraphqlRequest {
  return { ...requestOf(query, variables === '' ? null : jsonOf(variables), operationName), readsOnly: true };
}

function requestOf(query: string, variables: Value, operationName: string | null): GraphqlRequest {
  if (variables !== null && !(variables instanceof Obj)) throw new RequestBodyError(EXPECTED);
  // An empty name, as some clients send it, is none.
  return { query, variables: variables && (plain(variables) as Variables), operationName: operationName || null };
}

function jsonOf(text: string): Value {
  try {
    return new BodyReader(text).document();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new RequestBodyError(error.kind === 'nesting' ? 'Request body JSON exceeds nesting limit.' : EXPECTED);
  }
}

/** Reads what fits into no number of the database, too: the type of its variable says why not. */
class BodyReader extends JsonReader {
  protected override beyond(text: string): Value {
    return /^-?\d{1,308}$/.test(text) ? BigInt(text) : Number(text);
  }
}

/** JSON values as the library takes them; `__proto__` is a key like any other. */
function plain(value: Value): unknown {
  if (value instanceof Obj) {
    const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [key, item] of value.entries()) object[key] = plain(item);
    return object;
  }
  return value !== null && typeof value === 'object' && isArray(value) ? value.map(plain) : value;
}

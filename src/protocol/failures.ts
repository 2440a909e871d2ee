// Answers a host gives when the engine could not: in the same JSON form as the engine's own.
import type { HttpResponse } from '../engine/http/message.ts';

/** 503: no engine could be reached or opened. The request may be sent again. */
export function unavailable(description: string): HttpResponse {
  return failure(503, 'unavailable', description);
}

/** 500: a bug of ours; no detail goes out. */
export function internalError(): HttpResponse {
  return failure(500, 'internal server error', 'Internal server error.');
}

function failure(status: number, code: string, description: string): HttpResponse {
  const body = new TextEncoder().encode(JSON.stringify({ errors: [{ code, description }] }));
  return { status, headers: { 'content-type': 'application/json;charset=utf-8', 'content-length': String(body.length) }, body };
}

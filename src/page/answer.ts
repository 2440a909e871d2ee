// Reading what the engine answers.
import type { HttpResponse } from '../engine/http/message.ts';
import { isObject } from '../protocol/handshake.ts';
import { VivariumError } from './error.ts';
import type { ErrorEntry } from './error.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function errorOf({ status, text }: Answer): VivariumError {
  const body = parsed(text);
  const errors = isObject(body) && Array.isArray(body['errors']) ? (body['errors'] as ErrorEntry[]) : [{ description: text }];
  return new VivariumError(status, errors);
}

const decoder = new TextDecoder();

/** The text of a body that has arrived whole, as all do but those of streams. */
export function textOf(body: HttpResponse['body']): string {
  return typeof body === 'string' ? body : decoder.decode(body as Uint8Array);
}

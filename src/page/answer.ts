// Reading what the engine answers.
import type { HttpResponse } from '../engine/http/message.ts';
import { VivariumError } from './error.ts';
import type { ErrorEntry } from './error.ts';

/** Of bodies that are all there; what comes in pieces has a decoder of its own. */
const whole = new TextDecoder();

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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export async function textOf(body: HttpResponse['body']): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return whole.decode(body);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

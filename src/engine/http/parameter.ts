import { badRequest } from '../errors/codes.ts';
import type { HttpRequest } from './message.ts';

/** A parameter of the query string; `undefined` when it is not there. @throws HttpError for bad percent escapes */
export function parameter({ search }: HttpRequest, name: string): string | undefined {
  for (const pair of search.split('&')) {
    const [key = ''] = pair.split('=', 1);
    if (key !== name) continue;
    try {
      return decodeURIComponent(pair.slice(key.length + 1).replaceAll('+', ' '));
    } catch {
      throw badRequest(`Invalid url parameter ${name}.`);
    }
  }
  return undefined;
}

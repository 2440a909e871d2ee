import { badRequest } from '../../errors/codes.ts';

/** UTF-16 units a function may put together; only a query that multiplies strings on purpose gets here. */
const MAX_LENGTH = 1 << 26;

/**
 * Refuses a length before the string of it is made.
 * @throws HttpError `bad request`
 */
export function affordable(length: number): void {
  if (length > MAX_LENGTH) throw badRequest(`String length (${length}) exceeds threshold (${MAX_LENGTH})`);
}

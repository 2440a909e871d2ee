import { badRequest } from '../../errors/codes.ts';
import type { Budget } from '../../form/budget.ts';

/** UTF-16 units a function may put together; only a query that multiplies strings on purpose gets here. */
const MAX_LENGTH = 1 << 26;
/** Of all strings that a request makes: they may all be kept, and a tab without memory is gone. */
const MAX_TOTAL = 1 << 30;

/**
 * Refuses a length before the string of it is made.
 * @param budget of the request that makes it
 * @throws HttpError `bad request`
 */
export function affordable(length: number, budget?: Budget): void {
  keep('String length', length, MAX_LENGTH);
  if (budget !== undefined) keep('Total length of strings', (budget.characters += length), MAX_TOTAL);
}

function keep(what: string, length: number, most: number): void {
  if (length > most) throw badRequest(`${what} (${length}) exceeds threshold (${most})`);
}

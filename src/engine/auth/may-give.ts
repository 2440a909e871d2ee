import type { Caller } from './caller.ts';

type Rights = Caller['rights'];

/**
 * Whether somebody with the rights `held` may have a function run with those in `asked`. Keys of
 * the built-in roles that write functions are trusted with all; a user role gives on only itself.
 */
export const mayGive = (held: Rights, asked: Rights): boolean =>
  typeof held === 'string' || (typeof asked !== 'string' && asked.every((role) => held.some((own) => own.equals(role))));

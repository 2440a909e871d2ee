// Cursors over entries that are made of other cursors.
import type { Key } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import type { Entry, EntryCursor } from './set-op.ts';

export const emptyCursor: EntryCursor = { next: () => null, seek: () => {} };

/** A cursor over entries at hand, which are in the order in which they are read. */
export function listCursor(entries: readonly Entry[], descending: boolean): EntryCursor {
  let at = 0;
  return {
    next: () => entries[at++] ?? null,
    seek: (key) => {
      while (at < entries.length && before((entries[at] as Entry).key, key, descending)) at++;
    },
  };
}

/** Whether a cursor that leaps to `key` passes over `at`. */
export const before = (at: Key, key: Key, descending: boolean): boolean => (descending ? at >= key : at < key);

/** A cursor whose source is known only when it is first read. */
export function deferredCursor(ctx: EvalContext, open: () => MaybePromise<EntryCursor>): EntryCursor {
  let cursor: EntryCursor | null = null;
  let leap: Key | null = null;
  const next = (): MaybePromise<Entry | null> => {
    if (cursor !== null) return cursor.next();
    return andThen(open(), (opened) => {
      cursor = opened;
      if (leap !== null) opened.seek(leap);
      return opened.next();
    });
  };
  return {
    // Cursors of sets within sets call each other: too deep for one stack, they go on in a promise.
    next: () => ctx.budget.nest(next),
    seek: (key) => {
      if (cursor === null) leap = key;
      else cursor.seek(key);
    },
  };
}

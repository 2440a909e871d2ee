import { andThen } from '../base/maybe.ts';
import { entryWith } from './entries.ts';
import type { EntryCursor, SetOp } from './set-op.ts';

/** Marks entries with the set they come from, unless they name one already. */
export function withSource(cursor: EntryCursor, source: SetOp): EntryCursor {
  const sources = [source];
  return {
    next: () => andThen(cursor.next(), (entry) => (entry === null || entry.sources !== undefined ? entry : entryWith(entry, { sources }))),
    seek: (key) => cursor.seek(key),
  };
}

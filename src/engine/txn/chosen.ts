// Of rows taken many at a time, those that count now.
import type { MaybePromise } from '../base/maybe.ts';
import type { Row } from '../kv/rows.ts';
import { areOfOne, counts, groupOf, STEPS_BEFORE_LEAP } from './current.ts';
import type { InPieces } from './txn.ts';

/**
 * A function that is given all rows of a span in order, in any portions, and tells which of them count.
 * @param bill called with each row that is looked at
 */
export function chosen({ hides, view, wholly }: InPieces, bill: (row: Row) => void): (rows: readonly Row[]) => MaybePromise<readonly Row[]> {
  let done: Row | null = null;
  let skipped = 0;
  const take = (rows: readonly Row[], from = 0, counting: Row[] = []): MaybePromise<readonly Row[]> => {
    for (let at = from; at < rows.length; at++) {
      const row = rows[at] as Row;
      const isMore = done !== null && areOfOne(done, row);
      // One by one, there would be a leap over the others.
      if (!isMore || ++skipped <= STEPS_BEFORE_LEAP) bill(row);
      if (isMore) continue;
      done = row;
      skipped = 0;
      if (counts(row, view, hides)) {
        counting.push(row);
        continue;
      }
      // The rest waits for what becomes of this one.
      const found = wholly(groupOf(row));
      if (found instanceof Promise) {
        return found.then((one) => {
          if (one !== undefined) counting.push(one);
          return take(rows, at + 1, counting);
        });
      }
      if (found !== undefined) counting.push(found);
    }
    return counting;
  };
  return (rows) => take(rows);
}

import type { Ts } from '../base/platform.ts';
import type { EvalContext } from '../form/context.ts';
import { PendingTs, Time } from '../value/value.ts';

/**
 * The valid time that reading "at" a time means: the present when it is the query's own time or that of its writes.
 * @param future what it means when it lies in the future: for `at` no change, for the `ts` of a read the present, too (reference: fql/functions.md §1.3, data/documents.md §4)
 */
export function validTimeOf(time: Time | bigint | PendingTs, { txn }: EvalContext, future: Ts | null = null): Ts | null {
  if (time instanceof PendingTs) return null;
  const micros = time instanceof Time ? time.micros : time;
  const now = BigInt(txn.now);
  if (micros === now) return null;
  return micros > now ? future : Number(micros);
}

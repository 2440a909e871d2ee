import type { Ts } from '../base/platform.ts';
import type { EvalContext } from '../form/context.ts';
import { PendingTs, Time } from '../value/value.ts';

/**
 * The valid time that reading "at" a time means: the present when it is the query's own time or that of its writes,
 * no change when it lies in the future (reference: fql/functions.md §1.3).
 */
export function validTimeOf(time: Time | bigint | PendingTs, ctx: EvalContext): Ts | null {
  if (time instanceof PendingTs) return null;
  const micros = time instanceof Time ? time.micros : time;
  const now = BigInt(ctx.txn.now);
  if (micros === now) return null;
  return micros > now ? ctx.validTime : Number(micros);
}

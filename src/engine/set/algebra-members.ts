// The members of a union, an intersection or a difference that is being read.
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { mergedHistory } from './merged-history.ts';
import type { EntryCursor, SetOp, Shape, Window } from './set-op.ts';
import { widened } from './widened.ts';
import { withSource } from './with-source.ts';

export type AlgebraKind = 'union' | 'intersection' | 'difference';

export interface Combination {
  readonly kind: AlgebraKind;
  readonly members: readonly Shaped[];
  /** Of all together. */
  shape(): Shape;
  readonly ctx: EvalContext;
}

/** A member, and its shape among the others. */
export interface Shaped {
  readonly member: SetOp;
  readonly shape: Shape;
  /** Whether it covers less than its shape says: it covers no values, and is read as covering its ref. */
  readonly isWidened: boolean;
}

/** The members that may be read; the others count as empty. Beyond the first one, each is billed as a partition. */
export const readableMembers = ({ members, ctx }: Combination): MaybePromise<readonly Shaped[]> =>
  andThen(mapEach(members, ({ member }) => member.readable(ctx)), (readable) => {
    const found = members.filter((_, at) => readable[at]);
    ctx.txn.cost.index('', found.length);
    return found;
  });

/** Opens a member so that its entries are in the order of all: sets of refs are widened, events put in the order of merged sets. @param whole the shape of all together */
export function openAlike({ member, isWidened }: Shaped, ctx: EvalContext, window: Window, whole: () => Shape): EntryCursor {
  const open = (part: Window): EntryCursor => withSource(member.open(ctx, part), member.basis);
  if (isWidened) return widened(open, window);
  return member.historical ? mergedHistory([open], window, whole(), (events) => events.map(({ entry }) => entry)) : open(window);
}

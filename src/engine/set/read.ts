// Reading sets whole or in part: what functions call.
import { andThen, drawing, loop, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { SetLike } from '../form/casts.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { same } from '../value/equal.ts';
import type { Value } from '../value/value.ts';
import { placeOf, reading } from './paginate.ts';
import { elementOf, type Entry, type EntryCursor, everything, type SetOp, type Window } from './set-op.ts';
import { toSet } from './to-set.ts';

/** What is read of a set: all of it, unless there are bounds. */
type Reach = Partial<Omit<Window, 'descending'>> & { readonly backwards?: boolean };

/** Opens a set for reading in its own order, unless backwards. @throws FqlError `permission denied` at `at` */
function openSet(set: SetOp, ctx: EvalContext, at: Path, { backwards = false, ...bounds }: Reach = {}): MaybePromise<EntryCursor> {
  return reading(set, ctx, at, () => {
    ctx.txn.cost.begin();
    const descending = set.shape(ctx).reversed !== backwards;
    return set.open(ctx, { ...everything(descending), ...bounds });
  });
}

/** How many entries a set has. */
export function countSet(set: SetLike, ctx: EvalContext, at: Path): MaybePromise<number> {
  const op = toSet(set, ctx);
  const told = reading(op, ctx, at, () => {
    ctx.txn.cost.begin();
    return op.tally(ctx) ?? foldEntries(op.open(ctx, everything(op.shape(ctx).reversed)), 0, (count) => count + 1, ctx);
  });
  return andThen(told, (count) => {
    // Each is a step.
    ctx.budget.steps += count;
    return count;
  });
}

/** Folds over all entries, one after the other, without holding them. */
export const foldSet = <A>(set: SetLike, seed: A, step: (accumulator: A, entry: Entry) => MaybePromise<A>, ctx: EvalContext, at: Path): MaybePromise<A> =>
  andThen(openSet(toSet(set, ctx), ctx, at), (cursor) => foldEntries(cursor, seed, step, ctx));

function foldEntries<A>({ next }: EntryCursor, seed: A, step: (accumulator: A, entry: Entry) => MaybePromise<A>, ctx: EvalContext): MaybePromise<A> {
  let accumulator = seed;
  const keep = (next: A): undefined => void (accumulator = next);
  const add = (entry: Entry): MaybePromise<undefined> => andThen(step(accumulator, entry), keep);
  const take = (entry: Entry | null): MaybePromise<true | undefined> => {
    if (entry === null) return true;
    const pause = ctx.budget.move();
    return pause instanceof Promise ? pause.then(() => add(entry)) : add(entry);
  };
  return andThen(drawing(next, take)(), () => accumulator);
}

/** The first entry, or the last one; `null` when there is none. */
export function edgeOf(set: SetLike, ctx: EvalContext, at: Path, end: 'first' | 'last' = 'first'): MaybePromise<Entry | null> {
  return andThen(openSet(toSet(set, ctx), ctx, at, { backwards: end === 'last' }), (cursor) => cursor.next());
}

/**
 * The first entry that a set holds at the time it is read, whether or not the caller may read its document (reference:
 * data/sets.md §8). For a set of events, that of the set whose history it is.
 */
export const headOf = (set: SetLike, ctx: EvalContext, at: Path): MaybePromise<Entry | null> =>
  edgeOf(toSet(set, ctx).snapshot, ctx.with({ unveiled: true }), at);

/** Whether a set has a first entry, and one that the caller may read. */
export const hasHead = (set: SetLike, ctx: EvalContext, at: Path): MaybePromise<boolean> =>
  andThen(headOf(set, ctx, at), (entry) => entry !== null && allows(ctx, 'read', entry.ref));

/**
 * Whether a value is among the elements, found by its position and not by looking through.
 * @throws FqlError for a value that is no cursor of the set
 */
export function setContains(set: SetLike, value: Value, ctx: EvalContext, at: Path): MaybePromise<boolean> {
  const op = toSet(set, ctx);
  const cursor = andThen(placeOf(value, op, ctx, at.at('contains_value')), ({ position: { low, high, group } }) =>
    openSet(op, ctx, at, { from: low, fromGroup: group, to: high, toGroup: group }),
  );
  return andThen(cursor, (entries) =>
    loop<boolean>(() => andThen(entries.next(), (entry) => (entry === null ? false : same(elementOf(entry), value) || undefined))),
  );
}

// How the members of a union, an intersection or a difference are read together, and what else `lazy` loads to read
// several sets as one (reference: data/sets.md §4).
import { afterPrefix, type Key } from '../base/bytes.ts';
import { andThen, drawing, fold, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { termKey } from '../order/term-key.ts';
import { requireKept } from '../schema/retention.ts';
import { isArray, Obj, type Value } from '../value/value.ts';
import { type AlgebraKind, type Combination, openAlike, readableMembers } from './algebra-members.ts';
import { emptyCursor } from './cursors.ts';
import { groupKey, whole } from './entries.ts';
import { firstOfGroups } from './first-of-group.ts';
import { groupwise, type GroupRule, onceByRef } from './groupwise.ts';
import { type Joining, present, targetsOf } from './join-targets.ts';
import { mergeEntries } from './merged.ts';
import { filterCursor, Peeking } from './peeking.ts';
import type { Entry, EntryCursor, Position, SetOp, Window } from './set-op.ts';
import { around } from './window.ts';
import { withSource } from './with-source.ts';

type Opener = (window: Window) => EntryCursor;

/** A member, and how many values it covers: groups of different widths are never the same. */
interface Member {
  readonly open: Opener;
  readonly width: number;
}

const size = (group: readonly Entry[]): number => group.length;

/** Each group as often as in the member that has most of it. */
// By folding: there may be more members than a call can have arguments.
const most: GroupRule = { needsAll: false, combine: (groups) => onceByRef(groups, groups.map(size).reduce((a, b) => Math.max(a, b))) };
/** Each group as often as in the member that has least of it. */
const least: GroupRule = { needsAll: true, combine: (groups) => onceByRef(groups, groups.map(size).reduce((a, b) => Math.min(a, b))) };

/** Openers of members that cover equally many values, together. */
function byWidth(members: readonly Member[]): Opener[][] {
  const widths = [...new Set(members.map(({ width }) => width))];
  return widths.map((width) => members.filter((member) => member.width === width).map(({ open }) => open));
}

const COMBINED: Readonly<Record<AlgebraKind, (members: readonly Member[], window: Window) => EntryCursor>> = {
  union: (members, window) =>
    mergeEntries(
      byWidth(members).map((alike) => groupwise(alike, most, window)),
      window.descending,
    ),
  intersection(members, window) {
    const [alike = [], ...others] = byWidth(members);
    return others.length > 0 ? emptyCursor : groupwise(alike, least, window);
  },
  difference([own, ...others], window) {
    if (own === undefined) return emptyCursor;
    const alike = others.filter(({ width }) => width === own.width).map(({ open }) => open);
    return difference(own.open(window), alike, window);
  },
};

/** The entries of a union, an intersection or a difference. */
export const combined = (combination: Combination, window: Window): MaybePromise<EntryCursor> =>
  andThen(readableMembers(combination), (members) => {
    const { kind, ctx } = combination;
    const usual = combination.shape().descending.length;
    const openers = members.map((each): Member => ({ open: (part) => openAlike(each, ctx, part, combination.shape), width: each.shape.open ? usual : each.shape.descending.length }));
    return COMBINED[kind](openers, window);
  });

/** Whether other values may have the same place: to order 1 is 1.0, also within what holds values. */
const isShared = (value: Value): boolean => typeof value === 'bigint' || Number.isInteger(value) || isArray(value) || value instanceof Obj;

/** The entries of a set, of those with identical values that come one after the other only one (reference: fql/order.md §4). */
export const distinct = (open: Opener, window: Window): EntryCursor =>
  firstOfGroups(open, window, (entry) => (entry.values.some(isShared) ? termKey(entry.values) : groupKey(entry)));

/**
 * The place of the element that a cursor within a group leads to, whichever document it comes from by now: of several
 * that share the group, the last that is not behind the cursor. Of what a join leads to there is one for each group, and to read it twice is dear.
 */
export function settled(set: SetOp, values: readonly Value[], group: Key, cursor: Key, ctx: EvalContext): MaybePromise<Position> {
  const all = around(group);
  const told = set.basis.describe();
  if ((told instanceof Obj && told.has('join')) || !values.some(isShared)) return all;
  const { next } = set.open(ctx, { from: all.low, to: all.high, descending: false });
  let place = all;
  const pass = (entry: Entry | null): Position | undefined => {
    if (entry === null || (place !== all && entry.key > cursor)) return place;
    place = { ...around(entry.key), group };
    return undefined;
  };
  // What is on the page is billed when it is read.
  return ctx.txn.cost.free(drawing(next, pass));
}

/** The entries of all that a join's source leads to, each group once. */
export function joined(joining: Joining, window: Window): MaybePromise<EntryCursor> {
  const { ctx } = joining;
  const { validTime, now } = ctx;
  return andThen(present(joining), (entries) =>
    andThen(targetsOf(entries, joining), (targets) => {
      // Targets may keep less than the source. A history, which looks from each of its moments as from the present, takes what there is.
      if (validTime !== null && validTime < now) for (const { target } of targets) requireKept(validTime, target.earliest(ctx));
      return firstOfGroups(
        (part) => mergeEntries(targets.map(({ target }) => withSource(target.open(ctx, part), target.basis)), part.descending),
        window,
      );
    }),
  );
}

/** What the first has and none of the others has. The others are asked for its groups one after the other. */
function difference(own: EntryCursor, others: readonly Opener[], window: Window): EntryCursor {
  const { descending } = window;
  const members = others.map((open) => new Peeking(open(whole(window)), descending));
  let decided: { readonly group: Key; readonly kept: boolean } | null = null;
  return filterCursor(own, (entry) => {
    const group = groupKey(entry);
    if (decided?.group === group) return decided.kept;
    const lacks = (member: Peeking): MaybePromise<boolean> => {
      member.seek(descending ? afterPrefix(group) : group);
      return andThen(member.peek(), (head) => head === null || groupKey(head) !== group);
    };
    const kept = fold(members, true, (all, member) => all && lacks(member));
    return andThen(kept, (known) => {
      decided = { group, kept: known };
      return known;
    });
  });
}

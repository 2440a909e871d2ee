// Histories of unions, intersections and differences (reference: data/sets.md §4).
import type { Key } from '../base/bytes.ts';
import { andThen, fold, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { EvalContext } from '../form/context.ts';
import { PENDING } from '../kv/keyspace.ts';
import { refKey } from '../order/order-key.ts';
import { readTime } from '../txn/events.ts';
import { momentKey } from '../txn/moment.ts';
import { shownTs } from '../txn/version.ts';
import { DocEvent } from '../value/value.ts';
import { type AlgebraKind, type Combination, openAlike, readableMembers } from './algebra-members.ts';
import { entryWith } from './entries.ts';
import { type MemberEvent, mergedHistory } from './merged-history.ts';
import { boundOf } from './position.ts';
import { kept } from './row-entries.ts';
import type { Entry, EntryCursor, Shape, Window } from './set-op.ts';
import { withSource } from './with-source.ts';

/** The events that change a combination, in order. What the members held before the edge of what is kept, nobody can say: there only a union has events. */
export const algebraHistory = (combination: Combination, window: Window): MaybePromise<EntryCursor> =>
  andThen(readableMembers(combination), (members) => {
    const { ctx, kind } = combination;
    // All of them are looked into at each event, so what one of them keeps no more nobody can say of the others, either.
    const edge = kind === 'union' ? -Infinity : Math.max(...members.map(({ member }) => member.earliest(ctx)));
    const openers = members.map(({ member }) => (part: Window) => withSource(member.history(ctx, kind === 'union' ? part : kept(part, edge)), member.basis));
    // Their histories are billed: to look into the members besides is not.
    const heads: Heads = (at, part) => ctx.txn.cost.free(() => mapEach(members, (each) => openAlike(each, at, part, combination.shape).next()));
    return mergedHistory(openers, window, combination.shape(), turnsOf(combination, heads));
  });

/** The first entry of each member in a window, at the context's time. */
type Heads = (at: EvalContext, window: Window) => MaybePromise<readonly (Entry | null)[]>;

type Turn = (events: readonly MemberEvent[]) => MaybePromise<readonly Entry[]>;

const lowest = (heads: readonly (Entry | null)[]): Entry | null =>
  heads.reduce((best, head) => (head === null || (best !== null && best.key <= head.key) ? best : head), null);

/** The entry that stands for a group, given the first entry that each member has of it. */
const FIRST: Readonly<Record<Exclude<AlgebraKind, 'union'>, (heads: readonly (Entry | null)[]) => Entry | null>> = {
  intersection: (heads) => (heads.includes(null) ? null : lowest(heads)),
  difference: ([own = null, ...others]) => (others.every((head) => head === null) ? own : null),
};

/**
 * What the members' events of one instant are to the set. All of them, in a union; else the groups that enter or
 * leave the set, by what the members hold of them just before and just after it, where only what had run out by
 * then is missing.
 */
function turnsOf({ kind, shape: shapeOf, ctx }: Combination, heads: Heads): Turn {
  if (kind === 'union') return (events) => events.map(({ entry }) => entry);
  return (events) => {
    const [some] = events;
    if (some === undefined) return [];
    const shape = shapeOf();
    const time = readTime(some.entry.key);
    const at = (validTime: Ts | null): EvalContext => ctx.with({ validTime, now: validTime ?? ctx.txn.now });
    const [before, after] = time === PENDING ? [at(ctx.txn.now), at(null)] : [at(time - 1), at(time)];
    const groups = new Map(events.map(({ entry }) => [placeOf(entry, shape).low, entry]));
    return fold([...groups.values()], [] as Entry[], (changes, entry) => {
      const { low, high } = placeOf(entry, shape);
      const first = (at: EvalContext): MaybePromise<Entry | null> => andThen(heads(at, { from: low, to: high, descending: false }), FIRST[kind]);
      return andThen(first(before), (was) =>
        andThen(first(after), (is) => {
          const changed = was === null ? is : is === null ? was : null;
          if (changed !== null) changes.push(changeOf(changed, was === null ? 'add' : 'remove', time));
          return changes;
        }),
      );
    });
  };
}

const placeOf = ({ values, ref }: Entry, shape: Shape): { readonly low: Key; readonly high: Key } => boundOf(values.length > 0 ? values : [ref], shape);

function changeOf(entry: Entry, action: 'add' | 'remove', time: Ts): Entry {
  const data = entry.values.length > 0 ? entry.values : undefined;
  const event = new DocEvent('set', shownTs(time), action, entry.ref, data);
  return entryWith(entry, { key: momentKey(time, action, 'merged') + refKey(entry.ref) + entry.key.slice(0, entry.split), split: 0, event });
}

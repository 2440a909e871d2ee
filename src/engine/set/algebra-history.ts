// Histories of unions, intersections and differences (reference: data/sets.md §4).
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
import type { Entry, EntryCursor, Position, Shape, Window } from './set-op.ts';
import { withSource } from './with-source.ts';

/** The events that change a combination, in order. What the members held before the edge of what is kept, nobody can say: there only a union has events. */
export const algebraHistory = (combination: Combination, window: Window): MaybePromise<EntryCursor> =>
  andThen(readableMembers(combination), (members) => {
    const { ctx, kind } = combination;
    // All of them are looked into at each event, so what one of them keeps no more nobody can say of the others, either.
    const edge = kind === 'union' ? -Infinity : Math.max(...members.map(({ member }) => member.earliest(ctx)));
    const openers = members.map(({ member }) => (part: Window) => withSource(member.history(ctx, kind === 'union' ? part : kept(part, edge)), member.basis));
    return mergedHistory(openers, window, combination.shape(), turnsOf({ ...combination, members }));
  });

type Turn = (events: readonly MemberEvent[]) => MaybePromise<readonly Entry[]>;

/** Whether an entry that a member has, or lacks, may be in the set. */
const ALLOWS: Readonly<Record<Exclude<AlgebraKind, 'union'>, (held: Entry | null, member: number) => boolean>> = {
  intersection: (held) => held !== null,
  difference: (held, member) => (held !== null) === (member === 0),
};

/**
 * What the members' events of one instant are to the set. All of them, in a union, or where there is one member alone;
 * else the entries that enter or leave the set, by which members hold them just before and just after it, where only
 * what had run out by then is missing. As in the original, a document's entry is looked for by itself: what others have
 * the same values does not matter, however many they are.
 */
function turnsOf({ kind, members, shape: shapeOf, ctx }: Combination): Turn {
  if (kind === 'union' || members.length === 1) return (events) => events.map(({ entry }) => entry);
  return (events) => {
    const [some] = events;
    if (some === undefined) return [];
    const shape = shapeOf();
    const time = readTime(some.entry.key);
    const at = (validTime: Ts | null): EvalContext => ctx.with({ validTime, now: validTime ?? ctx.txn.now });
    const [before, after] = time === PENDING ? [at(ctx.txn.now), at(null)] : [at(time - 1), at(time)];
    const places = new Map(events.map(({ entry }) => placeOf(entry, shape)).map((place) => [place.low, place]));
    return fold([...places.values()], [] as Entry[], (changes, { low, high }) => {
      // The members' histories are billed: to look into the members besides is not.
      const held = (then: EvalContext): MaybePromise<Entry | null> =>
        andThen(
          ctx.txn.cost.free(() => mapEach(members, (each) => openAlike(each, then, { from: low, to: high, descending: false }, shapeOf).next())),
          (heads) => (heads.every(ALLOWS[kind]) ? (heads[0] ?? null) : null),
        );
      return andThen(held(before), (was) =>
        andThen(held(after), (is) => {
          const changed = was === null ? is : is === null ? was : null;
          if (changed !== null) changes.push(changeOf(changed, was === null ? 'add' : 'remove', time));
          return changes;
        }),
      );
    });
  };
}

const placeOf = ({ values, ref }: Entry, shape: Shape): Position => boundOf([...(values.length > 0 ? values : [ref]), ref], shape);

function changeOf(entry: Entry, action: 'add' | 'remove', time: Ts): Entry {
  const data = entry.values.length > 0 ? entry.values : undefined;
  const event = new DocEvent('set', shownTs(time), action, entry.ref, data);
  return entryWith(entry, { key: momentKey(time, action, 'merged') + refKey(entry.ref) + entry.key.slice(0, entry.split), split: 0, event });
}

// Histories of sets that are made of others, played from the beginning: which keys are in
// each member after every instant, and so when a key enters or leaves the whole.
import type { MaybePromise } from '../base/maybe.ts';
import type { Key } from '../base/bytes.ts';
import type { EvalContext } from '../form/context.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { DocEvent } from '../value/value.ts';
import { drain } from './cursors.ts';
import { momentKey, readTime } from '../txn/moment.ts';
import { type Entry, everything, type SetOp, type Window } from './set-op.ts';

/** All events of a set, oldest first. */
export function replay(set: SetOp, ctx: EvalContext): MaybePromise<readonly Entry[]> {
  return drain(set.history(ctx, everything()));
}

const groupOf = (entry: Entry): Key => (entry.values.length > 0 ? tupleKey(entry.values) : refKey(entry.ref));
const isAdd = (entry: Entry): boolean => entry.event?.action === 'add' || entry.event?.action === 'create';

/**
 * Plays the histories of several members side by side. `holds` says whether a group is in the
 * whole, given the entries each member has of it. Answers the events of the whole inside the
 * window, in reading order.
 */
replay.combine = (
  histories: readonly (readonly Entry[])[],
  holds: (groups: readonly (readonly Entry[])[]) => boolean,
  window: Window,
): Entry[] => {
  const present: Map<Key, Map<Key, Entry>>[] = histories.map(() => new Map());
  const isIn = (group: Key): boolean => holds(present.map((member) => [...(member.get(group)?.values() ?? [])]));
  const events: Entry[] = [];
  for (const instant of instants(histories)) {
    const touched = new Map<Key, { before: boolean; entry: Entry }>();
    for (const { entry } of instant) {
      const group = groupOf(entry);
      if (!touched.has(group)) touched.set(group, { before: isIn(group), entry });
    }
    for (const { member, entry } of instant) {
      const groups = present[member] ?? new Map<Key, Map<Key, Entry>>();
      const group = groupOf(entry);
      const entries = groups.get(group) ?? new Map<Key, Entry>();
      if (isAdd(entry)) entries.set(refKey(entry.ref), entry);
      else entries.delete(refKey(entry.ref));
      groups.set(group, entries);
    }
    for (const [group, { before, entry }] of touched) {
      const after = isIn(group);
      if (before !== after) events.push(changeOf(entry, after));
    }
  }
  const inside = events.filter(({ key }) => key >= window.from && key < window.to).sort((a, b) => (a.key < b.key ? -1 : 1));
  return window.descending ? inside.reverse() : inside;
};

function changeOf(entry: Entry, added: boolean): Entry {
  const time = readTime(entry.key);
  const action = added ? 'add' : 'remove';
  const data = entry.values.length > 0 ? entry.values : entry.event?.data;
  const event = new DocEvent('set', entry.event?.ts ?? time, action, entry.ref, data);
  return { ...entry, key: momentKey(time, action) + refKey(entry.ref) + tupleKey(entry.values), event };
}

/** The events of all members, gathered by their time. */
function* instants(histories: readonly (readonly Entry[])[]): Generator<{ member: number; entry: Entry }[]> {
  const all = histories
    .flatMap((entries, member) => entries.map((entry) => ({ member, entry, time: readTime(entry.key) })))
    .sort((a, b) => a.time - b.time || (a.entry.key < b.entry.key ? -1 : 1));
  for (let at = 0; at < all.length; ) {
    const { time } = all[at] as (typeof all)[number];
    let end = at;
    while (all[end]?.time === time) end++;
    yield all.slice(at, end);
    at = end;
  }
}


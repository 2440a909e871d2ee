// Union and intersection: members are read side by side, group by group. A group is all
// entries with the same covered values (or the same ref): values decide, refs only break
// ties. Members leap, so that an intersection costs what its smallest member costs.
//
// Which entries stand for a group depends on all of it. So a window that begins or ends
// within a group is widened to hold it whole, and cut when the group is decided.
import { afterPrefix, byKey, type Key } from '../base/bytes.ts';
import { andThen, loop, mapEach, type MaybePromise } from '../base/maybe.ts';
import { listCursor } from './cursors.ts';
import { entryFrom, groupKey, whole } from './entries.ts';
import { headsOf } from './merged.ts';
import { cursorOfParts, Peeking, takeGroup } from './peeking.ts';
import { contains, type Entry, type EntryCursor, type SetOp, type Window } from './set-op.ts';

export interface GroupRule {
  /** Which entries a group leaves, in ascending order, given what each member has of it. */
  combine(groups: readonly (readonly Entry[])[]): readonly Entry[];
  /** Whether a group that some member lacks leaves nothing. */
  readonly needsAll: boolean;
}

export function groupwise(members: readonly ((window: Window) => EntryCursor)[], rule: GroupRule, window: Window): EntryCursor {
  const { descending } = window;
  const cursors = members.map((open) => open(whole(window)));
  const groups = rule.needsAll ? groupsOfAll(cursors, descending) : groupsOfAny(cursors, descending);
  const combined = cursorOfParts(() =>
    andThen(groups.next(), (parts) => {
      if (parts === null) return null;
      const entries = rule.combine(parts).filter(({ key }) => contains(window, key));
      return listCursor(descending ? entries.reverse() : entries, descending);
    }),
  );
  return {
    next: combined.next,
    seek: (key) => {
      combined.seek(key);
      groups.seek(key);
    },
  };
}

interface GroupCursor {
  /** What each member has of the next group. */
  next(): MaybePromise<readonly (readonly Entry[])[] | null>;
  seek(key: Key): void;
}

/** Goes through the groups that any member has; members that lack a group have no part in it. */
function groupsOfAny(cursors: readonly EntryCursor[], descending: boolean): GroupCursor {
  const heads = headsOf(cursors, descending);
  return {
    next: () =>
      andThen(heads.peek(), (first) => {
        const group = first && groupKey(first.entry);
        if (group === null) return null;
        const parts = new Map<number, Entry[]>();
        return loop<Entry[][]>(() =>
          andThen(heads.peek(), (head) => {
            if (head === null || groupKey(head.entry) !== group) return inTurn(parts);
            const part = parts.get(head.member);
            if (part === undefined) parts.set(head.member, [head.entry]);
            else part.push(head.entry);
            return andThen(heads.take(), () => undefined);
          }),
        );
      }),
    seek: heads.seek,
  };
}

/** Parts in the order of the members they are of. */
const inTurn = (parts: ReadonlyMap<number, Entry[]>): Entry[][] => [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);

/** Goes through the groups that all members may have, leaping over the others. */
function groupsOfAll(cursors: readonly EntryCursor[], descending: boolean): GroupCursor {
  const members = cursors.map((cursor) => new Peeking(cursor, descending));
  const groupAhead = (member: Peeking): MaybePromise<Key | null> => andThen(member.peek(), (entry) => entry && groupKey(entry));
  return {
    next: () =>
      andThen(mapEach(members, groupAhead), (groups) => {
        const group = lastOf(groups, descending);
        if (group === null) return null;
        for (const member of members) member.seek(descending ? afterPrefix(group) : group);
        return mapEach(members, (member) => takeGroup(member, group));
      }),
    seek(key) {
      for (const member of members) member.seek(key);
    },
  };
}

/** The furthest of the groups that the members have next: no group before it is in all of them. `null` where a member is at its end. */
function lastOf([first = null, ...others]: readonly (Key | null)[], descending: boolean): Key | null {
  return others.reduce((last, group) => (last === null || group === null ? null : group > last !== descending ? group : last), first);
}

const lower = (a: Entry, b: Entry): Entry => (b.key < a.key ? b : a);

/** The first `count` entries of what several members have of a group, each ref once, in order. Each names the sources of all. */
export function onceByRef(groups: readonly (readonly Entry[])[], count: number): readonly Entry[] {
  const all = groups.flat();
  if (count === 0 || all.length === 1) return all.slice(0, count);
  const kept = count === 1 ? [all.reduce(lower)] : inOrder(all).slice(0, count);
  const sources = new Set<SetOp>();
  for (const entry of all) for (const source of entry.sources ?? []) sources.add(source);
  return kept.map((entry) => entryFrom(entry, sources));
}

function inOrder(entries: readonly Entry[]): Entry[] {
  const placed = new Map(entries.map((entry) => [entry.key, entry]));
  return [...placed.values()].sort(byKey);
}

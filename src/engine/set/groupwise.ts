// Union and intersection: members are read side by side, group by group. A group is all
// entries with the same covered values (or the same ref): values decide, refs only break
// ties. Members leap, so that an intersection costs what its smallest member costs.
//
// Which entries stand for a group depends on all of it. So a window that begins or ends
// within a group is widened to hold it whole, and cut when the group is decided.
import { afterPrefix, type Key } from '../base/bytes.ts';
import { andThen, loop, mapEach, type MaybePromise } from '../base/maybe.ts';
import { emptyCursor, listCursor, Peeking, takeGroup } from './cursors.ts';
import { contains, type Entry, type EntryCursor, groupKey, KEY_END, type SetOp, type Window } from './set-op.ts';

export interface GroupRule {
  /** Which entries a group leaves, in ascending order, given what each member has of it. */
  combine(groups: readonly (readonly Entry[])[]): readonly Entry[];
  /** Whether groups that some member lacks can leave anything. */
  readonly needsAll: boolean;
}

export function groupwise(members: readonly ((window: Window) => EntryCursor)[], rule: GroupRule, window: Window): EntryCursor {
  const { descending } = window;
  const whole: Window = descending
    ? { from: '', to: window.toGroup === undefined ? window.to : afterPrefix(window.toGroup), descending }
    : { from: window.fromGroup ?? window.from, to: KEY_END, descending };
  const cursors = members.map((open) => new Peeking(open(whole), descending));
  let ready = emptyCursor;

  const heads = (): MaybePromise<(Key | null)[]> =>
    mapEach(cursors, (member) => andThen(member.peek(), (entry) => (entry === null ? null : groupKey(entry))));

  /** Takes the next group in; true when there is none. */
  const advance = (): MaybePromise<boolean> =>
    andThen(heads(), (groups) => {
      const group = nextGroup(groups, rule, descending);
      if (group === null || isBeyond(group, window)) return true;
      for (const member of cursors) member.seek(descending ? afterPrefix(group) : group);
      return andThen(mapEach(cursors, (member) => takeGroup(member, group)), (taken) => {
        const entries = rule.combine(taken).filter(({ key }) => contains(window, key));
        ready = listCursor(descending ? entries.reverse() : entries, descending);
        return false;
      });
    });

  return {
    next: () =>
      loop<Entry | null>(() =>
        andThen(ready.next(), (entry) => entry ?? andThen(advance(), (ended) => (ended ? null : undefined))),
      ),
    seek: (key) => {
      ready.seek(key);
      for (const member of cursors) member.seek(key);
    },
  };
}

/** The first of the members' next groups, or where all are needed the last, as the others have none before it. */
function nextGroup(heads: readonly (Key | null)[], { needsAll }: GroupRule, descending: boolean): Key | null {
  if (needsAll && heads.includes(null)) return null;
  return heads.reduce((best, head) => {
    if (head === null || best === null) return best ?? head;
    return head < best === (needsAll === descending) ? head : best;
  }, null);
}

/** Whether all entries of a group lie past the window's far edge. */
const isBeyond = (group: Key, { from, to, descending }: Window): boolean =>
  descending ? group < from && !from.startsWith(group) : group >= to;

const lower = (a: Entry, b: Entry): Entry => (b.key < a.key ? b : a);

/** The entries of several groups by ref, each once, the first of them in order, all with the sources of all. */
export function onceByRef(groups: readonly (readonly Entry[])[], count: number): readonly Entry[] {
  const all = groups.flat();
  if (count === 0 || all.length === 1) return all.slice(0, count);
  const kept = count === 1 ? [all.reduce(lower)] : inOrder(all).slice(0, count);
  const sources = new Set<SetOp>();
  for (const entry of all) for (const source of entry.sources ?? []) sources.add(source);
  if (sources.size < 2) return kept;
  const named = [...sources];
  return kept.map((entry) => ({ ...entry, sources: named }));
}

function inOrder(entries: readonly Entry[]): Entry[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

// Each group once, as its entry with the lowest ref, whichever way the set is read. So an element has
// only one place, and pages that are read forwards and backwards fit together.
import { afterPrefix, type Key } from '../base/bytes.ts';
import { andThen, loop, type MaybePromise } from '../base/maybe.ts';
import { STEPS_BEFORE_LEAP } from '../txn/current.ts';
import { entryFrom, groupKey, whole } from './entries.ts';
import { Peeking } from './peeking.ts';
import { type Entry, type EntryCursor, type Window } from './set-op.ts';

export function firstOfGroups(open: (window: Window) => EntryCursor, window: Window): EntryCursor {
  return window.descending ? descendingFirsts(open, window) : ascendingFirsts(open, window);
}

function ascendingFirsts(open: (window: Window) => EntryCursor, window: Window): EntryCursor {
  const cursor = new Peeking(open(whole(window)), false);
  return {
    next: () =>
      loop<Entry | null>(() =>
        andThen(cursor.peek(), (first) => {
          if (first === null || first.key >= window.to) return null;
          cursor.take();
          return andThen(restOfGroup(cursor, first), (entry) => (entry.key < window.from ? undefined : entry));
        }),
      ),
    seek: (key) => cursor.seek(key),
  };

  /** Passes over the rest of a group. Where its entries name the sets they come from, all are read, so that every set is named. */
  function restOfGroup(members: Peeking, first: Entry): MaybePromise<Entry> {
    const group = groupKey(first);
    const sources = new Set(first.sources);
    let steps = 0;
    return loop<Entry>(() =>
      andThen(members.peek(), (next) => {
        if (next === null || groupKey(next) !== group) return entryFrom(first, sources);
        for (const source of next.sources ?? []) sources.add(source);
        members.take();
        if (first.sources === undefined && ++steps >= STEPS_BEFORE_LEAP) members.seek(afterPrefix(group));
        return undefined;
      }),
    );
  }
}

function descendingFirsts(open: (window: Window) => EntryCursor, window: Window): EntryCursor {
  const cursor = new Peeking(open(whole(window)), true);
  return {
    next: () =>
      loop<Entry | null>(() =>
        andThen(cursor.peek(), (last) => {
          if (last === null) return null;
          return andThen(firstOf(last), (entry) => {
            if (entry.key >= window.to) return undefined;
            return entry.key < window.from ? null : entry;
          });
        }),
      ),
    seek: (key) => cursor.seek(key),
  };

  /** The lowest entry of the group whose highest one comes next; leaves the cursor behind them all. */
  function firstOf(last: Entry): MaybePromise<Entry> {
    const group = groupKey(last);
    const sources = new Set(last.sources);
    let lowest = last;
    let steps = 0;
    return loop<Entry>(() =>
      andThen(cursor.peek(), (entry): MaybePromise<Entry | undefined> => {
        if (entry === null || groupKey(entry) !== group) return entryFrom(lowest, sources);
        if (entry.sources === undefined && steps++ >= STEPS_BEFORE_LEAP) return lowestOf(group, entry);
        for (const source of entry.sources ?? []) sources.add(source);
        lowest = entry;
        cursor.take();
        return undefined;
      }),
    );
  }

  function lowestOf(group: Key, known: Entry): MaybePromise<Entry> {
    cursor.seek(group);
    return andThen(open({ from: group, to: afterPrefix(group), descending: false }).next(), (entry) => entry ?? known);
  }
}

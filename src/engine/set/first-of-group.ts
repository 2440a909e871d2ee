// Each group once, as its entry with the lowest ref, whichever way the set is read. So an element has
// only one place, and pages that are read forwards and backwards fit together.
import { afterPrefix, type Key } from '../base/bytes.ts';
import { andThen, loop, type MaybePromise } from '../base/maybe.ts';
import { STEPS_BEFORE_LEAP } from '../txn/current.ts';
import { entryFrom, groupKey, whole } from './entries.ts';
import { Peeking } from './peeking.ts';
import { contains, type Entry, type EntryCursor, type Window } from './set-op.ts';

/** @param identityOf what entries that come one after the other have to have in common: their group, or that and more */
export function firstOfGroups(open: (window: Window) => EntryCursor, window: Window, identityOf: (entry: Entry) => Key = groupKey): EntryCursor {
  const { descending } = window;
  const cursor = new Peeking(open(whole(window)), descending);
  return {
    next: () =>
      loop<Entry | null>(() =>
        andThen(cursor.peek(), (head) => head && andThen(firstOf(head), (entry) => (contains(window, entry.key) ? entry : undefined))),
      ),
    seek: (key) => cursor.seek(key),
  };

  /**
   * The lowest entry of those that belong together, of which `head` comes next; leaves the cursor behind them all. Where
   * entries name the sets they come from, all are read, so that every set is named, and where more than the group counts.
   */
  function firstOf(head: Entry): MaybePromise<Entry> {
    const group = groupKey(head);
    const identity = identityOf(head);
    const leaps = head.sources === undefined && identity === group;
    const sources = new Set(head.sources);
    let lowest = head;
    let steps = 0;
    return loop<Entry>(() =>
      andThen(cursor.peek(), (entry): MaybePromise<Entry | undefined> => {
        if (entry === null || identityOf(entry) !== identity) return entryFrom(lowest, sources);
        for (const source of entry.sources ?? []) sources.add(source);
        if (descending) lowest = entry;
        cursor.take();
        if (!leaps || ++steps <= STEPS_BEFORE_LEAP) return undefined;
        cursor.seek(descending ? group : afterPrefix(group));
        return descending ? andThen(open({ from: group, to: afterPrefix(group), descending: false }).next(), (first) => first ?? lowest) : lowest;
      }),
    );
  }
}

// Histories of sets that are made of others. The members' events are read instant by instant, only as
// many as are asked for. The set says what the events of one instant mean for the whole; here that is
// put in order.
import { afterPrefix, byKey, type Key } from '../base/bytes.ts';
import { andThen, fold, loop, type MaybePromise } from '../base/maybe.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { actionKey, INSTANT_BYTES } from '../txn/moment.ts';
import { isArray, type Value } from '../value/value.ts';
import { listCursor } from './cursors.ts';
import { entryWith } from './entries.ts';
import { cursorOfParts, Peeking } from './peeking.ts';
import type { Entry, EntryCursor, Shape } from './set-op.ts';
import { beyond, contains, KEY_END, type Window } from './window.ts';

export interface MemberEvent {
  /** Which member it is an event of. */
  readonly member: number;
  readonly entry: Entry;
}

/**
 * @param members open the members' histories, each in its own order
 * @param shape of the whole: where an event stands among those of its instant is told by what it shows, as cursors know no more
 * @param turn makes of all members' events of one instant those of the whole
 */
export function mergedHistory(
  members: readonly ((window: Window) => EntryCursor)[],
  window: Window,
  shape: Shape,
  turn: (events: readonly MemberEvent[]) => MaybePromise<readonly Entry[]>,
): EntryCursor {
  const { descending } = window;
  // The orders of members and of the whole differ within an instant: members are read by whole ones.
  const cursors = members.map((open) => new Peeking(open({ from: instantOf(window.from), to: instantEnd(window.to), descending }), descending));
  /** What a leap has left of it. */
  let left = window;

  /** The next instant of any member. */
  const nextInstant = (): MaybePromise<Key | null> =>
    fold(cursors, null as Key | null, (best, cursor) =>
      andThen(cursor.peek(), (entry) => {
        if (entry === null) return best;
        const instant = instantOf(entry.key);
        return best === null || (descending ? instant > best : instant < best) ? instant : best;
      }),
    );

  const gather = (instant: Key): MaybePromise<MemberEvent[]> =>
    fold(cursors, [] as MemberEvent[], (events, cursor, member) =>
      loop<MemberEvent[]>(() =>
        andThen(cursor.peek(), (entry) => {
          if (entry === null || instantOf(entry.key) !== instant) return events;
          events.push({ member, entry });
          cursor.take();
          return undefined;
        }),
      ),
    );

  const merged = cursorOfParts(() =>
    andThen(nextInstant(), (instant) => {
      if (instant === null) return null;
      return andThen(andThen(gather(instant), turn), (entries) => {
        const wanted = inOrder(entries, shape).filter(({ key }) => contains(left, key));
        return listCursor(descending ? wanted.reverse() : wanted, descending);
      });
    }),
  );

  return {
    next: merged.next,
    seek: (key) => {
      left = beyond(left, key);
      merged.seek(key);
      for (const cursor of cursors) cursor.seek(descending ? instantEnd(key) : instantOf(key));
    },
  };
}

const instantOf = (key: Key): Key => key.slice(0, INSTANT_BYTES);
const instantEnd = (key: Key): Key => (key.length <= INSTANT_BYTES || key === KEY_END ? key : afterPrefix(instantOf(key)));

/** With the keys of merged sets; equal events once. */
function inOrder(entries: readonly Entry[], { descending, collation }: Shape): Entry[] {
  const placed = new Map<Key, Entry>();
  for (const entry of entries) {
    const { event } = entry;
    const values = event?.kind === 'set' && isArray(event.data ?? null) ? tupleKey(event.data as readonly Value[], descending, collation) : '';
    const key = instantOf(entry.key) + actionKey(event?.action ?? 'add', 'merged') + refKey(entry.ref) + values;
    const known = placed.get(key)?.sources;
    placed.set(key, entryWith(entry, { key, sources: known === undefined ? entry.sources : [...known, ...(entry.sources ?? [])] }));
  }
  return [...placed.values()].sort(byKey);
}

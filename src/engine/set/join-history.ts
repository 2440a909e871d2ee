// Histories of joins: an event of a target counts if what leads to that target was in the source at its time.
import type { Key } from '../base/bytes.ts';
import { andThen, type MaybePromise, readAll } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { readTime } from '../txn/events.ts';
import { identityOf, type Joining, MAX_SOURCE, present, targetsOf } from './join-targets.ts';
import { type MemberEvent, mergedHistory } from './merged-history.ts';
import { type Entry, type EntryCursor, everything, type Window } from './set-op.ts';
import { withSource } from './with-source.ts';

/** A stretch of time in which an entry was in the source, both ends included. */
interface Stay {
  readonly from: Ts;
  to: Ts;
}

/** What the source held at some time, and when it did. */
interface Lead {
  readonly entry: Entry;
  readonly stays: readonly Stay[];
}

/** The events of the targets in order. */
export function joinHistory(joining: Joining, window: Window): MaybePromise<EntryCursor> {
  const { source, sourceCtx, ctx } = joining;
  return andThen(present(joining), (entries) =>
    andThen(joinLeads(source.history(sourceCtx, everything()), entries), (leads) =>
      andThen(targetsOf(leads.map(({ entry }) => entry), joining), (targets) => {
        const openers = targets.map(({ target }) => (part: Window) => withSource(target.history(ctx, part), target.basis));
        return mergedHistory(openers, window, joining.shape, whileThere(targets.map(({ lead }) => leads[lead]?.stays ?? [])));
      }),
    ),
  );
}

const ALWAYS: Stay = { from: -Infinity, to: Infinity };

/** Everything that has ever been in the source, by its history and what is in it now. */
function joinLeads(history: EntryCursor, present: readonly Entry[]): MaybePromise<readonly Lead[]> {
  const leads = new Map<Key, { entry: Entry; stays: Stay[]; holders: Set<string> }>();
  const play = (entry: Entry): void => {
    const time = readTime(entry.key);
    const added = entry.event?.action === 'add';
    const known = leads.get(identityOf(entry));
    // An entry whose first event is a remove was there before the history begins.
    const lead = known ?? { entry, stays: added ? [] : [{ ...ALWAYS }], holders: new Set(added ? [] : [entry.ref.identity]) };
    leads.set(identityOf(entry), lead);
    if (added && lead.holders.size === 0) lead.stays.push({ from: time, to: Infinity });
    if (added) lead.holders.add(entry.ref.identity);
    else lead.holders.delete(entry.ref.identity);
    const stay = lead.stays.at(-1);
    if (!added && lead.holders.size === 0 && stay !== undefined) stay.to = time;
  };
  // A document that goes from one member of the source to another comes and goes at one instant: it is there afterwards.
  const added: Entry[] = [];
  const settle = (): void => added.splice(0).forEach(play);
  const played = readAll(
    () => (leads.size < MAX_SOURCE ? history.next() : null),
    (entry) => {
      const [first = entry] = added;
      if (readTime(first.key) !== readTime(entry.key)) settle();
      if (entry.event?.action === 'add') added.push(entry);
      else play(entry);
    },
  );
  return andThen(played, () => {
    settle();
    const others: Lead[] = [];
    for (const entry of present) {
      const lead = leads.get(identityOf(entry));
      const last = lead?.stays.at(-1);
      if (lead === undefined) others.push({ entry, stays: [ALWAYS] });
      // Whatever its history says: another document may have held it since before that begins.
      else if (last !== undefined) last.to = Infinity;
    }
    return [...leads.values(), ...others];
  });
}

/** Keeps the events of targets that happened while what leads to the target was in the source. @param stays by target */
const whileThere =
  (stays: readonly (readonly Stay[])[]) =>
  (events: readonly MemberEvent[]): readonly Entry[] =>
    events
      .filter(({ member, entry }) => {
        const time = readTime(entry.key);
        return (stays[member] ?? []).some(({ from, to }) => from <= time && time <= to);
      })
      .map(({ entry }) => entry);

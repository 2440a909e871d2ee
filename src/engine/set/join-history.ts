// Histories of joins: what was in the source at which times decides whose events count.
import type { Key } from '../base/bytes.ts';
import { andThen, type MaybePromise, readAll } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { readTime } from '../txn/moment.ts';
import { identityOf, MAX_SOURCE } from './join-source.ts';
import type { MemberEvent } from './merged-history.ts';
import type { Entry, EntryCursor } from './set-op.ts';

/** From when until when an entry was in the source, both inside. */
interface Stay {
  readonly from: Ts;
  to: Ts;
}

/** What the source held at some time, and when it did. */
export interface Lead {
  readonly entry: Entry;
  readonly stays: readonly Stay[];
}

const ALWAYS: Stay = { from: -Infinity, to: Infinity };

/** All that ever were in the source, by its history and what is in it now. */
export function joinLeads(history: EntryCursor, present: readonly Entry[]): MaybePromise<readonly Lead[]> {
  const leads = new Map<Key, { entry: Entry; stays: Stay[]; holders: Set<string> }>();
  const played = readAll(
    () => (leads.size < MAX_SOURCE ? history.next() : null),
    (entry) => {
      const time = readTime(entry.key);
      const added = entry.event?.action === 'add';
      const known = leads.get(identityOf(entry));
      // What first goes was there before its history begins.
      const lead = known ?? { entry, stays: added ? [] : [{ ...ALWAYS }], holders: new Set(added ? [] : [entry.ref.identity]) };
      leads.set(identityOf(entry), lead);
      if (added && lead.holders.size === 0) lead.stays.push({ from: time, to: Infinity });
      if (added) lead.holders.add(entry.ref.identity);
      else lead.holders.delete(entry.ref.identity);
      const stay = lead.stays.at(-1);
      if (!added && lead.holders.size === 0 && stay !== undefined) stay.to = time;
    },
  );
  return andThen(played, () => [
    ...leads.values(),
    ...present.filter((entry) => !leads.has(identityOf(entry))).map((entry) => ({ entry, stays: [ALWAYS] })),
  ]);
}

/** Of the targets' events those that fall into the stays of what leads there. @param stays by target */
export const whileThere =
  (stays: readonly (readonly Stay[])[]) =>
  (events: readonly MemberEvent[]): readonly Entry[] =>
    events
      .filter(({ member, entry }) => {
        const time = readTime(entry.key);
        return (stays[member] ?? []).some(({ from, to }) => from <= time && time <= to);
      })
      .map(({ entry }) => entry);

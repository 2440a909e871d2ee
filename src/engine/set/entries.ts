// What is done with entries where several sets are read as one, and where histories are read: both are loaded late.
import { afterPrefix, type Key } from '../base/bytes.ts';
import type { Entry, SetOp, Window } from './set-op.ts';

/** An entry with some things changed. Entries are copied here alone: some make their parts only when they are asked for them. */
export const entryWith = (entry: Entry, changes: Partial<Entry>): Entry => {
  const { key, split, values, ref, event, sources } = entry;
  return { key, split, values, ref, ...(event && { event }), sources, ...changes };
};

/** An entry that stands for others, too, and names the sources of them all. */
export const entryFrom = (entry: Entry, sources: ReadonlySet<SetOp>): Entry => (sources.size < 2 ? entry : entryWith(entry, { sources: [...sources] }));

/** What entries of several sets are matched by: covered values, else the ref. */
export const groupKey = (entry: Entry): Key => (entry.split > 0 ? entry.key.slice(0, entry.split) : entry.key);

/** A window that holds the groups whole which its edges lie within. */
export const whole = ({ from, to, descending, fromGroup = from, toGroup }: Window): Window => ({
  from: fromGroup,
  to: toGroup === undefined ? to : afterPrefix(toGroup),
  descending,
});

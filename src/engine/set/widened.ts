// A set of refs as one that covers just the ref, so that it goes together with sets that
// cover values: its elements are matched as those of an index over refs.
import type { Key } from '../base/bytes.ts';
import { ID_BYTES } from '../kv/keyspace.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { Ref } from '../value/value.ts';
import { entryWith } from './entries.ts';
import type { Entry, EntryCursor } from './set-op.ts';
import { beyond, contains, KEY_END, type Window } from './window.ts';
import { drawing } from '../base/maybe.ts';

/** The byte before those of a ref that stands among the values. */
const TAG = tupleKey([new Ref(0, 0n, 0n)]).slice(0, 1);
const REF_END = 1 + ID_BYTES + 2;

function widen(entry: Entry): Entry {
  const covered = TAG + refKey(entry.ref);
  return entryWith(entry, { key: covered + refKey(entry.ref), split: covered.length, values: [entry.ref] });
}

/** A bound for keys of refs that leaves out nothing that is wanted; entries beyond the window are left out later. */
function lowBound(bound: Key): Key {
  if (bound.startsWith(TAG)) return bound.slice(1, REF_END);
  return bound < TAG ? '' : KEY_END;
}

function highBound(bound: Key): Key {
  if (bound.startsWith(TAG)) return bound.slice(1, REF_END).padEnd(REF_END, '\xff');
  return bound < TAG ? '' : KEY_END;
}

/** @param open opens a set that covers no values */
export function widened(open: (window: Window) => EntryCursor, window: Window): EntryCursor {
  const { descending } = window;
  const cursor = open({ from: lowBound(window.from), to: highBound(window.to), descending });
  let part = window;
  return {
    next: drawing(cursor.next, (entry): Entry | null | undefined => {
      if (entry === null) return null;
      const wide = widen(entry);
      return contains(part, wide.key) ? wide : undefined;
    }),
    seek: (key) => {
      part = beyond(part, key);
      cursor.seek(descending ? highBound(key) : lowBound(key));
    },
  };
}

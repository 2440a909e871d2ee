// Several sorted cursors as one, at a cost per entry that hardly grows with their number: a union
// may have thousands of members.
import type { Key } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import { Peeking } from './peeking.ts';
import type { Entry, EntryCursor } from './set-op.ts';

/** The next entry of one of several cursors, and which of them it is. */
export interface Head {
  readonly member: number;
  readonly entry: Entry;
}

/** Several sorted cursors, of which each step takes the entry that comes first. */
export interface Heads {
  peek(): MaybePromise<Head | null>;
  /** Goes on behind the head that was seen last. */
  take(): MaybePromise<void>;
  seek(key: Key): void;
}

export function headsOf(cursors: readonly EntryCursor[], descending: boolean): Heads {
  const members = cursors.map((cursor) => new Peeking(cursor, descending));
  /** The head that comes first stands first. `null` where the members have to be asked. */
  let heap: Head[] | null = null;

  const headOf = (member: Peeking, at: number): MaybePromise<Head | null> => andThen(member.peek(), (entry) => entry && { member: at, entry });
  const comesFirst: Order = ({ entry: a }, { entry: b }) => (descending ? a.key > b.key : a.key < b.key);

  const build = (): MaybePromise<Head[]> =>
    andThen(mapEach(members, headOf), (found) => {
      const list = found.filter((head) => head !== null);
      for (let at = (list.length >> 1) - 1; at >= 0; at--) sift(list, at, comesFirst);
      heap = list;
      return list;
    });

  return {
    peek: () => andThen(heap ?? build(), (list) => list[0] ?? null),
    take() {
      const list = heap ?? [];
      const at = list[0]?.member ?? 0;
      const member = members[at];
      if (list.length === 0 || member === undefined) return;
      member.take();
      return andThen(headOf(member, at), (head) => {
        const next = head ?? list.pop();
        if (next !== undefined && list.length > 0) list[0] = next;
        sift(list, 0, comesFirst);
      });
    },
    seek(key) {
      for (const member of members) member.seek(key);
      heap = null;
    },
  };
}

type Order = (a: Head, b: Head) => boolean;

/** Moves an item of a binary heap down until neither of its children comes before it. */
function sift(heap: Head[], start: number, comesFirst: Order): void {
  let at = start;
  for (;;) {
    let first = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const [a, b] = [heap[child], heap[first]];
      if (a !== undefined && b !== undefined && comesFirst(a, b)) first = child;
    }
    const [a, b] = [heap[at], heap[first]];
    if (first === at || a === undefined || b === undefined) return;
    heap[at] = b;
    heap[first] = a;
    at = first;
  }
}

/** Reads several sorted cursors as one. */
export function mergeEntries(cursors: readonly EntryCursor[], descending: boolean): EntryCursor {
  const heads = headsOf(cursors, descending);
  return {
    next: () => andThen(heads.peek(), (head) => head && andThen(heads.take(), () => head.entry)),
    seek: heads.seek,
  };
}

// Several sorted cursors as one, at a cost per entry that hardly grows with their number: a union
// may have thousands of members.
import type { Key } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import { Peeking } from './cursors.ts';
import type { Entry, EntryCursor } from './set-op.ts';

/** The next entry of one of several cursors, and which of them it is. */
export interface Head {
  readonly member: number;
  readonly entry: Entry;
}

/** Several sorted cursors, of which each step takes the entry that comes first. */
export class Heads {
  private readonly members: readonly Peeking[];
  /** A heap; `null` where the members have to be asked. */
  private heap: Head[] | null = null;

  constructor(
    cursors: readonly EntryCursor[],
    private readonly descending: boolean,
  ) {
    this.members = cursors.map((cursor) => new Peeking(cursor, descending));
  }

  peek(): MaybePromise<Head | null> {
    return andThen(this.heap ?? this.build(), (heap) => heap[0] ?? null);
  }

  /** Goes on behind the head that was seen last. */
  take(): MaybePromise<void> {
    const { heap } = this;
    const [top] = heap ?? [];
    if (heap === null || top === undefined) return;
    const member = this.members[top.member] as Peeking;
    member.take();
    return andThen(member.peek(), (entry) => {
      const end = entry === null ? heap.pop() : { member: top.member, entry };
      if (end !== undefined && heap.length > 0) heap[0] = end;
      this.sift(heap, 0);
    });
  }

  seek(key: Key): void {
    for (const member of this.members) member.seek(key);
    this.heap = null;
  }

  private build(): MaybePromise<Head[]> {
    const heads = mapEach(this.members, (member, at) => andThen(member.peek(), (entry) => (entry === null ? null : { member: at, entry })));
    return andThen(heads, (found) => {
      const heap = found.filter((head) => head !== null);
      for (let at = (heap.length >> 1) - 1; at >= 0; at--) this.sift(heap, at);
      this.heap = heap;
      return heap;
    });
  }

  private sift(heap: Head[], start: number): void {
    let at = start;
    for (;;) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        const [a, b] = [heap[child], heap[first]];
        if (a !== undefined && b !== undefined && this.comesFirst(a, b)) first = child;
      }
      if (first === at) return;
      const [a, b] = [heap[at], heap[first]];
      if (a === undefined || b === undefined) return;
      heap[at] = b;
      heap[first] = a;
      at = first;
    }
  }

  private comesFirst({ entry: a }: Head, { entry: b }: Head): boolean {
    return this.descending ? a.key > b.key : a.key < b.key;
  }
}

/** Reads several sorted cursors as one. */
export function mergeCursors(cursors: readonly EntryCursor[], descending: boolean): EntryCursor {
  const heads = new Heads(cursors, descending);
  return {
    next: () => andThen(heads.peek(), (head) => head && andThen(heads.take(), () => head.entry)),
    seek: (key) => heads.seek(key),
  };
}

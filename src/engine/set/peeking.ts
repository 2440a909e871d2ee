// Cursors for reading several sets side by side, loaded with what does so: among them one that is looked into before it goes on.
import type { Key } from '../base/bytes.ts';
import { andThen, drawing, loop, type MaybePromise } from '../base/maybe.ts';
import { before, emptyCursor } from './cursors.ts';
import { groupKey } from './entries.ts';
import type { Entry, EntryCursor } from './set-op.ts';

export function filterCursor(cursor: EntryCursor, keep: (entry: Entry) => MaybePromise<boolean>): EntryCursor {
  const take = (entry: Entry | null): MaybePromise<Entry | null | undefined> => {
    if (entry === null) return null;
    const kept = keep(entry);
    return kept instanceof Promise ? kept.then((yes) => (yes ? entry : undefined)) : kept ? entry : undefined;
  };
  return { next: drawing(cursor.next, take), seek: cursor.seek };
}

/** A cursor over entries that come in parts, of which each has its own. @param nextPart opens the part after the last one; `null` when there is none */
export function cursorOfParts(nextPart: () => MaybePromise<EntryCursor | null>): EntryCursor {
  let part = emptyCursor;
  const goOn = (opened: EntryCursor | null): null | undefined => {
    if (opened === null) return null;
    part = opened;
    return undefined;
  };
  return {
    next: () => loop<Entry | null>(() => andThen(part.next(), (entry) => entry ?? andThen(nextPart(), goOn))),
    seek: (key) => part.seek(key),
  };
}

/** Sees the next entry without taking it. */
export class Peeking {
  private head: Entry | null | undefined;

  constructor(
    private readonly cursor: EntryCursor,
    private readonly descending: boolean,
  ) {}

  peek(): MaybePromise<Entry | null> {
    if (this.head !== undefined) return this.head;
    return andThen(this.cursor.next(), (entry) => {
      this.head = entry;
      return entry;
    });
  }

  take(): void {
    this.head = undefined;
  }

  seek(key: Key): void {
    if (this.head === null || (this.head !== undefined && !before(this.head.key, key, this.descending))) return;
    this.head = undefined;
    this.cursor.seek(key);
  }
}

/** Takes all entries of the group that the next one belongs to. */
export function takeGroup(cursor: Peeking, group: Key): MaybePromise<Entry[]> {
  const entries: Entry[] = [];
  return loop<Entry[]>(() =>
    andThen(cursor.peek(), (entry) => {
      if (entry === null || groupKey(entry) !== group) return entries;
      entries.push(entry);
      cursor.take();
      return undefined;
    }),
  );
}

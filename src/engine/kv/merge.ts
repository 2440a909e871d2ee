// Reads several sorted sources as one. Where two have the same key, the earlier source wins.
import type { Key, Span } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { type Holder, NOTHING, type Row, type RowCursor, type RowSource } from './rows.ts';

export function mergeSources(sources: readonly RowSource[]): RowSource {
  const [only, ...others] = sources;
  if (only !== undefined && others.length === 0) return only;
  const merged = (open: (source: RowSource) => RowCursor, reverse: boolean): RowCursor => mergeCursors(sources.map(open), reverse);
  return {
    hides: sources.some(({ hides }) => hides),
    scan: (span: Span, reverse) => merged((source) => source.scan(span, reverse), reverse),
    tops: (span: Span, reverse) => merged((source) => source.tops(span, reverse), reverse),
    holders(document) {
      const found = sources.map((source) => source.holders(document));
      return found.some((one) => one instanceof Promise)
        ? Promise.all(found).then((all) => all.flat())
        : (found as (readonly Holder[])[]).flat();
    },
  };
}

/** @param all cursors that go the same way */
export function mergeCursors(all: readonly RowCursor[], reverse: boolean): RowCursor {
  const cursors = all.filter((cursor) => cursor !== NOTHING);
  if (cursors.length < 2) return cursors[0] ?? NOTHING;
  /** The next row of each cursor; `undefined` where it has to be asked. */
  const heads: (Row | null | undefined)[] = cursors.map(() => undefined);
  /** The cursor the last row came from, whose rows come next as long as they lie before all other heads. */
  let leader = -1;
  let rival: Key | null = null;

  function fill(from: number): MaybePromise<void> {
    for (let at = from; at < cursors.length; at++) {
      if (heads[at] !== undefined) continue;
      const head = (cursors[at] as RowCursor).next();
      if (head instanceof Promise) {
        return head.then((row) => {
          heads[at] = row;
          return fill(at + 1);
        });
      }
      heads[at] = head;
    }
  }

  const isBefore = (a: Key, b: Key): boolean => (reverse ? a > b : a < b);

  function choose(): Row | null {
    leader = -1;
    let best: Row | null = null;
    for (let at = 0; at < heads.length; at++) {
      const head = heads[at];
      if (!head || (best !== null && !isBefore(head.key, best.key))) continue;
      best = head;
      leader = at;
    }
    if (best === null) return null;
    rival = null;
    for (let at = 0; at < heads.length; at++) {
      const head = heads[at];
      if (!head) continue;
      if (head.key === best.key) heads[at] = undefined;
      else if (rival === null || isBefore(head.key, rival)) rival = head.key;
    }
    // One that had the same key may have a row before the rival: it is asked first.
    if (heads.some((head, at) => head === undefined && at !== leader)) leader = -1;
    return best;
  }

  return {
    next: () => {
      if (leader < 0) return andThen(fill(0), choose);
      return andThen((cursors[leader] as RowCursor).next(), (row) => {
        if (row !== null && (rival === null || isBefore(row.key, rival))) return row;
        heads[leader] = row;
        return choose();
      });
    },
    seek: (key: Key) => {
      leader = -1;
      cursors.forEach((cursor, at) => {
        const head = heads[at];
        if (head && (reverse ? head.key < key : head.key >= key)) return;
        heads[at] = head === null ? null : undefined;
        cursor.seek(key);
      });
    },
  };
}

// Reads several sorted sources as one. Where two have the same key, the earlier source wins.
import type { Key, Span } from '../base/bytes.ts';
import { type MaybePromise, andThen } from '../base/maybe.ts';
import type { Row, RowCursor, RowSource } from './rows.ts';

export function mergeSources(sources: readonly RowSource[]): RowSource {
  const [only, ...others] = sources;
  if (only !== undefined && others.length === 0) return only;
  return { scan: (span: Span, reverse: boolean) => mergeCursors(sources.map((source) => source.scan(span, reverse)), reverse) };
}

function mergeCursors(cursors: readonly RowCursor[], reverse: boolean): RowCursor {
  /** The next row of each cursor; `undefined` where it has to be asked. */
  const heads: (Row | null | undefined)[] = cursors.map(() => undefined);

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

  return {
    next: () =>
      andThen(fill(0), () => {
        let best: Row | null = null;
        for (const head of heads) {
          if (head && (best === null || (reverse ? head.key > best.key : head.key < best.key))) best = head;
        }
        if (best === null) return null;
        const { key } = best;
        heads.forEach((head, at) => {
          if (head?.key === key) heads[at] = undefined;
        });
        return best;
      }),
    seek: (key: Key) => {
      cursors.forEach((cursor, at) => {
        const head = heads[at];
        if (head && (reverse ? head.key < key : head.key >= key)) return;
        heads[at] = head === null ? null : undefined;
        cursor.seek(key);
      });
    },
  };
}

// Reads several sorted sources as one. Where two have the same key, the earlier source wins.
import type { Key, Span } from '../base/bytes.ts';
import { andThen, type MaybePromise, together } from '../base/maybe.ts';
import { type Holder, NOTHING, type Piece, type Row, type RowCursor, type RowSource } from './rows.ts';

export function mergeSources(sources: readonly RowSource[]): RowSource {
  return sources.length === 1 ? (sources[0] as RowSource) : new Merged(sources.flatMap((source) => (source instanceof Merged ? source.members : source)));
}

class Merged implements RowSource {
  readonly hides: boolean;

  constructor(readonly members: readonly RowSource[]) {
    this.hides = members.some(({ hides }) => hides);
  }

  scan(span: Span, reverse = false): RowCursor {
    return mergeCursors(this.members.map((source) => source.scan(span, reverse)), reverse);
  }

  tops(span: Span, reverse = false): RowCursor {
    return mergeCursors(this.members.map((source) => source.tops(span, reverse)), reverse);
  }

  pieces(span: Span): MaybePromise<readonly (readonly Piece[])[]> {
    return andThen(together(this.members.map((source) => source.pieces(span))), (all) => all.flat());
  }

  holders(document: Key): MaybePromise<readonly Holder[]> {
    const { members } = this;
    const holders: Holder[] = [];
    for (let at = 0; at < members.length; at++) {
      const found = (members[at] as RowSource).holders(document);
      // All that has to be fetched is asked for at once.
      if (found instanceof Promise) return Promise.all([holders, found, ...members.slice(at + 1).map((member) => member.holders(document))]).then((all) => all.flat());
      for (const holder of found) holders.push(holder);
    }
    return holders;
  }
}

/** @param all cursors that go the same way */
export function mergeCursors(all: readonly RowCursor[], reverse: boolean): RowCursor {
  const cursors = all.filter((cursor) => cursor !== NOTHING);
  if (cursors.length < 2) return cursors[0] ?? NOTHING;
  /** The next row of each cursor; `undefined` where it has to be asked. */
  const heads: (Row | null | undefined)[] = cursors.map(() => undefined);
  /** The cursor the last row came from, whose rows come next as long as they lie before all other heads. */
  let leader = -1;
  /** The first key among the other heads; `null` when there is none. */
  let rival: Key | null = null;

  /** Asks all cursors at the same time, as each may have to wait for a block of its own. */
  function fill(): MaybePromise<unknown> {
    let coming: Promise<unknown>[] | null = null;
    for (let at = 0; at < cursors.length; at++) {
      if (heads[at] !== undefined) continue;
      const head = (cursors[at] as RowCursor).next();
      if (head instanceof Promise) (coming ??= []).push(head.then((row) => (heads[at] = row)));
      else heads[at] = head;
    }
    return coming && Promise.all(coming);
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
    // A cursor that had the same key may have its next row before the rival: it has to be asked first.
    if (heads.some((head, at) => head === undefined && at !== leader)) leader = -1;
    return best;
  }

  /** Takes the leader's next row, unless another cursor has one before it. */
  function follow(row: Row | null): Row | null {
    if (row !== null && (rival === null || isBefore(row.key, rival))) return row;
    heads[leader] = row;
    return choose();
  }

  return {
    next: () => {
      if (leader < 0) return andThen(fill(), choose);
      const row = (cursors[leader] as RowCursor).next();
      return row instanceof Promise ? row.then(follow) : follow(row);
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

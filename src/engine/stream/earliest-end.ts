import { andThen } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { Row, RowCursor, RowSource } from '../kv/rows.ts';
import { readEntry } from '../txn/entry-row.ts';
import { expiry, LIVE, readVersion } from '../txn/version.ts';

/** The same rows. Calls `tell` with the end of each row that will expire, as soon as it is read, whether or not it counts then. */
export function earliestEnd(source: RowSource, now: Ts, tell: (end: Ts) => void): RowSource {
  const note = (row: Row | null): Row | null => {
    const end = row === null ? null : endOf(row);
    if (end !== null && end > now) tell(end);
    return row;
  };
  const noteAll = (rows: readonly Row[]): readonly Row[] => {
    rows.forEach(note);
    return rows;
  };
  const told = (cursor: RowCursor): RowCursor => ({ next: () => andThen(cursor.next(), note), seek: (key) => cursor.seek(key) });
  return {
    hides: source.hides,
    scan: (span, reverse) => told(source.scan(span, reverse)),
    tops: (span, reverse) => told(source.tops(span, reverse)),
    // A block that is known without its rows has none that expires.
    pieces: (span) => andThen(source.pieces(span), (parts) => parts.map((pieces) => pieces.map((piece) => ({ ...piece, rows: () => andThen(piece.rows(), noteAll) })))),
    holders: (document) =>
      andThen(source.holders(document), (holders) =>
        holders.map((holder) => ({ ...earliestEnd(holder, now, tell), first: (span) => andThen(holder.first(span), note) })),
      ),
  };
}

/** When a version or entry runs out. */
function endOf(row: Row): Ts | null {
  const table = row.key[0];
  if (table === 'I') return readEntry(row).ttl;
  const { fields } = table === 'V' && row.text.startsWith(LIVE) ? readVersion(row) : NONE;
  return fields === null ? null : expiry(fields);
}

const NONE = { fields: null };

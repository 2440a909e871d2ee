// What happened to a source: from a commit, or from blocks where the log was trimmed too soon.
import { andThen, type MaybePromise, readAll } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { Span } from '../base/bytes.ts';
import type { Row, RowSource } from '../kv/rows.ts';
import { commitOf } from '../txn/current.ts';
import type { Happening } from './event.ts';

/** What a commit did within a span; `null` when nothing. */
export function happeningIn({ ts, rows }: Happening, { from, to }: Span): Happening | null {
  const within = rows.filter(({ key }) => key >= from && key < to);
  return within.length === 0 ? null : { ts, rows: within };
}

/** What all commits after one time and up to another did within a span, one after the other. */
export function happeningsBetween(after: Ts, upTo: Ts, span: Span, source: RowSource): MaybePromise<readonly Happening[]> {
  const found = new Map<Ts, { readonly ts: Ts; readonly rows: Row[] }>();
  const read = readAll(source.scan(span).next, (row) => {
    const ts = commitOf(row);
    if (ts <= after || ts > upTo) return;
    const happening = found.get(ts) ?? { ts, rows: [] };
    found.set(ts, happening);
    happening.rows.push(row);
  });
  return andThen(read, () => [...found.values()].sort((a, b) => a.ts - b.ts));
}

// The history of one document as events: each version against the one before it.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { documentPrefix, downTs, MIN_TS, PENDING, readTs } from '../kv/keyspace.ts';
import type { RowCursor } from '../kv/rows.ts';
import { refKey } from '../order/order-key.ts';
import { latestRows } from '../txn/events.ts';
import { readVersion, type Version } from '../txn/version.ts';
import { type ActionName, DocEvent, Obj, type Ref, type Value } from '../value/value.ts';
import { diffData } from './diff.ts';
import { momentKey } from '../txn/moment.ts';
import { eventTs } from './row-entries.ts';
import { type Entry, type EntryCursor, KEY_END, type Window } from './set-op.ts';

export function documentHistory(ctx: EvalContext, ref: Ref, window: Window): EntryCursor {
  const prefix = documentPrefix(ref.scope, ref.collection, ref.id);
  const from = window.from === '' ? MIN_TS : readTs(window.from.padEnd(7, '\0'), 0);
  const to = window.to === KEY_END ? PENDING : readTs(window.to.padEnd(7, '\0'), 0);
  // Versions are kept newest first, so ascending time is a backward scan.
  const span = { from: prefix + downTs(to), to: prefix + downTs(from) + '\xff'.repeat(8) };
  const rows = latestRows(ctx.txn.rows(span, !window.descending), !window.descending, ctx.txn.snapshot);
  const before = (): MaybePromise<Version | null> => ctx.txn.version(ref, from - 1);
  const cursor = window.descending ? descending(rows, before) : ascending(rows, before);
  const next = (): MaybePromise<Entry | null> =>
    andThen(cursor(), (pair) => {
      if (pair === null) return null;
      const entry = entryOf(ref, pair.version, pair.previous);
      return entry === null || entry.key < window.from || entry.key >= window.to ? next() : entry;
    });
  let leap = '';
  return {
    next: () => andThen(next(), (entry) => skip(entry)),
    seek: (key) => {
      leap = key;
    },
  };

  /** Versions of one document are few: a leap steps over them. */
  function skip(entry: Entry | null): MaybePromise<Entry | null> {
    if (entry === null || leap === '') return entry;
    const passed = window.descending ? entry.key >= leap : entry.key < leap;
    return passed ? andThen(next(), skip) : entry;
  }
}

interface Pair {
  readonly version: Version;
  readonly previous: Version | null;
}

function ascending(rows: RowCursor, before: () => MaybePromise<Version | null>): () => MaybePromise<Pair | null> {
  let previous: Version | null | undefined;
  return () =>
    andThen(previous === undefined ? before() : previous, (older) =>
      andThen(rows.next(), (row) => {
        if (row === null) return null;
        const version = readVersion(row);
        previous = version;
        return { version, previous: older };
      }),
    );
}

function descending(rows: RowCursor, before: () => MaybePromise<Version | null>): () => MaybePromise<Pair | null> {
  let ahead: Version | null | undefined;
  const read = (): MaybePromise<Version | null> => andThen(rows.next(), (row) => (row === null ? null : readVersion(row)));
  return () =>
    andThen(ahead === undefined ? read() : ahead, (version) => {
      if (version === null) return null;
      return andThen(read(), (older) => {
        ahead = older;
        return older !== null ? { version, previous: older } : andThen(before(), (previous) => ({ version, previous }));
      });
    });
}

/** The event of a version; `null` where nothing happened, as at a delete of what was not there. */
function entryOf(ref: Ref, version: Version, previous: Version | null): Entry | null {
  const was = previous?.fields ?? null;
  if (version.fields === null && was === null) return null;
  const action: ActionName = version.fields === null ? 'delete' : was === null ? 'create' : 'update';
  const key = momentKey(version.time, action) + refKey(ref);
  return { key, split: 0, values: [], ref, event: new DocEvent('document', eventTs(version.time), action, ref, changed(version.fields, was)) };
}

/** At create all user data, at update what changed, at delete null. */
function changed(is: Obj | null, was: Obj | null): Value {
  if (is === null) return null;
  const data = is.get('data') ?? null;
  return was === null ? data : diffData(was.get('data') ?? null, data);
}


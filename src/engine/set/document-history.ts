// The history of one document as events: each version against the one before it.
import { andThen, drawing, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { EvalContext } from '../form/context.ts';
import { documentPrefix, downTs, MIN_TS, PENDING, readTs } from '../kv/keyspace.ts';
import { HIDDEN_FIELDS } from '../schema/definitions.ts';
import type { RowCursor } from '../kv/rows.ts';
import { refKey } from '../order/order-key.ts';
import { latestRows, readTime } from '../txn/events.ts';
import { INSTANT_BYTES, momentKey } from '../txn/moment.ts';
import { isLive, liveFields, readVersion, shownTs, type Version } from '../txn/version.ts';
import { type ActionName, DocEvent, Obj, type Ref } from '../value/value.ts';
import { deferredCursor, emptyCursor } from './cursors.ts';
import { entryWith } from './entries.ts';
import { diffData } from './diff.ts';
import type { Entry, EntryCursor } from './set-op.ts';
import { beyond, contains, KEY_END, type Window } from './window.ts';

/**
 * @param earliest the time that history is kept from: the version of that moment, if the document
 *   was there and had not run out before, counts as its creation, and nothing before it is shown
 */
export function documentHistory(ctx: EvalContext, ref: Ref, window: Window, earliest: Ts): EntryCursor {
  const from = window.from === '' ? MIN_TS : readTs(window.from.padEnd(INSTANT_BYTES, '\0'), 0);
  if (from > earliest) return versionsFrom(from, ctx, ref, window);
  return deferredCursor(ctx, () =>
    andThen(ctx.txn.cost.within(() => ctx.txn.version(ref, earliest)), (first) => {
      const start = first !== null && isLive(first, earliest - 1) ? first.time : earliest + 1;
      return start >= from ? versionsFrom(start, ctx, ref, window, true) : versionsFrom(from, ctx, ref, window);
    }),
  );
}

const COMING = { create: 'add', delete: 'remove' } as const;

/** When the document came and when it went, as events of the set of it alone. */
export function comings(ctx: EvalContext, ref: Ref, window: Window, earliest: Ts): EntryCursor {
  if (!ctx.catalogOf(ref.scope).hasCollection(ref.collection)) return emptyCursor;
  const versions = documentHistory(ctx, ref, { ...window, from: window.from.slice(0, INSTANT_BYTES), to: KEY_END }, earliest);
  const next = drawing(versions.next, (entry: Entry | null): Entry | null | undefined => {
    if (entry === null) return null;
    const { event } = entry;
    if (event === undefined || (event.action !== 'create' && event.action !== 'delete')) return undefined;
    const name = COMING[event.action];
    const key = momentKey(readTime(entry.key), name) + refKey(ref);
    return entryWith(entry, { key, event: new DocEvent('set', event.ts, name, ref, undefined) });
  });
  return stepping(next, window);
}

/** The entries that lie in a window. Versions of one document are few: a leap steps over them. */
function stepping(next: () => MaybePromise<Entry | null>, window: Window): EntryCursor {
  let left = window;
  return {
    next: drawing(next, (entry: Entry | null) => (entry === null || contains(left, entry.key) ? entry : undefined)),
    seek: (key) => {
      left = beyond(left, key);
    },
  };
}

/** @param isStart whether there is nothing before them */
function versionsFrom(from: Ts, ctx: EvalContext, ref: Ref, window: Window, isStart = false): EntryCursor {
  const { descending } = window;
  const prefix = documentPrefix(ref.scope, ref.collection, ref.id);
  const to = window.to === KEY_END ? PENDING : readTs(window.to.padEnd(INSTANT_BYTES, '\0'), 0);
  if (from > to) return emptyCursor;
  // Versions are kept newest first, so ascending time is a backward scan.
  const span = { from: prefix + downTs(to), to: prefix + downTs(from) + '\xff'.repeat(INSTANT_BYTES + 1) };
  const rows = latestRows(ctx.txn.rows(span, !descending), !descending, ctx.txn.snapshot);
  const before = (): MaybePromise<Version | null> => (isStart ? null : ctx.txn.version(ref, from - 1));
  const pairs = descending ? fromTheNewest(rows, before) : fromTheOldest(rows, before);
  return stepping(() => andThen(pairs(), (pair) => pair && entryOf(ref, pair, ctx.txn.now)), window);
}

interface Pair {
  readonly version: Version;
  readonly previous: Version | null;
}

type Pairs = () => MaybePromise<Pair | null>;

function fromTheOldest(rows: RowCursor, before: () => MaybePromise<Version | null>): Pairs {
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

function fromTheNewest(rows: RowCursor, before: () => MaybePromise<Version | null>): Pairs {
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

/** The event of a version: of what was made and deleted by one transaction, the delete alone. */
function entryOf(ref: Ref, { version, previous }: Pair, now: Ts): Entry {
  const was = liveFields(previous, version.time === PENDING ? now : version.time);
  const action: ActionName = version.fields === null ? 'delete' : was === null ? 'create' : 'update';
  const key = momentKey(version.time, action) + refKey(ref);
  const changes = changesFrom(was, version.fields);
  return { key, split: 0, values: [], ref, event: new DocEvent('document', shownTs(version.time), action, ref, changes.get('data') ?? null, changes) };
}

/** What a version has changed: at create all that it has; what was taken away is null, as are the data at delete. */
function changesFrom(was: Obj | null, is: Obj | null): Obj {
  if (is === null) return Obj.of(['data', null]);
  const shown = (fields: Obj): Obj => fields.filter((key) => !HIDDEN_FIELDS.has(key));
  const diff = diffData(was === null ? Obj.empty : shown(was), shown(is));
  return diff instanceof Obj ? diff : Obj.empty;
}

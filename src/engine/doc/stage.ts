// Stages a document's next state: its version, its comings and goings, its index entries,
// and the check of unique indexes.
import { afterPrefix, type Key } from '../base/bytes.ts';
import { andThen, fold, loop, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { Ts } from '../base/platform.ts';
import { badRequest, notUnique } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import {
  collectionEventPrefix, documentPrefix, downTs, homeKey, indexEventPrefix, indexPrefix, PENDING, REF_BYTES, stamp, STAMP_BYTES,
} from '../kv/keyspace.ts';
import { refKey } from '../order/order-key.ts';
import { termKey } from '../order/term-key.ts';
import type { IndexDefinition } from '../schema/definitions.ts';
import { momentKey, readRef } from '../txn/moment.ts';
import { encodeStored } from '../txn/stored.ts';
import { entryText, type EntryData, readEntry } from '../txn/entry-row.ts';
import type { Draft } from '../txn/txn.ts';
import { DELETED, expiry, isExpired, LIVE, type Version } from '../txn/version.ts';
import { NATIVE, type Ref } from '../value/ref.ts';
import { type ActionName, Doc, Obj, PendingTs, type Value } from '../value/value.ts';
import { entriesOf, entryKey, type IndexEntry, valuesKey } from './entries.ts';
import { shown } from './read.ts';

/** Larger values of an entry are not indexed; larger entries refuse the write (bytes; data/indexes.md §10). */
const MAX_VALUES = 32_767;
const MAX_ENTRY = 64_000;
/** Bytes of one version (data/transactions.md §8). */
const MAX_VERSION = 8_388_608;

/** A state of a document in time; `fields` is `null` where it is not there. */
export interface State {
  readonly ts: Ts | PendingTs;
  readonly fields: Obj | null;
}

/**
 * Makes `fields` (or, with `null`, its absence) the document's state as of this transaction.
 * @throws FqlError `instance not unique` at `at`
 */
export function stageDocument(ref: Ref, fields: Obj | null, ctx: EvalContext, at: Path): MaybePromise<void> {
  return stage(ref, fields, ctx, (changes) => requireUnique(ref, changes, ctx, at));
}

/** The same for a document that this transaction has written already: for an index that it has made since. */
export function stageAgain(ref: Ref, fields: Obj | null, ctx: EvalContext): MaybePromise<void> {
  return stage(ref, fields, ctx, () => undefined);
}

function stage(ref: Ref, fields: Obj | null, ctx: EvalContext, check: (changes: readonly IndexChange[]) => MaybePromise<void>): MaybePromise<void> {
  return andThen(ctx.txn.committed(ref), (base) => {
    const before = stateOf(base, ctx.txn.now);
    const after: State = { ts: PendingTs.instance, fields };
    return andThen(changesOf(ref, before, after, ctx), (changes) =>
      andThen(check(changes), () => {
        const drafts = [
          versionDraft(ref, after),
          ...comingDrafts(ref, before, after),
          ...homeDrafts(ref, before, after),
          ...changes.flatMap((change) => entryDrafts(ref, change)),
        ];
        ctx.txn.stage(ref.identity, drafts);
      }),
    );
  });
}

/**
 * What the version of a document made at `now` finds before it. An expired document is there
 * no more, but its entries are not replaced: they ran out with it.
 */
export function stateOf(version: Version | null, now: Ts): State {
  if (version === null || version.fields === null || isExpired(version.fields, now)) return { ts: version?.time ?? 0, fields: null };
  return { ts: version.time, fields: version.fields };
}

/** The row of a version, at the time its state has. */
export function versionDraft(ref: Ref, { ts, fields }: State): Draft {
  const prefix = documentPrefix(ref.scope, ref.collection, ref.id);
  return {
    key: (commit) => prefix + stamp(timeOf(ts, commit), commit),
    text: (commit) => {
      if (fields === null) return DELETED;
      const text = LIVE + encodeStored(fields, commit);
      if (text.length > MAX_VERSION) throw badRequest(`Version bytes (${text.length}) exceeds threshold (${MAX_VERSION})`);
      return text;
    },
    memo: { time: timeOf(ts, PENDING), fields } satisfies Version,
  };
}

const timeOf = (ts: Ts | PendingTs, commit: Ts): Ts => (ts instanceof PendingTs ? commit : ts);

/** All rows that follow from a document's step from one state to the next, besides the version itself. */
export function changeDrafts(ref: Ref, before: State, after: State, ctx: EvalContext): MaybePromise<Draft[]> {
  return andThen(changesOf(ref, before, after, ctx), (changes) => [
    ...comingDrafts(ref, before, after),
    ...changes.flatMap((change) => entryDrafts(ref, change)),
  ]);
}

/** Documents that are found by their id alone: a secret, or a ref from elsewhere, names nothing else of them. */
export const FOUND_BY_ID: ReadonlySet<number> = new Set([NATIVE.keys, NATIVE.tokens, NATIVE.databases]);

/** Where one of them lives changes as it comes and goes. */
function homeDrafts(ref: Ref, before: State, after: State): Draft[] {
  if (!FOUND_BY_ID.has(ref.collection) || (before.fields === null) === (after.fields === null)) return [];
  const prefix = homeKey(ref.id, ref.scope);
  const text = after.fields === null ? DELETED : LIVE;
  return [{ key: (commit) => prefix + stamp(commit, commit), text: () => text, memo: undefined, mark: text }];
}

/** A document coming or going is an event of its collection. */
function comingDrafts(ref: Ref, before: State, after: State): Draft[] {
  if ((before.fields === null) === (after.fields === null)) return [];
  const added = after.fields !== null;
  const prefix = collectionEventPrefix(ref.scope, ref.collection);
  const data: EntryData = { added, values: [], ttl: null };
  return [
    {
      key: (commit) => prefix + momentKey(timeOf(after.ts, commit), added ? 'add' : 'remove') + refKey(ref) + downTs(commit),
      text: (commit) => entryText(data, commit),
      memo: data,
    },
  ];
}

/** What a write does to one index. */
interface IndexChange {
  readonly index: IndexDefinition;
  readonly removed: readonly IndexEntry[];
  readonly added: readonly IndexEntry[];
  readonly ttl: Ts | null;
  /** When it happened; a pending time is the commit's. */
  readonly ts: Ts | PendingTs;
}

function changesOf(ref: Ref, before: State, after: State, ctx: EvalContext): MaybePromise<IndexChange[]> {
  return mapEach(ctx.catalog.indexesOn(ref.collection), (index) => changeOf(index, ref, before, after, ctx));
}

/**
 * The rows that say how a document's entries in one index changed from one state to the next.
 * Entries that are too large are left out: the document stands already.
 */
export function entryChanges(index: IndexDefinition, ref: Ref, before: State, after: State, ctx: EvalContext): MaybePromise<Draft[]> {
  return andThen(changeOf(index, ref, before, after, ctx, false), (change) => entryDrafts(ref, change));
}

/** @throws HttpError `bad request` for an entry that is too large, if `strict` */
function changeOf(index: IndexDefinition, ref: Ref, before: State, after: State, ctx: EvalContext, strict = true): MaybePromise<IndexChange> {
  const ttl = after.fields === null ? null : expiry(after.fields);
  const oldTtl = before.fields === null ? null : expiry(before.fields);
  return andThen(emitted(index, ref, before, ctx, false), (old) =>
    andThen(emitted(index, ref, after, ctx, strict), (now) => {
      const identity = (entry: IndexEntry): Key => termKey(entry.terms) + termKey(entry.values.map(resolved));
      const oldKeys = new Set(old.map(identity));
      const newKeys = new Set(now.map(identity));
      // A changed ttl is carried by the entries, so all of them change.
      const same = ttl === oldTtl;
      return {
        index,
        ttl,
        ts: after.ts,
        removed: old.filter((entry) => !same || !newKeys.has(identity(entry))),
        added: now.filter((entry) => !same || !oldKeys.has(identity(entry))),
      };
    }),
  );
}

const resolved = (value: Value): Value => (value instanceof PendingTs ? BigInt(PENDING) : value);

function emitted(index: IndexDefinition, ref: Ref, state: State, ctx: EvalContext, strict: boolean): MaybePromise<readonly IndexEntry[]> {
  if (state.fields === null) return [];
  return andThen(entriesOf(index, shown(new Doc(ref, state.ts, state.fields)), ctx), (entries) =>
    apart(entries.filter((entry) => fits(index, entry, ref, strict)), index),
  );
}

/** Entries that differ but have one place, as 1 and 1.0 do, are one: the first. */
function apart(entries: readonly IndexEntry[], index: IndexDefinition): readonly IndexEntry[] {
  if (entries.length < 2) return entries;
  const places = new Map<Key, IndexEntry>();
  for (const entry of entries) {
    const place = termKey(entry.terms) + valuesKey(index, entry.values, PENDING);
    if (!places.has(place)) places.set(place, entry);
  }
  return [...places.values()];
}

function fits(index: IndexDefinition, entry: IndexEntry, ref: Ref, strict: boolean): boolean {
  const values = entryKey(index, entry.values, ref, 0).length;
  if (values > MAX_VALUES) return false;
  const size = values + termKey(entry.terms).length;
  if (size > MAX_ENTRY && strict) throw badRequest(`Key bytes (${size}) exceeds threshold (${MAX_ENTRY})`);
  return size <= MAX_ENTRY;
}

function entryDrafts(ref: Ref, { index, removed, added, ttl, ts }: IndexChange): Draft[] {
  const { scope, id } = index.ref;
  const timeAt = (commit: Ts): Ts => timeOf(ts, commit);
  const draftsOf = (entry: IndexEntry, action: ActionName, endsAt: Ts | null): [entry: Draft, event: Draft] => {
    const terms = termKey(entry.terms);
    const data: EntryData = { added: action === 'add', values: entry.values, ttl: endsAt };
    const text = (commit: Ts): string => entryText(data, timeAt(commit));
    const entries = indexPrefix(scope, id) + terms;
    const events = indexEventPrefix(scope, id) + terms;
    return [
      {
        key: (commit) => entries + entryKey(index, entry.values, ref, timeAt(commit)) + stamp(timeAt(commit), commit),
        text,
        memo: data,
      },
      {
        key: (commit) => events + momentKey(timeAt(commit), action) + refKey(ref) + valuesKey(index, entry.values, timeAt(commit)) + downTs(commit),
        text,
        memo: data,
      },
    ];
  };
  // An entry that is removed and added again (its ttl changed) keeps its place: only the add counts there.
  const place = (entry: IndexEntry): Key => termKey(entry.terms) + entryKey(index, entry.values, ref, PENDING);
  const replaced = new Set(added.map(place));
  return [
    ...removed.flatMap((entry) => {
      const [gone, event] = draftsOf(entry, 'remove', null);
      return replaced.has(place(entry)) ? [event] : [gone, event];
    }),
    ...added.flatMap((entry) => draftsOf(entry, 'add', ttl)),
  ];
}

/** No other live document may hold the terms and values of a unique index's entry. */
function requireUnique(ref: Ref, changes: readonly IndexChange[], ctx: EvalContext, at: Path): MaybePromise<void> {
  const checks = changes.filter(({ index }) => index.unique).flatMap(({ index, added }) => added.map((entry) => ({ index, entry })));
  const own = refKey(ref);
  return fold(checks, undefined as void, (_, { index, entry }) => {
    const prefix = indexPrefix(index.ref.scope, index.ref.id) + termKey(entry.terms) + valuesKey(index, entry.values, PENDING);
    const rows = ctx.txn.current({ from: prefix, to: afterPrefix(prefix) }, false, null);
    const identity = termKey(entry.values.map(resolved));
    return andThen(
      loop<boolean>(() =>
        andThen(rows.next(), (row) => {
          if (row === null) return false;
          const { added, ttl, values } = readEntry(row);
          const holder = row.key.slice(-STAMP_BYTES - REF_BYTES, -STAMP_BYTES);
          if (!added || holder === own || (ttl !== null && ttl <= ctx.txn.now)) return undefined;
          // Values with one place may differ, as 1 and 1.0 do; and a collection may be gone.
          const isEqual = termKey(values.map(resolved)) === identity;
          return isEqual && ctx.catalog.hasCollection(readRef(holder, 0, ref.scope).collection) ? true : undefined;
        }),
      ),
      (taken) => {
        if (taken) throw notUnique(at);
      },
    );
  });
}

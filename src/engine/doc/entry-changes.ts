// What a step of a document from one state to the next does to the indexes, and the rows that
// say so. Keys are made once for each entry: a document may have thousands.
import type { Key } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { badRequest } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { downTs, indexEventPrefix, indexPrefix, PENDING, stamp } from '../kv/keyspace.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { termKey } from '../order/term-key.ts';
import type { IndexDefinition } from '../schema/definitions.ts';
import { type EntryData, entryText } from '../txn/entry-row.ts';
import { momentKey } from '../txn/moment.ts';
import type { Draft } from '../txn/txn.ts';
import { expiry } from '../txn/version.ts';
import type { Ref } from '../value/ref.ts';
import { type ActionName, Doc, type Obj, PendingTs, type Value } from '../value/value.ts';
import { entriesOf } from './entries.ts';
import { shown } from './read.ts';

/** Larger values of an entry are not indexed; larger entries refuse the write (bytes; data/indexes.md §10). */
const MAX_VALUES = 32_767;
const MAX_ENTRY = 64_000;

/** A state of a document in time; `fields` is `null` where it is not there. */
export interface State {
  readonly ts: Ts | PendingTs;
  readonly fields: Obj | null;
}

export const timeOf = (ts: Ts | PendingTs, commit: Ts): Ts => (ts instanceof PendingTs ? commit : ts);

/** An entry with its keys. */
export interface PlacedEntry {
  /** Key of the terms. */
  readonly terms: Key;
  readonly values: readonly Value[];
  /** Key of the values, with the time of a write that is not committed for what is pending. */
  readonly valuesKey: Key;
}

/** What a write does to one index. */
export interface IndexChange {
  readonly index: IndexDefinition;
  readonly removed: readonly PlacedEntry[];
  readonly added: readonly PlacedEntry[];
  readonly ttl: Ts | null;
  /** When it happened; a pending time is the commit's. */
  readonly ts: Ts | PendingTs;
}

/** @throws HttpError `bad request` for an entry that is too large */
export function changesOf(ref: Ref, before: State, after: State, ctx: EvalContext): MaybePromise<IndexChange[]> {
  return mapEach(ctx.catalog.indexesOn(ref.collection), (index) => changeOf(index, ref, before, after, ctx, true));
}

/**
 * The rows that say how a document's entries in one index changed from one state to the next.
 * Entries that are too large are left out: the document stands already.
 */
export function entryChanges(index: IndexDefinition, ref: Ref, before: State, after: State, ctx: EvalContext): MaybePromise<Draft[]> {
  return andThen(changeOf(index, ref, before, after, ctx, false), (change) => entryDrafts(ref, [change]));
}

function changeOf(index: IndexDefinition, ref: Ref, before: State, after: State, ctx: EvalContext, strict: boolean): MaybePromise<IndexChange> {
  const ttl = after.fields === null ? null : expiry(after.fields);
  const oldTtl = before.fields === null ? null : expiry(before.fields);
  return andThen(emitted(index, ref, before, ctx, false), (old) =>
    andThen(emitted(index, ref, after, ctx, strict), (now) => {
      // A changed ttl is carried by the entries, so all of them change.
      const all = ttl !== oldTtl || old.length === 0 || now.length === 0;
      return { index, ttl, ts: after.ts, removed: all ? old : without(old, now), added: all ? now : without(now, old) };
    }),
  );
}

function without(entries: readonly PlacedEntry[], others: readonly PlacedEntry[]): readonly PlacedEntry[] {
  const known = new Set(others.map(identityOf));
  return entries.filter((entry) => !known.has(identityOf(entry)));
}

/** What an entry says, by the types of its values: what has one place may still differ, as 1 and 1.0 do. */
export const identityOf = ({ terms, values }: Pick<PlacedEntry, 'terms' | 'values'>): Key => terms + termKey(values.map(resolved));
const resolved = (value: Value): Value => (value instanceof PendingTs ? BigInt(PENDING) : value);

/** The entries of a state, those of one place once. */
function emitted(index: IndexDefinition, ref: Ref, state: State, ctx: EvalContext, strict: boolean): MaybePromise<readonly PlacedEntry[]> {
  if (state.fields === null) return [];
  const length = refKey(ref).length;
  const descending = descendingOf(index);
  return andThen(entriesOf(index, shown(new Doc(ref, state.ts, state.fields)), ctx, strict), (entries) => {
    const places = new Map<Key, PlacedEntry>();
    let tuple: readonly Value[] | null = null;
    let terms = '';
    for (const entry of entries) {
      if (entry.terms !== tuple) terms = termKey(entry.terms);
      tuple = entry.terms;
      const valuesKey = tupleKey(entry.values.map(resolved), descending, index.collation);
      const place = terms + valuesKey;
      if (!places.has(place) && fits(terms.length, valuesKey.length + length, strict)) places.set(place, { terms, values: entry.values, valuesKey });
    }
    return [...places.values()];
  });
}

const descendingOf = ({ values }: IndexDefinition): readonly boolean[] => values.map(({ reverse }) => reverse);

/** @param values bytes of the values and the ref */
function fits(terms: number, values: number, strict: boolean): boolean {
  if (values > MAX_VALUES) return false;
  const size = values + terms;
  if (size > MAX_ENTRY && strict) throw badRequest(`Key bytes (${size}) exceeds threshold (${MAX_ENTRY})`);
  return size <= MAX_ENTRY;
}

/** The rows of changes of a document's entries. */
export function entryDrafts(ref: Ref, changes: readonly IndexChange[]): Draft[] {
  const drafts: Draft[] = [];
  const own = refKey(ref);
  for (const { index, removed, added, ttl, ts } of changes) {
    const draft = drafter(index, own, ts);
    // An entry that is removed and added again (its ttl changed) keeps its place: only the add counts there.
    const replaced = new Set(removed.length === 0 ? [] : added.map(placeOf));
    for (const entry of removed) {
      const [gone, event] = draft(entry, 'remove', null);
      if (!replaced.has(placeOf(entry))) drafts.push(gone);
      drafts.push(event);
    }
    for (const entry of added) drafts.push(...draft(entry, 'add', ttl));
  }
  return drafts;
}

const placeOf = ({ terms, valuesKey }: PlacedEntry): Key => terms + valuesKey;

/** Makes the two rows of an entry: where it stands, and when that changed. */
function drafter(index: IndexDefinition, own: Key, ts: Ts | PendingTs): (entry: PlacedEntry, action: ActionName, endsAt: Ts | null) => [entry: Draft, event: Draft] {
  const { scope, id } = index.ref;
  const [entries, events] = [indexPrefix(scope, id), indexEventPrefix(scope, id)];
  const descending = descendingOf(index);
  return ({ terms, values, valuesKey }, action, endsAt) => {
    const isPending = values.some((value) => value instanceof PendingTs);
    const valuesAt = (time: Ts): Key =>
      isPending ? tupleKey(values.map((value) => (value instanceof PendingTs ? BigInt(time) : value)), descending, index.collation) : valuesKey;
    const data: EntryData = { added: action === 'add', values, ttl: endsAt };
    const text = (commit: Ts): string => entryText(data, timeOf(ts, commit));
    return [
      {
        key: (commit) => entries + terms + valuesAt(timeOf(ts, commit)) + own + stamp(timeOf(ts, commit), commit),
        text,
        memo: data,
      },
      {
        key: (commit) => events + terms + momentKey(timeOf(ts, commit), action) + own + valuesAt(timeOf(ts, commit)) + downTs(commit),
        text,
        memo: data,
      },
    ];
  };
}

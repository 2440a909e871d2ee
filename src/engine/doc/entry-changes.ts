// What a step of a document from one state to the next does to the indexes, and the rows that
// say so. Keys are made once for each entry: a document may have thousands.
import type { Key } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { badRequest } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { type Instant, instantOf, PENDING, REF_BYTES } from '../kv/keyspace.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { termKey } from '../order/term-key.ts';
import type { IndexDefinition } from '../schema/definitions.ts';
import { type EntryData, entryText } from '../txn/entry-row.ts';
import { actionKey } from '../txn/moment.ts';
import type { Content, Draft } from '../txn/txn.ts';
import { expiry } from '../txn/version.ts';
import { dated } from '../value/dated.ts';
import type { Ref } from '../value/ref.ts';
import { type ActionName, Doc, type Obj, PendingTs, type Value } from '../value/value.ts';
import { entriesOf, type Excess, type IndexEntry } from './entries.ts';
import { shown } from './read.ts';

/** Larger terms or values of an entry are not indexed; larger entries refuse the write (bytes; data/indexes.md §10). */
const MAX_PART = 32_767;
const MAX_ENTRY = 64_000;

/** A state of a document in time; `fields` is `null` where it is not there. */
export interface State {
  readonly ts: Ts | PendingTs;
  readonly fields: Obj | null;
}

/** A state's time where it is known already; `null` for that of the commit. */
export const pastOf = (ts: Ts | PendingTs): Instant | null => (ts instanceof PendingTs ? null : instantOf(ts));

/** An entry with its keys, with the time of a write that is not committed for what is pending. */
export interface PlacedEntry extends IndexEntry {
  /** Key of the terms. */
  readonly termsKey: Key;
  /** Key of the values. */
  readonly valuesKey: Key;
  /** Whether its keys are others once it is committed. */
  readonly isPending: boolean;
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
  const step = stepOf(ref, before, after);
  return mapEach(ctx.catalog.indexesOn(ref.collection), (index) => changeOf(index, step, ctx, 'refused'));
}

/** A document's step from one state to the next, as indexes see it. */
interface Step {
  readonly before: Doc | null;
  readonly after: Doc | null;
  readonly ts: Ts | PendingTs;
  readonly ttl: Ts | null;
  /** A changed ttl is carried by the entries, so all of them change. */
  readonly changesTtl: boolean;
}

export function stepOf(ref: Ref, before: State, after: State): Step {
  const ttl = after.fields === null ? null : expiry(after.fields);
  const oldTtl = before.fields === null ? null : expiry(before.fields);
  return { before: docOf(ref, before), after: docOf(ref, after), ts: after.ts, ttl, changesTtl: ttl !== oldTtl };
}

const docOf = (ref: Ref, { ts, fields }: State): Doc | null => (fields === null ? null : shown(new Doc(ref, ts, fields)));

export function changeOf(index: IndexDefinition, { before, after, ts, ttl, changesTtl }: Step, ctx: EvalContext, excess: Excess): MaybePromise<IndexChange> {
  return andThen(before === null ? [] : entriesOf(index, before, ctx, 'left out'), (was) =>
    andThen(after === null ? [] : entriesOf(index, after, ctx, excess), (is) => {
      const now = placed(index, is, excess);
      if (!changesTtl && areSame(was, is)) return { index, ttl, ts, removed: [], added: [] };
      const old = placed(index, was, 'left out');
      const all = changesTtl || old.length === 0 || now.length === 0;
      return { index, ttl, ts, removed: all ? old : without(old, now), added: all ? now : without(now, old) };
    }),
  );
}

/** Whether two tuples hold the very same objects; if not, they may still be equal. */
const areSame = (some: readonly IndexEntry[], others: readonly IndexEntry[]): boolean =>
  some.length === others.length &&
  some.every(({ terms, values }, at) => isSameTuple(terms, (others[at] as IndexEntry).terms) && isSameTuple(values, (others[at] as IndexEntry).values));
const isSameTuple = (some: readonly Value[], others: readonly Value[]): boolean => some.every((value, at) => Object.is(value, others[at]));

function without(entries: readonly PlacedEntry[], others: readonly PlacedEntry[]): readonly PlacedEntry[] {
  const known = new Set(others.map(identityOf));
  return entries.filter((entry) => !known.has(identityOf(entry)));
}

/** Tells entries apart by the types of their values, too: entries with the same place may differ, as 1 and 1.0 do. */
export const identityOf = ({ termsKey, values }: Pick<PlacedEntry, 'termsKey' | 'values'>): Key => termsKey + termKey(dated(values, PENDING));

/** Entries with their keys; of several with the same place only one. */
function placed(index: IndexDefinition, entries: readonly IndexEntry[], excess: Excess): readonly PlacedEntry[] {
  const found: PlacedEntry[] = [];
  // Most documents have one.
  const places = entries.length > 1 ? new Set<Key>() : null;
  let tuple: readonly Value[] | null = null;
  let termsKey = '';
  for (const { terms, values, isTimed } of entries) {
    const knownTerms = dated(terms, PENDING);
    const knownValues = dated(values, PENDING);
    if (terms !== tuple) termsKey = termKey(knownTerms);
    tuple = terms;
    const isPending = knownTerms !== terms || knownValues !== values;
    const valuesKey = tupleKey(knownValues, index.descending, index.collation);
    const place = termsKey + valuesKey;
    if (places?.has(place) === true || !fits(termsKey.length, valuesKey.length + REF_BYTES, excess)) continue;
    places?.add(place);
    found.push({ terms, values, isTimed, termsKey, valuesKey, isPending });
  }
  return found;
}

/**
 * Whether an entry is kept: what is too long by itself is left out.
 * @param values bytes of the values and the ref
 * @throws HttpError `bad request` for terms and values that are too long together
 */
function fits(terms: number, values: number, excess: Excess): boolean {
  if (terms > MAX_PART || values > MAX_PART) return false;
  const size = values + terms;
  if (size > MAX_ENTRY && excess === 'refused') throw badRequest(`Key bytes (${size}) exceeds threshold (${MAX_ENTRY})`);
  return size <= MAX_ENTRY;
}

/** The rows of changes of a document's entries. */
export function entryDrafts(ref: Ref, changes: readonly IndexChange[]): Draft[] {
  const drafts: Draft[] = [];
  const own = changes.length === 0 ? '' : refKey(ref);
  for (const change of changes) {
    const { removed, added } = change;
    // An entry that is removed and added again (its ttl changed) keeps its place: only the add counts there.
    const replaced = removed.length === 0 ? null : new Set(added.map(placeOf));
    for (const entry of removed) {
      const { place, event } = draftsOf(change, entry, own, 'remove', null);
      if (replaced?.has(placeOf(entry)) !== true) drafts.push(place);
      drafts.push(event);
    }
    for (const entry of added) {
      const { place, event } = draftsOf(change, entry, own, 'add', change.ttl);
      drafts.push(place, event);
    }
  }
  return drafts;
}

const placeOf = ({ termsKey, valuesKey }: PlacedEntry): Key => termsKey + valuesKey;

/** The two rows of an entry: where it stands, and when that changed. */
function draftsOf({ index, ts }: IndexChange, { terms, termsKey, values, valuesKey, isPending }: PlacedEntry, own: Key, action: ActionName, ttl: Ts | null): { readonly place: Draft; readonly event: Draft } {
  const past = pastOf(ts);
  const actor = actionKey(action) + own;
  const content = entryContent({ added: action === 'add', values, ttl });
  const termsAt = (commit: Ts): Key => (isPending ? termKey(dated(terms, commit)) : termsKey);
  const valuesAt = (commit: Ts): Key => (isPending ? tupleKey(dated(values, commit), index.descending, index.collation) : valuesKey);
  return {
    place: {
      key: (commit) => index.entriesPrefix + termsAt(commit.ts) + valuesAt(commit.ts) + own + (past ?? commit).down + commit.down,
      content,
    },
    event: {
      key: (commit) => index.eventsPrefix + termsAt(commit.ts) + (past ?? commit).up + actor + valuesAt(commit.ts) + commit.down,
      content,
    },
  };
}

/** What the rows of an entry say. */
export const entryContent = (data: EntryData): Content => ({ text: (commit) => entryText(data, commit), memo: data });

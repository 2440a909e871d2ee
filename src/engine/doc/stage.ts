// Stages a document's next state: its version, its comings and goings, its index entries,
// and the check of unique indexes.
import { type Key, prefixSpan } from '../base/bytes.ts';
import { andThen, each, loop, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { Ts } from '../base/platform.ts';
import { badRequest, notUnique } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { collectionEventPrefix, documentPrefix, homeKey, PENDING, REF_BYTES, STAMP_BYTES } from '../kv/keyspace.ts';
import { refKey } from '../order/order-key.ts';
import { actionKey, readRef } from '../txn/moment.ts';
import { encodeStored } from '../txn/stored.ts';
import { readEntry } from '../txn/entry-row.ts';
import type { Draft } from '../txn/txn.ts';
import { DELETED, expiry, liveFields, LIVE, type Version } from '../txn/version.ts';
import type { IndexDefinition } from '../schema/definitions.ts';
import { NATIVE, type Ref } from '../value/ref.ts';
import { type ActionName, type Obj, PendingTs } from '../value/value.ts';
import { changeOf, changesOf, entryContent, entryDrafts, identityOf, type IndexChange, pastOf, type PlacedEntry, type State, stepOf } from './entry-changes.ts';

/** Bytes of one version (data/transactions.md §8). */
const MAX_VERSION = 8_388_608;

/**
 * Makes `fields` (or, with `null`, its absence) the document's state as of this transaction.
 * @param at where a unique index reports it; `null` where none needs to be asked, as the transaction has written the document already
 * @throws FqlError `instance not unique` at `at`
 */
export function stageDocument(ref: Ref, fields: Obj | null, ctx: EvalContext, at: Path | null): MaybePromise<void> {
  const document = documentPrefix(ref.scope, ref.collection, ref.id);
  return andThen(ctx.txn.committed(document), (base) => {
    const before = stateOf(base, ctx.txn.now);
    const after: State = { ts: PendingTs.instance, fields };
    return andThen(changesOf(ref, before, after, ctx), (changes) =>
      andThen(at === null ? undefined : requireUnique(ref, changes, after, ctx, at), () => {
        ctx.txn.stage(document, [versionDraft(document, after)].concat(comingDrafts(ref, before, after), homeDrafts(ref, before, after), entryDrafts(ref, changes)));
      }),
    );
  });
}

/**
 * The state that a version made at `now` finds before it. An expired document is not there any more,
 * but its entries are not removed either, as they have expired with it.
 */
export function stateOf(version: Version | null, now: Ts): State {
  return { ts: version?.time ?? 0, fields: liveFields(version, now) };
}

/** The row of a version, at the time its state has. @param document its prefix */
export function versionDraft(document: Key, { ts, fields }: State): Draft {
  const past = pastOf(ts);
  const version: Version = { time: past?.ts ?? PENDING, fields };
  return { key: (commit) => document + (past ?? commit).down + commit.down, content: { text: (commit) => versionText(fields, commit), memo: version } };
}

function versionText(fields: Obj | null, commit: Ts): string {
  if (fields === null) return DELETED;
  const text = LIVE + encodeStored(fields, commit);
  if (text.length > MAX_VERSION) throw badRequest(`Version bytes (${text.length}) exceeds threshold (${MAX_VERSION})`);
  return text;
}

/** Documents that are found by their id alone, as a secret, or a ref from another database, gives nothing else. */
export const FOUND_BY_ID: ReadonlySet<number> = new Set([NATIVE.keys, NATIVE.tokens, NATIVE.databases]);

/** Where one of them lives changes as it comes and goes. */
export function homeDrafts(ref: Ref, before: State, after: State): Draft[] {
  if (!FOUND_BY_ID.has(ref.collection) || (before.fields === null) === (after.fields === null)) return [];
  const prefix = homeKey(ref.id, ref.scope);
  const text = after.fields === null ? DELETED : LIVE;
  return [{ key: ({ down }) => prefix + down + down, content: { text: () => text, memo: undefined, mark: text } }];
}

/** A document coming or going is an event of its collection; with another ttl it goes, and comes again. */
export function comingDrafts(ref: Ref, before: State, after: State): Draft[] {
  const [was, is] = [before.fields, after.fields];
  if ((was === null) === (is === null) && (was && expiry(was)) === (is && expiry(is))) return [];
  const prefix = collectionEventPrefix(ref.scope, ref.collection);
  const past = pastOf(after.ts);
  const draft = (action: ActionName, content: Draft['content']): Draft => {
    const place = actionKey(action) + refKey(ref);
    return { key: (commit) => prefix + (past ?? commit).up + place + commit.down, content };
  };
  return [...(was === null ? [] : [draft('remove', GOES)]), ...(is === null ? [] : [draft('add', COMES)])];
}

const COMES = entryContent({ added: true, values: [], ttl: null });
const GOES = entryContent({ added: false, values: [], ttl: null });

/** No other live document may hold the terms and values of a unique index's entry. */
function requireUnique(ref: Ref, changes: readonly IndexChange[], after: State, ctx: EvalContext, at: Path): MaybePromise<void> {
  const isAgain = changes.some(({ index }) => index.unique) && ctx.txn.hasStaged(documentPrefix(ref.scope, ref.collection, ref.id));
  return andThen(isAgain ? sinceStaged(ref, after, ctx) : changes, (claims) => requireFree(ref, claims, ctx, at));
}

/** What unique indexes gain over the document as this transaction staged it before: an entry that an earlier write of it gave up may have been taken since. */
function sinceStaged(ref: Ref, after: State, ctx: EvalContext): MaybePromise<readonly IndexChange[]> {
  // It is billed already.
  const unbilled = ctx.with({ budget: ctx.budget.share() });
  return andThen(ctx.txn.version(ref, null), (staged) => {
    const step = stepOf(ref, { ts: PendingTs.instance, fields: staged && liveFields(staged, ctx.txn.now) }, after);
    return mapEach(ctx.catalog.indexesOn(ref.collection).filter(({ unique }) => unique), (index) => changeOf(index, step, unbilled, 'refused'));
  });
}

function requireFree(ref: Ref, changes: readonly IndexChange[], ctx: EvalContext, at: Path): MaybePromise<void> {
  const checks: { readonly index: IndexDefinition; readonly entry: PlacedEntry }[] = [];
  for (const { index, added } of changes) if (index.unique) for (const entry of added) if (!entry.isTimed) checks.push({ index, entry });
  if (checks.length === 0) return;
  const own = refKey(ref);
  return each(checks, ({ index, entry }) => {
    const prefix = index.entriesPrefix + entry.termsKey + entry.valuesKey;
    const rows = ctx.txn.current(prefixSpan(prefix));
    const identity = identityOf(entry);
    return andThen(
      loop<boolean>(() =>
        andThen(rows.next(), (row) => {
          if (row === null) return false;
          const { added, ttl, values } = readEntry(row);
          const holder = row.key.slice(-STAMP_BYTES - REF_BYTES, -STAMP_BYTES);
          if (!added || holder === own || (ttl !== null && ttl <= ctx.txn.now)) return undefined;
          // Values with one place may differ, as 1 and 1.0 do; and a collection may be gone.
          const isEqual = identityOf({ termsKey: entry.termsKey, values }) === identity;
          return isEqual && ctx.catalog.hasCollection(readRef(holder, 0, ref.scope).collection) ? true : undefined;
        }),
      ),
      (taken) => {
        if (taken) throw notUnique(at);
      },
    );
  });
}

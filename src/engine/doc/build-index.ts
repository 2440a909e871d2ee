// A new index takes in what its sources hold, with all history: every version emits entries
// at its own time. Of small sources this is done in the transaction that makes the index; of
// others by upkeep, a slice at a time, while writers emit entries from that transaction on
// (reference: data/indexes.md §8).
import { prefixSpan, type Span } from '../base/bytes.ts';
import { andThen, fold, loop, mapEach, type MaybePromise, readAll } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { HttpError } from '../errors/fql-error.ts';
import type { EvalContext } from '../form/context.ts';
import { type BUILT, TO_BUILD } from '../kv/builds.ts';
import { BUILD, collectionPrefix, ID_BYTES, PENDING, readId, scopeKey, STAMP_BYTES } from '../kv/keyspace.ts';
import { longKey } from '../order/scalar-key.ts';
import type { Row } from '../kv/rows.ts';
import type { IndexDefinition } from '../schema/definitions.ts';
import { latestRows } from '../txn/events.ts';
import type { Draft } from '../txn/txn.ts';
import { readVersion, type Version } from '../txn/version.ts';
import { FIRST_COLLECTION, Ref } from '../value/ref.ts';
import { changeOf, entryDrafts, stepOf } from './entry-changes.ts';
import { stageDocument, stateOf } from './stage.ts';

/** Sources of up to this many versions, deletions counted, are built in the transaction that makes the index. */
const SMALL = 128;

/** Whether the index is built at once. */
export function isSmall(index: IndexDefinition, ctx: EvalContext): MaybePromise<boolean> {
  const counted = fold(sourceNumbers(index, ctx), 0, (count, number) => {
    const rows = ctx.txn.rows(prefixSpan(collectionPrefix(ctx.catalog.scope, number)), true);
    let versions = count;
    return loop<number>(() =>
      andThen(versions > SMALL ? null : rows.next(), (row) => {
        if (row === null) return versions;
        versions++;
        return undefined;
      }),
    );
  });
  return andThen(counted, (versions) => versions <= SMALL);
}

/** Indexes of a database that may be waiting to be built. */
const MAX_PENDING = 500;

/** Builds a new index, or leaves a note that it is to be built. @throws HttpError 429 when too many are */
export function buildIndex(ref: Ref, ctx: EvalContext): MaybePromise<void> {
  const index = ctx.catalog.index(ref);
  if (index === null) return;
  return andThen(isSmall(index, ctx), (small) => {
    if (!small) {
      const pending = ctx.catalog.all<IndexDefinition>('index').filter(({ active, ref: other }) => !active && other.id !== ref.id).length;
      if (pending >= MAX_PENDING) throw new HttpError(429, 'too many requests', `Too many pending index builds. Pending: ${pending} Limit: ${MAX_PENDING}`);
      return noteBuild(ref, TO_BUILD, ctx);
    }
    return andThen(mapEach(sourceNumbers(index, ctx), (number) => buildNow(index, number, ctx)), () => undefined);
  });
}

/** Says in the log that an index is to be built, or that this is done. */
export function noteBuild({ scope, id }: Ref, text: typeof TO_BUILD | typeof BUILT, { txn }: EvalContext): void {
  const key = BUILD + scopeKey(scope) + longKey(id);
  txn.stage(`build/${id}`, [{ key: () => key, content: { text: () => text, memo: undefined, mark: text } }]);
}

function buildNow(index: IndexDefinition, number: number, ctx: EvalContext): MaybePromise<void> {
  const documents = timelines(number, prefixSpan(collectionPrefix(ctx.catalog.scope, number)), ctx.txn.snapshot, ctx);
  const built = readAll(documents, ({ ref, versions }) => {
    // What this transaction wrote stands in its own rows; they are made anew.
    const own = versions.find(({ time }) => time === PENDING);
    const drafts = timelineDrafts(index, { ref, versions: versions.filter(({ time }) => time !== PENDING) }, ctx, own === undefined ? versions.at(-1) : undefined);
    return andThen(drafts, (made) => {
      if (made.length > 0) ctx.txn.stage(`index/${index.ref.id}/${ref.identity}`, made);
      return andThen(own === undefined ? undefined : stageDocument(ref, own.fields, ctx, null), () => undefined);
    });
  });
  return andThen(built, () => undefined);
}

export function sourceNumbers(index: IndexDefinition, ctx: EvalContext): number[] {
  const every = index.sources.some(({ collections }) => collections === 'all');
  const named = index.sources.flatMap(({ collections }) => (collections === 'all' ? [] : collections));
  const users = every ? ctx.catalog.all('collection').map(({ ref }) => Number(ref.id)).filter((number) => number >= FIRST_COLLECTION) : [];
  return [...new Set([...named, ...users])];
}

/** All versions of a document that a snapshot sees, oldest first. */
interface Timeline {
  readonly ref: Ref;
  readonly versions: readonly Version[];
}

/** The timelines of a span of a collection, from the last document to the first; `null` at the end. */
export function timelines(number: number, span: Span, snapshot: Ts, ctx: EvalContext): () => MaybePromise<Timeline | null> {
  const { scope } = ctx.catalog;
  // Backward, so that each document's versions come oldest first.
  const rows = latestRows(ctx.txn.rows(span, true), true, snapshot);
  let ahead: Row | null | undefined;
  const idOf = ({ key }: Row): bigint => readId(key, key.length - STAMP_BYTES - ID_BYTES);
  return () =>
    andThen(ahead === undefined ? rows.next() : ahead, (first) => {
      if (first === null) return null;
      const id = idOf(first);
      const versions = [readVersion(first)];
      return loop<Timeline>(() =>
        andThen(rows.next(), (row) => {
          ahead = row;
          if (row === null || idOf(row) !== id) return { ref: new Ref(number, id, scope), versions };
          versions.push(readVersion(row));
          return undefined;
        }),
      );
    });
}

/**
 * The rows that follow in one index from all steps of a document.
 * @param checked the version whose entries refuse the index if they are too large; those of others are left out
 */
export function timelineDrafts(index: IndexDefinition, { ref, versions }: Timeline, ctx: EvalContext, checked?: Version): MaybePromise<Draft[]> {
  return fold(versions, [] as Draft[], (drafts, version, at) => {
    const before = stateOf(versions[at - 1] ?? null, version.time);
    const step = stepOf(ref, before, { ts: version.time, fields: version.fields });
    return andThen(changeOf(index, step, ctx, version === checked ? 'refused' : 'left out'), (change) => {
      // One document may have more than a call takes arguments.
      for (const draft of entryDrafts(ref, [change])) drafts.push(draft);
      return andThen(ctx.budget.move(), () => drafts);
    });
  });
}

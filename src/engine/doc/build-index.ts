// A new index takes in what its sources hold, with all history, in the transaction that
// makes it: every version emits entries at its own time.
import { prefixSpan } from '../base/bytes.ts';
import { andThen, loop, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { collectionPrefix, ID_BYTES, PENDING, readId, STAMP_BYTES } from '../kv/keyspace.ts';
import type { IndexDefinition } from '../schema/definitions.ts';
import { latestRows } from '../txn/events.ts';
import type { Draft } from '../txn/txn.ts';
import { readVersion } from '../txn/version.ts';
import { FIRST_COLLECTION, Ref } from '../value/ref.ts';
import { entryChanges, type State } from './stage.ts';
import { PendingTs } from '../value/value.ts';

export function buildIndex(ref: Ref, ctx: EvalContext): MaybePromise<void> {
  const index = ctx.catalog.index(ref);
  if (index === null) return;
  return andThen(
    mapEach(sourceNumbers(index, ctx), (number) => buildFrom(index, number, ctx)),
    () => undefined,
  );
}

function sourceNumbers(index: IndexDefinition, ctx: EvalContext): number[] {
  const every = index.sources.some(({ collections }) => collections === 'all');
  const named = index.sources.flatMap(({ collections }) => (collections === 'all' ? [] : collections));
  const users = every ? ctx.catalog.all('collection').map(({ ref }) => Number(ref.id)).filter((number) => number >= FIRST_COLLECTION) : [];
  return [...new Set([...named, ...users])];
}

function buildFrom(index: IndexDefinition, number: number, ctx: EvalContext): MaybePromise<void> {
  const { scope } = ctx.catalog;
  const span = prefixSpan(collectionPrefix(scope, number));
  // Backward, so that each document's versions come oldest first.
  const rows = latestRows(ctx.txn.rows(span, true), true, ctx.txn.snapshot);
  let id: bigint | null = null;
  let before: State = ABSENT;
  let drafts: Draft[] = [];
  const finish = (): void => {
    if (id !== null && drafts.length > 0) ctx.txn.stage(`index/${index.ref.id}/${number}/${id}`, drafts);
    drafts = [];
    before = ABSENT;
  };
  return loop<void | true>(() =>
    andThen(rows.next(), (row) => {
      if (row === null) {
        finish();
        return true;
      }
      const rowId = readId(row.key, row.key.length - STAMP_BYTES - ID_BYTES);
      if (rowId !== id) finish();
      id = rowId;
      const version = readVersion(row);
      const ts = version.time === PENDING ? PendingTs.instance : version.time;
      const after: State = { ts, fields: version.fields };
      return andThen(entryChanges(index, new Ref(number, rowId, scope), before, after, ctx), (changes) => {
        drafts.push(...changes);
        before = after;
        return andThen(ctx.budget.step(), () => undefined);
      });
    }),
  ) as MaybePromise<void>;
}

const ABSENT: State = { ts: 0, fields: null };


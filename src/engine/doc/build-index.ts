// A new index takes in what its sources hold, with all history, in the transaction that
// makes it: every version emits entries at its own time.
import { prefixSpan } from '../base/bytes.ts';
import { andThen, loop, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { collectionPrefix, ID_BYTES, PENDING, readId, STAMP_BYTES } from '../kv/keyspace.ts';
import type { IndexDefinition } from '../schema/definitions.ts';
import { latestRows } from '../txn/events.ts';
import type { Draft } from '../txn/txn.ts';
import { readVersion, type Version } from '../txn/version.ts';
import { FIRST_COLLECTION, Ref } from '../value/ref.ts';
import { entryChanges, stageAgain, stateOf } from './stage.ts';

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
  // Backward, so that each document's versions come oldest first.
  const rows = latestRows(ctx.txn.rows(prefixSpan(collectionPrefix(scope, number)), true), true, ctx.txn.snapshot);
  let ref: Ref | null = null;
  let before: Version | null = null;
  let drafts: Draft[] = [];
  const finish = (): void => {
    if (ref !== null && drafts.length > 0) ctx.txn.stage(`index/${index.ref.id}/${ref.identity}`, drafts);
    drafts = [];
    before = null;
  };
  const built = loop<true>(() =>
    andThen(rows.next(), (row) => {
      const id = row === null ? null : readId(row.key, row.key.length - STAMP_BYTES - ID_BYTES);
      if (ref?.id !== id) finish();
      if (row === null || id === null) return true;
      const current = ref?.id === id ? ref : new Ref(number, id, scope);
      ref = current;
      const version = readVersion(row);
      // What this transaction wrote stands in its own rows; they are made anew.
      if (version.time === PENDING) return andThen(stageAgain(current, version.fields, ctx), () => undefined);
      const changes = entryChanges(index, current, stateOf(before, version.time), { ts: version.time, fields: version.fields }, ctx);
      before = version;
      return andThen(changes, (made) => {
        drafts.push(...made);
        return andThen(ctx.budget.step(), () => undefined);
      });
    }),
  );
  return andThen(built, () => undefined);
}

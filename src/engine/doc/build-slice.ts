// One slice of building an index in the background; loaded with the rest of upkeep.
import { ALL_KEYS, prefixSpan } from '../base/bytes.ts';
import { andThen, fold, loop, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import type { Build } from '../kv/builds.ts';
import { collectionPrefix, documentPrefix, instantOf, VERSIONS_BEGIN } from '../kv/keyspace.ts';
import { Memtable } from '../kv/memtable.ts';
import { type RowCursor, rowOf } from '../kv/rows.ts';
import { NATIVE, Ref } from '../value/ref.ts';
import { sourceNumbers, timelineDrafts, timelines } from './build-index.ts';

/** Others get a turn after so many documents, which take a few milliseconds. */
const TURN = 100;

/** A slice ends after so many versions, too: where few of them have entries, it would go through all there are, and whoever ends before that would have done nothing. */
const MOST = 10_000;

/**
 * The rows of an index for the next versions that were there when it was made, about so many
 * characters of them, and how far the build is then.
 * @param ctx of a transaction that reads at any time after that
 * @param pause gives others a turn
 */
export function buildSlice(build: Build, size: number, ctx: EvalContext, pause: () => Promise<void>): MaybePromise<{ readonly rows: RowCursor; readonly build: Build }> {
  const { scope } = ctx.catalog;
  const index = ctx.catalog.index(new Ref(NATIVE.indexes, build.index, scope));
  const numbers = index === null ? [] : sourceNumbers(index, ctx).filter((number) => ctx.catalog.hasCollection(number));
  const parts = numbers.sort((a, b) => b - a).map((number) => ({ number, span: prefixSpan(collectionPrefix(scope, number)) }));
  // Sorted as they come: all at once would hold up the others.
  const rows = new Memtable();
  const commit = instantOf(build.commit);
  let { versions } = build;
  let characters = 0;
  let seen = 0;
  const walked = fold(parts, null as Ref | null, (stopped, { number, span }) => {
    if (stopped !== null || build.left <= span.from) return stopped;
    const documents = timelines(number, { from: span.from, to: build.left < span.to ? build.left : span.to }, build.commit, ctx);
    return loop<Ref | null>(() =>
      andThen(documents(), (timeline) => {
        if (timeline === null || index === null) return null;
        return andThen(timelineDrafts(index, timeline, ctx), (drafts) => {
          for (const draft of drafts) {
            const row = rowOf(draft.key(commit), draft.content.text(build.commit));
            rows.put(row);
            characters += row.key.length + row.text.length;
          }
          versions += timeline.versions.length;
          // Nobody is billed for it, and the next one may take as much.
          ctx.budget.steps = 0;
          if (characters >= size || versions - build.versions >= MOST) return timeline.ref;
          return ++seen % TURN === 0 ? pause().then(() => undefined) : undefined;
        });
      }),
    );
  });
  return andThen(walked, (last) => {
    const left = last === null ? VERSIONS_BEGIN : documentPrefix(scope, last.collection, last.id);
    return { rows: rows.scan(ALL_KEYS), build: { ...build, left, versions } };
  });
}

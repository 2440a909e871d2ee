// One slice of building an index in the background; loaded with the rest of upkeep.
import { prefixSpan } from '../base/bytes.ts';
import { andThen, fold, loop, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import type { Build } from '../kv/builds.ts';
import { collectionPrefix, documentPrefix, VERSIONS_BEGIN } from '../kv/keyspace.ts';
import type { Row } from '../kv/rows.ts';
import { NATIVE, Ref } from '../value/ref.ts';
import { entryDrafts, sourceNumbers, timelines } from './build-index.ts';

/**
 * The rows of an index for the next versions that were there when it was made, about so many
 * characters of them, and how far the build is then.
 * @param ctx of a transaction that reads at any time after that
 */
export function buildSlice(build: Build, size: number, ctx: EvalContext): MaybePromise<{ readonly rows: Row[]; readonly build: Build }> {
  const { scope } = ctx.catalog;
  const index = ctx.catalog.index(new Ref(NATIVE.indexes, build.index, scope));
  const numbers = index === null ? [] : sourceNumbers(index, ctx).filter((number) => ctx.catalog.hasCollection(number));
  const parts = numbers.sort((a, b) => b - a).map((number) => ({ number, span: prefixSpan(collectionPrefix(scope, number)) }));
  const rows: Row[] = [];
  let { versions } = build;
  let characters = 0;
  const walked = fold(parts, null as Ref | null, (stopped, { number, span }) => {
    if (stopped !== null || build.left <= span.from) return stopped;
    const documents = timelines(number, { from: span.from, to: build.left < span.to ? build.left : span.to }, build.commit, ctx);
    return loop<Ref | null>(() =>
      andThen(documents(), (timeline) => {
        if (timeline === null || index === null) return null;
        return andThen(entryDrafts(index, timeline, ctx), (drafts) => {
          for (const draft of drafts) {
            const row = { key: draft.key(build.commit), text: draft.text(build.commit) };
            rows.push(row);
            characters += row.key.length + row.text.length;
          }
          versions += timeline.versions.length;
          return characters >= size ? timeline.ref : undefined;
        });
      }),
    );
  });
  return andThen(walked, (last) => {
    const left = last === null ? VERSIONS_BEGIN : documentPrefix(scope, last.collection, last.id);
    return { rows: rows.sort((a, b) => (a.key < b.key ? -1 : 1)), build: { ...build, left, versions } };
  });
}

// What goes with a schema document when it is deleted (reference: data/documents.md §7).
import { andThen, each, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { EvalContext } from '../form/context.ts';
import type { IndexDefinition } from '../schema/definitions.ts';
import type { Ref } from '../value/ref.ts';
import { stageDocument } from './stage.ts';

/** Of a collection: deleting it deletes the indexes that have no other source. */
export function cascade(ref: Ref, ctx: EvalContext, at: Path): MaybePromise<void> {
  const number = Number(ref.id);
  const only = ctx.catalog
    .all<IndexDefinition>('index')
    .filter(({ sources }) => sources.every(({ collections }) => collections !== 'all' && collections.every((item) => item === number)));
  return each(only, (index) =>
    andThen(stageDocument(index.ref, null, ctx, at), () => ctx.catalog.note(index.ref, null)),
  );
}

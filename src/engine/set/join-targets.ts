// The sets that the entries of a join's source lead to.
import type { Key } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise, readAll } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { invalidArgument } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { termKey } from '../order/term-key.ts';
import { termsOf } from './join-source.ts';
import { type Entry, everything, type SetOp, type Shape } from './set-op.ts';

/** A join that is being read. */
export interface Joining {
  readonly source: SetOp;
  /** What the source is read with. */
  readonly sourceCtx: EvalContext;
  targetOf(entry: Entry): MaybePromise<SetOp>;
  readonly ctx: EvalContext;
  /** Of the whole. */
  readonly shape: Shape;
  readonly at: Path;
}

/** How many different entries of a source are looked at. */
export const MAX_SOURCE = 100_000;

/** Entries with the same terms lead to the same target. */
export const identityOf = (entry: Entry): Key => termKey(termsOf(entry));

/** The entries of the source, each different one once. */
export function present({ source, sourceCtx }: Joining): MaybePromise<readonly Entry[]> {
  const cursor = source.open(sourceCtx, everything());
  const seen = new Set<Key>();
  return readAll(
    () => (seen.size < MAX_SOURCE ? cursor.next() : null),
    (entry) => {
      const identity = identityOf(entry);
      if (seen.has(identity)) return undefined;
      seen.add(identity);
      return entry;
    },
  );
}

/** The target sets that may be read, with the places of the entries that lead to them; the others count as empty. */
export function targetsOf(entries: readonly Entry[], { targetOf, ctx, at }: Joining): MaybePromise<readonly { readonly target: SetOp; readonly lead: number }[]> {
  const all = mapEach(entries, (entry, lead) => andThen(targetOf(entry), (target) => ({ target, lead })));
  return andThen(all, (targets) => {
    requireOneOrder(targets.map(({ target }) => target.shape(ctx)), at);
    return andThen(mapEach(targets, ({ target }) => target.readable(ctx)), (readable) => targets.filter((_, nth) => readable[nth]));
  });
}

/** Targets whose orders of numbers part cannot be merged. @throws FqlError `invalid argument` */
function requireOneOrder(shapes: readonly Shape[], at: Path): void {
  const collations = shapes.filter(({ descending }) => descending.length > 0).map(({ collation }) => collation);
  if (new Set(collations).size > 1) throw invalidArgument(at, 'Sets are not compatible.');
}

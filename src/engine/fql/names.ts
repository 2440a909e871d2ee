import { isWithin } from '../auth/caller.ts';
import type { EvalContext } from '../form/context.ts';
import type { Catalog } from '../schema/catalog.ts';
import type { RefNames } from '../wire/ref-names.ts';

/**
 * Names as the database of a context knows them, and those below it.
 * @param kept as it was before: what a query has deleted is still shown by its name
 * @throws NeedsDatabase when a catalog is not read yet
 */
export function namesIn(ctx: Pick<EvalContext, 'catalog' | 'catalogOf'>, kept: Catalog = ctx.catalog): RefNames {
  const { scope, path } = ctx.catalog;
  return {
    scope,
    name: (ref) => (ctx.catalogOf(ref.scope).definition(ref) ?? kept.definition(ref))?.name ?? null,
    databasePath(other) {
      const whole = ctx.catalogOf(other).path;
      return isWithin(whole, path) && whole.length > path.length ? whole.slice(path.length) : null;
    },
  };
}

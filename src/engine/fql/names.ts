import type { Catalog } from '../schema/catalog.ts';
import type { RefNames } from '../wire/ref-names.ts';

/** Names as one catalog knows them: what lives in another database has none. */
export function namesIn(catalog: Catalog): RefNames {
  return {
    scope: catalog.scope,
    name: (ref) => (ref.scope === catalog.scope ? (catalog.definition(ref)?.name ?? null) : null),
    databasePath: (scope) => (scope === catalog.scope ? [] : null),
  };
}

// What of history must stay, by the catalogs of all databases: what lies before the earliest
// time a collection or index may be read at, and what belongs to nothing any more, may go.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { ownerOf } from '../kv/belonging.ts';
import { collectionEventPrefix, collectionPrefix } from '../kv/keyspace.ts';
import type { Keeping } from '../txn/sorting.ts';
import { GATEWAY_COLLECTION, NATIVE } from '../value/ref.ts';
import type { Catalog } from './catalog.ts';
import type { CollectionDefinition, IndexDefinition } from './definitions.ts';
import { nativeIndexes } from './native-indexes.ts';
import { earliestTime, keptOfIndex } from './retention.ts';

/**
 * @param catalogs of every database, as they are now and as they were at `spared`: what is in
 *   either of them stays
 * @param spared time and commit that the last running query may stand at
 */
export function keepingOf(catalogs: readonly Catalog[], spared: Ts): Keeping {
  const edges = new Map<Key, Ts>();
  const note = (owners: readonly Key[], earliest: Ts): void => {
    for (const owner of owners) edges.set(owner, Math.min(edges.get(owner) ?? Infinity, earliest));
  };
  for (const catalog of catalogs) {
    const { scope } = catalog;
    const collections = catalog.all<CollectionDefinition>('collection').map(({ number }) => number);
    for (const number of [...Object.values(NATIVE), GATEWAY_COLLECTION, ...collections]) {
      note([collectionPrefix(scope, number), collectionEventPrefix(scope, number)], earliestTime(number, catalog, spared));
    }
    for (const index of [...catalog.all<IndexDefinition>('index'), ...nativeIndexes(scope)]) {
      note([index.entriesPrefix, index.eventsPrefix], keptOfIndex(index, catalog, spared));
    }
  }
  return {
    spared,
    earliest(key) {
      const owner = ownerOf(key);
      return owner === null ? -Infinity : (edges.get(owner) ?? Infinity);
    },
  };
}

// What a database tells of the indexes it is building; loaded when there are any.
import { andThen, mapEach } from '../base/maybe.ts';
import { NATIVE, Ref } from '../value/ref.ts';
import type { Core } from './core.ts';

/** An index that is being built. */
export interface IndexBuild {
  /** Names from the root to its database. */
  readonly database: readonly string[];
  readonly index: string;
  /** Versions of documents taken in so far. */
  readonly versions: number;
}

/** @throws StorageError, BlockGone */
export async function indexBuilds(core: Core): Promise<readonly IndexBuild[]> {
  // How far they are stands in the manifest, which may be another engine's.
  await core.log.reload();
  const txn = core.log.beginRead('');
  const found = await mapEach(core.applied.builds, ({ scope, index, versions }) =>
    andThen(core.sessions.administration(txn, scope), ({ catalog }) => {
      const definition = catalog.index(new Ref(NATIVE.indexes, index, scope));
      return definition === null ? null : { database: catalog.path, index: definition.name, versions };
    }),
  );
  return found.filter((build) => build !== null);
}

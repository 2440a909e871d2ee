import type { Ref, Scope } from '../value/ref.ts';

/** Names of what has numbers inside, as the database of a request sees them. */
export interface RefNames {
  /** The database of the request. */
  readonly scope: Scope;
  /**
   * Name of a schema document (a collection, an index, a database, …), also of one in another
   * database; `null` when it has vanished. Asked also for a document's collection. Native
   * collections are not asked for.
   */
  name(ref: Ref): string | null;
  /** Names of the databases from the request's own down to the given one; `null` when it is not below. */
  databasePath(scope: Scope): readonly string[] | null;
}

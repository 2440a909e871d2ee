// Reading for those that have no transaction of their own: streams, live queries and identities.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Txn } from '../txn/txn.ts';
import type { Core } from './core.ts';
import type { Effort, Session } from './sessions.ts';
import type { Terms } from './terms.ts';
import { makeUpFor } from './transact.ts';

/**
 * Reads in a transaction, again and again until nothing is missing.
 * @throws FqlError, HttpError, StorageError
 */
export async function observe<T>(core: Core, terms: Terms, begin: () => Txn, act: (session: Session) => MaybePromise<T>): Promise<T> {
  const effort: Effort = { deadline: core.platform.now() + terms.timeoutMs * 1000, needed: new Set() };
  const attempt = async (): Promise<T> => {
    for (;;) {
      const { life, adoptions } = core.applied;
      try {
        return await andThen(core.sessions.open(begin(), terms, effort), act);
      } catch (error) {
        await makeUpFor(error, core, effort, { life, adoptions });
      }
    }
  };
  return core.deadlines.guard(attempt(), terms.timeoutMs);
}

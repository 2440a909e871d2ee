// Reading for those that have no transaction of their own: streams and identities.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Txn } from '../txn/txn.ts';
import type { Scope } from '../value/ref.ts';
import type { Core, Session, Terms } from './core.ts';
import { makeUpFor } from './transact.ts';

/**
 * Reads in a transaction, again and again until nothing is missing.
 * @throws FqlError, HttpError, StorageError
 */
export async function observe<T>(core: Core, terms: Terms, begin: () => Txn, act: (session: Session) => MaybePromise<T>): Promise<T> {
  const deadline = core.platform.now() + terms.timeoutMs * 1000;
  const needed = new Set<Scope>();
  const attempt = async (): Promise<T> => {
    for (;;) {
      const { life } = core.applied;
      try {
        return await andThen(core.open(begin(), terms, deadline, needed), act);
      } catch (error) {
        await makeUpFor(error, core, deadline, needed, life);
      }
    }
  };
  return core.deadlines.guard(attempt(), terms.timeoutMs);
}

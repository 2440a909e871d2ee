// One native transaction. All that touches object stores goes through here, so that five
// rules hold everywhere: requests are issued from the transaction's own callbacks and never
// after a foreign `await`; what was written counts only once the transaction is complete; whatever
// is thrown inside aborts it; it ends within the time limit; and its commit is asked for only where
// a single write is under way, and in Chromium, where that saves a step: of several writes Firefox then
// commits those that succeed, and WebKit keeps the stores locked if a worker ends before it was carried out.
import { timedOut } from './deadline.ts';
import { failure, interrupted } from './failure.ts';
import { onFreshLog } from './fresh-log.ts';
import { inTurn } from './turns.ts';

export type StoreName = 'meta' | 'log' | 'blocks';
export type Durability = 'strict' | 'relaxed';

/**
 * Issues the first requests and returns what to make of their results, called when the
 * transaction is complete. `on` issues further ones once a request has succeeded; requests
 * succeed in the order they were issued, so waiting for the last is enough.
 */
export type Work<T> = (transaction: IDBTransaction, on: On) => () => T;
type On = <R>(request: IDBRequest<R>, next: (result: R) => void) => void;

/** Issues requests; the result is made as soon as the last of them has succeeded. */
export type Look<T> = (transaction: IDBTransaction) => { readonly last: IDBRequest; readonly result: () => T };

/** Runs work in a transaction of a database and time limit it was bound to. */
export interface Runner {
  read<T>(stores: readonly StoreName[], look: Look<T>): Promise<T>;
  write<T>(stores: readonly StoreName[], durability: Durability, work: Work<T>): Promise<T>;
}

export function runner(db: IDBDatabase, expired: AbortSignal): Runner {
  return {
    read: (stores, look) =>
      inTurn(db, expired, (opened) =>
        transact(expired, false, () => opened(db.transaction(stores)), (transaction, on, settle) => {
          const { last, result } = look(transaction);
          // Without `commit()` after it: Chromium would then report the end before it has read a value that became a file.
          on(last, () => settle(result));
        }),
      ),
    write: (stores, durability, work) =>
      onFreshLog(() =>
        inTurn(db, expired, (opened) =>
          transact(expired, true, () => opened(db.transaction(stores, 'readwrite', { durability })), (transaction, on, settle) => {
            const result = work(transaction, on);
            transaction.addEventListener('complete', () => settle(result));
          }),
        ),
      ),
  };
}

type Begin<T> = (transaction: IDBTransaction, on: On, settle: (result: () => T) => void) => void;

function transact<T>(expired: AbortSignal, isWrite: boolean, open: () => IDBTransaction, begin: Begin<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (expired.aborted) return reject(timedOut());
    let transaction: IDBTransaction;
    try {
      transaction = open();
    } catch (error) {
      return reject(failure(error));
    }
    let isStopping = false;
    let newest: IDBRequest | undefined;

    const end = (settle: () => void): void => {
      expired.removeEventListener('abort', expire);
      settle();
    };
    /** Rejects with this reason; if the transaction cannot be stopped any more, it may still take effect. */
    const stop = (reason: (uncertain: boolean) => unknown): void => {
      // With its last request the browser begins to commit; Chromium then lets an abort pass.
      let isSent = newest?.readyState === 'done';
      // In Firefox the event comes before `abort` has returned.
      isStopping = true;
      try {
        transaction.abort();
      } catch {
        isSent = true;
      }
      end(() => reject(reason(isWrite && isSent)));
    };
    const expire = (): void => stop(timedOut);
    const guarded = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        stop(() => failure(error));
      }
    };

    transaction.addEventListener('abort', () => {
      if (isStopping) return;
      const { error } = transaction;
      // Without an error it was cut off from outside, perhaps after its commit was sent.
      end(() => reject(error === null ? interrupted(isWrite) : failure(error, isWrite)));
    });
    expired.addEventListener('abort', expire);
    guarded(() => {
      const on: On = (request, next) => {
        newest = request;
        request.addEventListener('success', () => guarded(() => next(request.result)));
      };
      begin(transaction, on, (result) =>
        end(() => {
          try {
            resolve(result());
          } catch (error) {
            reject(error);
          }
        }),
      );
    });
  });
}

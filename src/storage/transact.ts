// One native transaction. All that touches object stores goes through here, so that four
// rules hold everywhere: requests are issued from the transaction's own callbacks and never
// after a foreign `await`; a result counts only once the transaction is complete; whatever
// is thrown inside aborts it; and it ends within the time limit.
import { timedOut } from './deadline.ts';
import { failure, interrupted } from './failure.ts';

export type StoreName = 'meta' | 'log' | 'blocks';
/** To read, or to write with a durability. */
export type Access = 'read' | 'strict' | 'relaxed';

/**
 * Issues the first requests and returns what to make of their results, called when the
 * transaction is complete. `on` issues further ones, of writes only, once a request has
 * succeeded; requests succeed in the order they were issued, so waiting for the last is enough.
 */
export type Work<T> = (transaction: IDBTransaction, on: On) => () => T;
type On = <R>(request: IDBRequest<R>, next: (result: R) => void) => void;

/** Runs work in a transaction of a database and time limit it was bound to. */
export type Run = <T>(stores: readonly StoreName[], access: Access, work: Work<T>) => Promise<T>;

export function runner(db: IDBDatabase, expired: AbortSignal): Run {
  return (stores, access, work) => transact(db, expired, stores, access, work);
}

function transact<T>(db: IDBDatabase, expired: AbortSignal, stores: readonly StoreName[], access: Access, work: Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const isWrite = access !== 'read';
    if (expired.aborted) return reject(timedOut(false));
    let transaction: IDBTransaction;
    try {
      transaction = db.transaction(stores, isWrite ? 'readwrite' : 'readonly', isWrite ? { durability: access } : {});
    } catch (error) {
      return reject(failure(error));
    }
    let outcome: () => T;
    /**
     * The error of the request that failed, and not of those that it took along. Once the commit was
     * sent, the transaction's own is lost in WebKit, and `AbortError` in Firefox.
     */
    let cause: DOMException | null = null;
    let isStopping = false;

    const end = (settle: () => void): void => {
      expired.removeEventListener('abort', expire);
      settle();
    };
    /** Rejects with this reason; if the transaction cannot be stopped any more, it may still take effect. */
    const stop = (reason: (uncertain: boolean) => unknown): void => {
      let isStopped = true;
      // Firefox tells of the abort before it returns.
      isStopping = true;
      try {
        transaction.abort();
      } catch {
        isStopped = false;
      }
      end(() => reject(reason(isWrite && !isStopped)));
    };
    const expire = (): void => stop(timedOut);
    const guarded = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        stop(() => failure(error));
      }
    };

    transaction.addEventListener('complete', () =>
      end(() => {
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      }),
    );
    transaction.addEventListener('error', ({ target }) => {
      const { error } = target as IDBRequest;
      if (error?.name !== 'AbortError') cause ??= error;
    });
    transaction.addEventListener('abort', () => {
      if (isStopping) return;
      const error = cause ?? transaction.error;
      // Without an error it was cut off from outside, perhaps after its commit was sent.
      end(() => reject(error === null ? interrupted(isWrite) : failure(error, isWrite)));
    });
    expired.addEventListener('abort', expire);
    guarded(() => {
      outcome = work(transaction, (request, next) => {
        request.addEventListener('success', () => guarded(() => next(request.result)));
      });
      // Nothing more can come; said aloud, it ends sooner.
      if (!isWrite) transaction.commit();
    });
  });
}

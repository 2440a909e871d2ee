// Faults under the storage port: chosen native transactions of IndexedDB go wrong the way
// browsers let them go wrong.

export type NativeFault =
  /** The connection was closed before: there is no transaction. */
  | 'refused'
  /** The connection is lost before the commit: nothing is written. */
  | 'cut off'
  /** The connection is lost after the commit, but before anybody is told. */
  | 'unseen';

export interface NativeFaults {
  /** Transactions asked for so far. */
  readonly count: () => number;
  readonly restore: () => void;
}

/** @param schedule the fault of the nth transaction from now, counted from 1 */
export function nativeFaults(schedule: (nth: number) => NativeFault | undefined): NativeFaults {
  const original = IDBDatabase.prototype.transaction;
  let count = 0;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<IDBDatabase['transaction']>) {
    const fault = schedule(++count);
    if (fault === 'refused') this.close();
    const transaction = original.apply(this, args);
    if (fault === 'cut off') cutOff(this, transaction);
    if (fault === 'unseen') hideEnd(this, transaction);
    return transaction;
  };
  return {
    count: () => count,
    restore: () => {
      IDBDatabase.prototype.transaction = original;
    },
  };
}

function cutOff(db: IDBDatabase, transaction: IDBTransaction): void {
  transaction.commit = () => undefined;
  // Closed sooner, WebKit would tell nobody of the end.
  transaction.addEventListener('abort', () => db.close());
  queueMicrotask(() => transaction.abort());
}

function hideEnd(db: IDBDatabase, transaction: IDBTransaction): void {
  transaction.addEventListener('complete', (event) => {
    event.stopImmediatePropagation();
    db.close();
    transaction.dispatchEvent(new Event('abort'));
  });
}

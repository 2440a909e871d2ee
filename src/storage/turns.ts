// WebKit ends the transactions of a thread that ends by closing its connections. It leaves a connection open on which
// a commit is under way (IDBDatabase::maybeCloseInServer), and forgets to call off one that has not begun yet
// (IDBTransaction::handlePendingOperations): that one begins later, with nobody to end it, and what it may read or
// write is locked for as long as another page lives in the same process, as after a reload. So there an engine's
// connection has one transaction at a time.
import { isWebKit } from './browser.ts';
import { unlessExpired } from './deadline.ts';

/** To be called with each transaction that is opened. */
type Opened = (transaction: IDBTransaction) => IDBTransaction;

/** Until when a connection has a transaction. */
const ends = new WeakMap<IDBDatabase, Promise<unknown>>();

/** Opens a transaction where that is safe. @throws StorageError `timeout` when its turn does not come in time */
export const inTurn = <T>(db: IDBDatabase, expired: AbortSignal, act: (opened: Opened) => Promise<T>): Promise<T> =>
  isWebKit() ? oneByOne(db, expired, act) : act((transaction) => transaction);

async function oneByOne<T>(db: IDBDatabase, expired: AbortSignal, act: (opened: Opened) => Promise<T>): Promise<T> {
  const before = ends.get(db) ?? Promise.resolve();
  let end = (): void => undefined;
  const own = new Promise<void>((resolve) => (end = resolve));
  ends.set(db, before.then(() => own));
  let isOpen = false;
  try {
    await unlessExpired(before, expired);
    return await act((transaction) => {
      isOpen = true;
      for (const event of ['complete', 'abort']) transaction.addEventListener(event, end);
      return transaction;
    });
  } finally {
    // One that was called off ends later than its call.
    if (!isOpen) end();
  }
}

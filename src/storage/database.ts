// Opening, making and deleting native databases.
import { type IDBPDatabase, openDB, unwrap } from 'idb';
import { evicted, StorageError } from '../engine/kv/log-store.ts';
import { failure, isAborted, openingFailure } from './failure.ts';
import { makeLog } from './parts.ts';
import { newHeader, type StoredHeader, type StoredManifest } from './stored.ts';
import { lift } from './upgrade.ts';

/** Version of the object stores; what stands in them has its own format number. */
export const VERSION = 2;

/** How long another tab may take to close the database, milliseconds. */
const GRACE_MS = 1_000;

/** Names of databases whose opening was refused here, and may still succeed in the browser. */
const refused = new Set<string>();

/** What stands in `meta` of a database when it is made. */
export interface Contents {
  readonly header: StoredHeader;
  readonly manifest?: StoredManifest;
}

/** Chromium's own: `total` where it has found its storage damaged, and deleted it. */
interface DataLossEvent extends IDBVersionChangeEvent {
  readonly dataLoss?: string;
}

interface Opening {
  /** Make the database when there is none. */
  readonly create: boolean;
  /** Of a database that is made; default: none but a header. */
  readonly contents?: Contents;
  /** Called when somebody else has closed the connection. */
  readonly onClosed: () => void;
  /** Of the object stores; default: that of this build. */
  readonly version?: number;
}

/**
 * Opens the native database; `null` when there is none and none is to be made. Stores of an earlier
 * version are lifted to this one: the browser first has every other tab close them.
 * @throws StorageError `unavailable`, `blocked`, `newer-format`, `quota`, `lost`; `evicted` where the browser has just lost it
 */
export function openDatabase(name: string, { create, contents = { header: newHeader() }, onClosed, version = VERSION }: Opening): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    let isMissing = false;
    let isLost = false;
    let isRefused = false;
    let isOver = false;
    let upgradeError: unknown;
    const refuse = (): void => reject(new StorageError('blocked', 'another tab keeps an older version of the database open'));
    // The earlier attempt cannot be taken back, and a new one would have to wait for it.
    if (refused.has(name)) return refuse();
    const opening = attempt(() =>
      openDB(name, version, {
        upgrade(db, oldVersion, _newVersion, transaction, event) {
          // The opening itself only says that this transaction was aborted.
          transaction.done.catch((error: unknown) => (upgradeError ??= failure(error)));
          isMissing = oldVersion === 0 && !create;
          if (isMissing) return transaction.abort();
          isLost = (event as DataLossEvent).dataLoss === 'total';
          if (oldVersion === 0) return makeStores(db, contents);
          if (oldVersion > 1) return;
          lift(db, transaction).catch((error: unknown) => {
            // Where the browser has aborted it, the transaction's own error says why.
            if (isAborted(error)) return;
            upgradeError = failure(error);
            transaction.abort();
          });
        },
        blocked() {
          setTimeout(() => {
            if (isOver) return;
            isRefused = true;
            refused.add(name);
            refuse();
          }, GRACE_MS);
        },
        blocking(_current, _blocked, event) {
          (event.target as IDBDatabase).close();
          onClosed();
        },
        terminated: onClosed,
      }),
    );
    const end = (): void => {
      isOver = true;
      if (isRefused) refused.delete(name);
    };
    opening.finally(end).then(
      (db) => {
        const native = unwrap(db) as IDBDatabase;
        // Once refused, nobody waits for it, and left open it would block others in turn.
        if (isRefused || isLost) native.close();
        // Somebody has to be told. The next time the new one is opened, which is empty.
        if (isLost) reject(evicted());
        resolve(native);
      },
      (error: unknown) => (isMissing ? resolve(null) : reject(upgradeError ?? openingFailure(error))),
    );
  });
}

function makeStores(db: IDBPDatabase, contents: Contents): void {
  makeLog(unwrap(db), contents.header.floor);
  db.createObjectStore('blocks');
  const meta = unwrap(db.createObjectStore('meta'));
  for (const [key, value] of Object.entries(contents)) meta.put(value, key);
}

async function attempt(open: () => Promise<IDBPDatabase>): Promise<IDBPDatabase> {
  // Reading the property may throw too, where a page may not store data.
  if (globalThis.indexedDB === undefined) throw new StorageError('unavailable', 'there is no IndexedDB here');
  return open();
}

// Opening, making and deleting native databases.
import { deleteDB, type IDBPDatabase, openDB, unwrap } from 'idb';
import { StorageError } from '../engine/kv/log-store.ts';
import { openingFailure } from './failure.ts';
import { newHeader, type StoredHeader, type StoredManifest } from './stored.ts';

/** Version of the object stores; what stands in them has its own format number. */
const VERSION = 1;

/** What stands in `meta` of a database when it is made. */
export interface Contents {
  readonly header: StoredHeader;
  readonly manifest?: StoredManifest;
}

interface Opening {
  /** Make the database when there is none. */
  readonly create: boolean;
  /** As it is made; an empty one by default. */
  readonly contents?: Contents;
  /** The connection was closed underneath. */
  readonly onClosed: () => void;
  /** Another one than that of this build, as newer builds will have. */
  readonly version?: number;
}

/**
 * Opens the native database; `null` when there is none and none is to be made.
 * @throws StorageError `unavailable`, `blocked`, `newer-format`, `quota`, `lost`
 */
export function openDatabase(name: string, { create, contents = { header: newHeader() }, onClosed, version = VERSION }: Opening): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    let isMissing = false;
    let isRefused = false;
    let upgradeError: unknown;
    const opening = attempt(() =>
      openDB(name, version, {
        upgrade(db, oldVersion, _newVersion, transaction) {
          // The opening itself only says that this transaction was aborted.
          transaction.done.catch((error: unknown) => (upgradeError = error));
          if (oldVersion > 0) return;
          isMissing = !create;
          if (isMissing) return transaction.abort();
          db.createObjectStore('log');
          db.createObjectStore('blocks');
          const meta = db.createObjectStore('meta');
          for (const [key, value] of Object.entries(contents)) void meta.put(value, key).catch(() => undefined);
        },
        blocked() {
          isRefused = true;
          reject(new StorageError('blocked', 'another tab keeps an older version of the database open', true));
        },
        blocking(_current, _blocked, event) {
          (event.target as IDBDatabase).close();
          onClosed();
        },
        terminated: onClosed,
      }),
    );
    opening.then(
      (db) => {
        const native = unwrap(db) as IDBDatabase;
        // Once refused, nobody waits for it, and left open it would block others in turn.
        if (isRefused) native.close();
        resolve(native);
      },
      (error: unknown) => (isMissing ? resolve(null) : reject(openingFailure(upgradeError ?? error))),
    );
  });
}

/** A tab that sleeps and cannot let go is waited for, as long as the call may take. */
export function deleteDatabase(name: string): Promise<void> {
  return deleteDB(name).catch((error: unknown) => {
    throw openingFailure(error);
  });
}

async function attempt(open: () => Promise<IDBPDatabase>): Promise<IDBPDatabase> {
  // Reading the property may throw too, where a page may not store data.
  if (globalThis.indexedDB === undefined) throw new StorageError('unavailable', 'there is no IndexedDB here', false);
  return open();
}

// Opening, making and deleting native databases.
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
    /** Why the making was aborted: the opening itself only says that it was. */
    let cause: DOMException | null = null;
    const request = asked(() => factory().open(name, version));
    request.addEventListener('upgradeneeded', ({ oldVersion }) => {
      const transaction = request.transaction as IDBTransaction;
      if (oldVersion > 0) return;
      isMissing = !create;
      if (isMissing) return transaction.abort();
      transaction.addEventListener('abort', () => (cause = transaction.error));
      const { result: db } = request;
      db.createObjectStore('log');
      db.createObjectStore('blocks');
      const meta = db.createObjectStore('meta');
      for (const [key, value] of Object.entries(contents)) meta.put(value, key);
    });
    request.addEventListener('blocked', () => {
      isRefused = true;
      reject(new StorageError('blocked', 'another tab keeps an older version of the database open', true));
    });
    request.addEventListener('success', () => {
      const { result: db } = request;
      // Once refused, nobody waits for it, and left open it would block others in turn.
      if (isRefused) db.close();
      db.addEventListener('close', onClosed);
      db.addEventListener('versionchange', () => {
        db.close();
        onClosed();
      });
      resolve(db);
    });
    request.addEventListener('error', () => (isMissing ? resolve(null) : reject(openingFailure(cause ?? request.error))));
  });
}

/** A tab that sleeps and cannot let go is waited for, as long as the call may take. */
export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = asked(() => factory().deleteDatabase(name));
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(openingFailure(request.error)));
  });
}

function factory(): IDBFactory {
  // Reading the property may throw too, where a page may not store data.
  if (globalThis.indexedDB === undefined) throw new StorageError('unavailable', 'there is no IndexedDB here', false);
  return globalThis.indexedDB;
}

function asked<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw openingFailure(error);
  }
}

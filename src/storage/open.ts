// Opening the storage of a database.
import { type Header, isFailure, type LogStore } from '../engine/kv/log-store.ts';
import { type IdbOptions, idbLogStore } from './idb.ts';
import { randomMark } from './stored.ts';

/** A store that is open. */
export interface OpenedStore {
  readonly store: LogStore;
  readonly header: Header;
}

/** In IndexedDB. @throws StorageError any code, `unavailable` where there is none for this page */
export async function openIdbStore(name: string, options: IdbOptions = {}): Promise<OpenedStore> {
  const store = idbLogStore(name, options);
  try {
    return { store, header: await store.open() };
  } catch (error) {
    store.close();
    throw error;
  }
}

/**
 * In IndexedDB, or in memory (`info.persistent` is false) where the browser says that there is no
 * storage for this page. Any other failure is thrown: a database that cannot be reached for the
 * moment must not look like an empty one.
 * @throws StorageError any code but `unavailable`
 */
export async function openStore(name: string, options: IdbOptions = {}): Promise<OpenedStore> {
  try {
    return await openIdbStore(name, options);
  } catch (error) {
    if (!isFailure(error, 'unavailable')) throw error;
  }
  const { keptLog, memoryLogStore } = await import('../engine/kv/memory.ts');
  const store = memoryLogStore(keptLog(name, randomMark()));
  return { store, header: await store.open() };
}

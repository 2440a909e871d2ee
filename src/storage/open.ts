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

/** Of a database in memory it is negative. */
type Identity = Header['identity'];

/**
 * In IndexedDB, or in memory (`info.persistent` is false) where the browser says that there is no
 * storage for this page. Any other failure is thrown: a database that cannot be reached for the
 * moment must not look like an empty one.
 * @param options `settled`: identity of the database that the page has worked on; memory never takes the place of one that is stored
 * @throws StorageError any code; `unavailable` only where that is so
 */
export async function openStore(name: string, { settled = 0, ...options }: IdbOptions & { readonly settled?: Identity | undefined } = {}): Promise<OpenedStore> {
  try {
    return await openIdbStore(name, options);
  } catch (error) {
    if (settled > 0 || !isFailure(error, 'unavailable')) throw error;
  }
  const { keptLog, memoryLogStore } = await import('../engine/kv/memory.ts');
  const store = memoryLogStore(keptLog(name, -1 - randomMark()));
  return { store, header: await store.open() };
}

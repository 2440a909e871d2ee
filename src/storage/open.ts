import { type LogStore, type Settings, StorageError } from '../engine/kv/log-store.ts';
import { type IdbOptions, idbLogStore } from './idb.ts';

export interface OpenStoreOptions extends IdbOptions {
  /** Written to the header. */
  readonly settings?: Partial<Settings>;
}

/**
 * An open store: in IndexedDB, or in memory (`info.persistent` is false) where the browser
 * says that there is no storage for this page. Any other failure is thrown: a database that
 * cannot be reached for the moment must not look like an empty one.
 * @throws StorageError any code but `unavailable`
 */
export async function openStore(name: string, options: OpenStoreOptions = {}): Promise<LogStore> {
  const store = idbLogStore(name, options);
  try {
    await store.open(options.settings);
    return store;
  } catch (error) {
    store.close();
    if (!(error instanceof StorageError) || error.code !== 'unavailable') throw error;
  }
  const { memoryLogStore } = await import('../engine/kv/memory.ts');
  const memory = memoryLogStore();
  await memory.open(options.settings);
  return memory;
}

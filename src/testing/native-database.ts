// Databases in IndexedDB for tests: one for each test, and a look at it from outside, past the store.
import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import { afterEach, beforeEach, vi } from 'vitest';
import type { LogStore } from '../engine/kv/log-store.ts';
import { type IdbOptions, idbLogStore } from '../storage/idb.ts';

export async function outsideOf<T>(name: string, work: (db: IDBPDatabase) => Promise<T>): Promise<T> {
  const db = await openDB(name);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/**
 * A database that each test of a file has for itself. When a test ends its mocks are taken back first, its
 * stores are closed, and the database is deleted.
 * @param what the file tests: how the names begin
 */
export function ownDatabase(what: string) {
  let name: string;
  let stores: LogStore[];
  beforeEach(() => {
    name = `${what} ${crypto.randomUUID()}`;
    stores = [];
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const store of stores) store.close();
    await deleteDB(name);
  });

  const kept = (store: LogStore): LogStore => (stores.push(store), store);
  /** A store that is not open yet. */
  const engine = (options?: IdbOptions): LogStore => kept(idbLogStore(name, options));
  return {
    get name(): string {
      return name;
    },
    engine,
    async openEngine(options?: IdbOptions): Promise<LogStore> {
      const store = engine(options);
      await store.open();
      return store;
    },
    /** To be closed with the others, too. */
    kept,
    outside: <T>(work: (db: IDBPDatabase) => Promise<T>): Promise<T> => outsideOf(name, work),
  };
}

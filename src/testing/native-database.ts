// A database in IndexedDB from outside, past the store.
import { type IDBPDatabase, openDB } from 'idb';

export async function outsideOf<T>(name: string, work: (db: IDBPDatabase) => Promise<T>): Promise<T> {
  const db = await openDB(name);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

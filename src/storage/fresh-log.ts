// Chromium keeps all databases of an origin in one store, whose log it goes on with after a crash, even where the
// browser had died in the middle of a record. From then on the log has a gap: the start after that takes the
// store for damaged, and deletes all of it (google/leveldb, issue 1287; one crash in thirty, where one soon follows
// another). When a database is deleted, Chromium begins a new log, with nothing of the old one in it: so each
// thread makes and deletes one before its first write.
import { openDB, wrap } from 'idb';
import { unlessExpired, within } from './deadline.ts';

const SCRATCH = 'vivarium-scratch';

/** Milliseconds; 4 are usual. Another tab may be frozen while it has it open. */
const PATIENCE = 1_000;

/** That of this thread. */
let begun: Promise<void> | undefined;

/** Writes, the first time into a log that is new. Where none can be begun, as on a full disk, into the one there is. */
export function onFreshLog<T>(write: () => Promise<T>): Promise<T> {
  begun ??= within(PATIENCE, (expired) => unlessExpired(beginLog(), expired)).catch(() => undefined);
  return begun.then(write);
}

async function beginLog(): Promise<void> {
  // Only Chromium tells on opening that it has lost a store.
  if (!('dataLoss' in IDBVersionChangeEvent.prototype)) return;
  (await openDB(SCRATCH)).close();
  await wrap(indexedDB.deleteDatabase(SCRATCH));
}

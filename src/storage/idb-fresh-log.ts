// Chromium keeps all databases of an origin in one store, whose log it goes on with after a crash, even where the
// browser had died in the middle of a record. From then on the log has a gap: the start after that takes the
// store for damaged, and deletes all of it (google/leveldb, issue 1287; seen once in 600 crashes in the middle of
// writing). When a database is deleted, Chromium begins a new log, with nothing of the old one in it.
// Loaded some time after a database was opened, in Chromium (idb-fresh-log-later.ts).
import { deleteDB, openDB } from 'idb';

const SCRATCH = 'vivarium-scratch';

/** Held by the thread that has seen to it, for as long as it lives: as long as the browser has not ended, no other need do it. */
const LOCK = 'vivarium-fresh-log';

/** Has the browser begin a new log. Where there is no room for it, the log stays as it is. */
export async function freshLog(): Promise<void> {
  await navigator.locks?.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    (await openDB(SCRATCH, 1)).close();
    await deleteDB(SCRATCH);
    await new Promise(() => {});
  });
}

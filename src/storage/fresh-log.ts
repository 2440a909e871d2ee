// Chromium keeps all databases of an origin in one store, and what was written or deleted last in that store's log,
// of up to 4 MB. When a database is deleted, it puts the log away, and begins a new one with nothing of the old one
// in it. That is of use three times over:
//
// - After a crash Chromium goes on with the log there is, even where the browser had died in the middle of a
//   record. From then on the log has a gap: the start after that takes the store for damaged, and deletes all of it
//   (google/leveldb, issue 1287; one crash in thirty, where one soon follows another). So each thread makes and
//   deletes a database before its first write.
// - Records that have gone into blocks, and blocks that were merged, take up room for as long as they are in the log.
// - Each write leaves entries behind that Chromium has deleted from its own books, and after the next one it steps over
//   half of all there are: 0.5 µs for each write so far, beside whatever is asked then (its CleanupScopeTask, which looks
//   for what a transaction has left). With a new log these are gone, too.
import { openDB, wrap } from 'idb';
import { isChromium } from './browser.ts';
import { unlessExpired, within } from './deadline.ts';

const SCRATCH = 'vivarium-scratch';

/** Milliseconds; 4 are usual. Another tab may be frozen while it has it open. */
const PATIENCE = 1_000;

/**
 * A new log is begun after MANY writes as soon as none has come for QUIET milliseconds, and after MOST in any case: it
 * takes 10 to 100 ms of a processor beside the writes, as those entries do for so many, and rewrites some megabytes.
 */
const MOST = 512;
const MANY = 128;
const QUIET = 1_000;

/** That of this thread's first write. */
let begun: Promise<void> | undefined;

/** Of this thread, since it has begun a log. */
let writes = 0;

/** Looks whether it is quiet. */
let quiet: ReturnType<typeof setTimeout> | undefined;

/** The one that is under way: where another tab holds it up, no others come to stand behind it. */
let making: Promise<void> | undefined;

/** Writes, the first time into a log that is new. Where none can be begun, as on a full disk, into the one there is. */
export function onFreshLog<T>(write: () => Promise<T>): Promise<T> {
  begun ??= beginLog();
  writes++;
  if (writes === MOST) void beginLog();
  else if (writes >= MANY) quiet ??= awaitQuiet();
  return begun.then(write);
}

function awaitQuiet(before = writes): typeof quiet {
  return setTimeout(() => {
    quiet = undefined;
    if (writes === before) void beginLog();
    else if (writes >= MANY) quiet = awaitQuiet();
  }, QUIET);
}

/** Has a new log begun, if the browser needs that and it is possible. */
export function beginLog(): Promise<void> {
  writes = 0;
  const shared = (making ??= makeAndDelete().finally(() => (making = undefined)));
  return within(PATIENCE, (expired) => unlessExpired(shared, expired)).catch(() => undefined);
}

async function makeAndDelete(): Promise<void> {
  if (!isChromium()) return;
  (await openDB(SCRATCH)).close();
  await wrap(indexedDB.deleteDatabase(SCRATCH));
}

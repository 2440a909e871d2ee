// A reset: seldom asked for, so it is loaded then.
import { deleteDB } from 'idb';
import { StorageError } from '../engine/kv/log-store.ts';
import type { Connection } from './connection.ts';
import { type Contents, openDatabase } from './database.ts';
import { unlessExpired, within } from './deadline.ts';
import { openingFailure } from './failure.ts';
import { lastRecord, numberAfter } from './parts.ts';
import { newManifest, readHeader, readManifest } from './stored.ts';
import type { Run } from './transact.ts';

/** More than others can add between a look at the log and its deletion: no record of theirs may lie above the floor. */
const SPARE_RECORDS = 10_000;

/** The room for it comes back late. */
const REMAKE_MS = 25_000;

/**
 * Chromium gives room back once it has heard of no database of the page for two seconds. Heard of
 * earlier, while it tidies up after the deletion, it may keep the old data for as long as one is open.
 */
const ROOM_MS = 3_000;

/** Empties the stores; what is left is told by a manifest without bytes, above a floor that no engine has come to. */
export function clear(run: Run): Promise<void> {
  return run.write(['meta', 'log', 'blocks'], 'strict', (transaction, on) => {
    const [meta, log] = [transaction.objectStore('meta'), transaction.objectStore('log')];
    const header = meta.get('header');
    const manifest = meta.get('manifest');
    on(log.openKeyCursor(null, 'prev'), (cursor) => {
      const stored = readHeader(header.result);
      const floor = Math.max(stored.floor, lastRecord(cursor)) + 1;
      meta.put({ ...stored, floor }, 'header');
      meta.put(newManifest(readManifest(manifest.result).number + 1, null), 'manifest');
      numberAfter(log, floor);
      log.clear();
      transaction.objectStore('blocks').clear();
    });
    return () => undefined;
  });
}

/** A reset where there is no room for one: to every engine on it, the new database is the old one, emptied. */
export function remake(connection: Connection): Promise<void> {
  return within(REMAKE_MS, async (expired) => {
    const contents = await connection.use(expired, (run) =>
      run.read(['meta', 'log'], (transaction) => {
        const [meta, log] = [transaction.objectStore('meta'), transaction.objectStore('log')];
        const [header, manifest, last] = [meta.get('header'), meta.get('manifest'), log.openKeyCursor(null, 'prev')];
        const result = (): Contents => {
          const stored = readHeader(header.result);
          const floor = Math.max(stored.floor, lastRecord(last.result)) + SPARE_RECORDS;
          return { header: { ...stored, floor }, manifest: newManifest(readManifest(manifest.result).number + 1, null) };
        };
        return { last, result };
      }),
    );
    await connection.change((onClosed) => makeAnew(connection, expired, contents, onClosed));
  });
}

/**
 * Deletes the database and makes it with these contents: a browser that has no room left gives some
 * back for nothing less, and not at once.
 */
async function makeAnew(connection: Connection, expired: AbortSignal, contents: Contents, onClosed: () => void): Promise<IDBDatabase> {
  const { name } = connection;
  // A tab that sleeps and cannot let go is waited for, as long as the call may take.
  await unlessExpired(deleteDB(name), expired).catch((error: unknown) => {
    throw openingFailure(error);
  });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ROOM_MS));
    try {
      const db = await unlessExpired(openDatabase(name, { create: true, contents, onClosed }), expired);
      // Another engine may have come upon nothing meanwhile, and made its own.
      return await connection.checked(db, contents.header.identity);
    } catch (error) {
      const isFull = error instanceof StorageError && (error.code === 'quota' || error.code === 'lost');
      if (!isFull || expired.aborted) throw error;
    }
  }
}

// Resets. They are rare, so this file is loaded when the first one is asked for.
import { deleteDB } from 'idb';
import { isFailure } from '../engine/kv/log-store.ts';
import type { Connection } from './connection.ts';
import { type Contents, openDatabase } from './database.ts';
import { unlessExpired, within } from './deadline.ts';
import { openingFailure } from './failure.ts';
import { lastRecord, numberAfter } from './parts.ts';
import { newManifest, readHeader, readManifest, type StoredManifest } from './stored.ts';
import type { Runner } from './transact.ts';

/** More than others can add between the reading of the database and its deletion: they have to take what comes after it for newer than all of that. */
const SPARE = { records: 10_000, manifests: 100 };

/** How long a reset may wait for room on the disk, which comes back late, milliseconds. */
const REMAKE_MS = 25_000;

/**
 * Chromium gives room back once it has heard of no database of the page for two seconds. Heard of
 * earlier, while it tidies up after the deletion, it may keep the old data for as long as one is open.
 */
const ROOM_MS = 3_000;

/** Empties the stores. A manifest without bytes and a floor above all that any engine has applied tell the engines of it. @param note takes down that manifest */
export function clear(run: Runner, note: (manifest: StoredManifest) => StoredManifest): Promise<void> {
  return run.write(['meta', 'log', 'blocks'], 'strict', (transaction, on) => {
    const [meta, log] = [transaction.objectStore('meta'), transaction.objectStore('log')];
    const [header, manifest, last] = [meta.get('header'), meta.get('manifest'), log.openKeyCursor(null, 'prev')];
    on(last, () => {
      const stored = readHeader(header.result);
      const floor = Math.max(stored.floor, lastRecord(last.result)) + 1;
      meta.put({ ...stored, floor }, 'header');
      meta.put(note(newManifest(readManifest(manifest.result).number + 1, null)), 'manifest');
      numberAfter(log, floor);
      log.clear();
      transaction.objectStore('blocks').clear();
    });
    return () => undefined;
  });
}

/** A reset where the disk has no room even for that: makes the database anew. To every engine on it, it is the old one, emptied. */
export function remake(connection: Connection): Promise<void> {
  return within(REMAKE_MS, async (expired) => {
    const contents = await connection.use(expired, (run) =>
      run.read(['meta', 'log'], (transaction) => {
        const [meta, log] = [transaction.objectStore('meta'), transaction.objectStore('log')];
        const [header, manifest, last] = [meta.get('header'), meta.get('manifest'), log.openKeyCursor(null, 'prev')];
        const result = (): Contents => {
          const stored = readHeader(header.result);
          const floor = Math.max(stored.floor, lastRecord(last.result)) + SPARE.records;
          return { header: { ...stored, floor }, manifest: newManifest(readManifest(manifest.result).number + SPARE.manifests, null) };
        };
        return { last, result };
      }),
    );
    connection.slow = connection.change((onClosed) => makeAnew(connection, expired, contents, onClosed));
    await connection.slow.finally(() => (connection.slow = undefined));
  });
}

/**
 * Deletes the database and makes it again with these contents: only that makes a browser without any room
 * left give some back, and not at once.
 */
async function makeAnew(connection: Connection, expired: AbortSignal, contents: Contents, onClosed: () => void): Promise<IDBDatabase> {
  const { name } = connection;
  // Waits for tabs that sleep and cannot close it, for as long as the call may take.
  await unlessExpired(deleteDB(name), expired).catch((error: unknown) => {
    throw openingFailure(error);
  });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ROOM_MS));
    try {
      const db = await unlessExpired(openDatabase(name, { create: true, contents, onClosed }), expired);
      // Another engine may have found no database meanwhile, and made one of its own.
      return await connection.checked(db, contents.header.identity);
    } catch (error) {
      const isFull = isFailure(error, 'quota') || isFailure(error, 'lost');
      if (!isFull || expired.aborted) throw error;
    }
  }
}

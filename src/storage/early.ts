// A connection that is made while the engine is still on its way: both take some milliseconds. It knows nothing of the
// engine, or it would have to wait for it.

/** A connection; `null` where the browser has just lost the database; `undefined` where none is to be had like this: whoever needs one then opens it. */
type Opened = IDBDatabase | null | undefined;

/**
 * Gives the connection to who asks first, if it leads to stores of this version.
 * @param onClosed called when somebody else has closed it
 */
export type Early = (version: number, onClosed: () => void) => Promise<Opened>;

/** Opens a database as it is, if there is one. Never fails, and makes nothing. */
export function openEarly(name: string): Early {
  let opened: Promise<Opened> | undefined = openAsItIs(name);
  return async (version, onClosed) => {
    const taken = opened;
    opened = undefined;
    const db = await taken;
    if (!db) return db;
    if (db.version !== version) {
      db.close();
      return undefined;
    }
    db.onclose = onClosed;
    db.onversionchange = () => {
      db.close();
      onClosed();
    };
    return db;
  };
}

function openAsItIs(name: string): Promise<Opened> {
  return new Promise((resolve) => {
    try {
      const opening = indexedDB.open(name);
      let without: Opened;
      opening.onupgradeneeded = (event) => {
        // Chromium says so only once.
        if ('dataLoss' in event && event.dataLoss === 'total') without = null;
        opening.transaction?.abort();
      };
      opening.onerror = (event) => {
        // Else Firefox tells its console.
        event.preventDefault();
        resolve(without);
      };
      opening.onsuccess = () => {
        const db = opening.result;
        db.onversionchange = () => db.close();
        resolve(db);
      };
    } catch {
      // There is no storage for this page.
      resolve(undefined);
    }
  });
}

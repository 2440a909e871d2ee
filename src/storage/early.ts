// A connection that is made while the engine is still on its way: both take some milliseconds. It knows nothing of the
// engine, or it would have to wait for it.

/** A connection that nobody uses yet; `lost` where the browser has just lost the database; `null` where none is to be had like this: whoever needs one then opens it. */
export type Early = IDBDatabase | 'lost' | null;

/** Opens a database as it is, if there is one. Never fails, and makes nothing. */
export function openEarly(name: string): Promise<Early> {
  return new Promise((resolve) => {
    try {
      const opening = indexedDB.open(name);
      let without: Early = null;
      opening.onupgradeneeded = (event) => {
        // Chromium says so only once.
        if ('dataLoss' in event && event.dataLoss === 'total') without = 'lost';
        opening.transaction?.abort();
      };
      opening.onerror = () => resolve(without);
      opening.onsuccess = () => {
        const db = opening.result;
        db.onversionchange = () => db.close();
        resolve(db);
      };
    } catch {
      // There is no storage for this page.
      resolve(null);
    }
  });
}

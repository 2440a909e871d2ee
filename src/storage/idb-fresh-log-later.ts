// When the browser is made to begin a new log, and which browser (idb-fresh-log.ts).

/** Not in the way of the first requests. */
const AFTER_MS = 250;

/** Called when a database was opened. */
export function freshLogLater(): void {
  // Only Chromium says on opening that it has lost a store, and needs this.
  if (!('dataLoss' in (globalThis.IDBVersionChangeEvent?.prototype ?? {}))) return;
  setTimeout(() => import('./idb-fresh-log.ts').then(({ freshLog }) => freshLog()).catch(() => undefined), AFTER_MS);
}

/**
 * Has the browser prepare its storage for this origin while the worker's script is still being loaded:
 * where it was not used for a while, that takes Chromium some 8 ms.
 */
export function wakeStorage(): void {
  try {
    indexedDB.databases().catch(() => undefined);
  } catch {
    // There is no storage for this page, or no such function in this browser. The worker will find out.
  }
}

/**
 * Has the browser get its store of this origin's databases out: it takes Chromium some 8 ms after
 * a while without one, and it need not begin only when the worker's script is there.
 */
export function wakeStorage(): void {
  try {
    indexedDB.databases().catch(() => undefined);
  } catch {
    // There is no storage for this page, or no such question in this browser. The worker finds out.
  }
}

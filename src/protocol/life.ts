// A sign of death. A worker that is ended says nothing, and not even its ports close; but the
// browser gives back the Web Locks it held, and whoever waits for one of them knows at once.
// Where there are no locks, silence has to tell (see lane.ts).

/**
 * Holds a lock of its own until it is let go of or the thread ends.
 * @param held told its name as soon as it is held; never where there are no locks
 * @returns lets go
 */
export function showLife(held: (name: string) => void): () => void {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const name = `vivarium:life:${crypto.randomUUID()}`;
  const locked = globalThis.navigator?.locks?.request(name, () => {
    held(name);
    return over;
  });
  // In a context that may not have locks.
  locked?.catch(() => undefined);
  return end;
}

/** @returns ends the watch */
export function watchLife(name: string, onEnd: () => void): () => void {
  const watch = new AbortController();
  const { signal } = watch;
  // Shared: whoever else watches is told too.
  const ended = globalThis.navigator?.locks?.request(name, { mode: 'shared', signal }, onEnd);
  ended?.catch(() => undefined);
  return () => watch.abort();
}

// How a thread learns that another one has ended. That one says nothing, and not even its ports close;
// but the browser releases the Web Locks it held, and whoever waits for one of them knows at once.
// Where there are no locks, the other end's silence has to do (see lane.ts).

/**
 * Holds a lock of its own until that is released or the thread ends.
 * @param held called with its name as soon as it is held; never where there are no locks
 * @returns releases it
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

/** Waits for the end of the thread that holds the lock of this name. @returns stops waiting */
export function watchLife(name: string, onEnd: () => void): () => void {
  const watch = new AbortController();
  const { signal } = watch;
  // Shared: whoever else watches is told too.
  const ended = globalThis.navigator?.locks?.request(name, { mode: 'shared', signal }, onEnd);
  ended?.catch(() => undefined);
  return () => watch.abort();
}

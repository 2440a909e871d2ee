/**
 * Joins calls of a slow look at something: a call that comes while one is under way waits
 * for the next, because the running one may have looked before the caller's cause. All
 * callers that wait share that next one.
 */
export function coalesce(look: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function start(): Promise<void> {
    const current = look().finally(() => {
      if (running === current) running = null;
    });
    running = current;
    return current;
  }

  return () => {
    if (running === null) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}

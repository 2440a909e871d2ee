/**
 * Makes many calls share few slow looks at something. A call that comes while a look is under way
 * waits for the next one, as the running one may miss what the caller has to see. All callers that
 * wait share that next look.
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

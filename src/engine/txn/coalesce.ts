import { isFailure } from '../kv/log-store.ts';

/**
 * Makes many calls share few slow looks at something. A call that comes while a look is under way
 * waits for the next one, as the running one may miss what the caller has to see. All callers that
 * wait share that next look. One that has run out of its time fails them, too: nobody is to wait
 * for one limit after the other.
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

  const goOn = (error?: unknown): Promise<void> => {
    next = null;
    if (isFailure(error, 'timeout')) throw error;
    return start();
  };

  return () => (running === null ? start() : (next ??= running.then(goOn, goOn)));
}

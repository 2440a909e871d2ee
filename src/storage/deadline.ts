// Time limits. A tab that is frozen inside a native transaction holds up every other one,
// without any event to tell them. So each call of the port has a limit.
import { StorageError } from '../engine/kv/log-store.ts';

/** Makes the call with a signal that fires when its time is over. */
export async function within<T>(limitMs: number, call: (expired: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limitMs);
  try {
    return await call(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles as the promise does, or rejects with a timeout if the signal fires first. */
export function unlessExpired<T>(promise: Promise<T>, expired: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = (): void => reject(timedOut());
    if (expired.aborted) return expire();
    expired.addEventListener('abort', expire);
    promise.then(resolve, reject).finally(() => expired.removeEventListener('abort', expire));
  });
}

export function timedOut(uncertain = false): StorageError {
  return new StorageError('timeout', 'the database did not answer within the time limit', { uncertain });
}

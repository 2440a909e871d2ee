// Parts of the engine that few requests need are loaded when one first does; from then on they
// are here and nothing waits.
import type { MaybePromise } from '../base/maybe.ts';
import { partMissing } from './codes.ts';

/**
 * A function that imports a part the first time it is asked for it, and from then on has it at hand.
 * @throws HttpError 503 where it cannot be loaded: offline, if nothing has kept the site's files
 */
export function part<T>(load: () => Promise<T>): () => MaybePromise<T> {
  let loaded: T | undefined;
  return () =>
    loaded ??
    load().then(
      (here) => (loaded = here),
      () => {
        throw partMissing();
      },
    );
}

/** What only makes things faster: `null` until it is here, and where there is none. */
export function partInTime<T>(load: () => Promise<T | undefined>): () => T | null {
  let loaded: T | null = null;
  let isAsked = false;
  return () => {
    if (!isAsked) {
      isAsked = true;
      load().then(
        (here) => (loaded = here ?? null),
        () => (isAsked = false),
      );
    }
    return loaded;
  };
}

import type { EngineOptions } from '../engine/index.ts';

/** Runs the work alone among all engines of a database, or not at all. */
type Exclusively = NonNullable<EngineOptions['exclusively']>;

/**
 * The upkeep of a database is one engine's at a time; the others leave it to that one.
 * Where there are no locks each does it: it loses time, as the store takes only one's result.
 */
export function upkeepLock(name: string): Exclusively {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) return (work) => work();
  return async (work) => {
    await locks.request(`vivarium:upkeep:${name}`, { ifAvailable: true }, (lock) => (lock === null ? undefined : work()));
  };
}

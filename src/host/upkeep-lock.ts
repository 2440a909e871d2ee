import type { EngineOptions } from '../engine/index.ts';

/** Runs the work alone among all engines of a database, or not at all. */
type Exclusively = NonNullable<EngineOptions['exclusively']>;

/**
 * Only one engine at a time does the upkeep of a database. Where there are no locks they all do it: that
 * wastes their time and harms nothing, as the store takes only one result.
 */
export function upkeepLock(name: string): Exclusively {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) return (work) => work();
  return async (work) => {
    await locks.request(`vivarium:upkeep:${name}`, { ifAvailable: true }, (lock) => (lock === null ? undefined : work()));
  };
}

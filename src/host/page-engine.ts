// The engine of a page's worker, which keeps its data in memory where there is no storage.
import type { OpenOptions } from '../protocol/worker-api.ts';
import type { Early } from '../storage/early.ts';
import { openStore } from '../storage/open.ts';
import { type EngineHost, hostEngine } from './engine-host.ts';

/** @param early a connection to the database, for the store that is opened first */
export function pageEngine(options: OpenOptions, early: Promise<Early>): EngineHost {
  let next: Promise<Early> | undefined = early;
  return hostEngine(options, (name, given) => {
    const opening = openStore(name, { ...given, early: next });
    next = undefined;
    return opening;
  });
}

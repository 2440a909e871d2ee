// The engine of a page's worker, which keeps its data in memory where there is no storage.
import type { OpenOptions } from '../protocol/worker-api.ts';
import type { Early } from '../storage/early.ts';
import { openStore } from '../storage/open.ts';
import { type EngineHost, hostEngine } from './engine-host.ts';
import type { Appearance } from './neighbours.ts';

/** @param early has a connection to the database, for the store that is opened first */
export const pageEngine = (options: OpenOptions, early: Early, appear: () => Appearance): EngineHost =>
  hostEngine(options, (name, given) => openStore(name, { ...given, early }), appear);

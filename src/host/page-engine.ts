// The engine of a page's worker, which keeps its data in memory where there is no storage.
import type { OpenOptions } from '../protocol/worker-api.ts';
import { openStore } from '../storage/open.ts';
import { type EngineHost, hostEngine } from './engine-host.ts';

export const pageEngine = (options: OpenOptions): EngineHost => hostEngine(options, openStore);

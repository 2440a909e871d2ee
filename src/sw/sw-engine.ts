// The service worker's own engine, for when no page answers: a second script, so that the
// first stays small and starts fast. It only defines the factory; nothing runs until asked.
import { hostEngine } from '../host/engine-host.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { appear } from '../host/neighbours.ts';
import type { HostOptions } from '../protocol/host-options.ts';
import { openIdbStore } from '../storage/open.ts';

declare global {
  /** Set by this script, read by the service worker that imports it. */
  var vivariumEngine: ((options: HostOptions) => EngineHost) | undefined;
}

// Where there is no IndexedDB, only an open page answers: a memory of its own would be a second database that nobody else sees.
globalThis.vivariumEngine = ({ name }) => hostEngine({ name }, openIdbStore, () => appear(name));

// The service worker's own engine, for when no page answers: a second script, so that the
// first stays small and starts fast. It only defines the factory; nothing runs until asked.
import { hostEngine } from '../host/engine-host.ts';
import { appear } from '../host/neighbours.ts';
import { openIdbStore } from '../storage/open.ts';
import type {} from './engine-script.ts';

// Where there is no IndexedDB, only an open page answers: a memory of its own would be a second database that nobody else sees.
globalThis.vivariumEngine = ({ name }) => hostEngine({ name }, openIdbStore, () => appear(name));

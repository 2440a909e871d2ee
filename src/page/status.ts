// What a page can tell of its database and of all that serves it.
import type { within } from '../protocol/within.ts';
import type { EngineStatus } from '../protocol/worker-api.ts';
import type { EngineWorker, WorkerState } from './engine-worker.ts';
import type { Registered, ServiceWorkerLink } from './service-worker.ts';

export interface Status extends EngineStatus {
  /** Name of the database in this browser profile. */
  readonly name: string;
  /** Path of the service on this origin. */
  readonly base: string;
  /** Who answers this page's fetch and XMLHttpRequest at this moment. */
  readonly answeredBy: 'service-worker' | 'shim';
  /** How the registration of the service worker stands. */
  readonly serviceWorker: Registered;
  /** The worker that the engine runs in. */
  readonly worker: WorkerState;
  readonly storage: StorageEstimate;
}

/** What the browser says of the origin's storage; `null` where it does not say. */
export interface StorageEstimate {
  /** Of everything that the origin stores, roughly. */
  readonly usageBytes: number | null;
  readonly quotaBytes: number | null;
  /** Whether the browser has promised not to evict it. */
  readonly kept: boolean | null;
}

const ESTIMATE_MS = 1_000;

/** What the page itself knows. */
interface Around extends Pick<Status, 'name' | 'base'> {
  readonly link: Pick<ServiceWorkerLink, 'registration' | 'controls'>;
  /** Whether the service worker answers. */
  controlled(): boolean;
}

/** A tool that makes a service worker may have written its own over ours. */
const SILENT = "The service worker that is in control does not answer: it is not Vivarium's, or it does not import sw.js.";

/**
 * @param around asked when the worker has answered
 * @param limited the page's own `within`, handed over as an import would be a copy
 */
export async function statusOf(worker: EngineWorker, { name, base, link, controlled }: Around, limited: typeof within): Promise<Status> {
  // What a worker that has died can no longer tell comes from the one in its place.
  const asking = worker.status().catch((error: unknown) => {
    if (worker.state !== 'restarted') throw error;
    return worker.status();
  });
  const [engine, storage] = await Promise.all([asking, storageEstimate(limited)]);
  const answeredBy = controlled() ? 'service-worker' : 'shim';
  const serviceWorker: Registered = answeredBy === 'shim' && link.controls() ? { state: 'failed', reason: SILENT } : link.registration;
  return { ...engine, name, base, answeredBy, serviceWorker, worker: worker.state, storage };
}

async function storageEstimate(limited: typeof within): Promise<StorageEstimate> {
  const storage: StorageManager | undefined = navigator.storage;
  const orNull = async <T>(ask: () => Promise<T> | undefined): Promise<T | null> => {
    try {
      return (await limited(ESTIMATE_MS, 'The estimate', Promise.resolve(ask()))) ?? null;
    } catch {
      return null;
    }
  };
  const [estimate, kept] = await Promise.all([orNull(() => storage?.estimate?.()), orNull(() => storage?.persisted?.())]);
  return { usageBytes: estimate?.usage ?? null, quotaBytes: estimate?.quota ?? null, kept };
}

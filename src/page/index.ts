// The page API. `open()` brings a database to life in this page: it starts the engine's
// worker, registers the service worker and answers in its place until it is in control.
// Importing this file does nothing, so it may be imported where there is no browser.
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { readBytes } from '../protocol/byte-stream.ts';
import type { EngineStatus } from '../protocol/worker-api.ts';
import { makeCalls } from './calls.ts';
import type { Calls } from './calls.ts';
import { startEngineWorker } from './engine-worker.ts';
import type { EngineWorker, WorkerState } from './engine-worker.ts';
import { unavailableError, VivariumError } from './error.ts';
import { followPage } from './lifecycle.ts';
import { resolveOptions } from './options.ts';
import type { ResolvedOptions, VivariumOptions } from './options.ts';
import { probe } from './probe.ts';
import { linkServiceWorker } from './service-worker.ts';
import type { Registered, ServiceWorkerLink } from './service-worker.ts';
import { installShim } from './shim.ts';
import { storageEstimate } from './storage-estimate.ts';
import type { StorageEstimate } from './storage-estimate.ts';
import type { ExportOptions, ImportFile, ImportFileOptions } from './transfer.ts';

export type { ApiVersion, CallOptions, QueryOptions } from './call-options.ts';
export type { GraphqlRequest, GraphqlResult, ImportOptions } from './calls.ts';
export { VivariumError } from './error.ts';
export type { ErrorEntry } from './error.ts';
export type { ExportOptions, ImportFile, ImportFileOptions, TransferProgress } from './transfer.ts';
export type { VivariumOptions } from './options.ts';
export type { SubscribeOptions, Subscription } from './subscribe.ts';

export interface Status extends EngineStatus {
  readonly name: string;
  /** Path of the service on this origin. */
  readonly base: string;
  /** Who answers this page's fetch and XMLHttpRequest at this moment. */
  readonly answeredBy: 'service-worker' | 'shim';
  readonly serviceWorker: Registered;
  readonly worker: WorkerState;
  readonly storage: StorageEstimate;
}

export interface Vivarium extends Calls {
  status(): Promise<Status>;
  /** Deletes all data of this database; settings stay. */
  reset(): Promise<void>;
  /**
   * The whole database as one file, in lines of JSON: documents with all history, schema, indexes,
   * child databases, keys and tokens by their hashes. It is the state at the call; writes go on.
   * `await new Response(await db.export()).blob()` has it as a Blob.
   * @throws VivariumError also by the stream: `database changed` (409), 503 with the storage's code
   */
  export(options?: ExportOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /**
   * Makes the database what a file says, as a whole at the end or not at all. Settings stay.
   * @throws VivariumError 400 `not an export`, `newer export`, `damaged export`, `truncated export`; 409
   *   `database not empty` without `replace`, `database changed`; 503 with the storage's code
   */
  import(file: ImportFile, options?: ImportFileOptions): Promise<void>;
  /** Ends the worker and the shim. The service worker goes on answering with an engine of its own. */
  close(): Promise<void>;
}

/** Seldom used, so loaded when they are. */
const PARTS = { readBytes, unavailableError };
const transfers = (): Promise<typeof import('./transfer.ts')> => import('./transfer.ts');

let current: { readonly key: string; readonly vivarium: Promise<Vivarium> } | null = null;

/**
 * Opens the database of this page. Resolves when it is open and requests by `fetch` are answered:
 * by the service worker where it is in control already, as soon as it has shown that it answers.
 * Calling it again with the same options gives the same object.
 * @throws VivariumError 503: `unavailable`, `blocked`, `newer-format`, … within half a minute
 */
export function open(options: VivariumOptions = {}): Promise<Vivarium> {
  if (typeof document === 'undefined') {
    return Promise.reject(unavailableError('unavailable', 'open() needs a page: there is no document here.'));
  }
  const key = JSON.stringify({ ...options, serviceWorker: String(options.serviceWorker) });
  if (current !== null) {
    if (current.key === key) return current.vivarium;
    return Promise.reject(unavailableError('already open', 'This page has a database open with other options; close it first.'));
  }
  const vivarium = bring(resolveOptions(options)).catch((error: unknown) => {
    throw error instanceof VivariumError ? error : unavailableError('unavailable', messageOf(error));
  });
  current = { key, vivarium };
  vivarium.catch(() => (current = null));
  return vivarium;
}

async function bring(options: ResolvedOptions): Promise<Vivarium> {
  const settings = {
    name: options.name,
    ...(options.secret === undefined ? {} : { secret: options.secret }),
    ...(options.durability === undefined ? {} : { durability: options.durability }),
  };
  const worker = startEngineWorker(settings, () => link.announce());
  const handle = (request: HttpRequest): Promise<HttpResponse> => worker.handle(request);
  const link = linkServiceWorker(options.serviceWorker, options.name, (port) => worker.connect(port));
  // A service worker that is in control and yet does not answer is passed over.
  let trusted = true;
  /** Until that is known. */
  let settling: Promise<void> | null = null;
  const controlled = (): boolean => trusted && link.controls();
  const shim = installShim({ ...options, origin: location.origin }, controlled, () => settling, handle);
  const noSuspend = followPage(worker);

  const close = async (): Promise<void> => {
    current = null;
    shim.uninstall();
    link.close();
    noSuspend();
    await worker.close();
  };

  const settle = async (early: Promise<boolean>): Promise<boolean> => {
    trusted = (await early) || (await probe(options.base));
    return trusted || probe(options.base);
  };

  try {
    // On its way while the database opens. One that was too early says nothing.
    const early = worker.alive.then(() => probe(options.base)).catch(() => false);
    await worker.opened;
    const isControlled = link.controls();
    const settled = settle(early).finally(() => (settling = null));
    if (isControlled) settling = settled.then(() => undefined);
    else if (!(await settled)) throw unavailableError('unavailable', 'The database opened but does not answer.');
  } catch (error) {
    await close();
    throw error;
  }
  if (options.persist) await navigator.storage?.persist?.().catch(() => false);

  return {
    ...makeCalls(handle, options.secret),
    async status() {
      await settling;
      return statusOf(options, worker, link, controlled);
    },
    reset: () => worker.reset(),
    export: async (options = {}) => (await transfers()).exportStream(worker, options, PARTS),
    import: async (file, options = {}) => (await transfers()).importFile(worker, file, options, PARTS),
    close,
  };
}

async function statusOf(
  { name, base }: ResolvedOptions,
  worker: EngineWorker,
  link: ServiceWorkerLink,
  controlled: () => boolean,
): Promise<Status> {
  const [engine, storage] = await Promise.all([worker.status(), storageEstimate()]);
  return {
    ...engine,
    name,
    base,
    answeredBy: controlled() ? 'service-worker' : 'shim',
    serviceWorker: link.registration,
    worker: worker.state,
    storage,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

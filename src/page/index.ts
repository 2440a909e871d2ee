// The page API. `open()` brings a database to life in this page: it starts the engine's
// worker, registers the service worker once there is time for it, and answers in its place until it is in control.
// Importing this file does nothing, so it may be imported where there is no browser.
import { readBytes } from '../protocol/byte-stream.ts';
import { after } from '../protocol/steady.ts';
import { within } from '../protocol/within.ts';
import { makeCalls } from './calls.ts';
import type { Calls } from './calls.ts';
import { startEngineWorker } from './engine-worker.ts';
import { messageOf, unavailableError, VivariumError } from './error.ts';
import { leisure } from './leisure.ts';
import { followPage } from './lifecycle.ts';
import { checkOptions, otherIn, resolveOptions } from './options.ts';
import type { ResolvedOptions, VivariumOptions } from './options.ts';
import { parts } from './parts.ts';
import { probe } from './probe.ts';
import { linkServiceWorker } from './service-worker.ts';
import { installShim } from './shim.ts';
import type { Status } from './status.ts';
import type { Transfers } from './transfer.ts';

export type { ApiVersion, CallOptions, QueryOptions } from './call-options.ts';
export type { GraphqlRequest, GraphqlResult, ImportOptions } from './calls.ts';
export { VivariumError } from './error.ts';
export type { ErrorEntry } from './error.ts';
export type { ExportOptions, ImportFile, ImportFileOptions, TransferProgress } from './transfer.ts';
export type { VivariumOptions } from './options.ts';
export type { Status, StorageEstimate } from './status.ts';
export type { SubscribeOptions, Subscription } from './subscribe.ts';

export interface Vivarium extends Calls, Transfers {
  /** How the database is, and what serves it. @throws VivariumError 503: `time out`, `unavailable` (the database was closed, its worker has failed, or a part cannot be loaded), or how the storage failed */
  status(): Promise<Status>;
  /** Deletes all data of this database, for everybody who has it open; `secret` and `durability` stay. @throws VivariumError 503, as `status` */
  reset(): Promise<void>;
  /**
   * Ends the worker and the shim, within ten seconds, and never rejects. From then on calls fail with 503. The service
   * worker goes on answering with an engine of its own.
   */
  close(): Promise<void>;
}

/** Functions of this script that a part loaded later needs: handed over, as it cannot import them without a copy. */
const PARTS = { after, readBytes, unavailableError };

let current: { readonly options: VivariumOptions; readonly vivarium: Promise<Vivarium> } | null = null;

/**
 * Opens the database of this page. Resolves when it is open and requests by `fetch` are answered:
 * by the service worker where it is in control already, as soon as it has shown that it answers;
 * in a page that the browser loads ahead, once it is shown.
 * Calling it again gives the same object, where the options given, if any, are those it was opened with.
 * @throws TypeError for an option with a wrong value; VivariumError 503, within some 40 seconds: `unavailable`, `already open`, or how the storage failed
 */
export async function open(options: VivariumOptions = {}): Promise<Vivarium> {
  if (typeof document === 'undefined') throw unavailableError('unavailable', 'open() needs a document.');
  checkOptions(options);
  if (current !== null) {
    const other = otherIn(options, current.options);
    if (other === undefined) return current.vivarium;
    throw unavailableError('already open', `The open database has another ${other}; close it first.`);
  }
  /** Not if another one was opened since: a database may be closed twice, or fail late. */
  const forget = (): void => {
    if (current === its) current = null;
  };
  const vivarium = bring(resolveOptions(options), forget).catch((error: unknown) => {
    throw error instanceof VivariumError ? error : unavailableError('unavailable', messageOf(error));
  });
  const its = (current = { options: { ...options }, vivarium });
  vivarium.catch(forget);
  return vivarium;
}

/** Chromium's, and not declared yet. */
type Prerendered = Document & { readonly prerendering?: boolean };

async function bring(options: ResolvedOptions, forget: () => void): Promise<Vivarium> {
  // A page that is loaded ahead has no worker before it is shown, be that in a minute.
  if ((document as Prerendered).prerendering) await new Promise((shown) => document.addEventListener('prerenderingchange', shown));
  const { name, base, secret, durability, cacheBytes } = options;
  const worker = startEngineWorker({ name, secret, durability, cacheBytes }, () => link.announce());
  const opened = worker.opened.catch(() => undefined);
  /** Installing a service worker takes time from the page's first requests: it needs the same threads and disk. */
  const hasTime = opened.then(() => leisure(() => worker.traffic));
  /** Whether the service worker answers, once that was tried: one that does not, though it is in control, is passed over. */
  let answers: boolean | Promise<void> | undefined;
  /** Another one has taken control: it is tried when the next request would go through it. */
  const doubt = (): void => void (answers = undefined);
  const link = linkServiceWorker(options.serviceWorker, name, worker.connect, doubt, opened, hasTime);
  const settle = async (): Promise<void> => {
    // Not before: a database that takes long to open says nothing about who answers.
    await worker.opened.catch(() => undefined);
    const its = answers;
    const found = (await probe(base)) || (await probe(base));
    if (answers === its) answers = found;
  };
  /** Resolves when that was found out; `null` where it was. A first answer may just have come too early. */
  const settling = (): Promise<void> | null => (typeof answers === 'boolean' ? null : (answers ?? (answers = settle())));
  const controlled = (): boolean => answers !== false && link.controls();
  // The document's, which a frame has from its page. Its `location` may have none.
  const shim = installShim({ ...options, origin }, controlled, settling, worker.handle);
  const noSuspend = followPage(worker);
  const transfers = async (): Promise<Transfers> => (await parts()).transfersOf(worker, PARTS);

  const close = async (): Promise<void> => {
    forget();
    // Nobody new is asked whether the service worker does.
    answers = true;
    shim.uninstall();
    link.close();
    noSuspend();
    await worker.close();
  };

  try {
    await worker.opened;
    // A service worker in control is tried only when the first request would go through it: trying it now would delay that request.
    if (!link.controls()) {
      await settling();
      if (answers === false) throw unavailableError('unavailable', 'The database gave no answer.');
    }
  } catch (error) {
    await close();
    throw error;
  }
  // Not waited for: Firefox asks its user.
  if (options.persist) void navigator.storage?.persist?.().catch(() => false);

  return {
    ...makeCalls(worker.handle, () => worker.isOver, secret),
    async status() {
      await settling();
      return (await parts()).statusOf(worker, { name, base, link, controlled }, within);
    },
    reset: worker.reset,
    export: async (options) => (await transfers()).export(options),
    exportBlob: async (options) => (await transfers()).exportBlob(options),
    import: async (file, options) => (await transfers()).import(file, options),
    close,
  };
}

// What comlink carries between a page and its worker, over the port that comes with the worker's
// first message. Only control: requests go over lanes (see lane.ts), where those of one tick share
// a message; all other messages of the worker are the page's own lane.
import type { EngineStatus, ImportOptions, Progress } from '../engine/index.ts';

export type { EngineStatus, ImportOptions, Progress };

export interface OpenOptions {
  readonly name: string;
  /** Written to the database's header; absent: as it is. */
  readonly durability?: 'strict' | 'relaxed' | undefined;
  /** New root secret of the database; absent: as it is. */
  readonly secret?: string | undefined;
}

/** Failures travel as data: an error class does not survive the way between threads. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

export interface Failure {
  /** A storage error code (`blocked`, `newer-format`, …) or `internal server error`. */
  readonly code: string;
  readonly description: string;
  /** As over HTTP; absent: 503. */
  readonly status?: number;
}

export interface WorkerApi {
  /** Opens the database. Called first, once; requests that are there before it wait for it. */
  open(options: OpenOptions): Promise<Outcome<EngineStatus>>;
  /** Serves a lane of the service worker over this port. */
  connect(port: MessagePort): void;
  status(): Promise<Outcome<EngineStatus>>;
  /** Deletes all data. */
  reset(): Promise<Outcome<null>>;
  /** Serves the file of the whole database over this port (byte-stream.ts); resolves when it was read to its end or given up, or why not. */
  exportTo(port: MessagePort, onProgress: (progress: Progress) => void): Promise<Outcome<null>>;
  /** Makes the database what the file at the other end of this port says. */
  importFrom(port: MessagePort, options: ImportOptions): Promise<Outcome<null>>;
  /**
   * Gives the storage connection back while the page is hidden; the next request opens it
   * again. Lanes of the service worker end, so that it does not wait for a frozen page.
   */
  suspend(): Promise<void>;
  /** The same before the worker ends, with the database tidied up. */
  close(): Promise<void>;
  /** Whether the page is hidden: the engine then keeps fewer blocks in memory, and tidies up. */
  hide(isHidden: boolean): Promise<void>;
}

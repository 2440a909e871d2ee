// What comlink carries between a page and its worker, over the port that comes with the worker's
// first message. Only control: requests go over lanes (see lane.ts), where those of one tick share
// a message; all other messages of the worker are the page's own lane.
import type { EngineStatus, ImportOptions, Progress } from '../engine/index.ts';

export type { EngineStatus, ImportOptions, Progress };

export interface OpenOptions {
  readonly name: string;
  /** Written to the database's header; absent: left as it is. */
  readonly durability?: 'strict' | 'relaxed' | undefined;
  /** Memory for the blocks that were read; absent: the engine's default. */
  readonly cacheBytes?: number | undefined;
  /** New root secret of the database; absent: left as it is. */
  readonly secret?: string | undefined;
  /** Identity of the database that has both already, and is left as it is; where it was stored, memory never takes its place. */
  readonly settled?: number | undefined;
}

/** Failures travel as data, as an error loses its class on the way to another thread. */
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
  /** Opens the database. Called first, and once; requests that arrive before it wait for it. */
  open(options: OpenOptions): Promise<Outcome<EngineStatus>>;
  /** Serves a lane of the service worker over this port. */
  connect(port: MessagePort): void;
  status(): Promise<Outcome<EngineStatus>>;
  /** Deletes all data. */
  reset(): Promise<Outcome<null>>;
  /** Serves the whole database as a file over this port (byte-stream.ts); resolves when the other end has read all of it, or reads no further, or when it fails. */
  exportTo(port: MessagePort, onProgress: (progress: Progress) => void): Promise<Outcome<null>>;
  /** Imports the file that the other end of this port serves. */
  importFrom(port: MessagePort, options: ImportOptions): Promise<Outcome<null>>;
  /**
   * Closes the storage connection, as the page goes out of use; the next request opens it again.
   * Lanes of the service worker end, so that it does not wait for a frozen page.
   */
  suspend(): Promise<void>;
  /** The same before the worker ends, with the database tidied up. */
  close(): Promise<void>;
  /** Whether the page is hidden: the engine then keeps fewer blocks in memory, and tidies up. */
  hide(isHidden: boolean): Promise<void>;
}

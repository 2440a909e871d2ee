// The storage port: six methods that a backend gives and the engine builds on.
//
// The log is the truth and every engine is a cache of it. A commit group is one record,
// added under the next number in one short native transaction. Records are numbered
// 1, 2, 3, … without gaps; `floor` is the number through which the log has been trimmed
// (everything at or under it lives in blocks named by the manifest).
//
// Any number of engines may share one log. They agree because `append` is serialised by
// the backend: correctness never rests on who leads.

/** Storage format of this build; a database with a greater one is refused. */
export const FORMAT = 1;

export interface Settings {
  /** `strict`: an acknowledged write is on disk. `relaxed`: it has reached the operating system. */
  readonly durability: 'strict' | 'relaxed';
  /** Salted hash of the root secret as `iterations:salt:hash` (base64); absent for the built-in one. */
  readonly rootSecret?: string;
}

export interface Header {
  readonly format: number;
  readonly settings: Settings;
  /** Number of the manifest installed last; 0 before the first. */
  readonly manifestNumber: number;
  readonly manifest: Uint8Array | null;
}

export interface LogRecord {
  readonly number: number;
  readonly body: Uint8Array;
}

export interface Tail {
  readonly floor: number;
  /** The records after the number asked for, ascending, without gaps. Empty when that number is under the floor. */
  readonly records: readonly LogRecord[];
}

/**
 * Decides what to append, given the records the engine had not seen. Synchronous and pure:
 * the backend may call it inside a native transaction, and more than once.
 * `null` refuses: nothing is written.
 */
export type Plan = (unseen: readonly LogRecord[]) => Uint8Array | null;

export type Appended =
  /** Written durably under `number`; `unseen` are the records the plan saw before it. */
  | { readonly kind: 'appended'; readonly number: number; readonly unseen: readonly LogRecord[] }
  /** The plan refused after seeing `unseen`. */
  | { readonly kind: 'refused'; readonly unseen: readonly LogRecord[] }
  /** `after` lies under the floor: reload from the manifest and run again. */
  | { readonly kind: 'trimmed'; readonly floor: number };

export interface Block {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export interface Install {
  /** The manifest number this change was computed from; another one refuses it. */
  readonly expected: number;
  readonly manifest: Uint8Array;
  readonly dropBlocks: readonly number[];
  /** New floor: records at or under it are deleted. Never under the present one. */
  readonly floor: number;
}

export interface LogStore {
  /** What `status()` shows of the backend. */
  readonly info: { readonly backend: string; readonly persistent: boolean };
  /**
   * Opens the database, making it when there is none. `settings` given here are written to the header.
   * @throws StorageError `newer-format`, `blocked`, `unavailable`
   */
  open(settings?: Partial<Settings>): Promise<Header>;
  /** The floor and the records after `after`, in one snapshot. */
  tail(after: number): Promise<Tail>;
  /**
   * Adds one record after `after` and every record the plan was shown. The plan first runs on an
   * empty list; only if another engine took the number is the tail read and the plan run again.
   */
  append(after: number, plan: Plan): Promise<Appended>;
  readBlocks(ids: readonly number[]): Promise<(Uint8Array | undefined)[]>;
  /** Writes blocks that nothing refers to yet. */
  writeBlocks(blocks: readonly Block[]): Promise<void>;
  /** Swaps the manifest, drops blocks and trims the log in one transaction; `false` when fenced off by another. */
  install(change: Install): Promise<boolean>;
  /** Empties the database: log, blocks and manifest; settings stay. */
  reset(): Promise<void>;
  close(): void;
}

export type StorageErrorCode =
  | 'unavailable' // no storage here (private mode, no IndexedDB)
  | 'blocked' // another tab keeps an older version open
  | 'newer-format' // written by a newer build
  | 'corrupt' // a checksum does not match
  | 'quota' // the disk or the origin's share is full
  | 'lost' // the connection was closed underneath
  | 'timeout' // no answer within the limit
  | 'evicted'; // the data was removed underneath

/** A failure of the backend. The state before the call stays whole. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  constructor(
    readonly code: StorageErrorCode,
    message: string,
    /** Whether the same call may succeed when tried again. */
    readonly retry: boolean,
  ) {
    super(message);
  }
}

// The storage port: what a backend gives and the engine builds on.
//
// The log is the truth and every engine is a cache of it. A commit group is one record,
// added under the next number in a short native transaction. Records are numbered
// 1, 2, 3, … without gaps; `floor` is the number through which the log has been trimmed
// (everything at or under it lives in blocks named by the manifest). A record without bytes is
// void: a backend may put one wherever it likes.
//
// Any number of engines may share one log. They agree because `append` is serialised by
// the backend: correctness never rests on who leads.
//
// An engine begins at `header.floor`, the state of which is in the manifest, and reads the
// tail from there. Whenever a floor turns out to lie above what it has applied, its state is
// out of date (the log was trimmed or emptied): it opens again and starts from the manifest.
//
// Blocks are written before a manifest names them. Which of those that none names are left
// over, and which are somebody's work under way, can be told from their ids (block-ids.ts).
//
// What every backend promises is written as tests in src/testing/laws/log-store.ts.

import type { BlockRange } from './block-ids.ts';

/** Storage format of this build; a database with a greater one is refused, one with a smaller one is lifted (storage/upgrade.ts). */
export const FORMAT = 3;

/** Most bytes of one record: 1,023 parts of 60 KB. A larger one is refused with `quota`. */
export const MAX_RECORD_BYTES = 1023 * 60 * 1024;

export interface Settings {
  /** `strict`: an acknowledged write is on disk. `relaxed`: it has reached the operating system. */
  readonly durability: 'strict' | 'relaxed';
  /** Salted hash of the root secret as `iterations:salt:hash` (base64); absent for the built-in one. */
  readonly rootSecret?: string;
}

/** Whether all the wanted settings are set already. */
export const areSet = (wanted: Partial<Settings> = {}, settings: Settings): boolean =>
  (Object.keys(wanted) as (keyof Settings)[]).every((key) => settings[key] === wanted[key]);

export interface Header {
  readonly format: number;
  /** Another number for another database, also where one was made anew under the same name. */
  readonly identity: number;
  readonly settings: Settings;
  /** Number through which the log has been trimmed: the manifest covers it, the tail begins after it. */
  readonly floor: number;
  /** Grows with every `install` and `reset`; 0 before the first. */
  readonly manifestNumber: number;
  /** `null` before the first `install` and after a `reset`: at the floor the database is empty. */
  readonly manifest: Uint8Array | null;
}

/** Neither side changes bytes that have gone through the port. */
export interface LogRecord {
  readonly number: number;
  readonly body: Uint8Array;
}

export interface Tail {
  readonly floor: number;
  readonly settings: Settings;
  /** The records after the number asked for, ascending, without gaps. Empty when that number is under the floor. */
  readonly records: readonly LogRecord[];
}

/**
 * Decides what to append, given the records the engine had not seen. Synchronous and pure:
 * the backend may call it inside a native transaction, and more than once.
 * `null` refuses: nothing is written that counts.
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

export interface Deletion {
  /** So many blocks, as far as is known. */
  readonly deleted: number;
  /** The id of the first that was left; `null` when none was. */
  readonly next: number | null;
}

export interface Install {
  /** The manifest number this change was computed from; another one refuses it. */
  readonly expected: number;
  readonly manifest: Uint8Array;
  /** New floor: records at or under it are deleted. Never under the present one. */
  readonly floor: number;
  /** Refuses the change when the log holds a record after this one. */
  readonly last?: number;
}

export interface LogStore {
  /** What `status()` shows of the backend. */
  readonly info: { readonly backend: 'indexeddb' | 'memory'; readonly persistent: boolean };
  /**
   * Opens the database, making it when there is none, and reads the header. `settings` given here
   * are written to it; the others stay. May be called again at any time, and after `close`.
   * Before the first `open` every other call is refused with `lost`.
   * After `evicted` was reported, `open` begins with the database it finds or makes; until it has ended, every other call is refused as before.
   * @throws StorageError `newer-format`, `blocked`, `unavailable`, `corrupt`
   */
  open(settings?: Partial<Settings>): Promise<Header>;
  /** The header and the manifest as they are now, of this database and no other. */
  header(): Promise<Header>;
  /** The floor and the records after `after`, in one snapshot. */
  tail(after: number): Promise<Tail>;
  /**
   * Adds one record after `after` and every record the plan was shown. The plan first runs on an
   * empty list; only if there are later records is it run again, on them.
   * When the plan throws, the call is rejected with what it threw, and nothing is written but, as
   * whenever somebody else was faster, a void record perhaps.
   * @throws StorageError; if it is `uncertain` the record may be in the log nevertheless, or get there
   *   before any later call: whoever appends it again must recognise it there
   */
  append(after: number, plan: Plan): Promise<Appended>;
  /** In the order asked for; `undefined` for a block that is not there. */
  readBlocks(ids: readonly number[]): Promise<(Uint8Array | undefined)[]>;
  /** Writes blocks that nothing refers to yet, all or none; `false` when one's id is taken. */
  writeBlocks(blocks: readonly Block[]): Promise<boolean>;
  /** Swaps the manifest and trims the log in one transaction; `false` when fenced off by another. */
  install(change: Install): Promise<boolean>;
  /** Deletes blocks whose ids lie in the range, the first so many of them. */
  deleteBlocks(range: BlockRange, most: number): Promise<Deletion>;
  /** Called when the connection was lost between two calls: there may be another database now than the one that was read. */
  onLost: () => void;
  /**
   * Empties the database: log, blocks and manifest; settings stay. The floor goes one above the
   * last record, so that no engine, however late it looks, takes its own state for the present one.
   */
  reset(): Promise<void>;
  /** Gives back the room of what was deleted, where it is not given back at once. Never fails. */
  reclaim?(): Promise<void>;
  /** Gives the connection back. What is under way ends; later calls are refused with `lost`. */
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

/** A failure of the backend. The state before the call stays whole and, unless `uncertain`, the same but for void records. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  /** The end of a write was not seen: it may have taken effect, or still do. */
  readonly uncertain: boolean;

  constructor(
    readonly code: StorageErrorCode,
    message: string,
    { uncertain = false }: { readonly uncertain?: boolean } = {},
  ) {
    super(message);
    this.uncertain = uncertain;
  }
}

export const isFailure = (error: unknown, code: StorageErrorCode): error is StorageError => error instanceof StorageError && error.code === code;

/** Of whoever worked on a database that is not there any more. */
export const evicted = (): StorageError => new StorageError('evicted', 'the data was removed underneath');

/** The body a plan returned, if a record may be that long. */
export function checkRecordSize(body: Uint8Array | null): Uint8Array | null {
  if (body !== null && body.length > MAX_RECORD_BYTES) {
    throw new StorageError('quota', `a record of ${body.length} bytes; at most ${MAX_RECORD_BYTES} are possible`);
  }
  return body;
}

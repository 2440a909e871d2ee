// Puts store, platform and layers together and answers requests.
import type { MaybePromise } from './base/maybe.ts';
import type { Platform } from './base/platform.ts';
import { part } from './errors/part.ts';
import { Core, type CoreOptions } from './http/core.ts';
import type { IndexBuild } from './http/index-builds.ts';
import type { HttpRequest, HttpResponse } from './http/message.ts';
import { handle } from './http/router.ts';
import type { CommitHint } from './kv/commit-hint.ts';
import { areSet, type Header, type LogStore, type Settings } from './kv/log-store.ts';
import type { Solitude } from './kv/solitude.ts';
import type { ImportOptions, Progress } from './transfer/database-file.ts';

export interface EngineOptions {
  readonly store: LogStore;
  /** Of a store that is open already; otherwise it is opened. */
  readonly header?: Header;
  readonly platform: Platform;
  /** Says when no other engine works on the store; without it, there may always be one. */
  readonly solitude?: Solitude;
  /** Word of commits to and from other engines on the store; without it, streams learn of theirs within a second. */
  readonly hint?: CommitHint;
  /** Written to the header at open. */
  readonly settings?: Partial<Settings>;
  /** Memory for blocks that were read, bytes; default 64 MB. */
  readonly cacheBytes?: number | undefined;
  /** Characters of log rows at which they go into blocks; default a million. */
  readonly flushAt?: number;
  /** Runs upkeep under a lock that all engines on the store share, where there is one. */
  readonly exclusively?: (work: () => Promise<void>) => Promise<void>;
  /** Told of errors that are bugs of ours. */
  readonly report?: (error: unknown) => void;
}

export interface EngineStatus {
  /** Where the data lies: in `memory` where the page may store nothing. */
  readonly backend: 'indexeddb' | 'memory';
  /** Whether the data outlives the page. */
  readonly persistent: boolean;
  /** What an acknowledged write survives: `strict` a power cut, `relaxed` the end of the browser. */
  readonly durability: 'strict' | 'relaxed';
  /** Number of the storage format. */
  readonly format: number;
  /** Another number for another database, also where one was made anew under the same name. */
  readonly identity: number;
  /** Number of the last log record this engine has applied. */
  readonly applied: number;
  /** Time of the last commit, microseconds since 1970; 0 before the first. */
  readonly lastCommit: number;
  /** Indexes that are being built in the background. */
  readonly builds: readonly IndexBuild[];
  /** Streams and live queries that are open. */
  readonly streams: number;
}

export interface Engine {
  /** Answers any request, and never rejects: a bug of ours ends as a 500. Without a promise where nothing has to be waited for. */
  handle(request: HttpRequest): MaybePromise<HttpResponse>;
  status(): Promise<EngineStatus>;
  /** That of the database as last seen: another one may have taken its place since the engine was opened. */
  identity(): number;
  /** Does the upkeep that is due; resolves when none is under way. */
  upkeep(): Promise<void>;
  /** Deletes all data; settings stay. */
  reset(): Promise<void>;
  /**
   * The whole database as one file: documents with their history, schema, keys and tokens by
   * their hashes, child databases. It is the state at the first step; writes go on meanwhile.
   * @throws TransferError `database changed`, StorageError
   */
  exportDatabase(onProgress?: (progress: Progress) => void): AsyncIterable<Uint8Array>;
  /**
   * Makes the database what a file says: all of it at the end, or nothing. Settings stay.
   * @throws TransferError, StorageError
   */
  importDatabase(file: AsyncIterable<Uint8Array>, options?: ImportOptions): Promise<void>;
  /** Tells whether its page is hidden: it then keeps fewer blocks in memory, and tidies up. */
  hide(isHidden: boolean): void;
  /** @param tidy first puts the log into blocks and gives back room, if that is worth it, so that whoever opens the database next has less to read */
  close(tidy?: boolean): Promise<void>;
}

/** A hidden page's memory for blocks is this many times smaller. */
const HIDDEN = 8;

/** Seldom used, so loaded when it is. */
const databaseFile = part(() => import('./transfer/database-file.ts'));
/** Not needed before much was written. */
const loadUpkeep: CoreOptions['loadUpkeep'] = async (...of) => (await import('./http/upkeep-part.ts')).upkeepWork(...of);

/** @throws StorageError when the store cannot be opened */
export async function createEngine({
  store,
  header: known,
  platform,
  solitude,
  hint,
  settings,
  cacheBytes = 64 * 2 ** 20,
  flushAt = 2 ** 20,
  exclusively = (work) => work(),
  report = () => {},
}: EngineOptions): Promise<Engine> {
  const core = new Core(store, platform, { cacheBytes, flushAt, exclusively, loadUpkeep, solitude, hint });
  const header = known !== undefined && areSet(settings, known.settings) ? known : await store.open(settings);
  await core.start(header);
  return {
    identity: () => core.applied.identity,
    handle: (request) => handle(core, request, report),
    async status() {
      await core.log.refresh();
      return {
        ...store.info,
        durability: core.log.settings.durability,
        format: header.format,
        identity: core.applied.identity,
        applied: core.applied.record,
        lastCommit: core.log.lastCommit,
        builds: core.applied.builds.length === 0 ? [] : await (await import('./http/index-builds.ts')).indexBuilds(core),
        streams: core.feed.size,
      };
    },
    upkeep: () => core.upkeep.settled(),
    async reset() {
      const { life } = core.applied;
      // It may have come to its end unseen; and what is there now may not be seen at once.
      await store.reset().finally(() => core.log.doubt()).catch((error: unknown) => core.log.recover(error, life));
      await core.log.look();
    },
    async *exportDatabase(onProgress = () => {}) {
      yield* (await databaseFile()).exportDatabase(core, onProgress);
    },
    async importDatabase(file, options = {}) {
      await (await databaseFile()).importDatabase(file, options, core);
      core.upkeep.wake();
    },
    hide(isHidden) {
      core.cache.limit(isHidden ? cacheBytes / HIDDEN : cacheBytes);
      // Hidden pages are often closed next.
      if (isHidden) void core.upkeep.tidy();
    },
    async close(tidy = false) {
      core.upkeep.stop();
      core.feed.tell({ kind: 'end' });
      try {
        if (tidy) await core.upkeep.tidy();
      } finally {
        store.close();
      }
    },
  };
}

// What all requests share: the log and what is applied of it, the catalogs that were read, upkeep, and word of commits.
import { type MaybePromise, rescue } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { RootSecret } from '../auth/root-secret.ts';
import { BlockCache } from '../kv/block-cache.ts';
import type { CommitHint } from '../kv/commit-hint.ts';
import type { Header, LogStore } from '../kv/log-store.ts';
import type { Solitude } from '../kv/solitude.ts';
import { Catalogs } from '../schema/catalogs.ts';
import { Applied } from '../txn/applied.ts';
import { Feed } from '../txn/feed.ts';
import { CommitLog } from '../txn/log.ts';
import { Turns } from '../txn/turns.ts';
import { Upkeep, type Work } from '../txn/upkeep.ts';
import { ROOT_SCOPE } from '../value/ref.ts';
import { Deadlines } from './deadlines.ts';
import { Sessions } from './sessions.ts';

export interface CoreOptions {
  /** Memory for blocks that were read, bytes. */
  readonly cacheBytes: number;
  /** Characters of log rows at which they go into blocks. */
  readonly flushAt: number;
  /** Runs work that only one engine on the log should do at a time, or leaves it to another. */
  exclusively(work: () => Promise<void>): Promise<void>;
  loadUpkeep(core: Core, flushAt: number): Promise<Work>;
  readonly solitude: Solitude | undefined;
  readonly hint?: CommitHint | undefined;
}

export class Core {
  readonly log: CommitLog;
  readonly upkeep: Upkeep;
  readonly applied: Applied;
  readonly cache: BlockCache;
  readonly turns = new Turns();
  readonly catalogs: Catalogs;
  readonly sessions: Sessions;
  readonly deadlines: Deadlines;
  /** Word of all that is acknowledged, for streams. */
  readonly feed: Feed;

  constructor(
    readonly store: LogStore,
    readonly platform: Platform,
    { cacheBytes, flushAt, exclusively, loadUpkeep, solitude, hint }: CoreOptions,
  ) {
    const cache = new BlockCache(store, platform.utf8, cacheBytes);
    const applied = new Applied(cache, platform.utf8);
    this.cache = cache;
    this.applied = applied;
    this.catalogs = new Catalogs(() => applied.lastCommit);
    this.deadlines = new Deadlines(platform);
    this.log = new CommitLog(store, platform, applied, solitude);
    this.sessions = new Sessions(platform, this.catalogs, new RootSecret(platform, () => this.log.settings));
    this.upkeep = new Upkeep(platform, applied, { flushAt, exclusively, load: () => loadUpkeep(this, flushAt) });
    this.log.onCommit = (commit) => {
      this.catalogs.forget(commit);
      this.upkeep.wake();
      this.feed.tell({ kind: 'commit', commit });
    };
    this.log.onRestart = (missed) => {
      this.catalogs.clear();
      this.feed.tell(missed ?? { kind: 'end' });
    };
    this.feed = new Feed(platform, async () => this.log.refresh());
    if (hint === undefined) return;
    hint.onHint = () => this.feed.wake();
    this.log.onAppend = () => hint.tell();
  }

  /** What answers say of when they were made: the last commit, which nothing later changes. Before the first it is the clock. */
  get txnTime(): Ts {
    return this.log.lastCommit || this.platform.now();
  }

  /** Takes over the state that a header tells of. */
  async start(header: Header): Promise<void> {
    await this.log.start(header);
    this.upkeep.wake();
    // Nearly every request needs the root's catalog. If reading it fails, the request that needs it learns why.
    const reader = this.log.beginRead('');
    void rescue((): MaybePromise<unknown> => this.catalogs.get(reader, ROOT_SCOPE, []), () => null);
  }
}

// When upkeep is due, which keeps a database quick to open and to read (upkeep-work.ts), and what
// happens when it fails.
import type { Platform, Ts } from '../base/platform.ts';
import { HttpError } from '../errors/fql-error.ts';
import { StorageError } from '../kv/log-store.ts';
import type { Applied } from './applied.ts';

/** Does the work of upkeep. */
export interface Work {
  /** Does all that is due. @throws Overtaken, StorageError, BlockGone, and what builds of indexes have failed with; the database is whole nevertheless */
  run(): Promise<void>;
  /** Leaves little in the log, and little room taken by what is superfluous. @throws as `run` */
  tidy(): Promise<void>;
}

export interface UpkeepOptions {
  /** Characters of log rows at which they go into blocks. */
  readonly flushAt: number;
  /** Runs work that no other engine on the log should do at the same time, or leaves it to them. */
  exclusively(work: () => Promise<void>): Promise<void>;
  load(): Promise<Work>;
}

/** After so long index builds that are still there are looked at again (milliseconds): another engine has them in hand, or they failed here. */
const AGAIN = 1000;

/** Writers wait while this many times `flushAt` lies in memory, or more than a flush under way allows (`isOutrun`), and look again every LOOK_AGAIN milliseconds. */
const MOST_DUE = 16;
const LOOK_AGAIN = 10;

/**
 * When nothing was written for QUIET milliseconds, or its page goes, a log goes into blocks already if it has grown to
 * QUIET_PART of `flushAt`, or to QUIET_RECORDS records: every engine that opens would have to read it.
 */
const QUIET_PART = 1 / 8;
const QUIET_RECORDS = 64;
const QUIET = 2000;
/** Then room is given back, too, if so large a part of `flushAt` was written as blocks: about as much of the log is superfluous. */
const UNTIDY_PART = 1 / 2;

/** With so many segments merging begins as soon as an engine opens: the engines before have not lived long enough for it. */
const LEFT_OVER = 16;

/** Another engine has changed the blocks: work that began on the former ones is in vain. */
export class Overtaken extends Error {}

/** The script that does the work could not be loaded. */
class NotLoaded extends Error {}

/** Errors after which upkeep is simply tried again with the next commit. */
const PASSING = [StorageError, Overtaken, NotLoaded];
export const isPassing = (error: unknown): boolean => PASSING.some((kind) => error instanceof kind);

/** A log that goes into blocks. */
export interface Flushing {
  /** Characters that may lie in memory as it begins. */
  readonly least: number;
  /** How far it is, from 0 to 1. */
  share(): number;
}

export class Upkeep {
  /** Nothing more is to be begun. */
  stopped = false;
  /** So many wait for its end. */
  awaited = 0;
  flushing: Flushing | null = null;
  /** Bytes of blocks that this engine's upkeep has written since it gave back room. */
  written = 0;
  private running: Promise<void> | null = null;
  private awaitsQuiet = false;
  /** Whether it has not been woken yet. */
  private isNew = true;
  private work: Promise<Work> | null = null;

  constructor(
    private readonly platform: Platform,
    private readonly applied: Applied,
    private readonly options: UpkeepOptions,
  ) {}

  /** Begins upkeep in the background when there is need of it and it is not under way. */
  wake(): void {
    if (this.running !== null || this.stopped) return;
    const isDue = this.isDue();
    this.isNew = false;
    if (isDue) this.begin('run');
    else this.awaitQuiet();
  }

  /** Leaves little in the log, as when it is quiet. Resolves when that is done, or left to upkeep that goes on or to another engine. */
  async tidy(): Promise<void> {
    while (this.stopped && this.running !== null) await this.running;
    if (this.running !== null || !this.isWorthwhile) return;
    this.begin('tidy');
    await this.running;
  }

  private begin(part: keyof Work): void {
    this.running = this.options
      .exclusively(async () => (await this.loaded())[part]())
      .then(() => {
        // Also where it was left to another engine: this one would ask for its turn again and again.
        if (part === 'tidy' && this.isUntidy) this.written = 0;
        // Commits that came meanwhile may be the last for a long time.
        this.awaitQuiet();
      })
      .catch((error: unknown) => {
        // A build may need a part that is not to be had now.
        if (!isPassing(error) && !(error instanceof HttpError)) throw error;
      })
      .finally(() => {
        this.running = null;
        if (this.applied.builds.length > 0) void this.platform.later(AGAIN).then(() => this.wake());
      });
  }

  private awaitQuiet(): void {
    const { record } = this.applied;
    if (this.awaitsQuiet || !this.isWorthwhile) return;
    this.awaitsQuiet = true;
    void this.platform.later(QUIET).then(() => {
      this.awaitsQuiet = false;
      const isQuiet = record === this.applied.record && this.running === null && !this.stopped;
      if (isQuiet) this.begin('tidy');
      else this.wake();
    });
  }

  private get isWorthwhile(): boolean {
    return this.isUntidy || this.isLong;
  }

  /** Whether giving back the room of what was superfluous is worth what a backend may rewrite for it. */
  get isUntidy(): boolean {
    return this.written >= this.options.flushAt * UNTIDY_PART;
  }

  /** Whether reading the log would take longer than reading blocks in its place. */
  get isLong(): boolean {
    const { unflushed, record, floor } = this.applied;
    return unflushed >= this.options.flushAt * QUIET_PART || record - floor >= QUIET_RECORDS;
  }

  /** From now on begins nothing, and gives up work that can just as well be begun again by another engine. */
  stop(): void {
    this.stopped = true;
  }

  /** Does what is due; resolves when nothing is under way. */
  async settled(): Promise<void> {
    this.awaited++;
    try {
      for (this.wake(); this.running !== null; ) await this.running;
    } finally {
      this.awaited--;
    }
  }

  /**
   * Whether writers have to wait, as they write faster than rows go into blocks. While a flush is under way, what may lie
   * in memory grows with it, up to MOST_DUE: so each of many writers waits a little, and none for the whole flush.
   */
  get isOutrun(): boolean {
    const { flushing } = this;
    const most = MOST_DUE * this.options.flushAt;
    const allowed = flushing === null ? most : flushing.least + (most - flushing.least) * flushing.share();
    return this.applied.unflushed >= allowed;
  }

  /** Waits until upkeep has caught up, has ended for whatever reason, or a time has come. */
  async caughtUp(until: Ts): Promise<void> {
    this.wake();
    const { running } = this;
    while (running !== null && running === this.running && this.isOutrun && this.platform.now() < until) await this.platform.later(LOOK_AGAIN);
  }

  private isDue(): boolean {
    if (this.isNew && this.applied.manifest.segments.length >= LEFT_OVER) return true;
    return this.applied.unflushed >= this.options.flushAt || this.applied.builds.length > 0;
  }

  private loaded(): Promise<Work> {
    this.work ??= this.options.load().catch(() => {
      this.work = null;
      throw new NotLoaded();
    });
    return this.work;
  }
}

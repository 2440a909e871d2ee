// How the work of upkeep gives way: to appends, to requests, and to the end of its engine. Not where somebody waits
// for the work, too much lies in memory, or merging has fallen behind: what is late makes every request slower.
import type { Platform } from '../base/platform.ts';
import type { Applied } from './applied.ts';
import { lags } from './merge-policy.ts';
import { Overtaken, type Upkeep } from './upkeep.ts';

/** What work looks at before it goes on. */
export interface Around {
  readonly platform: Platform;
  readonly applied: Applied;
  /** Characters of log rows at which they go into blocks. */
  readonly flushAt: number;
  /** Resolves when no append is under way. */
  quiet(): Promise<void>;
  readonly upkeep: Pick<Upkeep, 'stopped' | 'awaited'>;
  /** How many requests have come to this engine, and how many of them it has not answered. */
  readonly requests: { readonly begun: number; readonly underWay: number };
}

/** What work gives way to: `now` only to appends, `soon` to requests, too, `later` also to the end of its engine, as another one can just as well begin it again. */
export type Pace = 'now' | 'soon' | 'later';

/**
 * Once this many times `flushAt` lies in memory, upkeep waits for nobody. Until then a burst of writes is hardly
 * held up. But whoever opens the log in the middle of the burst has all that to read, at some 6 ms a megabyte.
 */
export const HASTE = 8;
/** Work that can wait looks for requests every LOOK milliseconds. It goes on when a look finds neither one under way nor a new one, and in any case after LOOKS looks. */
const LOOK = 5;
const LOOKS = 10;

export class GivingWay {
  /** The requests that had come at the last look. */
  private seen = 0;

  constructor(private readonly around: Around) {}

  /** Whether so much lies in memory that the work waits for nobody. */
  readonly inHaste = (): boolean => this.around.applied.unflushed >= HASTE * this.around.flushAt;

  /** Gives others a turn, and an append the way, unless appends would leave none. @throws Overtaken where the work is left to another engine */
  async pause(pace: Pace): Promise<void> {
    const { platform, upkeep } = this.around;
    await platform.later(0);
    if (pace !== 'now') await this.toRequests();
    // Where merging has fallen behind it goes on nevertheless: every engine's life may be too short for it.
    if (pace === 'later' && upkeep.stopped && !this.lags) throw new Overtaken();
    if (!this.inHaste()) await this.around.quiet();
  }

  /** Lets requests go first, for a moment: where they never end, work goes on at a slower pace. */
  async toRequests(): Promise<void> {
    const { platform, requests, upkeep } = this.around;
    for (let looks = 0; looks < LOOKS && (requests.underWay > 0 || requests.begun !== this.seen); looks++) {
      if (upkeep.awaited > 0 || this.inHaste() || this.lags) return;
      this.seen = requests.begun;
      await platform.later(LOOK);
    }
  }

  private get lags(): boolean {
    return lags(this.around.applied.manifest.segments, this.around.flushAt);
  }
}

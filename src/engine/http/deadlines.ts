import type { Platform } from '../base/platform.ts';
import type { MaybePromise } from '../base/maybe.ts';
import { timedOut } from '../errors/codes.ts';

/** How often waiting requests are looked at, milliseconds. */
const TICK = 50;

interface Guarded {
  left: number;
  expire(): void;
}

/**
 * Ends waits that take too long. One timer serves all of them and runs only while there are
 * any; time is counted in its ticks, so a clock that is set back stops nothing.
 */
export class Deadlines {
  private readonly waiting = new Set<Guarded>();
  private ticking = false;
  /** How many waits have begun. */
  begun = 0;

  constructor(private readonly platform: Platform) {}

  /** How many waits are not over. One that took too long is. */
  get underWay(): number {
    return this.waiting.size;
  }

  /** What `work` resolves to, or a time-out after so many milliseconds. @throws HttpError `time out` */
  guard<T>(work: MaybePromise<T>, milliseconds: number): MaybePromise<T> {
    this.begun++;
    if (!(work instanceof Promise)) return work;
    return new Promise<T>((resolve, reject) => {
      const guarded: Guarded = { left: milliseconds, expire: () => reject(timedOut()) };
      this.waiting.add(guarded);
      const end = <A>(settle: (how: A) => void) => (how: A): void => {
        this.waiting.delete(guarded);
        settle(how);
      };
      work.then(end(resolve), end(reject));
      if (!this.ticking) void this.tick();
    });
  }

  private async tick(): Promise<void> {
    this.ticking = true;
    while (this.waiting.size > 0) {
      await this.platform.later(TICK);
      for (const guarded of this.waiting) {
        guarded.left -= TICK;
        if (guarded.left > 0) continue;
        this.waiting.delete(guarded);
        guarded.expire();
      }
    }
    this.ticking = false;
  }
}

// The budget of one request: how long it may run, and when it lets others have a turn.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import type { HttpError } from '../errors/fql-error.ts';
import { badRequest, timedOut } from '../errors/codes.ts';

/** The clock is looked at once in so many moves. */
const MOVES_PER_LOOK = 256;
/** A request that has run this long without waiting gives the others a turn (microseconds). */
const TURN: Ts = 30_000;
/** Compute as it is billed: one unit is 50 steps (reference: data/transactions.md §8). */
const STEPS_PER_UNIT = 50;
/** The service allowed 12,000; here nobody shares the machine, and the time limit is what counts. */
const MAX_UNITS = 2_000_000;

/** Levels on one stack, of the 400 or so that a browser's worker has room for. */
export const LEVELS_PER_STACK = 80;

export class Budget {
  steps = 0;
  /** Levels of expressions and sets that stand on the host's stack just now. */
  levels = 0;
  private moves = 0;
  private turnBegan: Ts;

  constructor(
    private readonly platform: Platform,
    /** Wall-clock time after which the request fails with a time-out. */
    private readonly deadline: Ts,
  ) {
    this.turnBegan = platform.now();
  }

  /** Units of compute spent so far, at least 1. */
  get computeOps(): number {
    return Math.max(1, Math.ceil(this.steps / STEPS_PER_UNIT));
  }

  /** Does what may come here again, level by level: what lies too deep waits for an empty stack. @throws HttpError when the time is used up */
  nest<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    if (this.levels >= LEVELS_PER_STACK) return Promise.resolve().then(() => this.nest(work));
    this.levels++;
    try {
      return andThen(this.move(), work);
    } finally {
      this.levels--;
    }
  }

  /**
   * Counts one step of work. Answers a promise when the request should pause here.
   * @throws HttpError when the time or the work allowed is used up
   */
  step(): MaybePromise<void> {
    this.steps++;
    return ++this.moves % MOVES_PER_LOOK === 0 ? this.look() : undefined;
  }

  /** A step that is not billed, or is by whoever takes it. Answers a promise as `step` does. @throws HttpError as `step` does */
  move(): MaybePromise<void> {
    return ++this.moves % MOVES_PER_LOOK === 0 ? this.look() : undefined;
  }

  private look(): MaybePromise<void> {
    const now = this.platform.now();
    if (now > this.deadline) throw timedOut();
    if (this.computeOps > MAX_UNITS) throw tooMuchCompute(this.computeOps);
    // A clock that was set back must not keep everybody else waiting.
    if (now - this.turnBegan < TURN && now >= this.turnBegan) return;
    return this.platform.later(0).then(() => {
      this.turnBegan = this.platform.now();
    });
  }
}

function tooMuchCompute(spent: number): HttpError {
  return badRequest(`Transaction does too much compute: got ${spent}, limit: ${MAX_UNITS}`);
}

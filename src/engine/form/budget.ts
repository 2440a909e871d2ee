// The budget of one request: how long it may run, and when it lets others have a turn.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { badRequest, timedOut } from '../errors/codes.ts';

/** The clock is looked at once every so many moves. */
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
  /** UTF-16 units of the strings that functions have made. */
  characters = 0;
  /** Moves until the clock is looked at. Once the budget is used up none is left, so that every further move fails, too. */
  private left = MOVES_PER_LOOK;
  private turnBegan: Ts;
  private isPaused = false;
  /** Branches of the request's work that go on when it is its turn again. */
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly platform: Platform,
    /** Wall-clock time after which the request fails with a time-out. */
    private readonly deadline: Ts,
  ) {
    this.turnBegan = platform.now();
  }

  /** One for a part of the work that may spend as much by itself. */
  share(): Budget {
    const part = new Budget(this.platform, this.deadline);
    part.levels = this.levels;
    part.turnBegan = this.turnBegan;
    return part;
  }

  /** What a part has spent counts here, too. As `step`. */
  spent({ steps }: Pick<Budget, 'steps'>): MaybePromise<void> {
    this.steps += steps;
    return this.move(steps);
  }

  /** Units of compute spent so far, at least 1. */
  get computeOps(): number {
    return Math.max(1, Math.ceil(this.steps / STEPS_PER_UNIT));
  }

  /**
   * Does work that may call this again, once for every level of nesting. Where the host's stack holds
   * too many levels already, the work goes on in a promise, from an empty stack.
   * @throws HttpError when the time is used up
   */
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
   * Counts one step of work, billed as so many. Answers a promise when the request should pause here.
   * @throws HttpError when the time or the work allowed is used up
   */
  step(steps = 1): MaybePromise<void> {
    this.steps += steps;
    return this.move();
  }

  /** The same as so many of `step`, but not billed, or billed by the caller. */
  move(count = 1): MaybePromise<void> {
    return (this.left -= count) > 0 ? undefined : this.look();
  }

  private look(): MaybePromise<void> {
    const now = this.platform.now();
    if (now > this.deadline) throw timedOut();
    const { computeOps } = this;
    if (computeOps > MAX_UNITS) throw badRequest(`Transaction does too much compute: got ${computeOps}, limit: ${MAX_UNITS}`);
    if (!this.isPaused) {
      // A clock that was set back must not keep everybody else waiting.
      if (now - this.turnBegan < TURN && now >= this.turnBegan) {
        this.left = MOVES_PER_LOOK;
        return;
      }
      this.isPaused = true;
      void this.platform.later(0).then(() => this.goOn());
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Lets the last branch to wait go on first: so work that branches out, as a list in GraphQL does, ends branch by branch, and few wait at a time. */
  private async goOn(): Promise<void> {
    this.isPaused = false;
    this.turnBegan = this.platform.now();
    this.left = MOVES_PER_LOOK;
    for (let next = this.waiting.pop(); next !== undefined; next = this.isPaused ? undefined : this.waiting.pop()) {
      next();
      // So that this branch goes on before the next one does.
      await undefined;
    }
  }
}

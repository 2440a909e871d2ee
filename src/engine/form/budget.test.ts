// A request gives others a turn, and ends when its time is used up, also where its work branches
// out and whoever does it takes every error for that of one branch.
import { describe, expect, it } from 'vitest';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { testPlatform } from '../../testing/platform.ts';
import { Budget } from './budget.ts';

const BREADTH = 8;

/** A tree whose branches are begun at once and wait for each other, as the fields of a GraphQL query. */
class Tree {
  leaves = 0;
  errors = 0;
  /** Begun, and not ended. */
  private open = 0;
  mostOpen = 0;

  constructor(private readonly budget: Budget) {}

  async grow(depth: number): Promise<void> {
    await this.branch(depth);
  }

  private branch(depth: number): MaybePromise<unknown> {
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    try {
      return andThen(this.budget.step(), () => andThen(this.within(depth), () => this.open--));
    } catch {
      this.errors++;
      this.open--;
    }
  }

  private within(depth: number): MaybePromise<unknown> {
    if (depth === 0) return this.leaves++;
    return Promise.all(Array.from({ length: BREADTH }, () => this.branch(depth - 1)));
  }
}

describe('the budget of a request', () => {
  it('lets others have a turn while all of its branches wait', async () => {
    // A millisecond passes with every look.
    const budget = new Budget(testPlatform(), Number.MAX_SAFE_INTEGER);
    const tree = new Tree(budget);
    let turns = 0;
    let isOver = false;
    const growing = tree.grow(6).then(() => (isOver = true));
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      turns++;
    }
    await growing;
    expect(tree.leaves).toBe(BREADTH ** 6);
    // Thirty looks, of 256 moves each.
    expect(turns).toBeGreaterThan(budget.steps / (256 * 31));
    expect(tree.mostOpen).toBeLessThan(2000);
  });

  it('ends soon after its time, whatever becomes of the errors', async () => {
    const platform = testPlatform();
    const budget = new Budget(platform, platform.now() + 100_000);
    const tree = new Tree(budget);
    await tree.grow(6);
    // A hundred looks.
    expect(tree.leaves).toBeGreaterThan(10_000);
    expect(tree.leaves).toBeLessThan(256 * 100);
    expect(tree.errors).toBeLessThan(500);
    expect(() => budget.move()).toThrow('Read timed out');
  });

  it('is spent by a part of the work only once that is told, with the turns it owes', async () => {
    const budget = new Budget(testPlatform(), Number.MAX_SAFE_INTEGER);
    const most = 2_000_000 * 50;
    budget.steps = most - 10;
    const part = budget.share();
    part.steps = most + 1;
    expect(() => part.move(256)).toThrow('too much compute');
    expect(budget.steps).toBe(most - 10);
    expect(budget.move(1)).toBeUndefined();
    const other = budget.share();
    other.steps = 1000;
    expect(() => budget.spent(other)).toThrow('too much compute');
    const slow = new Budget(testPlatform(), Number.MAX_SAFE_INTEGER);
    for (let looks = 0; looks < 29; looks++) expect(slow.move(256)).toBeUndefined();
    await expect.poll(() => slow.spent(other) instanceof Promise).toBe(true);
  });
});

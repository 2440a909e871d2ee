import { describe, expect, it } from 'vitest';
import { expectedElements, expectedEvents, pagesMeet } from '../../testing/laws/set.ts';
import { keepsHistory, World } from '../../testing/set-world.ts';

async function populated(seed: number, transactions: number): Promise<World> {
  const world = await World.make(seed);
  await world.makeIndexes();
  for (let count = 0; count < transactions; count++) await world.write();
  return world;
}

describe.each([1, 2, 3])('over random data of seed %i', (seed) => {
  it('pages of every set meet, forward and backward, at every size', async () => {
    const world = await populated(seed, 20);
    let pages = 0;
    for (const [name, set] of world.sets()) {
      pages += await pagesMeet(world, expectedElements(name, set, world, world.now));
    }
    expect(pages).toBeGreaterThan(1000);
  });

  it('pages of the events of every set that keeps them meet', async () => {
    const world = await populated(seed, 12);
    for (const [name, set] of world.sets().filter(([, candidate]) => keepsHistory(candidate))) {
      await pagesMeet(world, expectedEvents(name, set, world));
    }
  });
});

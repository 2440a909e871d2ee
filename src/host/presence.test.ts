import { expect, it } from 'vitest';
import { Gen } from '../testing/gen.ts';
import { PresenceModel } from '../testing/presence-model.ts';

const LIVES = 750;
const STEPS = 600;

it.each([1, 1_001, 2_001, 3_001])('who is alone has read all that was acknowledged, in lives from seed %i on', { timeout: 120_000 }, async (from) => {
  let [alone, changes] = [0, 0];
  for (let seed = from; seed < from + LIVES; seed++) {
    const life = new PresenceModel(new Gen(seed), STEPS);
    await life.run().catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    alone += life.answeredAlone;
    changes += life.changes;
  }
  // Or nothing would have been tried.
  expect(alone).toBeGreaterThan(LIVES);
  expect(changes).toBeGreaterThan(LIVES);
});

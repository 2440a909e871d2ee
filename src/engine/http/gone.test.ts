import { expect, it } from 'vitest';
import { putSpell, settled, withSleeper } from '../../testing/sleeper.ts';

it('a read whose block was merged away while its engine slept is no mistake of ours', async () => {
  const { awake, sleeper, sleepAt, hasCome, wake, pass } = await withSleeper('readBlocks');
  sleepAt(1);
  const reading = sleeper.query('{"get":{"ref":{"collection":"spells"},"id":"7"}}');
  await settled();
  expect(hasCome()).toBe(true);
  // The laptop sleeps, or the tab is frozen, for three minutes.
  pass(180_000_000);
  for (let n = 0; n < 20; n++) await awake.query(putSpell(1000 + n));
  await awake.engine.upkeep();
  wake();
  expect([200, 503]).toContain((await reading).status);
});

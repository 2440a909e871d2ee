import { expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { LogModel } from '../../testing/log-model.ts';

// `npm run test:log -- 20000` asks for more, and begins where it is told to.
const { VIVARIUM_LIVES = '1000', VIVARIUM_SEED = '1' } = process.env;
const [lives, seed] = [Number(VIVARIUM_LIVES), Number(VIVARIUM_SEED)];
const EACH = 250;
const parts = Array.from({ length: Math.ceil(lives / EACH) }, (_, at) => ({ from: seed + at * EACH, count: Math.min(EACH, lives - at * EACH) }));

it.each(parts)('engines that sleep, lose the line, are killed and tidy up answer as one: $count lives from seed $from on', { timeout: 120_000 }, async ({ from, count }) => {
  let requests = 0;
  for (let at = from; at < from + count; at++) {
    const life = new LogModel(new Gen(at), 24);
    await life.run().catch((error: unknown) => {
      throw new Error(`seed ${at}`, { cause: error });
    });
    requests += life.answered;
  }
  expect(requests).toBe(24 * count);
});

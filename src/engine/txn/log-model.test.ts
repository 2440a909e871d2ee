import { afterAll, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { LogModel } from '../../testing/log-model.ts';

// `npm run test:log -- 20000` asks for more, and begins where it is told to.
const { VIVARIUM_LIVES = '1000', VIVARIUM_SEED = '1' } = process.env;
const [lives, seed] = [Number(VIVARIUM_LIVES), Number(VIVARIUM_SEED)];
const EACH = 250;
const parts = Array.from({ length: Math.ceil(lives / EACH) }, (_, at) => ({ from: seed + at * EACH, count: Math.min(EACH, lives - at * EACH) }));

type Met = LogModel['met'];
/** In `EACH` lives, whatever their seeds: a half to a quarter of what they meet. */
const FLOORS: Met = {
  answered: 24 * EACH,
  'sent again': 500,
  'found applied already': 20,
  conflicts: 900,
  'appends to a log that was trimmed meanwhile': 10,
  'sleepers that lost the log': 50,
};
const kinds = Object.keys(FLOORS) as (keyof Met)[];
const add = (sum: Met, met: Met): void => kinds.forEach((kind) => (sum[kind] += met[kind]));
const nothing = (): Met => new LogModel(new Gen(0), 0).met;

const total = nothing();
afterAll(() => console.log(`${lives} lives: ${kinds.map((kind) => `${total[kind]} ${kind}`).join(', ')}`));

it.each(parts)('engines that sleep, lose the line, are killed and tidy up answer as one: $count lives from seed $from on', { timeout: 120_000 }, async ({ from, count }) => {
  const met = nothing();
  for (let at = from; at < from + count; at++) {
    const life = new LogModel(new Gen(at), 24);
    await life.run().catch((error: unknown) => {
      throw new Error(`seed ${at}`, { cause: error });
    });
    add(met, life.met);
  }
  add(total, met);
  expect(met.answered).toBe(24 * count);
  // A few lives, as where one is run again, may meet nothing of a kind.
  if (count === EACH) for (const kind of kinds) expect(met[kind], kind).toBeGreaterThanOrEqual(FLOORS[kind]);
});

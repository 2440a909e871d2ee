// `npm run test:random -- 1000000 [seed]`: so many random expressions, 500 of each seed, from a seed on that it prints.
import { runTool } from './run.mjs';
import { ensureModules, main } from './setup.mjs';

const [count = '1000000', seed = String(Math.floor(Math.random() * 1e9))] = process.argv.slice(2);

await main(async () => {
  if (!/^[1-9]\d*$/.test(count) || !/^\d+$/.test(seed)) throw new Error('How many expressions, and from which seed on? `npm run test:random -- 1000000 1`');
  await ensureModules();
  console.log(`${count} random expressions from seed ${seed} on`);
  const { code } = await runTool(
    'vitest/vitest.mjs',
    ['run', '--project=node', '--reporter=dot', 'src/engine/fql/properties.test.ts', '-t', 'random expressions', '--testTimeout=600000'],
    { env: { VIVARIUM_RANDOM: count, VIVARIUM_SEED: seed } },
  );
  if (code !== 0) throw new Error('Failures above are named by their seeds; `npm run test:random -- 500 SEED` runs one again.');
});

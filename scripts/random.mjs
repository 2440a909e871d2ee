// `npm run test:random -- 1000000 [seed]`: so many random expressions, 500 of each seed, from a seed on that it prints.
// `npm run test:log -- 20000 [seed]`: so many random lives of engines that share a log, each of a seed.
import { runTool } from './run.mjs';
import { ensureModules, main } from './setup.mjs';

const KINDS = {
  expressions: { count: '1000000', env: 'VIVARIUM_RANDOM', name: 'random expressions', again: 'npm run test:random -- 500 SEED', test: ['src/engine/fql/properties.test.ts', '-t', 'random expressions'] },
  log: { count: '20000', env: 'VIVARIUM_LIVES', name: 'random lives of engines on one log', again: 'npm run test:log -- 1 SEED', test: ['src/engine/txn/log-model.test.ts'] },
};

const args = process.argv.slice(2);
const isLog = args[0] === 'log';
const kind = KINDS[isLog ? 'log' : 'expressions'];
const [count = kind.count, seed = String(Math.floor(Math.random() * 1e9))] = args.slice(isLog ? 1 : 0);

await main(async () => {
  if (!/^[1-9]\d*$/.test(count) || !/^\d+$/.test(seed)) throw new Error(`How many, and from which seed on? \`${kind.again.replace('SEED', '1')}\``);
  await ensureModules();
  console.log(`${count} ${kind.name} from seed ${seed} on`);
  const { code } = await runTool('vitest/vitest.mjs', ['run', '--project=node', '--reporter=dot', ...kind.test, '--testTimeout=600000'], {
    env: { [kind.env]: count, VIVARIUM_SEED: seed },
  });
  if (code !== 0) throw new Error(`Failures above are named by their seeds; \`${kind.again}\` runs one again.`);
});

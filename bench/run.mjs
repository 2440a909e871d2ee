// `npm run bench`: speed in a real browser, beside other databases in the same run. Candidates
// take turns within each round; each run of one begins with an empty profile.
//
//   quick             one round of a few
//   --rounds N        default 5; 100,000 documents take a third of them, a million one
//   --size N          only with so many documents; default 10,000, 100,000 and, ours, 1,000,000
//   --only A,B        only candidates whose names contain one of these
//   --workloads W1,…  only these (and W2, which fills)
//   --profile         also where the time goes in the workers
//
// `npm run bench -- eval [TEXT]`: the engine alone, in Node; only cases whose names contain the text.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from '../scripts/browser.mjs';
import { npm, root, run, say } from '../scripts/run.mjs';
import { ensureModules, main } from '../scripts/setup.mjs';
import { CANDIDATES } from './candidates.mjs';
import { WORKLOADS } from './workloads.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    size: { type: 'string' },
    only: { type: 'string', default: '' },
    workloads: { type: 'string', default: WORKLOADS.map(({ name }) => name).join() },
    profile: { type: 'boolean', default: false },
  },
});
const quick = positionals[0] === 'quick';
const rounds = Number(values.rounds ?? (quick ? 1 : 5));

/** Documents, rounds, and the seconds a run of one candidate may take. */
const SIZES = [
  { documents: 10_000, rounds, limit: 180 },
  { documents: 100_000, rounds: Math.ceil(rounds / 3), limit: 400 },
  { documents: 1_000_000, rounds: 1, limit: 900 },
].filter(({ documents }) => (values.size === undefined ? !quick || documents === 10_000 : documents === Number(values.size)));

/** Milliseconds a workload may take. */
const CAP = 3000;

await main(async () => {
  await ensureModules();
  if (positionals[0] === 'eval') return evaluation();
  await browser();
});

async function evaluation() {
  const { buildEval } = await import('./build.mjs');
  const { code } = await run(process.execPath, [...process.execArgv, await buildEval(), ...positionals.slice(1)]);
  process.exitCode = code;
}

/** The peers are no dependency of ours: this command alone installs them. */
async function ensurePeers() {
  const folder = join(root, 'bench/peers');
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return;
  say('Installing the peers of bench/peers/package-lock.json (npm ci)');
  const { code } = await npm(['ci', '--prefix', folder, '--loglevel=error', '--no-audit', '--no-fund']);
  if (code !== 0) throw new Error('The peers could not be installed.');
}

function isWanted(/** @type {import('./candidates.mjs').Candidate} */ { name, quick: isQuick }) {
  if (values.only === '') return !quick || isQuick === true;
  return values.only.toLowerCase().split(',').some((text) => name.toLowerCase().includes(text));
}

async function browser() {
  const executable = await ensureBrowser();
  await ensurePeers();
  const { buildPeers, buildSite } = await import('./build.mjs');
  const { goalTable } = await import('./goals.mjs');
  const { measure } = await import('./measure.mjs');
  const { serve } = await import('./server.mjs');
  const { table } = await import('./table.mjs');

  say('Building the pages that are measured');
  const servers = { site: await serve(await buildSite(values.profile)), peers: await serve(await buildPeers()) };
  let version = '';
  try {
    for (const { documents, rounds, limit } of SIZES) {
      const candidates = CANDIDATES.filter((one) => isWanted(one) && (documents < 1_000_000 || one.huge === true));
      /** @type {import('./statistics.mjs').Round[]} */
      const done = [];
      for (let round = 0; round < rounds; round++) {
        say(`${documents.toLocaleString('en')} documents, round ${round + 1} of ${rounds}`);
        /** @type {import('./statistics.mjs').Round} */
        const results = {};
        // Not always the same one first: what came before leaves its traces.
        for (const { name, page } of candidates.map((_, at) => /** @type {typeof candidates[0]} */ (candidates[(at + round) % candidates.length]))) {
          const began = Date.now();
          const plan = { documents, cap: CAP, limit: limit * 1000, workloads: values.workloads.split(','), profile: values.profile };
          try {
            ({ results: results[name], browser: version } = await measure(executable, `http://localhost:${servers[page].port}/`, name, plan));
            console.log(`  ${name}: ${((Date.now() - began) / 1000).toFixed(0)} s`);
          } catch (error) {
            // The others go on; in the table it has no figures of this round.
            console.log(`  ${name}: ${error instanceof Error ? error.message : error}`);
          }
        }
        done.push(results);
      }
      console.log(table(done, candidates.map(({ name }) => name)));
      console.log(goalTable(done));
    }
  } finally {
    for (const server of Object.values(servers)) server.close();
  }
  console.log(version);
}

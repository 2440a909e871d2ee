// `npm run bench`: speed in a real browser, beside raw IndexedDB in the same run. Candidates
// take turns within each round; every round begins with an empty profile.
//
//   --rounds N      default 5
//   --documents N   in the database while it is measured; default 10,000
//   --repeat N      of each single operation; default 300
//   --only TEXT     only candidates whose names contain it
//
// `npm run bench -- eval [TEXT]`: the engine alone, in Node; only cases whose names contain the text.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from '../scripts/browser.mjs';
import { run, say } from '../scripts/run.mjs';
import { ensureModules, main } from '../scripts/setup.mjs';
import { BASELINE, CANDIDATES } from './candidates.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    documents: { type: 'string', default: '10000' },
    repeat: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
  },
});

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

async function browser() {
  const executable = await ensureBrowser();
  const { buildSite, cache } = await import('./build.mjs');
  const { launch } = await import('./devtools.mjs');
  const { serve } = await import('./server.mjs');
  const { lines } = await import('./statistics.mjs');
  const { table } = await import('./table.mjs');

  say('Building the page that is measured');
  const server = await serve(await buildSite());
  const plan = { documents: Number(values.documents), repeat: Number(values.repeat) };
  const names = CANDIDATES.filter((name) => name.toLowerCase().includes(values.only.toLowerCase()));
  /** @type {import('./statistics.mjs').Round[]} */
  const rounds = [];
  let version = '';
  try {
    for (let round = 1; round <= Number(values.rounds); round++) {
      say(`Round ${round} of ${values.rounds}`);
      const chromium = await launch(executable);
      version = chromium.version;
      try {
        rounds.push(await measure(chromium, server.port, names, plan, round));
      } finally {
        await chromium.close();
      }
    }
  } finally {
    server.close();
  }

  const measured = lines(rounds, BASELINE);
  console.log(table(measured, BASELINE));
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, browser: version, node: process.version };
  console.log(`\n${machine.browser}, ${machine.cores} × ${machine.cpu}; ${plan.documents} documents, ${values.rounds} rounds.`);
  await mkdir(cache, { recursive: true });
  const file = join(cache, 'bench.json');
  await writeFile(file, `${JSON.stringify({ machine, plan, baseline: BASELINE, lines: measured, rounds }, null, 2)}\n`);
  console.log(`Written to ${file}`);
}

/**
 * Each candidate has an origin of its own, so that none inherits another's storage or service worker.
 * @param {import('./devtools.mjs').Browser} chromium
 * @param {number} port
 * @param {readonly string[]} names
 * @param {{ documents: number, repeat: number }} plan
 * @param {number} round
 * @returns {Promise<import('./statistics.mjs').Round>}
 */
async function measure(chromium, port, names, plan, round) {
  /** @type {import('./statistics.mjs').Round} */
  const results = {};
  // Not always the same one first: what came before leaves its traces.
  const order = names.map((_, index) => names[(index + round) % names.length] ?? '');
  for (const name of order) {
    console.log(`  ${name}`);
    const host = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.localhost`;
    const page = await chromium.open(`http://${host}:${port}/`);
    results[name] = await page.evaluate(`bench(${JSON.stringify(name)}, ${JSON.stringify(plan)})`);
    await page.close();
  }
  return Object.fromEntries(names.map((name) => [name, results[name] ?? {}]));
}

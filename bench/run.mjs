// `npm run bench`: speed in a real browser, beside other databases in the same run. Candidates
// take turns within each round, each in a browser of its own with an empty profile.
//
//   quick             one round of a few
//   --rounds N        default 5; a whole run of so many takes an hour and a half, or longer
//   --size N          only with so many documents; default 10,000, 100,000 and, ours, 1,000,000
//   --only A,B        only candidates whose names contain one of these
//   --workloads W1,…  only these (and W2, which fills)
//   --profile         also where the time goes in the page and its workers
//   --write           also into the README: tables, and the picture beside them
//   --note TEXT       to stand there with them
//
// `npm run bench -- write`: the README's part again, from the results that are kept.
// `npm run bench -- eval [TEXT]`: the engine alone, in Node; only cases whose names contain the text.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from '../scripts/browser.mjs';
import { npm, root, run, say } from '../scripts/run.mjs';
import { ensureModules, main } from '../scripts/setup.mjs';
import { CANDIDATES } from './candidates.mjs';
import { writeReport } from './report.mjs';
import { keepResults, machine, readResults, versionsOfPeers } from './results.mjs';
import { WORKLOADS } from './workloads.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    size: { type: 'string' },
    only: { type: 'string', default: '' },
    workloads: { type: 'string', default: WORKLOADS.map(({ name }) => name).join() },
    profile: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    note: { type: 'string' },
  },
});
const quick = positionals[0] === 'quick';
const rounds = Number(values.rounds ?? (quick ? 1 : 5));

/** Documents, and the seconds a candidate may take for one workload. */
const SIZES = [
  { documents: 10_000, limit: 60 },
  { documents: 100_000, limit: 300 },
  { documents: 1_000_000, limit: 1800 },
].filter(({ documents }) => (values.size === undefined ? !quick || documents === 10_000 : documents === Number(values.size)));

const urlOf = (/** @type {{ port: number }} */ { port }) => `http://localhost:${port}/`;

/** Milliseconds a workload may take. */
const CAP = 1000;

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

/** All candidates that are wanted, with as many documents as are wanted, in the browser. */
async function comparison() {
  const executable = await ensureBrowser();
  await ensurePeers();
  const { buildPeers, buildSite } = await import('./build.mjs');
  const { goalTable, limitTable } = await import('./goals.mjs');
  const { plumbing, plumbingTable } = await import('./plumbing.mjs');
  const { serve } = await import('./server.mjs');
  const { table } = await import('./table.mjs');

  say('Building the pages that are measured');
  const site = await buildSite(values.profile);
  const servers = { site: await serve(site), constant: await serve(site), peers: await serve(await buildPeers()) };
  const urls = { site: urlOf(servers.site), constant: urlOf(servers.constant), peers: urlOf(servers.peers) };
  try {
    /** @type {Map<number, readonly import('./statistics.mjs').Round[]>} */
    const measured = new Map();
    for (const size of SIZES) {
      const candidates = CANDIDATES.filter((one) => isWanted(one) && (size.documents < 1_000_000 || one.huge === true));
      const isWhole = values.only === '' && !quick;
      const compared = isWhole && size.documents === 10_000 ? { plumbing: await plumbing(executable, urls) } : {};
      console.log(plumbingTable(compared.plumbing ?? []));
      for await (const { rounds: soFar, browser } of rounded(executable, urls, size, candidates)) {
        measured.set(size.documents, soFar);
        const about = { documents: size.documents, date: new Date().toISOString().slice(0, 10), browser, machine: machine(), versions: await versionsOfPeers() };
        // Kept round by round: a run that is cut short has measured something, too.
        if (values.write) await keepResults([{ ...about, ...(values.note === undefined ? {} : { note: values.note }), rounds: soFar, ...compared }]);
        if (soFar.length < rounds) continue;
        console.log(table(soFar, candidates.map(({ name }) => name)));
        console.log(goalTable(soFar));
      }
    }
    console.log(limitTable((documents) => measured.get(documents) ?? []));
  } finally {
    for (const server of Object.values(servers)) server.close();
  }
  if (values.write) await writeReport(await readResults());
}

/**
 * @param {string} executable
 * @param {Record<'site' | 'peers', string>} urls
 * @param {typeof SIZES[0]} size
 * @param {readonly import('./candidates.mjs').Candidate[]} candidates
 * @returns {AsyncGenerator<{ rounds: readonly import('./statistics.mjs').Round[], browser: string }>} after each round, all so far
 */
async function* rounded(executable, urls, { documents, limit }, candidates) {
  const { measure } = await import('./measure.mjs');
  const plan = { documents, cap: CAP, limit: limit * 1000, workloads: values.workloads.split(','), profile: values.profile };
  /** @type {import('./statistics.mjs').Round[]} */
  const all = [];
  for (let round = 0; round < rounds; round++) {
    say(`${documents.toLocaleString('en')} documents, round ${round + 1} of ${rounds}`);
    // In another order each time, as every candidate leaves its traces on the next.
    const turns = [...candidates.slice(round % candidates.length), ...candidates.slice(0, round % candidates.length)];
    const measured = await measure(executable, turns.map(({ name, page }) => ({ name, url: urls[page] })), plan);
    all.push(measured.round);
    yield { rounds: all, browser: measured.browser };
  }
}

await main(async () => {
  await ensureModules();
  if (positionals[0] === 'eval') return evaluation();
  if (positionals[0] === 'write') return writeReport(await readResults());
  await comparison();
});

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
import { ensureBrowser } from '../scripts/browser.mjs';
import { npm, root, run, say } from '../scripts/run.mjs';
import { ensureModules, main } from '../scripts/setup.mjs';
import { asked } from './arguments.mjs';
import { writeReport } from './report.mjs';
import { keepResults, machine, readResults, versionsOfPeers } from './results.mjs';

const urlOf = (/** @type {{ port: number }} */ { port }) => `http://localhost:${port}/`;

/** Milliseconds a workload may take. */
const CAP = 1000;

async function evaluation(/** @type {string} */ text) {
  const { buildEval } = await import('./build.mjs');
  const { code } = await run(process.execPath, [...process.execArgv, await buildEval(), text]);
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

/** All candidates that are wanted, with as many documents as are wanted, in the browser. */
async function comparison(/** @type {import('./arguments.mjs').Asked} */ wanted) {
  const executable = await ensureBrowser();
  await ensurePeers();
  const { buildPeers, buildSite } = await import('./build.mjs');
  const { goalTable, limitTable } = await import('./goals.mjs');
  const { plumbing, plumbingTable } = await import('./plumbing.mjs');
  const { serve } = await import('./server.mjs');
  const { table } = await import('./table.mjs');

  say('Building the pages that are measured');
  const site = await buildSite(wanted.profile);
  const servers = { site: await serve(site), constant: await serve(site), peers: await serve(await buildPeers()) };
  const urls = { site: urlOf(servers.site), constant: urlOf(servers.constant), peers: urlOf(servers.peers) };
  try {
    /** @type {Map<number, readonly import('./statistics.mjs').Round[]>} */
    const measured = new Map();
    for (const size of wanted.sizes) {
      const candidates = wanted.candidates.filter((one) => size.documents < 1_000_000 || one.huge === true);
      const compared = wanted.isWhole && size.documents === 10_000 ? { plumbing: await plumbing(executable, urls) } : {};
      console.log(plumbingTable(compared.plumbing ?? []));
      for await (const { rounds: soFar, browser } of rounded(executable, urls, size, candidates, wanted)) {
        measured.set(size.documents, soFar);
        const about = { documents: size.documents, date: new Date().toISOString().slice(0, 10), browser, machine: machine(), versions: await versionsOfPeers() };
        // Kept round by round: a run that is cut short has measured something, too.
        if (wanted.write) await keepResults([{ ...about, ...(wanted.note === undefined ? {} : { note: wanted.note }), rounds: soFar, ...compared }]);
        if (soFar.length < wanted.rounds) continue;
        console.log(table(soFar, candidates.map(({ name }) => name)));
        console.log(goalTable(soFar));
      }
    }
    console.log(limitTable((documents) => measured.get(documents) ?? []));
  } finally {
    for (const server of Object.values(servers)) server.close();
  }
  if (wanted.write) await writeReport(await readResults());
}

/**
 * @param {string} executable
 * @param {Record<'site' | 'peers', string>} urls
 * @param {import('./arguments.mjs').Size} size
 * @param {readonly import('./candidates.mjs').Candidate[]} candidates
 * @param {import('./arguments.mjs').Asked} wanted
 * @returns {AsyncGenerator<{ rounds: readonly import('./statistics.mjs').Round[], browser: string }>} after each round, all so far
 */
async function* rounded(executable, urls, { documents, limit }, candidates, { rounds, workloads, profile }) {
  const { measure } = await import('./measure.mjs');
  const plan = { documents, cap: CAP, limit: limit * 1000, workloads, profile };
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
  const wanted = asked(process.argv.slice(2));
  await ensureModules();
  if (wanted.command === 'eval') return evaluation(wanted.text);
  if (wanted.command === 'write') return writeReport(await readResults());
  await comparison(wanted);
});

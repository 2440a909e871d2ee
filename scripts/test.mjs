// `npm test`: sets up, runs every runner, and ends with the line `N passed, N failed`.
//
// `npm test -- unit` (or another of those below, or several) runs only that. A stage that fails does not stop the
// next. Each runner writes a JSON report, and the numbers come from those, not from what it prints.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findShell } from './browser.mjs';
import { ensureEngine } from './engines/find.mjs';
import { countPlaywright, countVitest, judge, summary } from './report.mjs';
import { root, runTool, say } from './run.mjs';
import { ensureBrowser, ensureModules, main } from './setup.mjs';
import { checkSizes } from './sizes.mjs';
import { checkTypes } from './types.mjs';

/** @typedef {import('./report.mjs').Count} Count */
/** @typedef {import('./engines/find.mjs').EngineName} EngineName */

const reports = join(root, 'node_modules/.cache/vivarium');
const minutes = (/** @type {number} */ n) => n * 60_000;

/**
 * The count in a runner's report, or null where it left none that can be read.
 * @template Report what the runner writes
 * @param {string} file
 * @param {(report: Report) => Count} count
 * @returns {Count | null}
 */
function readReport(file, count) {
  try {
    return existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8'))) : null;
  } catch {
    return null;
  }
}

async function types() {
  const bad = await checkTypes();
  return bad.length === 0
    ? { passed: 1, failed: 0, remarks: [] }
    : { passed: 0, failed: 1, remarks: [`does not compile: ${bad.join(', ')}`] };
}

/**
 * @typedef {object} Run
 * @property {EngineName | 'chromium'} [engine] Which browser it runs in, where it does.
 * @property {readonly string[]} [files] Those to run; none: all there are.
 * @property {number} [limit] Minutes.
 * @property {Record<string, string>} [env] Added to the environment.
 */

/**
 * @param {string} project
 * @param {Run} [run]
 * @returns {() => Promise<Count>}
 */
const vitest = (project, { engine = 'chromium', files = [], limit = 10, env = {} } = {}) => async () => {
  const file = join(reports, `${project}-${engine}.json`);
  const ended = await runTool('vitest/vitest.mjs', [
    'run', `--project=${project}`, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...files,
  ], { env: { VIVARIUM_ENGINE: engine, ...env }, limit: minutes(limit) });
  return judge(readReport(file, countVitest), ended);
};

/** @type {Promise<{ code: number, trouble: string | null }> | null} */
let building = null;
/** The site, built once for all stages that open it. */
const build = () => (building ??= runTool('vite/bin/vite.js', ['build', '--logLevel', 'warn'], { limit: minutes(5) }));

/**
 * @param {Run} [run]
 * @returns {() => Promise<Count>}
 */
const playwright = ({ engine = 'chromium', files = [], limit = 45, env = {} } = {}) => async () => {
  const built = await build();
  if (built.code !== 0) return judge(null, { ...built, trouble: 'not run: the build failed' });
  const file = join(reports, `e2e-${engine}.json`);
  const ended = await runTool('playwright/cli.js', ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json', ...files], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, VIVARIUM_ENGINE: engine, ...env },
    limit: minutes(limit),
  });
  return judge(readReport(file, countPlaywright), ended);
};

/** @returns {Count} */
const together = (/** @type {Count} */ one, /** @type {Count} */ other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  remarks: [...one.remarks, ...other.remarks],
  failures: [...one.failures ?? [], ...other.failures ?? []],
});

async function e2e() {
  const site = await playwright()();
  // What was not built weighs nothing.
  const tooLarge = (await build()).code === 0 ? checkSizes() : [];
  return together(site, { passed: 0, failed: tooLarge.length, remarks: tooLarge });
}

/** @returns {() => Promise<Count>} */
const inEngine = (/** @type {EngineName} */ engine) => async () => {
  try {
    await ensureEngine(engine);
  } catch (error) {
    return judge(null, { code: 1, trouble: `not run: ${error instanceof Error ? error.message : error}` });
  }
  return together(await vitest('browser', { engine })(), await playwright({ engine })());
};

/** In the order they run: quick ones first. */
const stages = [
  { name: 'types', title: 'Types, each environment by itself', needsBrowser: false, run: types },
  { name: 'unit', title: 'Unit tests in Node', needsBrowser: false, run: vitest('node', { limit: 20 }) },
  { name: 'cold', title: 'The engine once more, with nothing in memory', needsBrowser: false, run: vitest('cold') },
  { name: 'browser', title: 'Storage and worker tests in the browser', needsBrowser: true, run: vitest('browser') },
  { name: 'e2e', title: 'Build, then the built site in the browser', needsBrowser: true, run: e2e },
  { name: 'firefox', title: 'Storage, then the built site, in Firefox', needsBrowser: false, run: inEngine('firefox') },
  { name: 'webkit', title: 'Storage, then the built site, in WebKit', needsBrowser: false, run: inEngine('webkit') },
];

/** Longer trials, run only where they are named. */
const trials = [
  { name: 'sizes', title: 'A million index entries, a hundred thousand documents, ten thousand versions', needsBrowser: false, run: vitest('node', { files: ['sizes.test.ts'], limit: 60, env: { VIVARIUM_SIZES: 'full' } }) },
  { name: 'lives', title: '20,000 random lives of engines that share a log', needsBrowser: false, run: vitest('node', { files: ['log-model.test.ts'], limit: 60, env: { VIVARIUM_LIVES: '20000', VIVARIUM_SEED: String(Math.floor(Math.random() * 1e9)) } }) },
  { name: 'faults', title: '500 kills in the middle of writing', needsBrowser: true, run: playwright({ files: ['kills.spec.ts'], limit: 60, env: { VIVARIUM_KILLS: '500' } }) },
];

await main(async () => {
  const asked = process.argv.slice(2);
  const all = [...stages, ...trials];
  const unknown = asked.filter((name) => !all.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Error(`No such stage: ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`);
  }
  const chosen = asked.length === 0 ? stages : all.filter(({ name }) => asked.includes(name));

  await ensureModules();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });

  // Without a browser the other stages still tell something.
  let noBrowser = '';
  if (chosen.some(({ needsBrowser }) => needsBrowser)) {
    try {
      const browser = (process.env['VIVARIUM_CHROMIUM'] = await ensureBrowser());
      const shell = (process.env['VIVARIUM_SHELL'] = findShell() ?? browser);
      say(`Tests run in ${browser}${shell === browser ? '' : `, and in ${shell} what needs no window`}`);
    } catch (error) {
      noBrowser = String(error instanceof Error ? error.message : error);
      console.error(`\n${noBrowser}`);
    }
  }

  const rows = [];
  for (const { name, title, needsBrowser, run } of chosen) {
    say(title);
    const start = performance.now();
    const count = needsBrowser && noBrowser
      ? judge(null, { code: 1, trouble: 'not run: there is no browser' })
      : await run();
    rows.push({ name, count, seconds: (performance.now() - start) / 1000 });
  }
  process.exitCode = rows.every(({ count }) => count.failed === 0) ? 0 : 1;
  console.log(`\n${summary(rows)}`);
});

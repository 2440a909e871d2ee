// Sets up what a fresh clone lacks. Everything here runs on Node alone, before anything is installed.
//
// `node scripts/setup.mjs` does all of it; `npm start` and `npm test` call the parts they need.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { isMain, npm, root, say } from './run.mjs';

export { ensureBrowser };

/** What the build tool needs: of these lines of Node at least that version, and any later line. */
const LINES = new Map([[20, 19], [22, 12]]);
const isFit = (/** @type {number} */ major, /** @type {number} */ minor) => minor >= (LINES.get(major) ?? (major > 22 ? 0 : Infinity));

/** @returns {Record<string, { version?: string, optional?: boolean, peer?: boolean }>} */
const packagesOf = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

/** True if every package of the lock file is there in its version (npm keeps its own copy of what it installed). */
function modulesMatch() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(join(root, record))) return false;
  const present = packagesOf(record);
  return Object.entries(packagesOf('package-lock.json')).every(([path, wanted]) => {
    if (path === '') return true;
    const found = present[path];
    // An optional package is often for another system, and then rightly missing.
    return found === undefined ? wanted.optional === true : found.version === wanted.version;
  });
}

export async function ensureModules() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (!isFit(major, minor)) throw new Error(`Vivarium is built with Node 20.19, 22.12 or later; this is ${process.versions.node}.`);
  if (modulesMatch()) return;
  say('Installing the packages of package-lock.json (npm ci)');
  // The build tools are development dependencies: needed whatever NODE_ENV says.
  const { code, trouble } = await npm(['ci', '--include=dev', '--loglevel=warn']);
  if (code !== 0) throw new Error(`npm ci ${trouble ?? `failed with code ${code}`}.`);
}

/** Runs a script's main function; what it throws is shown as the sentence it is. */
export async function main(/** @type {() => Promise<void>} */ body) {
  try {
    await body();
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

if (isMain(import.meta.filename)) {
  await main(async () => {
    await ensureModules();
    say(`Ready. Tests run in ${await ensureBrowser()}`);
  });
}

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

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Package */
/** @returns {Record<string, Package>} */
const packagesOf = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

/** Which of Linux' two C libraries Node runs on. */
function libc() {
  const { header } = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/** Whether an optional package is one for this very system: others are rightly missing. @param {Package} wanted */
const isForHere = ({ os, cpu, libc: of }) => os?.includes(process.platform) === true && cpu?.includes(process.arch) === true && (of?.includes(libc()) ?? true);

/** True if every package of the lock file is there in its version (npm keeps its own copy of what it installed). */
function modulesMatch() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(join(root, record))) return false;
  const present = packagesOf(record);
  return Object.entries(packagesOf('package-lock.json')).every(([path, wanted]) => {
    if (path === '') return true;
    const found = present[path];
    return found === undefined ? wanted.optional === true && !isForHere(wanted) : found.version === wanted.version;
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
  // npm, when it is ended, ends the shell between us and not us.
  const parent = process.ppid;
  const look = () => { if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM'); };
  if (process.env['npm_lifecycle_event'] !== undefined) setInterval(look, 1000).unref();
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

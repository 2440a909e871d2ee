// Records older builds, which tests open beside the present one: `npm run older-builds`, in a clone with its history.
// They are made of their commits by the tools of today. Add the last one before a change of what is stored, or of what
// engines, pages and service workers tell each other: such a build and those to come have to get on.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { root } from './run.mjs';

const target = 'e2e/support/builds/older.json.br';

/** The last of storage format 2; of format 3 the first whose engines see those of today. */
const COMMITS = {
  'format 2': '375a04dcb4030a5ffaf4dcd4ef86240b9b3f9117',
  'format 3': 'df4fc14239360e9c46584c35dfabce2d1d9fb0ff',
};

/** The service worker's scripts import nothing, but the first of them names every file of the site. */
const SCRIPTS = ['sw.js', 'sw-engine.js'];

/**
 * What a page loads that opens a database, by name.
 * @param {string} dist
 */
function runtimeOf(dist) {
  const all = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const read = (/** @type {string} */ name) => readFileSync(join(dist, name), 'utf8');
  const found = new Map(['vivarium.js', ...SCRIPTS].map((name) => [name, read(name)]));
  for (const [name, text] of found) {
    if (SCRIPTS.includes(name)) continue;
    const loaded = all.filter((other) => /-.{8}\.js$/.test(other) && !found.has(other) && text.includes(basename(other)));
    for (const other of loaded) found.set(other, read(other));
  }
  return Object.fromEntries(found);
}

/** @param {string} commit */
function build(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'vivarium-build-'));
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    git('worktree', 'add', '--quiet', '--force', '--detach', folder, commit);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error', '--base', './'], { cwd: folder, stdio: 'inherit' });
    return { commit, files: runtimeOf(join(folder, 'dist')) };
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}

const builds = Object.fromEntries(Object.entries(COMMITS).map(([name, commit]) => [name, build(commit)]));
// In one piece: much of one is in the other, and the engine in each of them twice.
const bytes = Buffer.from(JSON.stringify(builds));
const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
writeFileSync(join(root, target), packed);
console.log(`Recorded: ${target}, ${Math.round(packed.length / 1000)} KB`);

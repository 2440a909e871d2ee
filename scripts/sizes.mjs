// How much of the built site a visitor downloads, and how much each part may weigh.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';

const dist = join(root, 'dist');

/** KB (1000 bytes) of gzip for all files a pattern names; paths are relative to `dist/`. */
const budgets = [
  { part: 'page API', files: /^assets\/(?:page|vivarium)-[^/]*\.js$/, limit: 10 },
  { part: 'engine', files: /^assets\/(?:worker|engine)-[^/]*\.js$/, limit: 80 },
  { part: 'graphql', files: /^assets\/graphql-[^/]*\.js$/, limit: 50 },
  { part: 'service worker, first script', files: /^sw\.js$/, limit: 10 },
];

const kilobytes = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(1).padStart(8);

/**
 * Prints the gzip size of every script in `dist/`.
 * @returns {string[]} what is over its budget, in words
 */
export function checkSizes() {
  const paths = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : [];
  const scripts = paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.js'))
    .map((path) => ({ path, size: gzipSync(readFileSync(join(dist, path)), { level: 9 }).length }))
    .sort((a, b) => b.size - a.size);

  console.log('\nKB gzip  script');
  for (const { path, size } of scripts) console.log(`${kilobytes(size)} ${path}`);

  console.log('\nKB gzip  budget  part');
  return budgets.flatMap(({ part, files, limit }) => {
    const found = scripts.filter(({ path }) => files.test(path));
    if (found.length === 0) {
      console.log(`       -${String(limit).padStart(8)}  ${part}: no file matches ${files} yet`);
      return [];
    }
    const size = found.reduce((sum, script) => sum + script.size, 0);
    const over = size > limit * 1000;
    console.log(`${kilobytes(size)}${String(limit).padStart(8)}  ${part}${over ? ': OVER' : ''}`);
    return over ? [`${part} weighs ${kilobytes(size).trim()} KB of ${limit}`] : [];
  });
}

// How much of the built site a visitor downloads, and how much each part may weigh.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';

const dist = join(root, 'dist');

/** KB (1000 bytes) of gzip for all files a pattern names; paths are relative to `dist/`. */
const budgets = [
  { part: 'page API', files: /^vivarium\/(?:page|byte-stream)-/, limit: 10 },
  // All that stands before the first answer of a plain query, beside the worker's own file.
  { part: 'engine', files: /^vivarium\/engine-/, limit: 79.8 },
  { part: 'worker around it', files: /^vivarium\/worker-/, limit: 4 },
  { part: 'functions of text, multisets, unions, counts and the like, on first use', files: /^vivarium\/(?:text-library|accurate|multiset|combine|join-targets|tally)-/, limit: 25 },
  { part: 'graphql, on first use', files: /^vivarium\/graphql-/, limit: 50 },
  { part: 'status, transfers and live queries of the page API, on first use', files: /^vivarium\/rare-/, limit: 3 },
  { part: 'export and import, on first use', files: /^vivarium\/database-file-/, limit: 10 },
  { part: 'REST paths, identities, preflights, histories, moved databases, roles, passwords, tokens, writes of schemas and history, on first use', files: /^vivarium\/(?:rest-query|authorized|preflight|histories|move-database|prepare|history|roles|credentials|sign-in)-/, limit: 17 },
  { part: 'upkeep, building of indexes, memory in place of storage, resets, on first use', files: /^vivarium\/(?:upkeep-part|build-index|index-builds|sorting|memory|emptying)-/, limit: 10 },
  { part: 'scoped secrets and web tokens, on first use', files: /^vivarium\/(?:scoped|web-token|z-base32|token-caller|issuers)-/, limit: 4 },
  { part: 'hashes of secrets and passwords that came from the original, on first use', files: /^vivarium\/bcrypt-/, limit: 2 },
  { part: 'streams, on first use', files: /^vivarium\/(?:stream|live|observe|diff|events)-/, limit: 10 },
  { part: 'playground', files: /^assets\//, limit: 350 },
  { part: 'copies of databases as they are, on its own', files: /^raw-copy\.js$/, limit: 4 },
  { part: 'service worker, first script', files: /^sw\.js$/, limit: 10 },
  // All of the above that it may need without a page, in one script.
  { part: 'service worker, engine', files: /^sw-engine\.js$/, limit: 175 },
];

/** What no row names, so that nothing new goes unweighed. */
const rest = { part: 'all the rest', files: { test: (/** @type {string} */ path) => !budgets.some(({ files }) => files.test(path)) }, limit: 5 };

const kilobytes = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(2).padStart(8);

/**
 * Prints the gzip size of every script in `dist/`.
 * @returns {string[]} what is over its budget, or weighs nothing as its files are called otherwise now, in words
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
  return [...budgets, rest].flatMap(({ part, files, limit }) => {
    const found = scripts.filter(({ path }) => files.test(path));
    const size = found.reduce((sum, script) => sum + script.size, 0);
    const over = size > limit * 1000;
    console.log(`${kilobytes(size)}${String(limit).padStart(8)}  ${part}${over ? ': OVER' : ''}`);
    if (found.length === 0 && files instanceof RegExp) return [`${part}: no file matches ${files}`];
    return over ? [`${part} weighs ${kilobytes(size).trim()} KB of ${limit}`] : [];
  });
}

// What is measured is built as what is shipped: the site's own settings, another page.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../scripts/run.mjs';

export const cache = join(root, 'node_modules/.cache/vivarium');

/**
 * @param {boolean} readable names in it stay what they are, for profiles
 * @returns {Promise<string>} the folder of the page
 */
export async function buildSite(readable) {
  const outDir = join(cache, 'bench-site');
  await build({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'bench/site'),
    publicDir: join(root, 'bench/site/public'),
    logLevel: 'warn',
    // Merged with the site's own, of which this takes the playground's place.
    build: { outDir, emptyOutDir: true, minify: readable ? false : 'oxc', rolldownOptions: { input: { index: join(root, 'bench/site/index.html') } } },
  });
  return outDir;
}

/** @returns {Promise<string>} the folder of the peers' page; apart, as our site has all its files in the cache of its service worker */
export async function buildPeers() {
  const outDir = join(cache, 'bench-peers');
  await build({
    configFile: false,
    root: join(root, 'bench/peers'),
    publicDir: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2022' },
  });
  return outDir;
}

/** @returns {Promise<string>} a script for Node */
export async function buildEval() {
  const outDir = join(cache, 'bench-eval');
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, ssr: join(root, 'bench/eval/main.ts'), target: 'node20', minify: false, rolldownOptions: { output: { entryFileNames: 'main.mjs' } } },
  });
  return join(outDir, 'main.mjs');
}

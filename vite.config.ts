// The site: the page and its worker as modules, and beside them two classic scripts for the
// service worker, which may neither import nor carry a hash in its name.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, defineConfig, normalizePath } from 'vite';
import type { Plugin } from 'vite';
import { compiledWhole } from './scripts/compile-hint.ts';
import { withoutFormDocs } from './scripts/form-docs.ts';
import { functionReference } from './scripts/function-reference.ts';
import { noted } from './scripts/notices.ts';
import { packageFiles } from './scripts/package-files.ts';
import { partsInside } from './scripts/parts-inside.ts';
import { withPlainImports } from './scripts/plain-imports.ts';
import { withoutRuntimeChunk } from './scripts/runtime-chunk.ts';
import { isOfPackage, isRuntime, isScript, MODULES, RUNTIME_FOLDER } from './scripts/runtime-files.ts';
import type { Script } from './scripts/runtime-files.ts';
import { squeezed } from './scripts/squeeze.ts';

const src = resolve(import.meta.dirname, 'src');
/** The name that the build tool has for a file of the source. */
const idOf = (path: string): string => normalizePath(join(src, path));

/** Files that any page needs keep apart from the playground's. */
const RUNTIME_NAME = `${RUNTIME_FOLDER}[name]-[hash].js`;
const isPlayground = (id: string): boolean => id.startsWith(idOf('playground/'));

/** Plugins that take long are no news: the second minifier and the function reference do. */
const CHECKS = { bundlerTimings: false };

/** `npm run build` weighs all files itself, against budgets of their own. */
const UNWEIGHED = { chunkSizeWarningLimit: Infinity };

/** For all that holds the engine. */
const ENGINE = {
  checks: CHECKS,
  // Checks of graphql-js on the code that calls it, in full force in tests; a schema is checked at its import. And what
  // idb adds to databases and cursors, where stores are enough.
  treeshake: { manualPureFunctions: ['devAssert', 'assertValidSchema', 'replaceTraps'] },
  // Notes to the bundler, of no use after it.
  output: { comments: { annotation: false } },
};

/** Lets graphql-js see that this is production; else it looks for a second copy of itself at every step. */
const DEFINES = { 'globalThis.process': 'true' };

export default defineConfig({
  define: DEFINES,
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    ...UNWEIGHED,
    rolldownOptions: {
      checks: CHECKS,
      // The playground, and under names of their own, for any page to import, the page API and what copies a database as it is.
      input: { index: resolve(import.meta.dirname, 'index.html'), vivarium: join(src, 'page/index.ts'), 'raw-copy': join(src, 'storage/raw-copy.ts') },
      // Code that the playground shares with `vivarium.js` is in a file whose name tells its version.
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: ({ name }) => (MODULES.includes(`${name}.js`) ? '[name].js' : 'assets/[name]-[hash].js'),
        chunkFileNames: ({ moduleIds }) => (moduleIds.some(isPlayground) ? 'assets/[name]-[hash].js' : RUNTIME_NAME),
      },
    },
  },
  worker: {
    format: 'es',
    plugins: () => [withoutFormDocs(), withoutRuntimeChunk(), squeezed(), compiledWhole('engine'), noted()],
    // What is loaded later shares code with the engine, which therefore has a file beside the worker's own: WebKit
    // runs a worker's file a second time where it is imported, and the classes of the two are strangers to each other.
    rolldownOptions: {
      ...ENGINE,
      output: {
        ...ENGINE.output,
        entryFileNames: RUNTIME_NAME,
        chunkFileNames: RUNTIME_NAME,
        codeSplitting: { groups: [{ name: 'engine', test: /src[\\/]host[\\/]page-engine\.ts$/ }] },
      },
    },
  },
  server: { port: 5173 },
  plugins: [anywhere(), functionReference(), withPlainImports(), squeezed(), noted(), serviceWorker(), packageFiles()],
});

/** Wherever the site is put, it works: whatever base is asked for, its own scripts find each other beside themselves. */
function anywhere(): Plugin {
  return { name: 'vivarium:anywhere', config: (_config, { command }) => (command === 'build' ? { base: './' } : undefined) };
}

function serviceWorker(): Plugin {
  let outDir = '';
  let base = '';
  return {
    name: 'vivarium:service-worker',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
      base = config.base;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        if (this.environment.config.command !== 'build') return;
        await buildScript('sw-engine.js', {}, outDir);
        const files = filesOf(outDir).filter((file) => !isScript(file) && !isOfPackage(file));
        await buildScript('sw.js', defines(files, hashOf(outDir, filesOf(outDir)), sha256(join(outDir, 'sw-engine.js'))), outDir);
      },
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = request.url?.split('?', 1)[0]?.slice(base.length) ?? '';
        if (!isScript(name)) return next();
        // None: while developing, files come from the server or not at all.
        buildScript(name, defines([], 'dev', '')).then((code) => {
          response.setHeader('content-type', 'text/javascript');
          response.setHeader('cache-control', 'no-store');
          response.end(code);
        }, next);
      });
    },
  };
}

/**
 * @param files that may be kept, relative to the site's base
 * @param engine the hash of the service worker's own engine; none where that may change under it
 */
function defines(files: readonly string[], version: string, engine: string): Record<string, string> {
  const values = { RUNTIME: files.filter(isRuntime), PLAYGROUND: files.filter((file) => !isRuntime(file)), VERSION: version, ENGINE: engine };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`__VIVARIUM_${name}__`, JSON.stringify(value)]));
}

/** Files of whole databases, resets, and live queries, which pages ask of their own engine, and never of the service worker's; and what only makes counting faster. */
const FOR_PAGES = ['engine/transfer/database-file.ts', 'engine/http/routes/live.ts', 'engine/set/tally.ts', 'storage/emptying.ts'].map(idOf);

function withoutPageWork(): Plugin {
  return { name: 'vivarium:without-page-work', load: (id) => (FOR_PAGES.includes(id) ? 'export {};' : null) };
}

/** Builds one script into a folder, or only returns its text. */
async function buildScript(name: Script, define: Record<string, string>, outDir?: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [withoutFormDocs(), withoutPageWork(), partsInside(), squeezed(), noted()],
    define: { ...define, ...DEFINES, 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      write: outDir !== undefined,
      ...(outDir === undefined ? {} : { outDir }),
      emptyOutDir: false,
      // While developing, nobody waits for smaller ones.
      minify: outDir !== undefined,
      lib: { entry: join(src, 'sw', name.replace('.js', '.ts')), formats: ['iife'], name: 'vivarium', fileName: () => name },
      ...UNWEIGHED,
      rolldownOptions: { ...ENGINE, output: { ...ENGINE.output, codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) throw new Error(`${name} was not built`);
  return output.output[0].code;
}

/** All files below a folder, as addresses relative to it, in a fixed order. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('base64');

function hashOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    // An earlier build's script, still there when the folder is not emptied, says nothing of this one.
    if (file !== 'sw.js') hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

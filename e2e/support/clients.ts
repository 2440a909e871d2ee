// Clients from npm, unmodified, in the page: bundled for the browser as an application
// would, and only for the tests.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { build } from 'vite';

export type Bundled = 'faunadb-1' | 'graphql-request' | 'apollo';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const bundles = new Map<Bundled, Promise<string>>();

/** Puts a client on the page's `window`, under the name its file says. */
export async function loadClient(page: Page, name: Bundled): Promise<void> {
  const bundle = bundles.get(name) ?? bundled(name);
  bundles.set(name, bundle);
  await page.addScriptTag({ content: await bundle });
}

/** Puts `faunadb` 4.8.2 on the page's `window`: the browser build of its own package. */
export async function loadDriver4(page: Page): Promise<void> {
  await page.addScriptTag({ content: await readFile(here('../../node_modules/faunadb/dist/faunadb.js'), 'utf8') });
}

async function bundled(name: Bundled): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { util: here('clients/node-util.ts') } },
    build: {
      write: false,
      minify: false,
      lib: { entry: here(`clients/${name}.ts`), formats: ['iife'], name: 'client' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) throw new Error(`${name} was not bundled`);
  return output.output[0].code;
}

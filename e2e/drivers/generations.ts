// The generations of the official JavaScript driver, oldest first, each as its package gives it.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { bundle } from '../support/bundle.ts';
import type { Generation } from './cases.ts';

/** Where a generation comes from: the browser build of its own package, or, before there was one, what a bundler makes of it. */
const FILES: Readonly<Record<Generation, { readonly built?: string; readonly entry?: string }>> = {
  '0.2.4': { entry: 'faunadb-0/index.js' },
  '1.1.2': { entry: 'faunadb-1/index.js' },
  '2.0.0': { entry: 'faunadb-2.0/index.js' },
  '2.14.2': { built: 'faunadb-2/dist/faunadb.js' },
  '3.0.1': { built: 'faunadb-3/dist/faunadb.js' },
  '4.8.2': { built: 'faunadb/dist/faunadb.js' },
};

const inModules = (file: string): string => fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url));

/** Puts the driver on the page's `window`, as `faunadb`. */
export async function loadDriver(page: Page, generation: Generation): Promise<void> {
  const { built, entry } = FILES[generation];
  const content = built !== undefined ? await readFile(inModules(built), 'utf8') : await bundle(inModules(entry ?? ''), 'faunadb');
  // A script that fails tells nobody, and the one before would answer in its place.
  await page.evaluate(() => void Object.assign(window, { faunadb: undefined }));
  await page.addScriptTag({ content });
}

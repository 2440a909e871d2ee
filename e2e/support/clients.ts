// Clients from npm, unmodified, in the page.
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { bundle } from './bundle.ts';

/** Puts a client on the page's `window`, under the name its file says. */
export async function loadClient(page: Page, name: 'graphql-request' | 'apollo' | 'urql' | 'fauna'): Promise<void> {
  await page.addScriptTag({ content: await bundle(fileURLToPath(new URL(`clients/${name}.ts`, import.meta.url)), 'client') });
}

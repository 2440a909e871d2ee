// Pages that may store nothing at all, as the browser's user wants it: for the site, or for a frame of another one.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Frame } from 'playwright/test';
import { findBrowser, launchFlags } from '../scripts/browser.mjs';
import { expect, test as base } from './support/test.ts';

/** In a browser with these settings of its user's. */
const test = base.extend<{ readonly settings: object; readonly context: BrowserContext }>({
  settings: [{}, { option: true }],
  context: async ({ settings, baseURL }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'vivarium-e2e-'));
    await mkdir(join(folder, 'Default'));
    await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify({ profile: settings }));
    const executablePath = findBrowser();
    const context = await chromium.launchPersistentContext(folder, { ...(executablePath === null ? {} : { executablePath }), ...(baseURL === undefined ? {} : { baseURL }), args: [...launchFlags] });
    await use(context);
    await context.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

/** Runs in a page: what it can do with a database, and what the browser says to storage of its own. */
async function use(): Promise<unknown> {
  const asked = indexedDB.open('own');
  const refusal = await new Promise((resolve) => {
    asked.onsuccess = () => resolve('stored');
    asked.onerror = () => resolve(asked.error?.name);
  });
  const { open } = (await import(new URL('/vivarium.js', location.href).href)) as { open(): Promise<Record<'query' | 'status' | 'reset' | 'close', (expression?: unknown) => Promise<unknown>>> };
  const db = await open();
  await db.query({ create_collection: { object: { name: 'spells' } } });
  const post = (): Promise<string> => fetch('/', { method: 'POST', headers: { authorization: 'Bearer secret' }, body: '{"exists":{"collection":"spells"}}' }).then((response) => response.text());
  const { backend, persistent } = (await db.status()) as { readonly backend: string; readonly persistent: boolean };
  const told = [refusal, await post(), backend, persistent];
  await db.reset();
  const left = await db.query({ exists: { collection: 'spells' } });
  await db.close();
  return [...told, left];
}

const IN_MEMORY = ['UnknownError', '{"resource":true}', 'memory', false, false];

test.describe('where the user lets no site store anything', () => {
  test.use({ settings: { default_content_setting_values: { cookies: 2 } } });

  test('data live in memory', async ({ page }) => {
    await page.route('**/plain.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto('/plain.html');
    expect(await page.evaluate(use)).toEqual(IN_MEMORY);
  });
});

test.describe('where the user lets frames of other sites store nothing', () => {
  test.use({ settings: { cookie_controls_mode: 1 } });

  test('data of such a frame live in memory', async ({ page }) => {
    await page.route('**/plain.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto('/plain.html');
    const frame = page.url();
    const other = frame.replace('localhost', '127.0.0.1');
    await page.route(other, (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><iframe src="${frame}"></iframe>` }));
    await page.goto(other);
    await expect.poll(() => page.frames().length).toBe(2);
    const inside = page.frames()[1] as Frame;
    await inside.waitForLoadState();
    expect(await inside.evaluate(use)).toEqual(IN_MEMORY);
  });
});

// The pages of a browser's extension, as applications are that live in one.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright/test';
import { findBrowser, launchFlags } from '../scripts/browser.mjs';
import { root } from '../scripts/run.mjs';
import { expect, test } from './support/test.ts';

test('a page of an extension has a database, and its own addresses answer', async () => {
  const extension = await mkdtemp(join(tmpdir(), 'vivarium-extension-'));
  const profile = await mkdtemp(join(tmpdir(), 'vivarium-e2e-'));
  await cp(join(root, 'dist'), extension, { recursive: true });
  await writeFile(join(extension, 'manifest.json'), JSON.stringify({ manifest_version: 3, name: 'notes', version: '1' }));
  await writeFile(join(extension, 'popup.html'), '<!doctype html>');
  const executablePath = findBrowser();
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath === null ? {} : { executablePath }),
    // Playwright's own headless mode has no extensions.
    headless: false,
    args: [...launchFlags, '--headless=new', '--enable-unsafe-extension-debugging'],
    ignoreDefaultArgs: ['--disable-extensions'],
  });
  try {
    // Chrome, unlike Chromium, takes none from its command line.
    const devtools = await context.browser()?.newBrowserCDPSession();
    const loaded = await devtools?.send('Extensions.loadUnpacked', { path: extension });
    const page = await context.newPage();
    await page.goto(`chrome-extension://${loaded?.id}/popup.html`);
    const told = await page.evaluate(async () => {
      const { open } = (await import(new URL('/vivarium.js', location.href).href)) as { open(options: object): Promise<{ query(expression: unknown): Promise<unknown> }> };
      const db = await open({ serviceWorker: false });
      const post = (path: string): Promise<string> => fetch(path, { method: 'POST', headers: { authorization: 'Bearer secret' }, body: '{"add":[1,2]}' }).then((response) => response.text());
      return [await db.query({ add: [1, 2] }), await post('/'), await post('https://db.fauna.com/')];
    });
    expect(told).toEqual([3, '{"resource":3}', '{"resource":3}']);
  } finally {
    await context.close();
    await Promise.all([extension, profile].map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
  }
});

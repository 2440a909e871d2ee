// A site whose host says more of its files than it did when they were kept.
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { root } from '../scripts/run.mjs';
import { openControlled, ready } from './support/page.ts';
import { createCollections, query } from './support/queries.ts';
import { serve } from './support/site.ts';
import { expect, test } from './support/test.ts';

/** The headers kept with the worker's script. */
const keptWith = (page: Page, name: string): Promise<string | null> =>
  page.evaluate(async (name) => {
    for (const key of await caches.keys()) {
      const cache = await caches.open(key);
      const script = (await cache.keys()).find(({ url }) => /\/worker-[\w-]+\.js$/.test(url));
      if (script !== undefined) return (await cache.match(script))?.headers.get(name) ?? null;
    }
    throw new Error('the script is not kept');
  }, name);

// Not with `Cross-Origin-Opener-Policy`, too, at which WebKit takes another process for the page, and loses its inspector.
test('pages that embed only what allows it, from one day on, start the worker that was kept before', async ({ page }) => {
  const headers: Record<string, string> = {};
  const site = await serve(join(root, 'dist'), { headers });
  await openControlled(page, site.address);
  await query(page, createCollections('spells'));
  headers['cross-origin-embedder-policy'] = 'require-corp';
  for (let visit = 0; visit < 2; visit++) {
    await page.goto(site.address);
    await ready(page);
    expect(await query(page, { exists: { collection: 'spells' } })).toBe(true);
  }
  await site.stop();
  // Its server has ended.
  await page.reload();
  await ready(page);
  expect(await query(page, { exists: { collection: 'spells' } })).toBe(true);
});

test('what the host says of the worker’s script is taken from one visit to the next', async ({ page }) => {
  const headers: Record<string, string> = { 'content-security-policy': `connect-src 'self'` };
  const site = await serve(join(root, 'dist'), { headers });
  await openControlled(page, site.address);
  expect(await keptWith(page, 'content-security-policy')).toBe(`connect-src 'self'`);
  headers['content-security-policy'] = `connect-src 'self' https://issuer.example`;
  await page.reload();
  await ready(page);
  await expect.poll(() => keptWith(page, 'content-security-policy')).toBe(`connect-src 'self' https://issuer.example`);
  await site.stop();
});

// No page has an engine: the service worker's own answers, also offline and whatever the host says of scripts.
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { root } from '../scripts/run.mjs';
import { controlled, ready } from './support/page.ts';
import { create, createCollections, field, query, ref } from './support/queries.ts';
import { type Host, serve, type Site } from './support/site.ts';
import { expect, test } from './support/test.ts';

/** The playground is visited and left for a page of the same site that opens no database. */
async function visitAndLeave(page: Page, host: Host = {}, folder = join(root, 'dist')): Promise<Site> {
  const site = await serve(folder, host);
  await page.goto(site.address);
  await ready(page);
  await controlled(page);
  await query(page, createCollections('spells'));
  await query(page, create(ref('spells', 1), { name: 'Fire Beak' }));
  // The page has asked for what it shows: of a request that its end cuts off the service worker's own engine would take charge.
  await expect(page.locator('#collections .count')).toHaveText('1');
  await page.goto(`${site.address}reference.html`);
  return site;
}

/** Status and body, as a client sees them that knows nothing of us. */
const ask = (page: Page): Promise<readonly [number, string]> =>
  page.evaluate(async (body) => {
    const response = await fetch('/', { method: 'POST', headers: { Authorization: 'Bearer secret' }, body });
    return [response.status, await response.text()] as const;
  }, JSON.stringify(field(ref('spells', 1), 'name')));

const isKept = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await caches.match('/sw-engine.js', { ignoreSearch: true })) !== undefined);

/** As any page of the site may do it. */
const replace = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) if (url.includes('sw-engine.js')) await cache.put(url, new Response('globalThis.vivariumEngine = () => ({ handle: async () => ({ status: 200, headers: {}, body: "not ours" }) });'));
    }
  });

const throwAway = (page: Page): Promise<unknown> =>
  page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));

const ANSWER = [200, '{"resource":"Fire Beak"}'];

for (const [how, act] of [['thrown away', throwAway], ['replaced', replace]] as const) {
  test(`its script is kept with the other files, and fetched again where it was ${how}`, async ({ page }) => {
    const site = await visitAndLeave(page);
    expect(await isKept(page)).toBe(true);
    await act(page);
    expect(await ask(page)).toEqual(ANSWER);
    expect(await isKept(page)).toBe(true);
    await site.stop();
  });
}

test('it answers offline', async ({ page }) => {
  const site = await visitAndLeave(page);
  await site.stop();
  expect(await ask(page)).toEqual(ANSWER);
});

for (const name of ['content-security-policy', 'content-security-policy-report-only']) {
  test(`so it does on a host with a ${name}, where it is one of the service worker's own scripts`, async ({ page }) => {
    const site = await visitAndLeave(page, { headers: { [name]: `script-src 'self'` } });
    expect(await isKept(page)).toBe(false);
    await throwAway(page);
    await site.stop();
    expect(await ask(page)).toEqual(ANSWER);
  });
}

test('so it does on a host that requires Trusted Types of it as of the page, whose policy it does not have', async ({ page }) => {
  await page.addInitScript(() => {
    const { trustedTypes } = window as { readonly trustedTypes?: { createPolicy(name: string, rules: object): unknown } };
    const same = (text: string): string => text;
    trustedTypes?.createPolicy('default', { createHTML: same, createScript: same, createScriptURL: same });
  });
  const site = await visitAndLeave(page, { headers: { 'content-security-policy': `require-trusted-types-for 'script'; trusted-types default vivarium` } });
  await throwAway(page);
  await site.stop();
  expect(await ask(page)).toEqual(ANSWER);
});

test('the script of another build is not taken for it', async ({ page }) => {
  const build = await mkdtemp(join(tmpdir(), 'vivarium-build-'));
  await cp(join(root, 'dist'), build, { recursive: true });
  const site = await visitAndLeave(page, {}, build);
  await throwAway(page);
  await appendFile(join(build, 'sw-engine.js'), '// of another build');
  expect(await ask(page)).toEqual([503, expect.stringContaining('No engine could answer: ')]);
  await cp(join(root, 'dist/sw-engine.js'), join(build, 'sw-engine.js'));
  expect(await ask(page)).toEqual(ANSWER);
  await site.stop();
  await rm(build, { recursive: true });
});

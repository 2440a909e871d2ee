// The origin's share of the disk used up for real: the browser refuses, not a test in its place.
import { chromium } from 'playwright/test';
import { launch } from '../bench/devtools.mjs';
import { findBrowser } from '../scripts/browser.mjs';
import { expect, test } from './support/test.ts';

/** Bytes: a few times what the browser needs for itself. */
const QUOTA = 12_000_000;

type Browser = Awaited<ReturnType<typeof launch>>;
type Page = Awaited<ReturnType<Browser['open']>>;

/**
 * The playground in a browser of its own. A bare client, because the limit holds as long as its
 * session; set before IndexedDB is first opened, because the browser looks at it only now and then.
 */
async function openWithin(quota: number, baseURL: string, use: (page: Page) => Promise<void>): Promise<void> {
  const browser = await launch(findBrowser() ?? chromium.executablePath());
  try {
    const page = await browser.open(`${baseURL}icons/icon.svg`);
    await page.send('Storage.overrideQuotaForOrigin', { origin: baseURL, quotaSize: quota });
    await page.send('Page.navigate', { url: baseURL });
    await expect.poll(() => page.evaluate('document.documentElement.dataset.ready').catch(() => null), { timeout: 20_000 }).toBe('true');
    await use(page);
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
async function ask(path: string, body: string): Promise<string> {
  const response = await fetch(path, { method: 'POST', body, headers: { Authorization: 'Bearer secret', 'X-FaunaDB-API-Version': '4' } });
  return `${response.status} ${await response.text()}`;
}

const asking = (page: Page, expression: unknown): Promise<string> => page.evaluate(`(${ask.toString()})('./', ${JSON.stringify(JSON.stringify(expression))})`) as Promise<string>;
const byApi = (page: Page, call: string): Promise<string> =>
  page.evaluate(`(async () => { ${call} })().then((value) => value ?? 'ok', (error) => error.status + ' ' + error.message)`) as Promise<string>;

const FULL = '507 {"errors":[{"code":"storage quota exceeded","description":"there is no room left for more data"}]}';
const spell = (id: number): unknown => ({ ref: { collection: 'spells' }, id: String(id) });
const create = (id: number, pad: string): unknown => ({ create: spell(id), params: { object: { data: { object: { pad } } } } });
const COUNT = { count: { documents: { collection: 'spells' } } };

/** Text that nothing can be pressed out of. */
const noise = (length: number): string => Array.from({ length }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('');

test('where no room is left, writes are refused by name, reads and export go on; export, reset and import bring it all back', async ({ baseURL }) => {
  await openWithin(QUOTA, baseURL ?? '', async (page) => {
    await asking(page, { create_collection: { object: { name: 'spells' } } });
    let written = 0;
    // Where there is no room for much, there may be some for little.
    for (const length of [60_000, 5_000, 10]) {
      let refusal = '';
      while (refusal === '' && written < 1_000) {
        const answer = await asking(page, create(written + 1, noise(length)));
        if (answer.startsWith('201 ')) written++;
        else refusal = answer;
      }
      expect(refusal).toBe(FULL);
    }
    expect(written).toBeGreaterThan(10);
    // Deletions are written, too.
    expect(await asking(page, { delete: spell(1) })).toBe(FULL);
    expect(await byApi(page, `await vivarium.query(${JSON.stringify(create(5_001, 'small'))})`)).toBe('507 storage quota exceeded: there is no room left for more data');
    expect(await page.evaluate(`(${ask.toString()})('graphql', '{"query":"{ __typename }"}')`)).toContain('200 ');

    expect(await asking(page, COUNT)).toBe(`200 {"resource":${written}}`);
    expect(await asking(page, { exists: spell(5_000) })).toBe('200 {"resource":false}');
    expect(await asking(page, { get: spell(written) })).toMatch(/^200 /);
    expect(await byApi(page, 'return (await vivarium.status()).backend')).toBe('indexeddb');

    expect(await byApi(page, 'window.kept = await new Response(await vivarium.export()).text()')).toBe('ok');
    expect(await byApi(page, 'await vivarium.import(new Blob([kept]), { replace: true })')).toMatch(/^503 quota: /);
    expect(await asking(page, COUNT)).toBe(`200 {"resource":${written}}`);

    expect(await byApi(page, 'await vivarium.reset()')).toBe('ok');
    expect(await asking(page, { paginate: { collections: null } })).toBe('200 {"resource":{"data":[]}}');
    // The browser takes its time to count what it was given back.
    await expect.poll(() => byApi(page, 'await vivarium.import(new Blob([kept]))'), { timeout: 60_000 }).toBe('ok');
    expect(await asking(page, COUNT)).toBe(`200 {"resource":${written}}`);
    expect(await byApi(page, 'return String(kept === (await new Response(await vivarium.export()).text()))')).toBe('true');
    await expect.poll(() => asking(page, create(6_000, 'small')), { timeout: 60_000 }).toMatch(/^201 /);
  });
});

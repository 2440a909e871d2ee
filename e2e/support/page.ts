// The built site in a page: opened, ready, and then without a network.
import { expect, type BrowserContext, type Page } from 'playwright/test';
import { cutNetwork } from './network.ts';

export { cutNetwork };

export type AnsweredBy = 'service-worker' | 'shim';

/** Resolves when the database of this page is open. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'true', undefined, { timeout: 20_000 });
}

/** Resolves when the service worker answers this page's requests. */
export async function controlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.ready;
    if (serviceWorker.controller === null) {
      await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    }
  });
}

/** Address of a page of the site that never opens the database. */
export const PLAIN = '/reference.html';

/** One that is open; the service worker answers its requests. */
export async function openPlainPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(PLAIN);
  await controlled(page);
  return page;
}

/**
 * Opens the database, as `window.vivarium`, in a page of the site that has none by itself.
 * @param script address of the page API, from that of the page
 * @throws what `open()` does
 */
export function openIn(page: Page, options: object = {}, script = '/vivarium.js'): Promise<void> {
  return page.evaluate(
    async ({ from, options }) => {
      const { open } = (await import(from)) as { open(options: object): Promise<unknown> };
      Object.assign(window, { vivarium: await open(options) });
    },
    { from: new URL(script, page.url()).href, options },
  );
}

/** Who answers the requests of this page at this moment. */
export function answeredBy(page: Page): Promise<AnsweredBy> {
  return page.evaluate(async () => {
    const { vivarium } = window as unknown as { vivarium: { status(): Promise<{ answeredBy: AnsweredBy }> } };
    return (await vivarium.status()).answeredBy;
  });
}

/**
 * Has a page load what `status()` needs, which is loaded at its first use. The service worker has
 * kept it for the pages it controls; any other page must have it before the network goes.
 */
export async function loadStatus(page: Page): Promise<void> {
  await answeredBy(page);
}

/** First load, until the service worker is in control. */
export async function openControlled(page: Page, path = '/'): Promise<Page> {
  await page.goto(path);
  await ready(page);
  await controlled(page);
  return page;
}

/** The same, then offline. */
export async function openOffline(page: Page, path = '/'): Promise<void> {
  await openControlled(page, path);
  await cutNetwork(page.context());
  expect(await page.evaluate(() => fetch('not-kept').then(() => 'reached', () => 'cut off'))).toBe('cut off');
}

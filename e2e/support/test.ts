// `test` of every spec. Each has a server of its own. In Chromium it has a browser, too, with a profile on disk, as users
// have: Playwright's own contexts are incognito windows, whose IndexedDB lies in memory and behaves otherwise. In the
// other engines it has pages of one browser: nothing it stores is at another test's address. Only tests that ask for the
// `shared` page have it one after the other.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, test as playwright } from 'playwright/test';
import { root } from '../../scripts/run.mjs';
import { type Browser, engineName } from '../../scripts/engines/index.ts';
import { startWebKit } from '../../scripts/engines/webkit.ts';
import { makeFirefoxProfile, makeProfile, makeWebKitProfile, type Profile } from './browser-process.ts';
import { isOnly } from './network.ts';
import { openOffline } from './page.ts';
import { serve, type Site } from './site.ts';
import { contextOf } from './webkit-context.ts';

export { expect } from 'playwright/test';

/** Of a test that drives the browser by Chromium's own means, or is of what Chromium alone does. */
export const inChromium = { tag: '@chromium' } as const;

/** Of a test that takes what WebKit's inspector does not give: keys and clicks that the browser itself takes, going back, downloads, the window's size, answers in the place of another host or to a worker; or of what an earlier build did wrong there. */
export const notInWebKit = { tag: '@not-webkit' } as const;

interface Profiles {
  /** On which browsers can be started, killed and started again. */
  readonly profile: Profile;
}

interface Own {
  /** Its server has these files in the place of the built ones, by their names. WebKit may never load what comes after a page that Playwright answers for, if that brings a service worker. */
  readonly files: Readonly<Record<string, string>>;
  readonly site: Site;
}

/** For tests that do nothing but ask: most of the time of such a test was that of a first load. */
interface Shared {
  /** A page with an empty database, and without a network, which tests have one after the other. */
  readonly shared: Page;
}

/** What all tests of a worker process have, made for the first of them. A test that fails ends the process. */
interface Lasting {
  readonly lasting: Page;
}

/** The browser of a worker process, started for its first test. */
interface Running {
  readonly webkit: Browser;
}

const ONCE = { scope: 'worker', timeout: 60_000 } as const;

/** Opens the page that lasts. */
async function opened(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await openOffline(page);
  return page;
}

/** To the next test it is as if those before had not been. */
const emptied = {
  shared: async ({ lasting }: Lasting, use: (page: Page) => Promise<void>): Promise<void> => {
    await use(lasting);
    await lasting.evaluate(() => (window as unknown as { vivarium: { reset(): Promise<void> } }).vivarium.reset());
  },
};

/** A browser with a profile on disk, which goes with it. */
async function onNewDisk(options: object, use: (context: BrowserContext) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-e2e-'));
  const context = await chromium.launchPersistentContext(folder, options);
  await use(context);
  await context.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A server for as long as it is used. */
async function served(use: (site: Site) => Promise<void>, own: Own['files'] = {}): Promise<void> {
  const site = await serve(join(root, 'dist'), { own });
  await use(site);
  await site.stop();
}

/** A server of each test's own. */
const ownSite = playwright.extend<Own>({
  files: [{}, { option: true }],
  site: async ({ files }, use) => served(use, files),
  baseURL: async ({ site }, use) => use(site.address),
});

/** Gives a profile to a test, and removes it afterwards. */
async function lend(making: Promise<Profile>, use: (profile: Profile) => Promise<void>): Promise<void> {
  const profile = await making;
  await use(profile);
  await profile.remove();
}

const inFirefox = () =>
  ownSite.extend<Profiles & Shared, Lasting>({
    // A container of its own, whose database lies on the disk as everyone's does.
    context: async ({ context, site }, use) => {
      isOnly(site, context);
      await use(context);
    },
    profile: async ({ site }, use) => lend(makeFirefoxProfile(site), use),
    lasting: [
      async ({ browser }, use) => served(async (site) => {
        const context = await browser.newContext({ baseURL: site.address });
        isOnly(site, context);
        await use(await opened(context));
        await context.close();
      }),
      ONCE,
    ],
    ...emptied,
  });

const inWebKit = () =>
  ownSite.extend<Profiles & Shared, Running & Lasting>({
    webkit: [
      async ({}, use) => {
        const browser = await startWebKit();
        await use(browser);
        await browser.stop();
      },
      ONCE,
    ],
    context: async ({ webkit, site, serviceWorkers }, use) => {
      const context = contextOf(webkit, site, serviceWorkers);
      await use(context);
      await context.close();
    },
    page: async ({ context }, use) => use(await context.newPage()),
    profile: async ({ site }, use) => lend(makeWebKitProfile(site), use),
    lasting: [
      async ({ webkit }, use) => served(async (site) => {
        const context = contextOf(webkit, site);
        await use(await opened(context));
        await context.close();
      }),
      ONCE,
    ],
    ...emptied,
  });

const onDisk = () =>
  ownSite.extend<Profiles & Shared, Lasting>({
    context: async ({ baseURL, deviceScaleFactor, hasTouch, isMobile, viewport }, use) => onNewDisk({ baseURL, deviceScaleFactor, hasTouch, isMobile, viewport }, use),
    profile: async ({}, use) => lend(makeProfile(), use),
    lasting: [async ({}, use) => served(async ({ address }) => onNewDisk({ baseURL: address }, async (context) => use(await opened(context)))), ONCE],
    ...emptied,
  });

const TESTS = { chromium: onDisk, firefox: inFirefox, webkit: inWebKit } as const;

export const test: ReturnType<typeof onDisk> = TESTS[engineName ?? 'chromium']();

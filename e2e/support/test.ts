// `test` of every spec. In Chromium each test has a browser with a profile on disk, as users have: Playwright's own
// contexts are incognito windows, whose IndexedDB lies in memory and behaves otherwise. In the other engines each test
// has a browser tab or several, driven over their own protocols, and a server of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, test as playwright } from 'playwright/test';
import { root } from '../../scripts/run.mjs';
import type { Engine } from '../../scripts/engines/engine.ts';
import { engineName, startEngine } from '../../scripts/engines/index.ts';
import { makeProfile, type Profile } from './browser-process.ts';
import { makeRemoteProfile, remoteContext } from './remote-page.ts';
import { serve, type Site } from './site.ts';

export { expect } from 'playwright/test';

/** Of a test that kills a browser and starts another on its profile: WebKit keeps none for the drivers of tests. */
export const onProfile = { tag: '@profile' } as const;

/** Of a test that drives the browser by Chromium's own means, or looks at the playground, in a spec that runs in every engine. */
export const inChromium = { tag: '@chromium' } as const;

interface Profiles {
  /** On which browsers can be started, killed and started again. */
  readonly profile: Profile;
}

/** The engine of a worker process, started for its first test. */
interface Shared {
  readonly engine: Engine;
}

interface Own {
  readonly site: Site;
}

const remote = () =>
  playwright.extend<Own & Profiles, Shared>({
    engine: [
      async ({}, use) => {
        const engine = await startEngine(engineName ?? 'firefox');
        await use(engine);
        await engine.stop();
      },
      { scope: 'worker', timeout: 60_000 },
    ],
    site: async ({}, use) => {
      const site = await serve(join(root, 'dist'));
      await use(site);
      await site.stop();
    },
    baseURL: async ({ site }, use) => use(site.address),
    context: async ({ engine, site }, use) => {
      const context = remoteContext(engine, site);
      await use(context);
      await context.close();
    },
    page: async ({ context }, use) => use(await context.newPage()),
    profile: async ({ site }, use) => {
      const profile = await makeRemoteProfile(site);
      await use(profile);
      await profile.remove();
    },
  });

const onDisk = () =>
  playwright.extend<Profiles>({
    context: async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'vivarium-e2e-'));
      const context = await chromium.launchPersistentContext(folder);
      await use(context);
      await context.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    profile: async ({}, use) => {
      const profile = await makeProfile();
      await use(profile);
      await profile.remove();
    },
  });

export const test: ReturnType<typeof onDisk> = engineName === null ? onDisk() : remote();

// The built site in a real browser. `npm test -- e2e` builds it first.
import { defineConfig } from 'playwright/test';
import { findShell, launchFlags } from '../scripts/browser.mjs';
import { firefoxOptions } from '../scripts/engines/firefox.ts';
import { engineName } from '../scripts/engines/index.ts';

const executablePath = findShell();

/** Specs that start Chromium themselves, look into its files, or are of what is built and not of where it runs. */
const CHROMIUM = ['compiled', 'crash', 'denied', 'extension', 'package', 'prerender', 'quota', 'room'].map((name) => `${name}.spec.ts`);

/** What does not run in an engine: see support/test.ts. */
const LEFT_OUT = {
  chromium: {},
  firefox: { testIgnore: CHROMIUM, grepInvert: /@chromium/ },
  webkit: { testIgnore: CHROMIUM, grepInvert: /@chromium|@not-webkit/ },
} as const;

export default defineConfig({
  testDir: '.',
  ...LEFT_OUT[engineName ?? 'chromium'],
  outputDir: '../test-results',
  // A busy machine is late, and no test here is of speed.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    screenshot: 'only-on-failure',
    ...(engineName === 'firefox'
      ? { browserName: 'firefox', launchOptions: firefoxOptions() }
      : { browserName: 'chromium', launchOptions: { ...(executablePath === null ? {} : { executablePath }), args: [...launchFlags] } }),
  },
});

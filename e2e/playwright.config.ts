// The built site in a real browser. `npm test -- e2e` builds it first and picks a free port.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'playwright/test';
import { findBrowser, launchFlags } from '../scripts/browser.mjs';
import { engineName } from '../scripts/engines/index.ts';

const port = Number(process.env['VIVARIUM_E2E_PORT'] ?? 4187);
const address = `http://localhost:${port}/`;
const executablePath = findBrowser();

/** Specs that run in every engine, but for those of their tests that are `inChromium` or `onProfile`: see support/test.ts. */
const PORTABLE = [
  'brief-*', 'clients-*', 'errors', 'evicted', 'first-use', 'index-build', 'nesting', 'page-api', 'persistence', 'serial', 'stream-ends', 'streams', 'tabs', 'transfer',
  // In WebKit one answer in some thousand was a 503, and nobody knows why yet.
  ...(engineName === 'webkit' ? [] : ['drivers-*']),
].map((name) => `${name}.spec.ts`);

export default defineConfig({
  testDir: '.',
  ...(engineName === null ? {} : { testMatch: PORTABLE, grepInvert: engineName === 'webkit' ? /@chromium|@profile/ : /@chromium/ }),
  outputDir: '../test-results',
  timeout: 60_000,
  // A busy machine is late, and no test here is of speed.
  expect: { timeout: 20_000 },
  workers: engineName === null ? 2 : 1,
  fullyParallel: true,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    baseURL: address,
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    launchOptions: { ...(executablePath === null ? {} : { executablePath }), args: [...launchFlags] },
  },
  // In other engines each test has a server of its own.
  ...(engineName !== null ? {} : {
    webServer: {
      command: `node node_modules/vite/bin/vite.js preview --port ${port} --strictPort`,
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      url: address,
      reuseExistingServer: false,
    },
  }),
});

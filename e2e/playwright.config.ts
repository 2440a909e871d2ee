// The built site in a real browser. `npm test -- e2e` builds it first and picks a free port.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'playwright/test';
import { findBrowser, launchFlags } from '../scripts/browser.mjs';

const port = Number(process.env['VIVARIUM_E2E_PORT'] ?? 4187);
const address = `http://localhost:${port}/`;
const executablePath = findBrowser();

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  timeout: 60_000,
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    baseURL: address,
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    launchOptions: { ...(executablePath === null ? {} : { executablePath }), args: [...launchFlags] },
  },
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --port ${port} --strictPort`,
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    url: address,
    reuseExistingServer: false,
  },
});

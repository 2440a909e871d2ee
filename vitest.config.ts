// Two kinds of tests beside the code: `*.test.ts` in Node, `*.browser.test.ts` in a real browser.
// Those of the engine run in Node twice, warm and cold.
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findShell, launchFlags } from './scripts/browser.mjs';
import { profile } from './scripts/browser-profile.ts';
import { engineName } from './scripts/engines/index.ts';
import { inEngine } from './scripts/engines/vitest.ts';

/** In milliseconds. A test far slower than its neighbours is a bug, but a busy machine is none. */
const testTimeout = 20_000;
/** What is waited for comes within a second, unless the machine is. */
const expect = { poll: { timeout: 15_000 } };

export default defineConfig({
  test: {
    // Vitest would leave one free: of two, half of all.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/*.test.ts'],
          exclude: ['**/*.browser.test.ts'],
          testTimeout,
          expect,
        },
      },
      {
        // The same engine where everything lies in blocks and none is kept: every read has to wait.
        test: {
          name: 'cold',
          environment: 'node',
          include: ['src/engine/{http,txn}/**/*.test.ts', 'src/engine/graphql/engine-database.test.ts', 'src/engine/fql/conformance/*.test.ts'],
          env: { VIVARIUM_COLD: '1' },
          testTimeout: 3 * testTimeout,
          expect,
        },
      },
      {
        // Named here, or the first test to meet one would reload the page under all others.
        optimizeDeps: { include: ['comlink', 'graphql', 'idb'] },
        test: {
          name: 'browser',
          include: ['src/**/*.browser.test.ts'],
          testTimeout,
          expect,
          globalSetup: './scripts/browser-profile.ts',
          browser: {
            enabled: true,
            headless: true,
            // Of a profile there is but one browser.
            fileParallelism: false,
            screenshotFailures: false,
            instances: [{ browser: engineName ?? 'chromium' }],
            provider: engineName === null ? playwright({ launchOptions: { ...executable(), args: [...launchFlags] }, persistentContext: profile }) : inEngine(engineName),
          },
        },
      },
    ],
  },
});

/** Without one Playwright looks for its own, and says what is missing. */
function executable(): { executablePath?: string } {
  const executablePath = findShell();
  return executablePath === null ? {} : { executablePath };
}

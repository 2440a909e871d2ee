import { fileURLToPath } from 'node:url';
import type { LaunchOptions } from 'playwright/test';
import { PREFERENCES } from '../../scripts/engines/firefox.ts';

/** What Playwright starts Firefox with, as users have it: it speaks to it by WebDriver BiDi. @param env added to the environment */
export const firefoxOptions = (env: Readonly<Record<string, string>> = {}): LaunchOptions => ({
  channel: 'moz-firefox',
  executablePath: fileURLToPath(new URL('../../scripts/engines/firefox-relay.mjs', import.meta.url)),
  firefoxUserPrefs: PREFERENCES,
  env: { ...(process.env as Record<string, string>), ...env },
});

// Firefox as users have it, as Playwright starts it: it speaks to it by WebDriver BiDi.
import { fileURLToPath } from 'node:url';
import { firefox, type LaunchOptions } from 'playwright';
import type { Browser } from './index.ts';

/** No network of its own beside what the tests do. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.max_script_run_time': 0,
  'extensions.update.enabled': false,
  // Light, whatever this machine prefers.
  'layout.css.prefers-color-scheme.content-override': 1,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

/** Both are added to what is there already. */
export const firefoxOptions = (env: Readonly<Record<string, string>> = {}, preferences: Readonly<Record<string, boolean>> = {}): LaunchOptions => ({
  channel: 'moz-firefox',
  executablePath: fileURLToPath(new URL('firefox-relay.mjs', import.meta.url)),
  firefoxUserPrefs: { ...PREFERENCES, ...preferences },
  env: { ...(process.env as Record<string, string>), ...env },
});

/** With a profile of its own, which goes with it. */
export async function startFirefox(): Promise<Browser> {
  const browser = await firefox.launch(firefoxOptions());
  const context = await browser.newContext();
  return { newPage: () => context.newPage(), stop: () => browser.close() };
}

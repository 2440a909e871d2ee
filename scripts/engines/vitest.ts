// Has Vitest run its browser tests in Firefox or WebKit: all that takes is a page that shows Vitest's page.
import { defineBrowserProvider } from '@vitest/browser';
import type { EngineName } from './find.mjs';
import { startFirefox } from './firefox.ts';
import type { Browser } from './index.ts';
import { startWebKit } from './webkit.ts';

const START: Readonly<Record<EngineName, () => Promise<Browser>>> = { firefox: startFirefox, webkit: startWebKit };

export const inEngine = (name: EngineName): ReturnType<typeof defineBrowserProvider> =>
  defineBrowserProvider({
    name: `vivarium-${name}`,
    supportedBrowser: [name],
    providerFactory() {
      let browser: Promise<Browser> | null = null;
      return {
        name: `vivarium-${name}`,
        supportsParallelism: false,
        getCommandsContext: () => ({}),
        async openPage(_session, address) {
          browser ??= START[name]();
          const page = await (await browser).newPage();
          await page.goto(address);
        },
        close: async () => (await browser)?.stop(),
      };
    },
  });

// Has Vitest run its browser tests in Firefox or WebKit: all that takes is a tab that shows Vitest's page.
import { defineBrowserProvider } from '@vitest/browser';
import type { Engine } from './engine.ts';
import type { EngineName } from './find.mjs';
import { startEngine } from './index.ts';

export const inEngine = (name: EngineName): ReturnType<typeof defineBrowserProvider> =>
  defineBrowserProvider({
    name: `vivarium-${name}`,
    supportedBrowser: [name],
    providerFactory() {
      let engine: Promise<Engine> | null = null;
      return {
        name: `vivarium-${name}`,
        supportsParallelism: false,
        getCommandsContext: () => ({}),
        async openPage(_session, address) {
          engine ??= startEngine(name);
          const tab = await (await engine).open();
          await tab.goto(address);
        },
        close: async () => (await engine)?.stop(),
      };
    },
  });

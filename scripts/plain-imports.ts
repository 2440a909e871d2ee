// The bundler wraps every `import()` in a helper that first fetches the styles and scripts of
// what is imported. Ours have none of their own, and the helper weighs as much as a tenth of the page API.
import type { Plugin } from 'vite';

export function withPlainImports(): Plugin {
  return {
    name: 'vivarium:plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && file.code.includes('__vite__mapDeps')) this.error(`${file.fileName} imports something with files of its own, which nobody would fetch`);
        }
      },
    },
  };
}

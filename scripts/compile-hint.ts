// Says of a file that most of it runs as soon as it is loaded. Chromium then compiles it in one
// go and keeps all of that beside the file, so that the next start compiles nothing; without,
// it keeps only what ran while the file was evaluated. Others take it for the comment it is.
import type { Plugin } from 'vite';

const HINT = '//# allFunctionsCalledOnLoad\n';

/** @param name of the chunk */
export function compiledWhole(name: string): Plugin {
  return {
    name: 'vivarium:compile-hint',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.name === name) file.code = HINT + file.code;
      },
    },
  };
}

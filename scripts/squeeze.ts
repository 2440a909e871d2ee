// A second minifier over what the bundler has minified: a hundredth less to fetch, which
// the first one does not find. It goes over whole files at the very end, as doing the work of the first
// one (Vite's `minify: 'terser'`) makes them larger.
import { minify } from 'terser';
import type { Plugin } from 'vite';

export function squeezed(): Plugin {
  let isMinified = false;
  return {
    name: 'vivarium:squeeze',
    apply: 'build',
    configResolved(config) {
      // A build whose names are to be read stays as it is.
      isMinified = config.build.minify !== false;
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        if (!isMinified) return;
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = await squeeze(file.code);
        }
      },
    },
  };
}

async function squeeze(code: string): Promise<string> {
  const { code: smaller } = await minify(code, { module: true, ecma: 2020, compress: { passes: 2 } });
  if (smaller === undefined) throw new Error('the second minifier gave no code');
  return smaller;
}

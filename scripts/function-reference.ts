// The function reference: its page, and its data, which the build makes from the registry. The engine is
// shipped without the documentation of its forms (form-docs.ts); this is where that goes.
import { join, resolve } from 'node:path';
import { type Plugin, runnerImport } from 'vite';
import { root } from './run.mjs';
import { isThisSite } from './this-site.ts';

const NAME = 'virtual:function-reference';
const ENTRIES = resolve(import.meta.dirname, 'reference-entries.ts');

export function functionReference(): Plugin {
  return {
    name: 'vivarium:function-reference',
    config: (user) => (isThisSite(user) ? { build: { rolldownOptions: { input: { reference: join(root, 'reference.html') } } } } : {}),
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null;
      const { module } = await runnerImport<typeof import('./reference-entries.ts')>(ENTRIES);
      return `export const families = ${JSON.stringify(module.referenceFamilies())};\nexport const world = ${JSON.stringify(module.WORLD)};`;
    },
  };
}

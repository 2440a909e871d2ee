// For a script of one file, where all that is loaded at first use elsewhere is there from the start. Left to the bundler,
// each module of it becomes a function that is called by all that import it: a twentieth of the script.
import type { Plugin } from 'vite';

const IMPORT = /\bimport\((['"])([^'"]+)\1\)/g;

/** Makes of each `import('a module')` a promise of the same, imported like any other. */
export function partsInside(): Plugin {
  return {
    name: 'vivarium:parts-inside',
    transform(code) {
      const parts: string[] = [];
      const inside = code.replace(IMPORT, (_import, _quote: string, address: string) => `Promise.resolve(part${parts.push(address) - 1})`);
      return parts.length === 0 ? null : [...parts.map((address, nth) => `import * as part${nth} from ${JSON.stringify(address)};`), inside].join('\n');
    },
  };
}

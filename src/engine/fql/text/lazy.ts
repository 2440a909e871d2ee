// Regular expressions as Java reads them, `format`, title case and n-grams weigh a fifth of what
// the engine does, and few queries ask for them. They are loaded when one first does; from then on
// they are here and nothing waits.
import type { MaybePromise } from '../../base/maybe.ts';

type TextLibrary = typeof import('./text-library.ts');

let loaded: TextLibrary | undefined;

export function textLibrary(): MaybePromise<TextLibrary> {
  return loaded ?? import('./text-library.ts').then((library) => (loaded = library));
}

// Regular expressions as Java reads them, `format`, title case, n-grams and numbers out of text
// weigh a fifth of what the engine does, and few queries ask for them.
import { part } from '../../errors/part.ts';

export const textLibrary = part(() => import('./text-library.ts'));
